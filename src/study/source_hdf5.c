/* Source "hdf5": a file with /reference (N x d) and one group for each level, with target (samples x points x d), truth
 * (samples x N x d), missing (samples x N) and target_ids (samples x points: row of the reference, or -1). All data are
 * read when the set is opened. The damage of the set may remove points of the targets and add some; target_ids then
 * update the mask. It must not move points, because the truth would not move with them. */
#include "study/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The arrays of a group. */
typedef struct level_data {
    sfgp_array *target;
    sfgp_array *truth;
    sfgp_array *missing;
    sfgp_array *ids; /* target_ids */
} level_data;

static sfgp_status read_array(study *s, sfgp_context *context, const char *path, const char *group,
                              const char *name, sfgp_array **array)
{
    char *set = report_format("%s%s", group, name);
    sfgp_status status = set ? sfgp_array_read(context, path, set, array) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        study_fail(s, status, "%s", set ? sfgp_context_error(context) : "out of memory");
    free(set);
    return status;
}

static bool has_shape(const sfgp_array *array, int rank, int64_t a, int64_t b, int64_t c)
{
    return array->rank == rank && array->shape[0] == a && (rank < 2 || array->shape[1] == b) &&
           (rank < 3 || array->shape[2] == c);
}

static sfgp_status check_values(study *s, const study_set *set, const char *group, const level_data *data)
{
    const int64_t n = set->reference->count, samples = data->target->shape[0],
                  points = data->target->shape[1];
    const double *ids = data->ids->values, *missing = data->missing->values;
    for (int64_t k = 0; k < samples * points; k++)
        if (!(ids[k] >= -1 && ids[k] < (double)n && ids[k] == floor(ids[k])))
            return study_fail(s, SFGP_ERROR_DATA, "%s: %s: target_ids: %g is no row of the reference",
                              set->name, group, ids[k]);
    for (int64_t k = 0; k < samples * n; k++)
        if (missing[k] != 0 && missing[k] != 1)
            return study_fail(s, SFGP_ERROR_DATA, "%s: %s: missing: %g is neither 0 nor 1", set->name, group,
                              missing[k]);
    return SFGP_OK;
}

static sfgp_status check_level(study *s, const study_set *set, const char *group, const level_data *data)
{
    const int64_t n = set->reference->count, d = set->reference->dimension;
    const int64_t samples = data->target->shape[0], points = data->target->shape[1];
    if (!has_shape(data->target, 3, samples, points, d) || !has_shape(data->truth, 3, samples, n, d) ||
        !has_shape(data->missing, 2, samples, n, 0) || !has_shape(data->ids, 2, samples, points, 0))
        return study_fail(s, SFGP_ERROR_DATA, "%s: %s: the sizes of its arrays do not fit each other",
                          set->name, group);
    return check_values(s, set, group, data);
}

static sfgp_status read_level(study *s, study_set *set, int level, sfgp_context *context, const char *path)
{
    char text[32];
    const char *const pairs[] = {"level", study_level_text(set, level, text), NULL};
    char *group = study_expand(study_set_text(set, "group", "{level}"), pairs);
    level_data *data = (level_data *)set->state + level;
    sfgp_status status = group ? SFGP_OK : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK &&
        (status = read_array(s, context, path, group, "/target", &data->target)) == SFGP_OK &&
        (status = read_array(s, context, path, group, "/truth", &data->truth)) == SFGP_OK &&
        (status = read_array(s, context, path, group, "/missing", &data->missing)) == SFGP_OK &&
        (status = read_array(s, context, path, group, "/target_ids", &data->ids)) == SFGP_OK)
        status = check_level(s, set, group, data);
    free(group);
    return status;
}

static void add_checksum(study_set *set, const sfgp_array *array)
{
    size_t count = 1;
    for (int k = 0; k < array->rank; k++)
        count *= (size_t)array->shape[k];
    set->checksum = sfgp_checksum(set->checksum, array->values, count * sizeof *array->values);
}

static void add_level(study_set *set, int level)
{
    const level_data *data = (const level_data *)set->state + level;
    add_checksum(set, data->target);
    add_checksum(set, data->truth);
    add_checksum(set, data->missing);
    add_checksum(set, data->ids);
}

static sfgp_status read_reference(study *s, study_set *set, sfgp_context *context, const char *path)
{
    sfgp_array *array = NULL;
    sfgp_status status = read_array(s, context, path, "", "/reference", &array);
    if (status != SFGP_OK)
        return status;
    if (array->rank != 2 || (array->shape[1] != 2 && array->shape[1] != 3))
        status = study_fail(s, SFGP_ERROR_DATA, "%s: /reference: is not points x 2 or 3", set->name);
    else if ((status = sfgp_mesh_from_points(context, array->shape[0], (int)array->shape[1], array->values,
                                             &set->reference)) != SFGP_OK)
        study_fail_with(s, status, context, set->name);
    sfgp_array_free(array);
    return status;
}

