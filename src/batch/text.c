/* Paths and files of a batch, its errors, and the names of its status codes. */
#include "batch/parts.h"
#include "base/platform_file.h"

#include <stdlib.h>
#include <string.h>

const char *batch_library_text(const batch *b, sfgp_status status)
{
    const char *message = sfgp_context_error(b->context);
    return message[0] ? message : sfgp_status_text(status);
}

char *batch_beside(const batch *b, const char *path)
{
    const char *slash = strrchr(b->path, '/');
    if (path[0] == '/' || !slash)
        return strdup(path);
    return report_format("%.*s/%s", (int)(slash - b->path), b->path, path);
}

char *batch_in_case(const char *folder, const char *id, const char *name)
{
    return report_format("%s/%s%s%s", folder, id, name[0] ? "/" : "", name);
}

bool batch_case_has(const char *folder, const char *id, const char *name)
{
    char *path = batch_in_case(folder, id, name);
    const bool there = path && sfgp_platform_exists(path);
    free(path);
    return there;
}

sfgp_status batch_write(batch *b, const char *folder, const char *name, const char *text, size_t size)
{
    char *path = report_format("%s/%s", folder, name);
    const sfgp_status status = path ? sfgp_file_write(b->context, path, text, size) : SFGP_ERROR_MEMORY;
    free(path);
    return status == SFGP_OK ? status : batch_fail_library(b, status);
}

const char *batch_status_text(batch_status status)
{
    static const char *const TEXTS[] = {
#define BATCH_STATUS_WORDS(name, text) text,
        BATCH_STATUS_TABLE(BATCH_STATUS_WORDS)
#undef BATCH_STATUS_WORDS
    };
    return TEXTS[status];
}
