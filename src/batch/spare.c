/* Refuses a batch whose results would take the place of a file that it reads: a scan may be the fit of an earlier batch. */
#include "batch/parts.h"
#include "base/platform_file.h"

#include <stdlib.h>
#include <string.h>

/* What a case reads, by the names of the columns. */
static const struct {
    batch_role role;
    const char *column;
} FILES[] = {{BATCH_TARGET, "target"},       {BATCH_TRUTH, "truth"},
             {BATCH_MISSING, "missing"},     {BATCH_REFERENCE, "reference"},
             {BATCH_LANDMARKS, "landmarks"}, {BATCH_REFERENCE_LANDMARKS, "reference_landmarks"},
             {BATCH_APPLY, "apply"}};

/* Where the results go. folder: without links; NULL: there is none yet, so that it holds no input. */
typedef struct places {
    batch *b;
    char *folder;
} places;

static bool is_id(const batch *b, const char *text, size_t length)
{
    for (int64_t i = 0; i < b->manifest.count; i++) {
        const char *id = batch_cell(&b->manifest, i, BATCH_ID);
        if (strlen(id) == length && strncmp(id, text, length) == 0)
            return true;
    }
    return false;
}

/* Whether a path without links is FOLDER/ID/fit.ply or another result, or a table of sfgp collect. */
static bool is_result(const places *p, const char *path)
{
    const size_t length = p->folder ? strlen(p->folder) : 0;
    if (length == 0 || strncmp(path, p->folder, length) != 0 || path[length] != '/')
        return false;
    const char *id = path + length + 1, *slash = strchr(id, '/');
    if (!slash)
        return batch_is_table(id);
    return batch_is_result(slash + 1) && is_id(p->b, id, (size_t)(slash - id));
}

/* The path without links. The caller frees it. NULL: no such file. */
static char *resolve(const char *path)
{
    char *file = batch_model_file(path), *whole = file ? sfgp_platform_resolve(file) : NULL;
    free(file);
    return whole;
}

/* what: the argument or column that names the path; id: of its case, or "". */
static sfgp_status spare(const places *p, const char *what, const char *id, const char *path)
{
    batch *b = p->b;
    char *whole = path ? resolve(path) : NULL;
    const bool result = whole && is_result(p, whole);
    const bool event = whole && b->events && sfgp_platform_same_file(whole, b->events) &&
                       sfgp_platform_kind_at(whole) == SFGP_PLATFORM_FILE;
    free(whole);
    if (!result && !event)
        return SFGP_OK;
    return batch_fail(b, SFGP_ERROR_PARAMETER, "%s: %s would write over an input, %s%s%s; give another %s",
                      path, result ? "--output" : "--events", what, id[0] ? " of case " : "", id,
                      result ? "folder" : "file");
}

static sfgp_status spare_case(const places *p, int64_t number)
{
    sfgp_status status = SFGP_OK;
    for (size_t k = 0; k < sizeof FILES / sizeof *FILES && status == SFGP_OK; k++) {
        char *path = NULL;
        status = batch_file_of(p->b, number, FILES[k].role, NULL, &path);
        if (status == SFGP_OK)
            status = spare(p, FILES[k].column, batch_cell(&p->b->manifest, number, BATCH_ID), path);
        free(path);
    }
    return status;
}

static sfgp_status spare_arguments(const places *p)
{
    const batch *b = p->b;
    sfgp_status status = spare(p, "MANIFEST", "", b->text ? NULL : b->path);
    if (status == SFGP_OK)
        status = spare(p, "--config", "", b->config);
    for (int k = 0; k < b->reference_count && status == SFGP_OK; k++) {
        status = spare(p, "--reference", "", b->references[k].path);
        if (status == SFGP_OK)
            status = spare(p, "--landmarks", "", b->references[k].landmarks);
        if (status == SFGP_OK)
            status = spare(p, "--apply", "", b->references[k].apply);
    }
    for (int k = 0; k < b->training_count && status == SFGP_OK; k++)
        status = spare(p, "--train", "", b->training[k]);
    return status;
}

sfgp_status batch_inputs_spare(batch *b)
{
    const places p = {b, sfgp_platform_resolve(b->folder)};
    sfgp_status status = spare_arguments(&p);
    for (int64_t i = 0; i < b->manifest.count && status == SFGP_OK; i++)
        status = spare_case(&p, i);
    free(p.folder);
    return status;
}
