/* One run: loads a case, runs a method on it, and measures the errors against the truth. */
#include "study/study.h"
#include "base/platform_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- methods of sfgp --------------------------------------------------------------------------------- */

typedef struct fit {
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_mesh *fitted;
} fit;

/* The model that is the reference of the set, for methods that use training shapes; NULL: none. */
static const sfgp_model *prior_of(const study_method *method, const study_set *set)
{
    return method->training ? set->model : NULL;
}

static sfgp_status compute(sfgp_context *context, const study_method *method, const study_set *set,
                           const study_case *c, const sfgp_settings *settings, fit *f)
{
    const sfgp_mesh *reference = c->reference ? c->reference : set->reference;
    const sfgp_model *model = prior_of(method, set);
    const int training = method->training ? set->training_count : 0;
    sfgp_status status = SFGP_OK;
    if (!model) {
        status = sfgp_model_new(context, reference, (const sfgp_mesh *const *)set->training, training,
                                settings, &f->model);
        model = f->model;
    }
    if (status == SFGP_OK)
        status = sfgp_solver_new(context, model, settings, &f->solver);
    return status == SFGP_OK ? sfgp_solver_run(f->solver, c->target, &f->result) : status;
}

static sfgp_status measure_fit(study *s, sfgp_context *context, const study_case *c, fit *f, study_row *row)
{
    const sfgp_result *result = f->result;
    snprintf(row->status, sizeof row->status, "%s", sfgp_outcome_name(result->outcome));
    row->iterations = (double)result->iterations;
    row->fit_seconds = result->seconds;
    row->success = result->outcome != SFGP_NO_OVERLAP;
    if (!row->success)
        return SFGP_OK;
    study_measure_mask(c, result, row);
    study_measure_regions(c, result, row);
    sfgp_status status =
        sfgp_mesh_from_points(context, result->count, result->dimension, result->points, &f->fitted);
    if (status == SFGP_OK)
        status = study_measure_errors(s, context, c, f->fitted, row);
    return status == SFGP_OK && study_view_wanted(s, row->key)
               ? study_view_save(s, row->key, result, f->fitted)
               : status;
}

/* A setting of the prior that differs from its default although the set has a model; NULL: none. */
static const sfgp_setting *find_refused(const study_method *method, const study_set *set,
                                        const sfgp_settings *settings)
{
    sfgp_settings standard;
    sfgp_settings_default(&standard);
    return prior_of(method, set) ? sfgp_settings_prior_change(settings, &standard) : NULL;
}

static sfgp_status run_own(study *s, const study_method *method, const study_set *set, const study_case *c,
                           const sfgp_settings *settings, study_row *row)
{
    fit f = {0};
    sfgp_context *context;
    const sfgp_setting *change = find_refused(method, set, settings);
    if (change) {
        snprintf(row->message, sizeof row->message, "%s: the reference of %.80s is a model and has its prior",
                 change->name, set->name);
        return SFGP_OK;
    }
    sfgp_status status = sfgp_context_new(NULL, &context);
    const double start = sfgp_platform_seconds(), start_cpu = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF);
    if (status == SFGP_OK)
        status = compute(context, method, set, c, settings, &f);
    row->seconds = sfgp_platform_seconds() - start;
    row->cpu_seconds = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF) - start_cpu;
    row->peak_mib = sfgp_platform_peak_mib(SFGP_PLATFORM_SELF);
    if (status == SFGP_OK)
        status = measure_fit(s, context, c, &f, row);
    else
        snprintf(row->message, sizeof row->message, "%.190s",
                 context ? sfgp_context_error(context) : "memory"),
            status = SFGP_OK;
    sfgp_mesh_free(f.fitted);
    sfgp_result_free(f.result);
    sfgp_solver_free(f.solver);
    sfgp_model_free(f.model);
    sfgp_context_free(context);
    return status;
}

/* ---- external programs ------------------------------------------------------------------------------- */

static sfgp_status run_external(study *s, const study_method *method, const study_set *set,
                                const study_case *c, const sfgp_settings *settings, study_row *row)
{
    sfgp_mesh *fitted = NULL;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    const double start_cpu = sfgp_platform_cpu_seconds(SFGP_PLATFORM_CHILDREN);
    if (status == SFGP_OK)
        status =
            study_external(&(study_external_run){s, method, settings,
                                                 c->reference ? c->reference : set->reference, c->target},
                           row, &fitted);
    row->cpu_seconds = sfgp_platform_cpu_seconds(SFGP_PLATFORM_CHILDREN) - start_cpu;
    row->peak_mib = sfgp_platform_peak_mib(SFGP_PLATFORM_CHILDREN);
    if (status == SFGP_OK && fitted) {
        row->success = 1;
        snprintf(row->status, sizeof row->status, "finished");
        status = study_measure_errors(s, context, c, fitted, row);
    }
    if (status == SFGP_OK && fitted && study_view_wanted(s, row->key))
        status = study_view_save(s, row->key, NULL, fitted);
    sfgp_mesh_free(fitted);
    sfgp_context_free(context);
    return status;
}

sfgp_status study_run_one(study *s, study_key key, study_row *row)
{
    const study_method *method = &s->methods[key.method];
    const study_set *set = &s->sets[key.set];
    sfgp_settings settings;
    study_case c = {0};
    sfgp_context *context;
    *row = study_row_unknown(key);
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status != SFGP_OK)
        return study_fail(s, status, "out of memory");
    study_key tuned = key;
    tuned.choice = key.choice >= 0 ? key.choice : method->chosen;
    status = study_settings(s, tuned, context, &settings);
    sfgp_context_free(context);
    if (status == SFGP_OK && (status = set->source->load(s, set, key.level, key.sample, &c)) == SFGP_OK) {
        row->points_reference = (c.reference ? c.reference : set->reference)->count;
        row->points_target = c.target->count;
        status = (method->method ? run_own : run_external)(s, method, set, &c, &settings, row);
    }
    study_case_clear(&c);
    return status;
}
