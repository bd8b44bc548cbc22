/* Converts text to JSON strings and JSON to text. */
#include "report/json_text.h"

#include <stdlib.h>
#include <string.h>

json_t *report_json_text(const char *text)
{
    json_t *made = json_string(text);
    char *copy = made ? NULL : strdup(text);
    for (char *c = copy; c && *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
    if (copy)
        made = json_string(copy);
    free(copy);
    return made;
}

sfgp_status report_json_dump(const json_t *object, int digits, char **text)
{
    char *dumped = object ? json_dumps(object, JSON_INDENT(2) | JSON_REAL_PRECISION((size_t)digits)) : NULL;
    *text = dumped ? realloc(dumped, strlen(dumped) + 2) : NULL;
    if (!*text)
        return free(dumped), SFGP_ERROR_MEMORY;
    strcat(*text, "\n");
    return SFGP_OK;
}
