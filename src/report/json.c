/* Builds the JSON report of a fit and of an evaluation. */
#include "report/json.h"
#include "report/json_text.h"
#include "report/settings.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Nothing of jansson fails: it always has memory (report_json_guard_memory), and texts are UTF-8 (report_json_text). */
static void add(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static void add_real(json_t *object, const char *key, double value)
{
    add(object, key, isfinite(value) ? json_real(value) : json_null());
}

static void add_count(json_t *object, const char *key, int64_t value)
{
    add(object, key, json_integer(value));
}

static void add_flag(json_t *object, const char *key, int value)
{
    add(object, key, json_boolean(value));
}

static void add_text(json_t *object, const char *key, const char *value)
{
    add(object, key, report_json_text(value));
}

static void add_unit(json_t *object, const char *unit)
{
    if (unit)
        add_text(object, "unit", unit);
}

static char *finish(json_t *object)
{
    char *text = report_json_dump(object, 15);
    json_decref(object);
    return text;
}

/* ---- evaluation -------------------------------------------------------------------------------------- */

static json_t *make_summary(const sfgp_error_summary *summary)
{
    json_t *object = json_object();
    add_count(object, "count", summary->count);
    add_real(object, "mean", summary->mean);
    add_real(object, "median", summary->median);
    add_real(object, "p95", summary->p95);
    return object;
}

static json_t *make_distances(const sfgp_distance_summary *summary)
{
    json_t *object = json_object();
    add_count(object, "count", summary->count);
    add_real(object, "mean", summary->mean);
    add_real(object, "rms", summary->rms);
    add_real(object, "p95", summary->p95);
    add_real(object, "largest", summary->largest);
    return object;
}

static json_t *make_surfaces(const sfgp_surface_evaluation *surfaces)
{
    json_t *object = json_object();
    add(object, "fitted_to_truth", make_distances(&surfaces->fitted_to_truth));
    add(object, "truth_to_fitted", make_distances(&surfaces->truth_to_fitted));
    add(object, "symmetric", make_distances(&surfaces->symmetric));
    return object;
}

json_t *report_evaluation_make(const report_errors *errors)
{
    json_t *object = json_object();
    if (errors->points)
        add(object, "all", make_summary(&errors->points->all));
    if (errors->points && errors->by_mask) {
        add(object, "observed", make_summary(&errors->points->observed));
        add(object, "missing", make_summary(&errors->points->missing));
    }
    add(object, "surface", make_surfaces(errors->surfaces));
    add_unit(object, errors->unit);
    return object;
}

char *report_evaluation(const report_errors *errors)
{
    return finish(report_evaluation_make(errors));
}

char *report_landmark_errors(const sfgp_error_summary *errors, double largest, const char *unit)
{
    json_t *object = json_object(), *all = make_summary(errors);
    add_real(all, "largest", largest);
    add(object, "landmarks", all);
    add_unit(object, unit);
    return finish(object);
}

/* ---- fit --------------------------------------------------------------------------------------------- */

static void add_setting(json_t *object, const char *name, const char *field, sfgp_setting_kind kind)
{
    int64_t count = 0;
    double real = 0;
    if (kind == SFGP_SETTING_TEXT)
        add_text(object, name, field);
    else if (kind == SFGP_SETTING_COUNT)
        add_count(object, name, (memcpy(&count, field, sizeof count), count));
    else
        add_real(object, name, (memcpy(&real, field, sizeof real), real));
}

static json_t *make_parameter(const sfgp_settings *settings, const sfgp_setting *row)
{
    const char *field = (const char *)settings + row->offset;
    json_t *object = json_object();
    add_setting(object, "value", field, row->kind);
    add_text(object, "unit", row->unit);
    return object;
}

static json_t *make_parameters(const sfgp_settings *settings)
{
    const sfgp_setting *row;
    json_t *object = json_object();
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        add(object, row->name, make_parameter(settings, row));
    return object;
}

/* What was given and is not the default: with it the run can be repeated. */
static json_t *make_settings(const sfgp_settings *given)
{
    const sfgp_setting *row;
    sfgp_settings standard;
    json_t *object = json_object();
    sfgp_settings_default(&standard);
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (!report_setting_same(given, &standard, row))
            add_setting(object, row->name, (const char *)given + row->offset, row->kind);
    return object;
}

/* Four rows of four numbers. */
static void add_pose(json_t *object, const double pose[16])
{
    json_t *rows = json_array();
    for (int a = 0; a < 4; a++) {
        json_t *row = json_pack("[f,f,f,f]", pose[4 * a], pose[4 * a + 1], pose[4 * a + 2], pose[4 * a + 3]);
        json_array_append_new(rows, row);
    }
    add(object, "pose", rows);
}

static void add_doubts(json_t *object, unsigned doubts)
{
    json_t *names = json_array();
    for (unsigned bit = 1; bit <= doubts; bit *= 2)
        if (doubts & bit)
            json_array_append_new(names, json_string(sfgp_doubt_name((sfgp_doubt)bit)));
    add(object, "doubts", names);
}

static void add_outcome(json_t *object, const report_run *run)
{
    const sfgp_result *result = run->result;
    add_text(object, "status", sfgp_outcome_name(result->outcome));
    add_text(object, "outcome", sfgp_outcome_name(result->outcome)); /* as case.json and Python call it */
    add_doubts(object, result->doubts);
    add_text(object, "method", result->settings->method);
    add_count(object, "iterations", result->iterations);
    add_count(object, "fits", result->fits);
    add_count(object, "total_iterations", result->total_iterations);
    add_real(object, "change", result->change);
    add_count(object, "points_reference", result->count);
    add_count(object, "points_target", run->points_target);
    add_count(object, "missing", result->missing_count);
    add_real(object, "explained", result->explained);
    add_real(object, "sigma", result->sigma);
    add_real(object, "expected_error", result->expected_error);
    add_real(object, "expected_error_observed", result->expected_error_observed);
    add_real(object, "expected_error_missing", result->expected_error_missing);
    add_real(object, "omega", result->omega);
    add_real(object, "evidence", result->evidence);
    add_real(object, "detail", result->detail);
    add_real(object, "detail_length", result->detail_length);
    add_count(object, "detail_points", result->detail_points);
    add_real(object, "adapted_smooth", result->adapted_smooth);
    add_real(object, "adapted_offset", result->adapted_offset);
    add_real(object, "size", result->size);
    add_flag(object, "symmetric", result->symmetric);
    add_real(object, "pose_margin", result->pose_margin);
    add_pose(object, result->pose);
}

/* The prior that was fitted. The other members describe the model; some baselines do not use its kernel. */
static void add_model(json_t *object, const sfgp_model_info *model, const sfgp_result *result)
{
    add_text(object, "kernel", result->settings->kernel);
    add_count(object, "rank", result->rank);
    add_count(object, "rank_scalar", model->rank_scalar);
    add_count(object, "rank_pca", model->rank_pca);
    add_real(object, "kernel_residual", model->kernel_residual);
    add_real(object, "scale", model->scale);
}

static void add_texts(json_t *object, const char *key, const char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(array, report_json_text(texts[k]));
    add(object, key, array);
}

/* Paths as they were given. With the settings they say how the run can be repeated. */
static void add_files(json_t *object, const report_run *run)
{
    const bool landmarks = run->landmarks[0] && run->landmarks[1];
    add_text(object, "reference", run->reference);
    add_text(object, "target", run->target);
    add_real(object, "target_scale", run->target_scale);
    add_count(object, "training", run->training);
    add_texts(object, "training_files", run->training_files, (size_t)run->training);
    add_texts(object, "landmarks", run->landmarks, landmarks ? 2 : 0);
    add_real(object, "landmark_sd", landmarks && run->landmark_sd > 0 ? run->landmark_sd : (double)NAN);
}

static json_t *make_seconds(const report_run *run)
{
    static const sfgp_stage PARTS[] = {SFGP_STAGE_READ, SFGP_STAGE_MODEL, SFGP_STAGE_FIT, SFGP_STAGE_WRITE};
    json_t *object = json_object();
    for (size_t k = 0; k < sizeof PARTS / sizeof *PARTS; k++)
        add_real(object, sfgp_stage_name(PARTS[k]), run->profile->stages[PARTS[k]].total);
    add_real(object, "total", run->profile->wall);
    return object;
}

static json_t *make_stages(const sfgp_profile *profile)
{
    json_t *object = json_object();
    for (int k = 0; k < SFGP_STAGES; k++) {
        const sfgp_stage_time *spent = &profile->stages[k];
        json_t *stage = json_object();
        add_count(stage, "calls", spent->calls);
        add_real(stage, "wall", spent->wall);
        add_real(stage, "cpu", spent->cpu);
        add_real(stage, "total", spent->total);
        add(object, sfgp_stage_name(k), stage);
    }
    return object;
}

json_t *report_fit_make(const report_run *run)
{
    json_t *object = json_object();
    add_outcome(object, run);
    add_model(object, run->model, run->result);
    add(object, "parameters", make_parameters(run->result->settings));
    add(object, "settings", make_settings(run->given));
    add_files(object, run);
    add_texts(object, "warnings", run->warnings, run->warning_count);
    add(object, "seconds", make_seconds(run));
    if (run->stages)
        add(object, "profile", make_stages(run->profile));
    add_real(object, "peak_mib", run->peak_mib);
    add_real(object, "predicted_mib",
             run->memory->peak > 0 ? (double)run->memory->peak / 1048576 : (double)NAN);
    add_unit(object, run->unit);
    add_text(object, "version", SFGP_VERSION);
    return object;
}

char *report_fit(const report_run *run)
{
    return finish(report_fit_make(run));
}
