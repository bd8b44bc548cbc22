/* The key of a case: a digest of everything that its fit depends on. */
#include "batch/digest.h"

#include <stdlib.h>
#include <string.h>

static void add_settings(digest *d, const sfgp_settings *settings)
{
    const sfgp_setting *row;
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        const char *field = (const char *)settings + row->offset;
        if (strcmp(row->name, "threads") == 0 ||
            strcmp(row->name, "max_memory") == 0) /* they do not change results */
            continue;
        digest_add(d, row->name, strlen(row->name) + 1);
        digest_add(d, field, row->kind == SFGP_SETTING_TEXT ? strlen(field) + 1 : 8);
    }
}

static sfgp_status digest_input(batch *b, int64_t number, batch_role role, char hex[BATCH_DIGEST])
{
    const char *cell = batch_cell(&b->manifest, number, role);
    char *path = cell[0] ? batch_beside(b, cell) : NULL;
    hex[0] = '\0';
    if (cell[0] && !path)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    if (path)
        digest_file(path, hex);
    free(path);
    return SFGP_OK;
}

sfgp_status batch_digests_make(batch *b, int64_t number, batch_digests *digests)
{
    digest d;
    sfgp_settings settings;
    sfgp_status status = batch_settings(b, number, &settings);
    *digests = (batch_digests){.fit = ""};
    if (status != SFGP_OK || (status = digest_input(b, number, BATCH_TARGET, digests->target)) != SFGP_OK ||
        (status = digest_input(b, number, BATCH_TRUTH, digests->truth)) != SFGP_OK ||
        (status = digest_input(b, number, BATCH_MISSING, digests->missing)) != SFGP_OK)
        return status;
    const char *const parts[] = {SFGP_VERSION, b->prior.digest, digests->target, digests->truth,
                                 digests->missing};
    digest_start(&d);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        digest_add(&d, parts[k], strlen(parts[k]) + 1);
    add_settings(&d, &settings);
    if (b->read.columns)
        digest_add(&d, b->read.columns, strlen(b->read.columns) + 1);
    digest_end(&d, digests->key);
    return SFGP_OK;
}
