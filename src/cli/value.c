/* Converts the text of an option to its value, and stores it. */
#include "cli/value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The decimal sign is always a point, because the program never calls setlocale. Whole numbers are exact up to 2^53. */
static sfgp_status store_number(cli_session *session, const cli_option *option, const char *text)
{
    char *end;
    bool whole = option->kind == CLI_COUNT;
    double value = strtod(text, &end);
    if (*end || isspace((unsigned char)*text) || !isfinite(value) || strpbrk(text, "xX") ||
        (whole && !(value >= 0 && value <= 0x1p53 && value == floor(value))))
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--%s: '%.60s' is not a %s", option->name, text,
                        whole ? "whole number of 0 or more" : "number");
    if (whole)
        *(int64_t *)option->value = (int64_t)value;
    else
        *(double *)option->value = value;
    return SFGP_OK;
}

sfgp_status cli_value_option(cli_session *session, const cli_option *option, const char *text)
{
    if (option->kind == CLI_REAL || option->kind == CLI_COUNT)
        return store_number(session, option, text);
    if (option->kind == CLI_SWITCH)
        *(bool *)option->value = true;
    else
        *(const char **)option->value = text;
    return SFGP_OK;
}

sfgp_status cli_value_setting(cli_session *session, const sfgp_setting *row, bool first, const char *text,
                              sfgp_settings *settings)
{
    char joined[2 * SFGP_TEXT_SIZE];
    if (!first) {
        snprintf(joined, sizeof joined, "%s+%s", (const char *)settings + row->offset, text);
        text = joined;
    }
    return cli_check(session, sfgp_settings_set(session->context, settings, row->name, text));
}
