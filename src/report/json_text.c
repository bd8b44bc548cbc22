/* Converts text to JSON strings and JSON to text, and the memory of jansson, which does not bear to get none. */
#include "report/json_text.h"
#include "base/platform_leave.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *allocate_or_end(size_t bytes)
{
    void *block = malloc(bytes);
    if (block || bytes == 0)
        return block;
    fputs("sfgp: error: out of memory\n", stderr);
    sfgp_platform_leave(SFGP_ERROR_MEMORY);
}

void report_json_guard_memory(void)
{
    json_set_alloc_funcs(allocate_or_end, free);
}

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

char *report_json_dump(const json_t *object, int digits)
{
    const size_t flags = JSON_INDENT(2) | JSON_REAL_PRECISION((size_t)digits),
                 size = json_dumpb(object, NULL, 0, flags);
    json_malloc_t allocate;
    json_get_alloc_funcs(&allocate, NULL);
    char *text = allocate(size + 2);
    json_dumpb(object, text, size, flags);
    strcpy(text + size, "\n");
    return text;
}
