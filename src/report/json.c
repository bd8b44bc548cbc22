/* Builds the JSON report of a fit and of an evaluation. */
#include "report/json.h"
#include "report/json_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A JSON object that is being built. failed: a member could not be added, out of memory. */
typedef struct writer {
    json_t *object;
    bool failed;
} writer;

static writer new_writer(void)
{
    json_t *object = json_object();
    return (writer){object, !object};
}

static void add(writer *w, const char *key, json_t *value)
{
    if (json_object_set_new(w->object, key, value) != 0)
        w->failed = true;
}

static void add_real(writer *w, const char *key, double value)
{
    add(w, key, isfinite(value) ? json_real(value) : json_null());
}

static void add_count(writer *w, const char *key, int64_t value)
{
    add(w, key, json_integer(value));
}

static void add_text(writer *w, const char *key, const char *value)
{
    add(w, key, report_json_text(value));
}

/* Adds the object of child, which its parent then owns. */
static void add_object(writer *w, const char *key, writer child)
{
    w->failed |= child.failed;
    add(w, key, child.object);
}

static sfgp_status finish(writer w, char **text)
{
    sfgp_status status = report_json_dump(w.failed ? NULL : w.object, 15, text);
    json_decref(w.object);
    return status;
}

/* ---- evaluation -------------------------------------------------------------------------------------- */

static writer make_summary(const sfgp_error_summary *summary)
{
    writer w = new_writer();
    add_count(&w, "count", summary->count);
    add_real(&w, "mean", summary->mean);
    add_real(&w, "median", summary->median);
    add_real(&w, "p95", summary->p95);
    return w;
}

static writer make_distances(const sfgp_distance_summary *summary)
{
    writer w = new_writer();
    add_count(&w, "count", summary->count);
    add_real(&w, "mean", summary->mean);
    add_real(&w, "rms", summary->rms);
    add_real(&w, "p95", summary->p95);
    add_real(&w, "largest", summary->largest);
    return w;
}

static writer make_surfaces(const sfgp_surface_evaluation *surfaces)
{
    writer w = new_writer();
    add_object(&w, "fitted_to_truth", make_distances(&surfaces->fitted_to_truth));
    add_object(&w, "truth_to_fitted", make_distances(&surfaces->truth_to_fitted));
    add_object(&w, "symmetric", make_distances(&surfaces->symmetric));
    return w;
}

sfgp_status report_evaluation(const report_errors *errors, char **text)
{
    writer w = new_writer();
    if (errors->points)
        add_object(&w, "all", make_summary(&errors->points->all));
    if (errors->points && errors->by_mask) {
        add_object(&w, "observed", make_summary(&errors->points->observed));
        add_object(&w, "missing", make_summary(&errors->points->missing));
    }
    add_object(&w, "surface", make_surfaces(errors->surfaces));
    return finish(w, text);
}

/* ---- fit --------------------------------------------------------------------------------------------- */

static void add_setting(writer *w, const char *name, const char *field, sfgp_setting_kind kind)
{
    int64_t count = 0;
    double real = 0;
    if (kind == SFGP_SETTING_TEXT)
        add_text(w, name, field);
    else if (kind == SFGP_SETTING_COUNT)
        add_count(w, name, (memcpy(&count, field, sizeof count), count));
    else
        add_real(w, name, (memcpy(&real, field, sizeof real), real));
}

static writer make_parameter(const sfgp_settings *settings, const sfgp_setting *row)
{
    const char *field = (const char *)settings + row->offset;
    writer w = new_writer();
    add_setting(&w, "value", field, row->kind);
    add_text(&w, "unit", row->unit);
    return w;
}

static writer make_parameters(const sfgp_settings *settings)
{
    const sfgp_setting *row;
    writer w = new_writer();
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        add_object(&w, row->name, make_parameter(settings, row));
    return w;
}

static bool is_same(const sfgp_settings *a, const sfgp_settings *b, const sfgp_setting *row)
{
    const char *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;
    return row->kind == SFGP_SETTING_TEXT ? strcmp(x, y) == 0 : memcmp(x, y, 8) == 0;
}

/* What was given and is not the default: with it the run can be repeated. */
static writer make_settings(const sfgp_settings *given)
{
    const sfgp_setting *row;
    sfgp_settings standard;
    writer w = new_writer();
    sfgp_settings_default(&standard);
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (!is_same(given, &standard, row))
            add_setting(&w, row->name, (const char *)given + row->offset, row->kind);
    return w;
}

