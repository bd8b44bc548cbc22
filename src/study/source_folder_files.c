/* The files of a set that is a folder: names of the scans, paths of truths and masks, and a checksum. */
#include "study/source_folder.h"
#include "base/platform_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

char *study_folder_path(const study *s, const study_set *set, const char *template, int level, const char *id)
{
    char text[32];
    const char *const pairs[] = {"level", study_level_text(set, level, text), "id", id, NULL};
    const char *base = study_set_text(set, "folder", ".");
    char *folder = study_path(s->data, base), *path = study_expand(template, pairs);
    char *whole = folder && path ? study_path(folder, path) : NULL;
    free(folder);
    free(path);
    return whole;
}

bool study_folder_is_damaged(const study_set *set)
{
    return json_object_get(set->json, "damage") != NULL;
}

/* ---- the scans --------------------------------------------------------------------------------------- */

/* As study_folder_list; a path that is a file gives one empty name. */
static int list_names(const char *path, char ***names)
{
    if (sfgp_platform_kind_at(path) != SFGP_PLATFORM_FILE)
        return study_folder_list(path, names);
    *names = calloc(1, sizeof **names);
    return *names && (**names = strdup("")) ? 1 : -1;
}

/* Whether one file serves for all samples, each with its own damage. */
static bool is_repeated(const study_set *set, int level)
{
    const study_folder *state = set->state;
    return study_folder_is_damaged(set) && state->counts[level] == 1 && state->names[level][0][0] == '\0';
}

static sfgp_status list_level(study *s, study_set *set, int level)
{
    study_folder *state = set->state;
    sfgp_status status = SFGP_OK;
    char *path = study_folder_path(s, set, study_set_text(set, "scans", "scan"), level, "");
    const int count = path ? list_names(path, &state->names[level]) : -1;
    const bool starved = count < 0 && (!path || errno == ENOMEM);
    state->counts[level] = count > 0 ? count : 0;
    state->level_count = level + 1; /* study_folder_close frees its names */
    const bool repeated = is_repeated(set, level);
    const int wanted = set->sample_count ? set->sample_count : repeated ? 1 : count - set->first;
    if (count >= 0 && wanted > 0 && (repeated || set->first + wanted <= count))
        set->sample_count = wanted;
    else if (starved)
        status = study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    else
        status = study_fail(s, SFGP_ERROR_READ, "%s: %s: %s", set->name, path,
                            count < 0 ? "cannot read the folder" : "fewer scans than first + samples");
    free(path);
    return status;
}

sfgp_status study_folder_open(study *s, study_set *set)
{
    sfgp_status status = SFGP_OK;
    study_folder *state = set->state = calloc(1, sizeof *state);
    if (state) {
        state->names = calloc((size_t)set->level_count, sizeof *state->names);
        state->counts = calloc((size_t)set->level_count, sizeof *state->counts);
    }
    if (!state || !state->names || !state->counts)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        status = list_level(s, set, level);
    return status;
}

void study_folder_close(study_set *set)
{
    study_folder *state = set->state;
    for (int level = 0; state && level < state->level_count; level++) {
        for (int k = 0; k < state->counts[level]; k++)
            free(state->names[level][k]);
        free(state->names[level]);
    }
    if (state) {
        free(state->names);
        free(state->counts);
    }
    free(state);
}

/* ---- their files ------------------------------------------------------------------------------------- */

char *study_folder_scan(const study *s, const study_set *set, int level, int sample)
{
    const study_folder *state = set->state;
    const char *name = state->names[level][is_repeated(set, level) ? 0 : sample];
    char *path = study_folder_path(s, set, study_set_text(set, "scans", "scan"), level, "");
    char *whole = path && name[0] ? study_path(path, name) : NULL;
    if (path && !name[0])
        return path;
    free(path);
    return whole;
}

char *study_folder_id(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot ? strndup(name, (size_t)(dot - name)) : strdup(name);
}

/* ---- visits ------------------------------------------------------------------------------------------ */

static sfgp_status visit_sample(const study *s, const study_set *set, int level, int sample,
                                const study_visitor *visitor)
{
    const char *truth = study_set_text(set, "truth", NULL), *missing = study_set_text(set, "missing", NULL);
    char *path = study_folder_scan(s, set, level, sample), *id = path ? study_folder_id(path) : NULL;
    sfgp_status status = id ? SFGP_OK : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK && truth)
        status = study_visit(visitor, study_folder_path(s, set, truth, level, id));
    if (status == SFGP_OK && missing)
        status = study_visit(visitor, study_folder_path(s, set, missing, level, id));
    if (status == SFGP_OK)
        status = visitor->visit(visitor->user, path);
    free(path);
    free(id);
    return status;
}

static sfgp_status visit_cases(const study *s, const study_set *set, const study_visitor *visitor)
{
    const char *reference = study_set_text(set, "reference", "reference.ply");
    sfgp_status status = study_visit(visitor, study_folder_path(s, set, reference, 0, ""));
    for (int level = 0; level < set->level_count; level++)
        for (int k = 0; status == SFGP_OK && k < (is_repeated(set, level) ? 1 : set->sample_count); k++)
            status = visit_sample(s, set, level, set->first + k, visitor);
    return status;
}

static sfgp_status visit_training(const study *s, const study_set *set, const study_visitor *visitor)
{
    const char *named = study_set_text(set, "training", NULL);
    char **names = NULL, *folder = named ? study_folder_path(s, set, named, 0, "") : NULL;
    const int count = folder ? study_folder_list(folder, &names) : named ? -1 : 0;
    sfgp_status status =
        count < 0 ? SFGP_ERROR_MEMORY : SFGP_OK; /* the shapes have been read: the folder is there */
    for (int k = 0; k < count; k++) {
        if (status == SFGP_OK)
            status = study_visit(visitor, study_path(folder, names[k]));
        free(names[k]);
    }
    free(names);
    free(folder);
    return status;
}

sfgp_status study_folder_visit(const study *s, const study_set *set, const study_visitor *visitor)
{
    const sfgp_status status = visit_cases(s, set, visitor);
    return status == SFGP_OK ? visit_training(s, set, visitor) : status;
}

/* Adds the name and size of a file to the checksum of the set, without its folder, which may be moved. A file that does
 * not exist is an error later, when it is read. */
static sfgp_status add_file(void *user, const char *path)
{
    study_set *set = user;
    sfgp_platform_stamp stamp;
    if (sfgp_platform_stamp_of(path, &stamp)) {
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        set->checksum = sfgp_checksum(set->checksum, name, strlen(name) + 1);
        set->checksum = sfgp_checksum(set->checksum, &stamp.size, sizeof stamp.size);
    }
    return SFGP_OK;
}

/* Names and sizes only: reading all files could take as long as the study. */
sfgp_status study_folder_add_checksum(study *s, study_set *set)
{
    const sfgp_status status = visit_cases(s, set, &(study_visitor){add_file, set});
    return status == SFGP_OK ? status : study_fail(s, status, "out of memory");
}
