/* case.json: id, status, error text, the report of sfgp register, errors against the truth, SHA-256 of the files, and
 * last the seal: the SHA-256 of all other members as compact JSON with sorted keys. */
#include "batch/digest.h"
#include "base/platform_file.h"
#include "batch/fit.h"
#include "report/file.h"
#include "report/json.h"
#include "report/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- make -------------------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *text)
{
    return text[0] ? json_string(text) : json_null();
}

json_t *batch_seconds(const batch_outcome *outcome, double seconds)
{
    return outcome->lost ? json_null() : json_real(seconds);
}

static const char *target_of(const batch_work *w)
{
    return batch_cell(&w->b->manifest, w->number, BATCH_TARGET);
}

/* The report, as that of sfgp register --report. */
static json_t *make_report(const batch_work *w, const batch_outcome *outcome)
{
    const double peak_mib = sfgp_platform_peak_mib(SFGP_PLATFORM_SELF);
    sfgp_model_info info;
    sfgp_profile profile;
    if (!w->result)
        return json_pack("{s:o, s:{s:o}, s:f, s:s}", "target", report_json_text(target_of(w)), "seconds",
                         "total", batch_seconds(outcome, outcome->seconds), "peak_mib", peak_mib, "version",
                         SFGP_VERSION);
    sfgp_profile_read(w->context, &profile);
    sfgp_model_describe(batch_candidate_model(w->best), &info);
    const int reference = (int)(w->best->prior - w->b->priors);
    const report_run run = {.reference = w->best->prior->name,
                            .target = target_of(w),
                            .target_scale = batch_target_scale(w->b, w->number),
                            .training = w->b->training_count,
                            .training_files = (const char *const *)w->b->training,
                            .landmarks = {batch_landmarks_named(w->b, w->number, reference),
                                          batch_cell(&w->b->manifest, w->number, BATCH_LANDMARKS)},
                            .landmark_sd = w->b->landmark_sd,
                            .points_target = w->target->count,
                            .model = &info,
                            .result = w->result,
                            .given = &w->settings,
                            .warnings = (const char *const *)w->warnings,
                            .warning_count = w->warning_count,
                            .profile = &profile,
                            .stages = w->b->profile,
                            .peak_mib = peak_mib,
                            .memory = &w->memory};
    return report_fit_make(&run);
}

static json_t *make_spread(const sfgp_result *result)
{
    double sum = 0, largest = 0;
    for (int64_t i = 0; i < result->count; i++) {
        sum += result->sd[i];
        largest = result->sd[i] > largest ? result->sd[i] : largest;
    }
    return json_pack("{s:f, s:f}", "mean", sum / (double)result->count, "largest", largest);
}

static json_t *make_errors(const batch_work *w)
{
    const report_errors errors = {&w->evaluation, w->mask != NULL, &w->surfaces, NULL};
    return report_evaluation_make(&errors);
}

static json_t *make_digests(const batch_work *w)
{
    const batch_digests *d = &w->digests;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "key", d->key, "model",
                     text_or_null(w->result ? w->best->prior->digest : ""), "carried",
                     text_or_null(d->carried), "target", text_or_null(d->target), "truth",
                     text_or_null(d->truth), "missing", text_or_null(d->missing), "fit",
                     text_or_null(d->fit));
}

/* What each of several references gave. */
static json_t *make_references(const batch_work *w)
{
    json_t *all = json_array();
    for (int k = 0; k < w->candidate_count; k++) {
        const sfgp_result *result = w->candidates[k].result;
        const json_t *evidence = isnan(result->evidence) ? json_null() : json_real(result->evidence);
        json_array_append_new(all, json_pack("{s:o, s:s, s:o}", "reference",
                                             report_json_text(w->candidates[k].prior->name), "outcome",
                                             sfgp_outcome_name(result->outcome), "evidence", evidence));
    }
    return all;
}

/* The path of the scan in full, for pictures of it; null when it cannot be found. */
static json_t *make_target_path(const batch_work *w)
{
    char *beside = batch_beside(w->b, target_of(w)), *full = beside ? sfgp_platform_resolve(beside) : NULL;
    json_t *text = full ? json_string(full) : NULL; /* not UTF-8: cannot be found again */
    free(beside);
    free(full);
    return text ? text : json_null();
}

/* The digest of all members except "seal". */
static void make_seal(json_t *record, char seal[BATCH_DIGEST])
{
    char *text = json_dumps(record, JSON_COMPACT | JSON_SORT_KEYS);
    digest_text(text, seal);
    free(text);
}

