/* Prints what other programs read. */
#include "cli/json.h"
#include "report/json_text.h"

#include <stdio.h>
#include <stdlib.h>

void cli_json_print(json_t *value)
{
    enum { DIGITS = 17 };
    char *text = report_json_dump(value, DIGITS);
    json_decref(value);
    fputs(text, stdout);
    free(text);
}
