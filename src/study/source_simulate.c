/* Source "simulate": the reference is a shape of the simulator, or of a file. The truth is another shape of the same
 * family, or the same shape. The target is the damaged truth. */
#include "study/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number of rings of an ear with about so many points; 38 rings have 2965. */
static int64_t rings_for(double points)
{
    return (int64_t)fmax(4, floor(sqrt(points / 2.05) + 0.5));
}

static sfgp_status count_points(study *s, const study_set *set, int level, double *points)
{
    json_t *wanted = json_object_get(set->json, "points");
    *points = 3000;
    if (wanted && (!study_value_number(wanted, set, level, points) || !(*points >= 16 && *points <= 1e8)))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: points: is not a number between 16 and 1e8", set->name);
    return SFGP_OK;
}

/* Whether the shape is that of a file, and not one of the simulators. */
static bool is_file(const char *kind)
{
    return strcmp(kind, "ear") != 0 && strcmp(kind, "fish") != 0;
}

static sfgp_status make_shape(study *s, const study_set *set, int level, uint64_t seed, sfgp_context *context,
                              sfgp_mesh **shape)
{
    const char *kind = study_set_text(set, "simulate", "ear");
    double points;
    sfgp_status status = count_points(s, set, level, &points);
    if (status != SFGP_OK)
        return status;
    char *path = NULL;
    if (!is_file(kind))
        status = strcmp(kind, "ear") == 0 ? sfgp_simulate_ear(context, rings_for(points), seed, shape)
                                          : sfgp_simulate_fish(context, shape);
    else if ((path = study_path(s->data, kind)))
        status = sfgp_mesh_read(context, path, shape);
    else
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(path);
    return status == SFGP_OK ? status : study_fail_with(s, status, context, set->name);
}

/* *count 0: the set has no training shapes. */
static sfgp_status count_training(study *s, const study_set *set, json_int_t *count)
{
    enum { MOST_SHAPES = 100000, MOST_POINTS = 1000000000 };
    const json_t *wanted = json_object_get(set->json, "training");
    *count = json_integer_value(wanted);
    if (wanted && (!json_is_integer(wanted) || *count < 0 || *count > MOST_SHAPES))
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: training: is not a whole number between 0 and %d",
                          set->name, MOST_SHAPES);
    if (*count > 0 && set->reference->count > MOST_POINTS / *count)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: training: more than %d points in all", set->name,
                          MOST_POINTS);
    return SFGP_OK;
}

/* Makes training shapes. Their seeds count down from the largest, so that no sample has the same shape. */
static sfgp_status make_training(study *s, study_set *set, sfgp_context *context)
{
    json_int_t count = 0;
    sfgp_status status = count_training(s, set, &count);
    if (status != SFGP_OK || count == 0)
        return status;
    if (!(set->training = calloc((size_t)count, sizeof *set->training)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (; status == SFGP_OK && set->training_count < count; set->training_count++)
        status = make_shape(s, set, 0, UINT64_MAX - (uint64_t)set->training_count, context,
                            &set->training[set->training_count]);
    return status;
}

static sfgp_status open_simulated(study *s, study_set *set)
{
    double points;
    sfgp_damage damage;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    set->sample_count = set->sample_count ? set->sample_count : 10;
    for (int level = 0; status == SFGP_OK && level < set->level_count; level++)
        if ((status = study_damage(s, set, level, 0, &damage)) == SFGP_OK)
            status = count_points(s, set, level, &points);
    if (status == SFGP_OK)
        status = make_shape(s, set, 0, 0, context, &set->reference);
    if (status == SFGP_OK)
        status = make_training(s, set, context);
    sfgp_context_free(context);
    return status;
}

static sfgp_status damage_shape(study *s, const study_set *set, int level, int sample, sfgp_context *context,
                                study_case *c)
{
    sfgp_damage damage;
    sfgp_status status = study_damage(s, set, level, sample, &damage);
    if (status == SFGP_OK)
        status = make_shape(s, set, level, (uint64_t)(s->seed * 1000 + sample + 1), context, &c->truth);
    if (status != SFGP_OK)
        return status;
    if (!(c->missing = calloc((size_t)c->truth->count, 1)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    status = sfgp_simulate_scan(context, c->truth, &damage, &c->target, c->missing);
    return status == SFGP_OK ? status : study_fail_with(s, status, context, set->name);
}

static sfgp_status load_simulated(study *s, const study_set *set, int level, int sample, study_case *c)
{
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    if (json_object_get(set->json, "points") && strcmp(study_set_text(set, "simulate", ""), "ear") == 0)
        status = make_shape(s, set, level, 0, context, &c->reference);
    if (status == SFGP_OK)
        status = damage_shape(s, set, level, set->first + sample, context, c);
    sfgp_context_free(context);
    return status;
}

static sfgp_status visit_simulated(const study *s, const study_set *set, const study_visitor *visitor)
{
    const char *kind = study_set_text(set, "simulate", "ear");
    return is_file(kind) ? study_visit(visitor, study_path(s->data, kind)) : SFGP_OK;
}

static void close_simulated(study_set *set)
{
    (void)set;
}

const study_source study_source_simulate = {"simulate",     "simulate points training damage",
                                            "simulate",     open_simulated,
                                            load_simulated, visit_simulated,
                                            close_simulated};
