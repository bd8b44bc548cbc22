/* Source "folder": every scan of a folder is a sample. In paths, "{level}" stands for the level, and in the paths of
 * truth and mask "{id}" stands for the name of the scan without its extension. With damage, a scan is a complete true
 * shape in correspondence with the reference. One file can then serve for all samples, because each sample has its own
 * damage. */
#include "study/source_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static sfgp_status read_mesh(study *s, char *path, sfgp_context *context, sfgp_mesh **mesh)
{
    sfgp_status status = path ? sfgp_mesh_read(context, path, mesh) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        study_fail(s, status, "%s", path ? sfgp_context_error(context) : "out of memory");
    free(path);
    return status;
}

/* ---- opening ----------------------------------------------------------------------------------------- */

/* Checks the damage of every level. A set with damage may have no truth and no mask of its own. */
static sfgp_status check_damage(study *s, const study_set *set)
{
    sfgp_damage unused;
    sfgp_status status = SFGP_OK;
    if (study_folder_is_damaged(set) &&
        (study_set_text(set, "truth", NULL) || study_set_text(set, "missing", NULL)))
        return study_fail(s, SFGP_ERROR_FORMAT,
                          "%s: truth, missing: with damage the scan itself is the truth", set->name);
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        status = study_damage(s, set, level, 0, &unused);
    return status;
}

static sfgp_status read_training(study *s, study_set *set, sfgp_context *context)
{
    const char *named = study_set_text(set, "training", NULL);
    char **names, *folder = named ? study_folder_path(s, set, named, 0, "") : NULL;
    sfgp_status status = SFGP_OK;
    if (!folder)
        return named ? study_fail(s, SFGP_ERROR_MEMORY, "out of memory") : SFGP_OK;
    int count = study_folder_list(folder, &names);
    const bool starved = count < 0 && errno == ENOMEM;
    set->training = count > 0 ? calloc((size_t)count, sizeof *set->training) : NULL;
    if (!set->training)
        status = count > 0 || starved
                     ? study_fail(s, SFGP_ERROR_MEMORY, "out of memory")
                     : study_fail(s, SFGP_ERROR_READ, "%s: %s: no training shapes", set->name, folder);
    for (; status == SFGP_OK && set->training_count < count; set->training_count++)
        status = read_mesh(s, study_path(folder, names[set->training_count]), context,
                           &set->training[set->training_count]);
    for (int k = 0; k < count; k++)
        free(names[k]);
    free(names);
    free(folder);
    return status;
}

/* Reads a mesh, or a model file, which has both reference and prior. */
static sfgp_status read_reference(study *s, study_set *set, sfgp_context *context)
{
    char *path = study_folder_path(s, set, study_set_text(set, "reference", "reference.ply"), 0, "");
    if (!path || !sfgp_model_is_file(path))
        return read_mesh(s, path, context, &set->reference);
    sfgp_status status = sfgp_model_read(context, path, &set->model);
    if (status == SFGP_OK)
        status = sfgp_model_reference(context, set->model, &set->reference);
    if (status != SFGP_OK)
        study_fail(s, status, "%s", sfgp_context_error(context));
    else if (study_set_text(set, "training", NULL))
        status =
            study_fail(s, SFGP_ERROR_FORMAT,
                       "%s: training: %s is a model, which contains its training already", set->name, path);
    free(path);
    return status;
}

static sfgp_status open_folder(study *s, study_set *set)
{
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    if ((status = check_damage(s, set)) == SFGP_OK && (status = study_folder_open(s, set)) == SFGP_OK &&
        (status = read_reference(s, set, context)) == SFGP_OK)
        status = read_training(s, set, context);
    if (status == SFGP_OK)
        status = study_folder_add_checksum(s, set);
    sfgp_context_free(context);
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------- */

static sfgp_status read_mask(study *s, const study_set *set, int level, const char *id, sfgp_context *context,
                             study_case *c)
{
    const char *named = study_set_text(set, "missing", NULL);
    char *path = named ? study_folder_path(s, set, named, level, id) : NULL;
    unsigned char *mask = NULL;
    if (!path)
        return named ? study_fail(s, SFGP_ERROR_MEMORY, "out of memory") : SFGP_OK;
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
    sfgp_status status =
        truth ? read_mesh(s, study_folder_path(s, set, truth, level, id), context, &c->truth) : SFGP_OK;
    return status == SFGP_OK ? read_mask(s, set, level, id, context, c) : status;
}

/* The scan becomes the truth, and the damaged scan the target. */
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
    char *path = study_folder_scan(s, set, level, sample), *id = path ? study_folder_id(path) : NULL;
    if (!id)
        return free(path), study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_status status = read_mesh(s, path, context, &c->target);
    if (status == SFGP_OK)
        status = study_folder_is_damaged(set) ? damage_scan(s, set, level, sample, context, c)
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

const study_source study_source_folder = {"folder",
                                          "folder reference scans truth missing training damage",
                                          "folder reference scans truth missing training",
                                          open_folder,
                                          load_folder,
                                          study_folder_visit,
                                          study_folder_close};
