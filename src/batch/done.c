/* Whether a case is done: its result is the one that a run now would give. */
#include "batch/parts.h"
#include "base/platform_file.h"

#include <stdlib.h>
#include <string.h>

static bool same_key(const json_t *record, const batch_digests *now)
{
    const char *key = batch_record_digest(record, "key");
    return key && strcmp(key, now->key) == 0;
}

/* Whether another runner has written case.json since this one began. */
static bool is_newer(const batch *b, const char *id)
{
    sfgp_platform_stamp stamp;
    char *path = batch_in_case(b->folder, id, "case.json");
    const bool there = path && sfgp_platform_stamp_of(path, &stamp);
    free(path);
    if (!there || stamp.seconds != b->began.seconds)
        return there && stamp.seconds > b->began.seconds;
    return stamp.nanoseconds > b->began.nanoseconds;
}

/* Whether a failed case is to be computed again. Several runners do this once, not once each. */
static bool is_wanted_again(const batch *b, const char *id, bool by_others)
{
    return b->retry_failed && !(by_others && is_newer(b, id));
}

/* Whether a page or a saved fit is wanted that is not there. */
static bool lacks_output(const batch *b, const char *id, batch_status status)
{
    if (status == BATCH_FAILED)
        return false;
    return (b->html && !batch_case_has(b->folder, id, "fit.html")) ||
           (b->save && !batch_case_has(b->folder, id, "fit.h5"));
}

/* Whether the runner that wrote the record has read its manifest after this one. */
static bool has_newer_plan(const batch *b, const json_t *record)
{
    const json_int_t began = json_integer_value(json_object_get(record, BATCH_BEGAN));
    return began > batch_began(b);
}

/* Whether a run now would give what the record describes. A newer plan may ask for another fit: that one stays. */
static sfgp_status check_record(batch *b, int64_t number, const json_t *record, bool *good)
{
    batch_digests now;
    const sfgp_status error = batch_digests_make(b, number, &now);
    *good = error == SFGP_OK && (same_key(record, &now) || has_newer_plan(b, record)) &&
            batch_record_holds(record, b->folder, batch_cell(&b->manifest, number, BATCH_ID));
    return error;
}

sfgp_status batch_check_done(batch *b, int64_t number, bool by_others, batch_status *status)
{
    const char *id = batch_cell(&b->manifest, number, BATCH_ID);
    bool good;
    json_t *record = b->resume || by_others ? batch_record_read(b->folder, id) : NULL;
    sfgp_status error = SFGP_OK;
    *status = record ? batch_record_status(record) : BATCH_UNFINISHED;
    if (*status == BATCH_FAILED && is_wanted_again(b, id, by_others))
        *status = BATCH_UNFINISHED;
    if (*status != BATCH_UNFINISHED) {
        error = check_record(b, number, record, &good);
        if (!good || lacks_output(b, id, *status))
            *status = BATCH_UNFINISHED;
    }
    json_decref(record);
    return error;
}
