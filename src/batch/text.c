/* Paths of a batch, and the names of its status codes. */
#include "batch/batch.h"

#include <string.h>

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

const char *batch_status_text(batch_status status)
{
    static const char *const TEXTS[] = {
#define BATCH_STATUS_WORDS(name, text) text,
        BATCH_STATUS_TABLE(BATCH_STATUS_WORDS)
#undef BATCH_STATUS_WORDS
    };
    return TEXTS[status];
}
