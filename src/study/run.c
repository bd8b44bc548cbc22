/* One run: loads a case, runs a method on it, and measures the errors against the truth. */
#include "study/parts.h"
#include "base/platform_clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is run, and the row of what comes of it. */
typedef struct run {
    study *s;
    const study_method *method;
    const study_set *set;
    const study_case *data;
    const sfgp_settings *settings;
    study_row *row;
} run;

static const sfgp_mesh *reference_of(const study_set *set, const study_case *data)
{
    return data->reference ? data->reference : set->reference;
}

/* ---- methods of sfgp --------------------------------------------------------------------------------- */

typedef struct fit {
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_mesh *fitted;
} fit;

static void fit_clear(fit *f)
{
    sfgp_mesh_free(f->fitted);
    sfgp_result_free(f->result);
    sfgp_solver_free(f->solver);
    sfgp_model_free(f->model);
}

/* The model that is the reference of the set, for methods that use training shapes; NULL: none. */
static const sfgp_model *prior_of(const run *r)
{
    return r->method->training ? r->set->model : NULL;
}

static sfgp_status compute(sfgp_context *context, const run *r, fit *f)
{
    const sfgp_model *model = prior_of(r);
    const int training = r->method->training ? r->set->training_count : 0;
    sfgp_status status = SFGP_OK;
    if (!model) {
        status = sfgp_model_new(context, reference_of(r->set, r->data),
                                (const sfgp_mesh *const *)r->set->training, training, r->settings, &f->model);
        model = f->model;
    }
    if (status == SFGP_OK)
        status = sfgp_solver_new(context, model, r->settings, &f->solver);
    return status == SFGP_OK ? sfgp_solver_run(f->solver, r->data->target, &f->result) : status;
}

/* The fit, with its time and memory in the row. */
static sfgp_status compute_timed(sfgp_context *context, const run *r, fit *f)
{
    const double start = sfgp_platform_seconds(), start_cpu = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF);
    const sfgp_status status = compute(context, r, f);
    r->row->seconds = sfgp_platform_seconds() - start;
    r->row->cpu_seconds = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF) - start_cpu;
    r->row->peak_mib = sfgp_platform_peak_mib(SFGP_PLATFORM_SELF);
    return status;
}

static sfgp_status measure_fit(sfgp_context *context, const run *r, fit *f)
{
    const sfgp_result *result = f->result;
    study_row *row = r->row;
    snprintf(row->status, sizeof row->status, "%s", sfgp_outcome_name(result->outcome));
    row->iterations = (double)result->iterations;
    row->fit_seconds = result->seconds;
    row->success = result->outcome != SFGP_NO_OVERLAP;
    if (!row->success)
        return SFGP_OK;
    study_measure_mask(r->data, result, row);
    study_measure_regions(r->data, result, row);
    sfgp_status status =
        sfgp_mesh_from_points(context, result->count, result->dimension, result->points, &f->fitted);
    if (status == SFGP_OK)
        status = study_measure_errors(r->s, context, r->data, f->fitted, row);
    return status == SFGP_OK && study_view_wanted(r->s, row->key)
               ? study_view_save(r->s, row->key, result, f->fitted)
               : status;
}

/* A setting of the prior that differs from its default although the set has a model; NULL: none. */
static const sfgp_setting *find_refused(const run *r)
{
    sfgp_settings standard;
    sfgp_settings_default(&standard);
    return prior_of(r) ? sfgp_settings_prior_change(r->settings, &standard) : NULL;
}

/* A fit that fails is a result: the row says why. */
static sfgp_status fit_own(const run *r)
{
    fit f = {0};
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status == SFGP_OK)
        status = compute_timed(context, r, &f);
    if (status == SFGP_OK)
        status = measure_fit(context, r, &f);
    else
        snprintf(r->row->message, sizeof r->row->message, "%.190s",
                 context ? sfgp_context_error(context) : "memory"),
            status = SFGP_OK;
    fit_clear(&f);
    sfgp_context_free(context);
    return status;
}

static sfgp_status run_own(const run *r)
{
    const sfgp_setting *change = find_refused(r);
    if (!change)
        return fit_own(r);
    snprintf(r->row->message, sizeof r->row->message,
             "%s: the reference of %.80s is a model and has its prior", change->name, r->set->name);
    return SFGP_OK;
}

/* ---- external programs ------------------------------------------------------------------------------- */

static sfgp_status run_external(const run *r)
{
    const study_external_run program = {r->s, r->method, r->settings, reference_of(r->set, r->data),
                                        r->data->target};
    study_row *row = r->row;
    sfgp_mesh *fitted = NULL;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    const double start_cpu = sfgp_platform_cpu_seconds(SFGP_PLATFORM_CHILDREN);
    if (status == SFGP_OK)
        status = study_external(&program, row, &fitted);
    row->cpu_seconds = sfgp_platform_cpu_seconds(SFGP_PLATFORM_CHILDREN) - start_cpu;
    row->peak_mib = sfgp_platform_peak_mib(SFGP_PLATFORM_CHILDREN);
    if (status == SFGP_OK && fitted) {
        row->success = 1;
        snprintf(row->status, sizeof row->status, "finished");
        status = study_measure_errors(r->s, context, r->data, fitted, row);
    }
    if (status == SFGP_OK && fitted && study_view_wanted(r->s, row->key))
        status = study_view_save(r->s, row->key, NULL, fitted);
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
        row->points_reference = reference_of(set, &c)->count;
        row->points_target = c.target->count;
        status = (method->method ? run_own : run_external)(&(run){s, method, set, &c, &settings, row});
    }
    study_case_clear(&c);
    return status;
}
