/* Which references a case is fitted with, and what belongs to each of them. */
#include "batch/parts.h"

#include <string.h>

/* The prior of the cell `reference`: behind those of the command line. */
static int find_named(const batch *b, const char *path)
{
    for (int k = b->reference_count; k < b->prior_count; k++)
        if (strcmp(b->priors[k].name, path) == 0)
            return k;
    return -1;
}

batch_choice batch_choice_of(const batch *b, int64_t number)
{
    const char *own = batch_cell(&b->manifest, number, BATCH_REFERENCE);
    if (own[0])
        return (batch_choice){find_named(b, own), 1};
    return (batch_choice){0, b->reference_count};
}

sfgp_status batch_file_of(batch *b, int64_t number, batch_role role, const char *usual, char **path)
{
    const char *cell = batch_cell(&b->manifest, number, role);
    *path = cell[0] ? batch_beside(b, cell) : usual ? strdup(usual) : NULL;
    return *path || !(cell[0] || usual) ? SFGP_OK : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
}

sfgp_status batch_apply_of(batch *b, int64_t number, int k, char **path)
{
    const char *usual = k < b->reference_count ? b->references[k].apply : NULL;
    return batch_file_of(b, number, BATCH_APPLY, usual, path);
}

sfgp_status batch_landmarks_of(batch *b, int64_t number, int k, char **path)
{
    const char *usual = k < b->reference_count ? b->references[k].landmarks : NULL;
    return batch_file_of(b, number, BATCH_REFERENCE_LANDMARKS, usual, path);
}

const char *batch_landmarks_named(const batch *b, int64_t number, int k)
{
    const char *own = batch_cell(&b->manifest, number, BATCH_REFERENCE_LANDMARKS);
    if (!batch_cell(&b->manifest, number, BATCH_LANDMARKS)[0])
        return NULL;
    return own[0] ? own : k < b->reference_count ? b->references[k].landmarks : NULL;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

/* Of landmarks both files are needed. */
static sfgp_status check_landmarks(batch *b, int64_t number, batch_choice choice)
{
    const bool target = batch_cell(&b->manifest, number, BATCH_LANDMARKS)[0] != '\0';
    const bool own = batch_cell(&b->manifest, number, BATCH_REFERENCE_LANDMARKS)[0] != '\0';
    bool usual = choice.first < b->reference_count;
    for (int k = choice.first; usual && k < choice.first + choice.count; k++)
        usual = b->references[k].landmarks != NULL;
    if (own && !target)
        return batch_fail_cell(b, number, "reference_landmarks",
                               "column 'landmarks', those of the target, is empty");
    if (target && !own && !usual)
        return batch_fail_cell(
            b, number, "landmarks",
            "those of the reference are missing: --landmarks, or a column reference_landmarks");
    return SFGP_OK;
}

/* What a case with several references cannot have. */
static sfgp_status check_several(batch *b, int64_t number)
{
    sfgp_settings settings;
    sfgp_status status = batch_settings(b, number, &settings);
    if (status != SFGP_OK)
        return status;
    if (batch_cell(&b->manifest, number, BATCH_APPLY)[0])
        return batch_fail_cell(b, number, "apply",
                               "the case has several references; give --apply after each of them");
    if (batch_cell(&b->manifest, number, BATCH_REFERENCE_LANDMARKS)[0])
        return batch_fail_cell(b, number, "reference_landmarks",
                               "the case has several references; give --landmarks after each of them");
    if (strcmp(settings.method, "auto") != 0)
        return batch_fail(
            b, SFGP_ERROR_PARAMETER,
            "%s: line %lld: method %.60s: several references are compared by evidence, which only auto has",
            b->path, (long long)b->manifest.lines[number], settings.method);
    return SFGP_OK;
}

/* What the command line says of landmarks, while no case has any. */
static sfgp_status check_landmarks_used(batch *b)
{
    bool given = false, used = false;
    for (int k = 0; k < b->reference_count; k++)
        given = given || b->references[k].landmarks;
    for (int64_t i = 0; i < b->manifest.count && !used; i++)
        used = batch_cell(&b->manifest, i, BATCH_LANDMARKS)[0] != '\0';
    if (given && !used)
        return batch_fail(
            b, SFGP_ERROR_PARAMETER,
            "--landmarks: no case has landmarks to pair them with: column 'landmarks' of a manifest; "
            "NAME.mrk.json, NAME.fcsv or NAME.csv beside a scan of a folder");
    if (b->landmark_sd != 0 && !used)
        return batch_fail(b, SFGP_ERROR_PARAMETER, "--landmark-sd: no case has landmarks");
    return SFGP_OK;
}

sfgp_status batch_choices_check(batch *b)
{
    sfgp_status status = check_landmarks_used(b);
    for (int64_t i = 0; i < b->manifest.count && status == SFGP_OK; i++) {
        const batch_choice choice = batch_choice_of(b, i);
        if (choice.count == 0 && b->prior_count == 0)
            return batch_fail(
                b, SFGP_ERROR_PARAMETER,
                "--reference is missing: a mesh, or a model (.h5); the manifest names none either");
        if (choice.count == 0)
            return batch_fail_cell(b, i, "reference", "is empty, and there is no --reference");
        if (choice.count > 1)
            status = check_several(b, i);
        if (status == SFGP_OK)
            status = check_landmarks(b, i, choice);
    }
    return status;
}

/* ---- files of the command line ----------------------------------------------------------------------- */

static sfgp_status check_file(batch *b, const char *path, int dimension)
{
    sfgp_landmarks *landmarks = NULL;
    const sfgp_status status = sfgp_landmarks_read(b->context, path, &landmarks);
    const int own = landmarks ? landmarks->dimension : dimension;
    sfgp_landmarks_free(landmarks);
    if (status != SFGP_OK)
        return batch_fail_library(b, status);
    return own == dimension ? SFGP_OK
                            : batch_fail(b, SFGP_ERROR_DATA, "--landmarks: %s: %dD, the reference is %dD",
                                         path, own, dimension);
}

sfgp_status batch_landmarks_check(batch *b)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < b->reference_count && status == SFGP_OK; k++)
        if (b->references[k].landmarks)
            status = check_file(b, b->references[k].landmarks, b->priors[k].info.dimension);
    return status;
}
