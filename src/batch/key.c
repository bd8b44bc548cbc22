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
    char *path;
    const sfgp_status status = batch_file_of(b, number, role, NULL, &path);
    hex[0] = '\0';
    if (path)
        digest_file(path, hex);
    free(path);
    return status;
}

/* Adds a file that belongs to a reference; NULL: there is none. Frees path. */
static void add_path(digest *d, char *path)
{
    char hex[BATCH_DIGEST] = "";
    if (path)
        digest_file(path, hex);
    digest_add(d, hex, strlen(hex) + 1);
    free(path);
}

/* The references of the case, and what is carried along. */
static sfgp_status add_references(batch *b, int64_t number, digest *d)
{
    const batch_choice choice = batch_choice_of(b, number);
    char landmarks[BATCH_DIGEST], *path = NULL;
    sfgp_status status = digest_input(b, number, BATCH_LANDMARKS, landmarks);
    for (int k = choice.first; k < choice.first + choice.count && status == SFGP_OK; k++) {
        digest_add(d, b->priors[k].digest, strlen(b->priors[k].digest) + 1);
        if ((status = batch_apply_of(b, number, k, &path)) == SFGP_OK)
            add_path(d, path);
        if (landmarks[0] && status == SFGP_OK &&
            (status = batch_landmarks_of(b, number, k, &path)) == SFGP_OK)
            add_path(d, path);
    }
    digest_add(d, landmarks, strlen(landmarks) + 1);
    if (landmarks[0])
        digest_add(d, &b->landmark_sd, sizeof b->landmark_sd);
    if (b->median)
        digest_add(d, "median", 6);
    return status;
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
    const char *const parts[] = {SFGP_VERSION, digests->target, digests->truth, digests->missing};
    digest_start(&d);
    status = add_references(b, number, &d);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        digest_add(&d, parts[k], strlen(parts[k]) + 1);
    add_settings(&d, &settings);
    if (b->read.columns)
        digest_add(&d, b->read.columns, strlen(b->read.columns) + 1);
    const double scale = batch_target_scale(b, number);
    if (scale != 1) /* so that other keys are those of before there was a scale */
        digest_add(&d, &scale, sizeof scale);
    digest_end(&d, digests->key);
    return status;
}