static sfgp_status limit_samples(study *s, study_set *set)
{
    const int64_t there = ((level_data *)set->state)->target->shape[0];
    const int64_t wanted = set->sample_count ? set->sample_count : there - set->first;
    for (int level = 0; level < set->level_count; level++)
        if (wanted < 1 || set->first + wanted > ((level_data *)set->state)[level].target->shape[0])
            return study_fail(s, SFGP_ERROR_DATA, "%s: fewer than first + samples = %lld samples", set->name,
                              (long long)(set->first + wanted));
    set->sample_count = (int)wanted;
    return SFGP_OK;
}

/* Refuses damage that moves points. */
static sfgp_status check_damage(study *s, const study_set *set)
{
    static const char *const MOVES[] = {"deformation", "affine", "rotation", "translation", "scale"};
    json_t *damage = json_object_get(set->json, "damage");
    sfgp_damage unused;
    sfgp_status status = SFGP_OK;
    for (size_t k = 0; k < sizeof MOVES / sizeof *MOVES; k++)
        if (json_object_get(damage, MOVES[k]))
            return study_fail(s, SFGP_ERROR_FORMAT,
                              "%s: damage: %s: moves the truth of measured data; use "
                              "what removes or adds points",
                              set->name, MOVES[k]);
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        status = study_damage(s, set, level, 0, &unused);
    return status;
}

static sfgp_status open_hdf5(study *s, study_set *set)
{
    sfgp_context *context;
    char *path = study_path(s->data, study_set_text(set, "hdf5", ""));
    sfgp_status status = path ? sfgp_context_new(NULL, &context) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        return free(path), study_fail(s, status, "out of memory");
    if (!(set->state = calloc((size_t)set->level_count, sizeof(level_data))))
        status = study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK)
        status = read_reference(s, set, context, path);
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        if ((status = read_level(s, set, level, context, path)) == SFGP_OK)
            add_level(set, level);
    if (status == SFGP_OK && (status = check_damage(s, set)) == SFGP_OK)
        status = limit_samples(s, set);
    sfgp_context_free(context);
    free(path);
    return status;
}

/* ---- loading ----------------------------------------------------------------------------------------- */

static sfgp_status slice(sfgp_context *context, const sfgp_array *array, int sample, sfgp_mesh **mesh)
{
    const int64_t points = array->shape[1], d = array->shape[2];
    return sfgp_mesh_from_points(context, points, (int)d, array->values + sample * points * d, mesh);
}

/* Damages the target. A removed point that belongs to a reference point makes that reference point missing. */
static sfgp_status damage_target(sfgp_context *context, const sfgp_damage *damage, const double *ids,
                                 study_case *c)
{
    sfgp_mesh *whole = c->target;
    unsigned char *gone = calloc((size_t)whole->count, 1);
    c->target = NULL;
    sfgp_status status =
        gone ? sfgp_simulate_scan(context, whole, damage, &c->target, gone) : SFGP_ERROR_MEMORY;
    for (int64_t j = 0; status == SFGP_OK && j < whole->count; j++)
        if (gone[j] && ids[j] >= 0)
            c->missing[(int64_t)ids[j]] = 1;
    sfgp_mesh_free(whole);
    free(gone);
    return status;
}

static sfgp_status load_hdf5(study *s, const study_set *set, int level, int index, study_case *c)
{
    const level_data *data = (const level_data *)set->state + level;
    const int sample = set->first + index;
    const int64_t n = set->reference->count;
    sfgp_damage damage;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    c->missing = malloc((size_t)n);
    for (int64_t i = 0; c->missing && i < n; i++)
        c->missing[i] = data->missing->values[sample * n + i] != 0;
    if (!c->missing)
        status = SFGP_ERROR_MEMORY;
    else if ((status = slice(context, data->target, sample, &c->target)) == SFGP_OK &&
             (status = slice(context, data->truth, sample, &c->truth)) == SFGP_OK &&
             json_object_get(set->json, "damage") &&
             (status = study_damage(s, set, level, sample, &damage)) == SFGP_OK)
        status = damage_target(context, &damage, data->ids->values + sample * data->ids->shape[1], c);
    if (status != SFGP_OK)
        study_fail_with(s, status, context, set->name);
    sfgp_context_free(context);
    return status;
}

static sfgp_status visit_hdf5(const study *s, const study_set *set, const study_visitor *visitor)
{
    return study_visit(visitor, study_path(s->data, study_set_text(set, "hdf5", "")));
}

static void close_hdf5(study_set *set)
{
    level_data *data = set->state;
    for (int level = 0; data && level < set->level_count; level++) {
        sfgp_array_free(data[level].target);
        sfgp_array_free(data[level].truth);
        sfgp_array_free(data[level].missing);
        sfgp_array_free(data[level].ids);
    }
    free(data);
}

const study_source study_source_hdf5 = {"hdf5",    "hdf5 group damage", "hdf5 group", open_hdf5,
                                        load_hdf5, visit_hdf5,          close_hdf5};
