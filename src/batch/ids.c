/* Checks ids: each is a valid folder name on every system, and no two are equal. */
#include "batch/parts.h"
#include "base/platform_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_ID = 200 };

bool batch_is_table(const char *name)
{
    static const char *const NAMES[] = {"cases.csv", "overview.html", "landmarks.csv", "landmarks.tps"};
    size_t k = 0;
    while (k < sizeof NAMES / sizeof *NAMES && sfgp_text_order_nocase(name, NAMES[k]) != 0)
        k++;
    return k < sizeof NAMES / sizeof *NAMES;
}

static const char PORTABLE[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

sfgp_status batch_id_check(batch *b, int64_t number)
{
    const char *id = batch_cell(&b->manifest, number, BATCH_ID);
    if (!id[0])
        return batch_fail_cell(b, number, "id", "is empty");
    if (strlen(id) > LONGEST_ID)
        return batch_fail_cell(b, number, "id", "is longer than 200 characters");
    if (id[strspn(id, PORTABLE)] || id[0] == '.' || id[0] == '-')
        return batch_fail_cell(b, number, "id",
                               "names a folder: letters, digits, '.', '_' and '-', not '.' or '-' first");
    if (batch_is_table(id) || sfgp_text_order_nocase(id, "manifest.tsv") == 0)
        return batch_fail_cell(b, number, "id", "is the name of a file that the batch writes");
    return SFGP_OK;
}

/* ---- ids that are made ------------------------------------------------------------------------------- */

/* The name of the file without its extensions; what an id cannot have becomes _. NULL: out of memory. */
static char *id_of_path(const char *path)
{
    char *id = strdup(report_file_name(path)), *dot = id ? strrchr(id, '.') : NULL;
    if (dot && sfgp_text_order_nocase(dot, ".gz") == 0) {
        *dot = '\0';
        dot = strrchr(id, '.');
    }
    if (dot && dot > id)
        *dot = '\0';
    for (char *c = id; c && *c; c++)
        if (!strchr(PORTABLE, *c) || (c == id && strchr(".-", *c)))
            *c = '_';
    return id;
}

sfgp_status batch_ids_make(batch *b)
{
    batch_manifest *m = &b->manifest;
    m->ids = calloc((size_t)m->count + 1, sizeof *m->ids);
    for (int64_t i = 0; m->ids && i < m->count; i++)
        if (!(m->ids[i] = id_of_path(batch_cell(m, i, BATCH_TARGET))))
            return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    return m->ids ? SFGP_OK : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
}

/* ---- no two are equal ---------------------------------------------------------------------------------- */

typedef struct named {
    const char *id;
    int64_t line;
    const char *target;
} named;

/* Ignores upper and lower case, as some file systems do. */
static int compare_ids(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = sfgp_text_order_nocase(x->id, y->id);
    return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* A folder has no lines, and ids that were made come from the names of the files. */
static sfgp_status fail_equal(batch *b, const named *first, const named *second)
{
    const bool folder = b->path[0] && b->path[strlen(b->path) - 1] == '/';
    char place[64] = "";
    if (!folder)
        snprintf(place, sizeof place, "lines %lld and %lld: ", (long long)first->line,
                 (long long)second->line);
    if (!b->manifest.ids)
        return batch_fail(b, SFGP_ERROR_FORMAT, "%s: %stwo cases have the id '%s'", b->path, place,
                          second->id);
    return batch_fail(
        b, SFGP_ERROR_FORMAT,
        "%s: %stwo cases have the id '%s': '%.200s' and '%.200s', without extensions, and _ for "
        "what is no letter, digit, '.', '_' or '-'; rename one, or give %s",
        b->path, place, second->id, first->target, second->target,
        folder ? "a manifest with a column id" : "a column id");
}

sfgp_status batch_ids_check(batch *b)
{
    const batch_manifest *m = &b->manifest;
    sfgp_status status = SFGP_OK;
    named *ids = malloc(((size_t)m->count + 1) * sizeof *ids);
    if (!ids)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; i < m->count; i++)
        ids[i] = (named){batch_cell(m, i, BATCH_ID), m->lines[i], batch_cell(m, i, BATCH_TARGET)};
    qsort(ids, (size_t)m->count, sizeof *ids, compare_ids);
    for (int64_t i = 1; i < m->count && status == SFGP_OK; i++)
        if (sfgp_text_order_nocase(ids[i].id, ids[i - 1].id) == 0)
            status = fail_equal(b, &ids[i - 1], &ids[i]);
    free(ids);
    return status;
}
