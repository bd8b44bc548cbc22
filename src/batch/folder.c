/* Prepares the folder of a case. */
#include "batch/batch.h"
#include "report/file.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const RESULTS[] = {"case.json",      "fit.ply",       "fit.html",
                                      "fit.h5",         "landmarks.csv", "landmarks.mrk.json",
                                      "landmarks.fcsv", "carried.ply"}; /* case.json first */

static void remove_in(const char *folder, const char *name)
{
    char *path = report_format("%s/%s", folder, name);
    if (path)
        unlink(path);
    free(path);
}

/* Whether this is a temporary file of a killed run, .sfgp-PID-N.tmp. This process has the lock of the case, so no other
 * process is writing such a file. */
static bool is_left_over(const char *name)
{
    const size_t length = strlen(name);
    return strncmp(name, ".sfgp-", 6) == 0 && length > 10 && strcmp(name + length - 4, ".tmp") == 0;
}

sfgp_status batch_folder_prepare(batch *b, const char *id, char *message, size_t room)
{
    char *folder = batch_in_case(b->folder, id, "");
    if (!folder)
        return SFGP_ERROR_MEMORY;
    struct dirent *entry;
    const bool made = report_folder_make(folder);
    DIR *open = made || errno == EEXIST ? opendir(folder) : NULL;
    if (!open) {
        snprintf(message, room, "%s: cannot make the folder: %s", folder, strerror(errno));
        return free(folder), SFGP_ERROR_WRITE;
    }
    for (size_t k = 0; k < sizeof RESULTS / sizeof *RESULTS; k++)
        remove_in(folder, RESULTS[k]);
    while (!made && (entry = readdir(open)))
        if (is_left_over(entry->d_name))
            remove_in(folder, entry->d_name);
    closedir(open);
    free(folder);
    return SFGP_OK;
}
