/* The order of the cases: those that cannot be fitted, because a file is not there, come first. So a wrong path is told before a long
 * run has begun, and not when its row comes up. */
#include "batch/parts.h"
#include "base/platform_file.h"

#include <stdlib.h>
#include <string.h>

/* An empty cell names no file. Without memory the file is taken to be there: the case will tell. */
static bool may_read(const batch *b, int64_t number, batch_role role)
{
    const char *cell = batch_cell(&b->manifest, number, role);
    char *path = cell[0] ? batch_beside(b, cell) : NULL;
    const bool may = !path || sfgp_platform_may_read(path);
    free(path);
    return may;
}

static bool has_files(const batch *b, int64_t number)
{
    static const batch_role FILES[] = {BATCH_TARGET, BATCH_TRUTH, BATCH_MISSING, BATCH_LANDMARKS,
                                       BATCH_REFERENCE_LANDMARKS};
    size_t k = 0;
    while (k < sizeof FILES / sizeof *FILES && may_read(b, number, FILES[k]))
        k++;
    return k == sizeof FILES / sizeof *FILES;
}

void batch_absent_first(batch *b, int64_t *room)
{
    int64_t absent = 0, there = 0;
    for (int64_t k = 0; k < b->todo_count; k++)
        if (has_files(b, b->todo[k]))
            room[there++] = b->todo[k];
        else
            b->todo[absent++] = b->todo[k];
    memcpy(b->todo + absent, room, (size_t)there * sizeof *room);
}
