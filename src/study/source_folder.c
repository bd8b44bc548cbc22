/* Files: every scan of a folder is a sample. "{id}" in the paths of truth and mask is the name of the scan
 * without its extension, "{level}" anywhere the level. */
#include "study/source.h"

#include <stdlib.h>
#include <string.h>

typedef struct folder_state {
    char ***names; /* by level */
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

static sfgp_status list_scans(study *s, study_set *set, folder_state *state)
{
    state->names = calloc((size_t)set->level_count, sizeof *state->names);
    state->counts = calloc((size_t)set->level_count, sizeof *state->counts);
    if (!state->names || !state->counts)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (; state->level_count < set->level_count; state->level_count++) {
        char *folder = place(s, set, study_set_text(set, "scans", "scan"), state->level_count, "");
        int count = folder ? study_folder_list(folder, &state->names[state->level_count]) : -1;
        int wanted = set->sample_count ? set->sample_count : count - set->first;
        state->counts[state->level_count] = count > 0 ? count : 0;
        if (count < 0 || wanted < 1 || set->first + wanted > count) {
            study_fail(s, SFGP_ERROR_READ, "%s: %s: %s", set->name, folder ? folder : "?",
                       count < 0 ? "cannot read the folder" : "fewer scans than first + samples");
            free(folder);
            state->level_count++; /* its names are there to be freed */
            return SFGP_ERROR_READ;
        }
        set->sample_count = wanted;
        free(folder);
    }
    return SFGP_OK;
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
    if ((status = list_scans(s, set, state)) == SFGP_OK &&
        (status = read_reference(s, set, context)) == SFGP_OK)
        status = read_training(s, set, context);
    sfgp_context_free(context);
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------- */

static char *scan_id(const char *name)
{
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

static sfgp_status read_case(study *s, const study_set *set, int level, const char *name,
                             sfgp_context *context, study_case *c)
{
    const char *truth = study_set_text(set, "truth", NULL);
    const char *scans = study_set_text(set, "scans", "scan");
    char *id = scan_id(name), *folder = place(s, set, scans, level, "");
    sfgp_status status = id && folder ? read_mesh(s, study_path(folder, name), context, &c->target)
                                      : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK && truth)
        status = read_mesh(s, place(s, set, truth, level, id), context, &c->truth);
    if (status == SFGP_OK)
        status = read_mask(s, set, level, id, context, c);
    free(id);
    free(folder);
    return status;
}

static sfgp_status load_folder(study *s, const study_set *set, int level, int sample, study_case *c)
{
    const folder_state *state = set->state;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    status = read_case(s, set, level, state->names[level][set->first + sample], context, c);
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
                                          "folder reference scans truth missing training",
                                          "folder reference scans truth missing training",
                                          open_folder,
                                          load_folder,
                                          close_folder};
