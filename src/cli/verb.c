/* Looks up a verb by its name. */
#include "cli/verb.h"

#include <string.h>

const cli_verb *cli_verb_find(const cli_verb *const *verbs, const char *name)
{
    for (; *verbs; verbs++)
        if (strcmp((*verbs)->name, name) == 0)
            return *verbs;
    return NULL;
}