/* Four rows of four numbers. */
static void add_pose(writer *w, const double pose[16])
{
    json_t *rows = json_array();
    for (int a = 0; a < 4; a++) {
        json_t *row = json_pack("[f,f,f,f]", pose[4 * a], pose[4 * a + 1], pose[4 * a + 2], pose[4 * a + 3]);
        if (!row || json_array_append_new(rows, row) != 0)
            w->failed = true;
    }
    add(w, "pose", rows);
}

static void add_outcome(writer *w, const report_run *run)
{
    const sfgp_result *result = run->result;
    add_text(w, "status", sfgp_outcome_name(result->outcome));
    add_text(w, "method", result->settings->method);
    add_count(w, "iterations", result->iterations);
    add_count(w, "fits", result->fits);
    add_count(w, "total_iterations", result->total_iterations);
    add_real(w, "change", result->change);
    add_count(w, "points_reference", result->count);
    add_count(w, "points_target", run->points_target);
    add_count(w, "missing", result->missing_count);
    add_real(w, "explained", result->explained);
    add_real(w, "sigma", result->sigma);
    add_real(w, "omega", result->omega);
    add_real(w, "evidence", result->evidence);
    add_real(w, "detail", result->detail);
    add_real(w, "detail_length", result->detail_length);
    add_real(w, "pose_margin", result->pose_margin);
    add_pose(w, result->pose);
}

/* The prior that was fitted. The other members describe the model; some baselines do not use its kernel. */
static void add_model(writer *w, const sfgp_model_info *model, const sfgp_result *result)
{
    add_text(w, "kernel", result->settings->kernel);
    add_count(w, "rank", result->rank);
    add_count(w, "rank_scalar", model->rank_scalar);
    add_count(w, "rank_pca", model->rank_pca);
    add_real(w, "kernel_residual", model->kernel_residual);
    add_real(w, "scale", model->scale);
}

static void add_warnings(writer *w, const report_run *run)
{
    json_t *texts = json_array();
    for (size_t k = 0; k < run->warning_count; k++)
        if (json_array_append_new(texts, report_json_text(run->warnings[k])) != 0)
            w->failed = true;
    add(w, "warnings", texts);
}

static writer make_seconds(const report_run *run)
{
    static const sfgp_stage PARTS[] = {SFGP_STAGE_READ, SFGP_STAGE_MODEL, SFGP_STAGE_FIT, SFGP_STAGE_WRITE};
    writer w = new_writer();
    for (size_t k = 0; k < sizeof PARTS / sizeof *PARTS; k++)
        add_real(&w, sfgp_stage_name(PARTS[k]), run->profile->stages[PARTS[k]].total);
    add_real(&w, "total", run->profile->wall);
    return w;
}

static writer make_stages(const sfgp_profile *profile)
{
    writer w = new_writer();
    for (int k = 0; k < SFGP_STAGES; k++) {
        const sfgp_stage_time *spent = &profile->stages[k];
        writer stage = new_writer();
        add_count(&stage, "calls", spent->calls);
        add_real(&stage, "wall", spent->wall);
        add_real(&stage, "cpu", spent->cpu);
        add_real(&stage, "total", spent->total);
        add_object(&w, sfgp_stage_name(k), stage);
    }
    return w;
}

sfgp_status report_fit(const report_run *run, char **text)
{
    writer w = new_writer();
    add_outcome(&w, run);
    add_model(&w, run->model, run->result);
    add_object(&w, "parameters", make_parameters(run->result->settings));
    add_object(&w, "settings", make_settings(run->given));
    add_text(&w, "reference", run->reference);
    add_text(&w, "target", run->target);
    add_count(&w, "training", run->training);
    add_warnings(&w, run);
    add_object(&w, "seconds", make_seconds(run));
    if (run->stages)
        add_object(&w, "profile", make_stages(run->profile));
    add_real(&w, "peak_mib", run->peak_mib);
    add_real(&w, "predicted_mib", run->memory->peak > 0 ? (double)run->memory->peak / 1048576 : (double)NAN);
    add_text(&w, "version", SFGP_VERSION);
    return finish(w, text);
}
