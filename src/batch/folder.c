/* Prepares the folder of a case, and clears up after one that was killed. */
#include "batch/lock.h"
#include "base/platform_file.h"
#include "base/platform_folder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const RESULTS[] = {"case.json",      "fit.ply",       "fit.html",
                                      "fit.h5",         "landmarks.csv", "landmarks.mrk.json",
                                      "landmarks.fcsv", "carried.ply"}; /* case.json first */

bool batch_is_result(const char *name)
{
    size_t k = 0;
    while (k < sizeof RESULTS / sizeof *RESULTS && strcmp(name, RESULTS[k]) != 0)
        k++;
    return k < sizeof RESULTS / sizeof *RESULTS;
}

static void remove_in(const char *folder, const char *name)
{
    char *path = report_format("%s/%s", folder, name);
    if (path)
        sfgp_platform_remove(path);
    free(path);
}

/* Whether this is a temporary file of a killed run, .sfgp-PID-N.tmp. This process has the lock of the case, so no other
 * process is writing such a file. */
static bool is_left_over(const char *name)
{
    const size_t length = strlen(name);
    return strncmp(name, ".sfgp-", 6) == 0 && length > 10 && strcmp(name + length - 4, ".tmp") == 0;
}

/* In this process's case. */
static void remove_left_over(const char *folder, sfgp_folder *open)
{
    const char *name;
    while ((name = sfgp_folder_next(open)))
        if (is_left_over(name))
            remove_in(folder, name);
}

void batch_folder_abandon(batch *b, const char *id)
{
    int lock;
    char *folder = batch_in_case(b->folder, id, "");
    if (folder && batch_lock_case(b, id, false, &lock) != SFGP_LOCK_BUSY) {
        sfgp_folder *open = sfgp_folder_open(folder);
        if (open)
            remove_left_over(folder, open);
        sfgp_folder_close(open);
        sfgp_folder_remove(folder); /* not one with files */
        sfgp_platform_close(lock);
    }
    free(folder);
}

sfgp_status batch_folder_prepare(batch *b, const char *id, char *message, size_t room)
{
    char *folder = batch_in_case(b->folder, id, "");
    if (!folder)
        return SFGP_ERROR_MEMORY;
    const bool made = sfgp_folder_make(folder);
    sfgp_folder *open = made || errno == EEXIST ? sfgp_folder_open(folder) : NULL;
    if (!open) {
        snprintf(message, room, "%s: cannot make the folder: %s", folder, strerror(errno));
        return free(folder), SFGP_ERROR_WRITE;
    }
    for (size_t k = 0; k < sizeof RESULTS / sizeof *RESULTS; k++)
        remove_in(folder, RESULTS[k]);
    if (!made)
        remove_left_over(folder, open);
    sfgp_folder_close(open);
    free(folder);
    return SFGP_OK;
}
