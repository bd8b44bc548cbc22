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

/* The report, as that of sfgp register --report. */
static json_t *make_report(const batch_case *c)
{
    const report_run run = {.reference = c->prior ? c->prior->name : "",
                            .target = c->target,
                            .training = c->b->training_count,
                            .training_files = (const char *const *)c->b->training,
                            .landmarks = {c->landmarks[0], c->landmarks[1]},
                            .landmark_sd = c->b->landmark_sd,
                            .points_target = c->points_target,
                            .model = c->model,
                            .result = c->result,
                            .given = c->given,
                            .warnings = c->warnings,
                            .warning_count = c->warning_count,
                            .profile = c->profile,
                            .stages = c->b->profile,
                            .peak_mib = c->peak_mib,
                            .memory = &c->memory};
    if (!c->result)
        return json_pack("{s:o, s:{s:o}, s:f, s:s}", "target", report_json_text(c->target), "seconds",
                         "total", batch_seconds(c->outcome, c->outcome->seconds), "peak_mib", c->peak_mib,
                         "version", SFGP_VERSION);
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

static json_t *make_errors(const batch_case *c)
{
    const report_errors errors = {c->evaluation, c->by_mask, c->surfaces};
    return report_evaluation_make(&errors);
}

static json_t *make_digests(const batch_case *c)
{
    const batch_digests *d = c->digests;
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "key", d->key, "model",
                     text_or_null(c->prior ? c->prior->digest : ""), "carried", text_or_null(d->carried),
                     "target", text_or_null(d->target), "truth", text_or_null(d->truth), "missing",
                     text_or_null(d->missing), "fit", text_or_null(d->fit));
}

/* What each of several references gave. */
static json_t *make_references(const batch_case *c)
{
    json_t *all = json_array();
    for (int k = 0; k < c->candidate_count; k++) {
        const sfgp_result *result = c->candidates[k].result;
        const json_t *evidence = isnan(result->evidence) ? json_null() : json_real(result->evidence);
        json_array_append_new(all, json_pack("{s:o, s:s, s:o}", "reference",
                                             report_json_text(c->candidates[k].prior->name), "outcome",
                                             sfgp_outcome_name(result->outcome), "evidence", evidence));
    }
    return all;
}

/* The path of the scan in full, for pictures of it; null when it cannot be found. */
static json_t *make_target_path(const batch_case *c)
{
    char *beside = batch_beside(c->b, c->target), *full = beside ? sfgp_platform_resolve(beside) : NULL;
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

static json_t *make_record(const batch_case *c)
{
    const batch_outcome *said = c->outcome;
    json_t *report = make_report(c), *outcome = json_object_get(report, "status");
    json_t *record = json_pack("{s:s, s:s, s:i, s:o, s:o}", "id", c->id, "status",
                               batch_status_text(said->status), "exit_code", said->exit_code, "error",
                               said->error[0] ? report_json_text(said->error) : json_null(), "outcome",
                               outcome ? json_incref(outcome) : json_null());
    json_object_update_missing(record, report);
    json_decref(report);
    if (c->result)
        json_object_set_new(record, "sd", make_spread(c->result));
    if (c->result && c->candidate_count > 1)
        json_object_set_new(record, "references", make_references(c));
    if (c->evaluation)
        json_object_set_new(record, "errors", make_errors(c));
    if (c->b->unit)
        json_object_set_new(record, "unit", report_json_text(c->b->unit));
    json_object_set_new(record, "processor_seconds", batch_seconds(said, said->processor));
    json_object_set_new(record, BATCH_BEGAN, json_integer(batch_began(c->b)));
    json_object_set_new(record, "target_path", make_target_path(c));
    json_object_set_new(record, "sha256", make_digests(c));
    return record;
}

/* The seal is computed from the text as it is read again, because numbers are rounded when they are written. */
char *batch_record_make(const batch_case *c)
{
    enum { DIGITS = 15 };
    char seal[BATCH_DIGEST];
    json_t *made = make_record(c);
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

/* Whether a file of the case is the one that the record describes, or neither exists. */
static bool holds(const json_t *record, const char *key, const char *folder, const char *id, const char *name)
{
    char hex[BATCH_DIGEST], *path = batch_in_case(folder, id, name);
    const char *said = json_string_value(json_object_get(json_object_get(record, "sha256"), key));
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