int64_t batch_began(const batch *b)
{
    return b->began.seconds * 1000000000 + b->began.nanoseconds;
}

static json_t *make_record(const batch_work *w, const batch_outcome *said)
{
    json_t *report = make_report(w, said), *outcome = json_object_get(report, "outcome");
    json_t *record = json_pack("{s:s, s:s, s:i, s:o, s:o}", "id", w->id, "status",
                               batch_status_text(said->status), "exit_code", said->exit_code, "error",
                               said->error[0] ? report_json_text(said->error) : json_null(), "outcome",
                               outcome ? json_incref(outcome) : json_null());
    json_object_update_missing(record, report);
    json_decref(report);
    if (w->result)
        json_object_set_new(record, "sd", make_spread(w->result));
    if (w->result && w->candidate_count > 1)
        json_object_set_new(record, "references", make_references(w));
    if (w->result && w->truth)
        json_object_set_new(record, "errors", make_errors(w));
    if (w->b->unit)
        json_object_set_new(record, "unit", report_json_text(w->b->unit));
    json_object_set_new(record, "processor_seconds", batch_seconds(said, said->processor));
    json_object_set_new(record, BATCH_BEGAN, json_integer(batch_began(w->b)));
    json_object_set_new(record, "target_path", make_target_path(w));
    json_object_set_new(record, "sha256", make_digests(w));
    return record;
}

/* The seal is computed from the text as it is read again, because numbers are rounded when they are written. */
char *batch_record_make(const batch_work *w, const batch_outcome *outcome)
{
    enum { DIGITS = 15 };
    char seal[BATCH_DIGEST];
    json_t *made = make_record(w, outcome);
    char *printed = report_json_dump(made, DIGITS);
    json_decref(made);
    json_t *record = json_loads(printed, 0, NULL);
    free(printed);
    make_seal(record, seal);
    json_object_set_new(record, "seal", json_string(seal));
    char *text = report_json_dump(record, DIGITS);
    json_decref(record);
    return text;
}

/* ---- read -------------------------------------------------------------------------------------------- */

json_t *batch_record_parse(const char *text)
{
    char seal[BATCH_DIGEST];
    json_t *record = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    const char *said = json_string_value(json_object_get(record, "seal"));
    char kept[BATCH_DIGEST] = "";
    if (said && strlen(said) < sizeof kept) {
        strcpy(kept, said);
        json_object_del(record, "seal");
        make_seal(record, seal);
        if (strcmp(seal, kept) == 0)
            return record;
    }
    json_decref(record);
    return NULL;
}

json_t *batch_record_read(const char *folder, const char *id)
{
    report_file file = {0};
    char *path = batch_in_case(folder, id, "case.json");
    json_t *record =
        path && report_file_read(path, BATCH_MOST_RECORD, &file) ? batch_record_parse(file.text) : NULL;
    const char *named = json_string_value(json_object_get(record, "id"));
    free(file.text);
    free(path);
    if (named && strcmp(named, id) == 0)
        return record;
    json_decref(record);
    return NULL;
}

batch_status batch_record_status(const json_t *record)
{
    const char *text = json_string_value(json_object_get(record, "status"));
    for (int k = BATCH_GOOD; text && k <= BATCH_FAILED; k++)
        if (strcmp(text, batch_status_text((batch_status)k)) == 0)
            return (batch_status)k;
    return BATCH_UNFINISHED;
}

const char *batch_record_digest(const json_t *record, const char *key)
{
    return json_string_value(json_object_get(json_object_get(record, "sha256"), key));
}

/* Whether a file of the case is the one that the record describes, or neither exists. */
static bool holds(const json_t *record, const char *key, const char *folder, const char *id, const char *name)
{
    char hex[BATCH_DIGEST], *path = batch_in_case(folder, id, name);
    const char *said = batch_record_digest(record, key);
    const bool there = path && digest_file(path, hex);
    free(path);
    return said ? there && strcmp(hex, said) == 0 : !there;
}

bool batch_record_holds(const json_t *record, const char *folder, const char *id)
{
    return holds(record, "fit", folder, id, "fit.ply") &&
           (holds(record, "carried", folder, id, BATCH_CARRIED_LANDMARKS) ||
            holds(record, "carried", folder, id, BATCH_CARRIED_MESH));
}
