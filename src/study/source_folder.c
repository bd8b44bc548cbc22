/* Files: every scan of a folder is a sample. "{id}" in the paths of truth and mask is the name of the scan
 * without its extension, "{level}" anywhere the level. With damage a scan is a whole true shape, point by
 * point the reference's; a single file can then be every sample, as each has a damage of its own. */
#include "study/source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct folder_state {
    char ***names; /* by level; one empty name: scans is itself a file */
    int *counts;
    int level_count;
} folder_state;

static char *place(const study *s, const study_set *set, const char *template, int level, const char *id)
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

static sfgp_status read_mesh(study *s, char *path, sfgp_context *context, sfgp_mesh **mesh)
{
    sfgp_status status = path ? sfgp_mesh_read(context, path, mesh) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        study_fail(s, status, "%s", path ? sfgp_context_error(context) : "out of memory");
    free(path);
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------------- */

static bool is_damaged(const study_set *set)
{
    return json_object_get(set->json, "damage") != NULL;
}

/* Names of the scans in a folder, or one empty name for a file. As study_folder_list. */
static int list_names(const char *path, char ***names)
{
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return study_folder_list(path, names);
    *names = calloc(1, sizeof **names);
    return *names && (**names = strdup("")) ? 1 : -1;
}

/* One file with damage is as many scans as there are samples. */
static bool is_repeated(const study_set *set, int level)
{
    const folder_state *state = set->state;
    return is_damaged(set) && state->counts[level] == 1 && state->names[level][0][0] == '\0';
}

static sfgp_status list_level(study *s, study_set *set, int level)
{
    folder_state *state = set->state;
    sfgp_status status = SFGP_OK;
    char *path = place(s, set, study_set_text(set, "scans", "scan"), level, "");
    const int count = path ? list_names(path, &state->names[level]) : -1;
    state->counts[level] = count > 0 ? count : 0;
    state->level_count = level + 1; /* its names are there to be freed */
    const bool repeated = is_repeated(set, level);
    const int wanted = set->sample_count ? set->sample_count : repeated ? 1 : count - set->first;
    if (count >= 0 && wanted > 0 && (repeated || set->first + wanted <= count))
        set->sample_count = wanted;
    else
        status = study_fail(s, SFGP_ERROR_READ, "%s: %s: %s", set->name, path ? path : "?",
                            count < 0 ? "cannot read the folder" : "fewer scans than first + samples");
    free(path);
    return status;
}

static sfgp_status list_scans(study *s, study_set *set, folder_state *state)
{
    sfgp_status status = SFGP_OK;
    state->names = calloc((size_t)set->level_count, sizeof *state->names);
    state->counts = calloc((size_t)set->level_count, sizeof *state->counts);
    if (!state->names || !state->counts)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        status = list_level(s, set, level);
    return status;
}

/* The damage of every level is one that there is, and nothing else is said to be the truth. */
static sfgp_status check_damage(study *s, const study_set *set)
{
    sfgp_damage unused;
    sfgp_status status = SFGP_OK;
    if (is_damaged(set) && (study_set_text(set, "truth", NULL) || study_set_text(set, "missing", NULL)))
        return study_fail(s, SFGP_ERROR_FORMAT,
                          "%s: truth, missing: with damage the scan itself is the truth", set->name);
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        status = study_damage(s, set, level, 0, &unused);
    return status;
}

static sfgp_status read_training(study *s, study_set *set, sfgp_context *context)
{
    const char *named = study_set_text(set, "training", NULL);
    char **names, *folder = named ? place(s, set, named, 0, "") : NULL;
    sfgp_status status = SFGP_OK;
    if (!folder)
        return SFGP_OK;
    int count = study_folder_list(folder, &names);
    set->training = count > 0 ? calloc((size_t)count, sizeof *set->training) : NULL;
    if (!set->training)
        status = study_fail(s, SFGP_ERROR_READ, "%s: %s: no training shapes", set->name, folder);
    for (; status == SFGP_OK && set->training_count < count; set->training_count++)
        status = read_mesh(s, study_path(folder, names[set->training_count]), context,
                           &set->training[set->training_count]);
    for (int k = 0; k < count; k++)
        free(names[k]);
    free(names);
    free(folder);
    return status;
}

/* A mesh, or a model file: reference and prior in one. */
static sfgp_status read_reference(study *s, study_set *set, sfgp_context *context)
{
    char *path = place(s, set, study_set_text(set, "reference", "reference.ply"), 0, "");
    if (!path || !sfgp_model_file(path))
        return read_mesh(s, path, context, &set->reference);
    sfgp_status status = sfgp_model_read(context, path, &set->model);
    if (status == SFGP_OK)
        status = sfgp_model_reference(context, set->model, &set->reference);
    if (status != SFGP_OK)
        study_fail(s, status, "%s", sfgp_context_error(context));
    else if (study_set_text(set, "training", NULL))
        status = study_fail(s, SFGP_ERROR_FORMAT, "%s: training: %s is a model and has learned already",
                            set->name, path);
    free(path);
    return status;
}

static sfgp_status open_folder(study *s, study_set *set)
{
    sfgp_context *context;
    folder_state *state = set->state = calloc(1, sizeof *state);
    sfgp_status status = state ? sfgp_context_new(NULL, &context) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    if ((status = check_damage(s, set)) == SFGP_OK && (status = list_scans(s, set, state)) == SFGP_OK &&
        (status = read_reference(s, set, context)) == SFGP_OK)
        status = read_training(s, set, context);
    sfgp_context_free(context);
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------- */

static char *scan_path(const study *s, const study_set *set, int level, int sample)
{
    const folder_state *state = set->state;
    const char *name = state->names[level][is_repeated(set, level) ? 0 : sample];
    char *path = place(s, set, study_set_text(set, "scans", "scan"), level, "");
    char *whole = path && name[0] ? study_path(path, name) : NULL;
    if (path && !name[0])
        return path;
    free(path);
    return whole;
}

/* Name of the file without its extension. */
static char *scan_id(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return dot ? strndup(name, (size_t)(dot - name)) : strdup(name);
}

static sfgp_status read_mask(study *s, const study_set *set, int level, const char *id, sfgp_context *context,
                             study_case *c)
{
    const char *named = study_set_text(set, "missing", NULL);
    char *path = named ? place(s, set, named, level, id) : NULL;
    unsigned char *mask = NULL;
    if (!path)
        return SFGP_OK;
    sfgp_status status = sfgp_mask_read(context, path, set->reference->count, &mask);
    free(path);
    if (status != SFGP_OK)
        return study_fail_with(s, status, context, "");
    if ((c->missing = malloc((size_t)set->reference->count)))
        memcpy(c->missing, mask, (size_t)set->reference->count);
    sfgp_mask_free(mask);
    return c->missing ? SFGP_OK : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
}

static sfgp_status read_truth(study *s, const study_set *set, int level, const char *id,
                              sfgp_context *context, study_case *c)
{
    const char *truth = study_set_text(set, "truth", NULL);
    sfgp_status status = truth ? read_mesh(s, place(s, set, truth, level, id), context, &c->truth) : SFGP_OK;
    return status == SFGP_OK ? read_mask(s, set, level, id, context, c) : status;
}

/* What was read is the truth, and the target is what the damage leaves of it. */
static sfgp_status damage_scan(study *s, const study_set *set, int level, int sample, sfgp_context *context,
                               study_case *c)
{
    sfgp_damage damage;
    const int64_t points = c->target->count;
    sfgp_status status = study_damage(s, set, level, sample, &damage);
    c->truth = c->target;
    c->target = NULL;
    if (status != SFGP_OK)
        return status;
    if (points != set->reference->count)
        return study_fail(s, SFGP_ERROR_DATA,
                          "%s: damage: a scan has %lld points and the reference %lld: it is not the truth",
                          set->name, (long long)points, (long long)set->reference->count);
    if (!(c->missing = calloc((size_t)points, 1)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    status = sfgp_simulate_scan(context, c->truth, &damage, &c->target, c->missing);
    return status == SFGP_OK ? status : study_fail_with(s, status, context, set->name);
}

static sfgp_status read_case(study *s, const study_set *set, int level, int sample, sfgp_context *context,
                             study_case *c)
{
    char *path = scan_path(s, set, level, sample), *id = path ? scan_id(path) : NULL;
    if (!id)
        return free(path), study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_status status = read_mesh(s, path, context, &c->target);
    if (status == SFGP_OK)
        status = is_damaged(set) ? damage_scan(s, set, level, sample, context, c)
                                 : read_truth(s, set, level, id, context, c);
    free(id);
    return status;
}

static sfgp_status load_folder(study *s, const study_set *set, int level, int sample, study_case *c)
{
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    status = read_case(s, set, level, set->first + sample, context, c);
    sfgp_context_free(context);
    return status;
}

static void close_folder(study_set *set)
{
    folder_state *state = set->state;
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

const study_source study_source_folder = {"folder",
                                          "folder reference scans truth missing training damage",
                                          "folder reference scans truth missing training",
                                          open_folder,
                                          load_folder,
                                          close_folder};
