/* Numbers as text, read and written in the C locale whatever the process has set. */
#include "base/number.h"
#include "base/platform_locale.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether it begins as nan of any case does. */
static bool is_nan_text(const char *text)
{
    const char *at = text[0] == '-' ? text + 1 : text;
    return tolower((unsigned char)at[0]) == 'n' && tolower((unsigned char)at[1]) == 'a' &&
           tolower((unsigned char)at[2]) == 'n';
}

sfgp_number sfgp_number_parse(const char *text, size_t length, double *value)
{
    char copy[512]; /* longer than any number that a program writes */
    char *end;
    if (length == 0 || length >= sizeof copy || isspace((unsigned char)text[0]))
        return SFGP_NUMBER_GARBAGE;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strpbrk(copy, "xX"))
        return is_nan_text(copy) ? SFGP_NUMBER_NOT_FINITE : SFGP_NUMBER_GARBAGE;
    *value = sfgp_platform_strtod(copy, &end);
    if (end != copy + length)
        return SFGP_NUMBER_GARBAGE;
    return isfinite(*value) ? SFGP_NUMBER_OK : SFGP_NUMBER_NOT_FINITE;
}

const char *sfgp_number_format(double value, char text[SFGP_NUMBER_SIZE])
{
    void *before = sfgp_platform_locale_begin();
    for (int digits = 15;; digits++) {
        snprintf(text, SFGP_NUMBER_SIZE, "%.*g", digits, value);
        if (digits == 17 || !isfinite(value) || strtod(text, NULL) == value)
            break;
    }
    sfgp_platform_locale_end(before);
    return text;
}
