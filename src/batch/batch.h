/* Batch: one model, many targets, a folder of results that is right at any moment.
 *
 * Data flow
 *   manifest.c   MANIFEST.tsv -> cases: id, target, settings; every cell checked; ids.c
 *   prior.c      a reference or a model file -> the one model, built before any process is started
 *   plan.c       which cases are this process's, and which of them are not done yet; done.c
 *   case.c       a case -> DIR/ID/fit.ply, then DIR/ID/case.json; lock.c, folder.c, key.c, fit.c
 *   record.c     case.json: made, sealed, read, checked;  digest.c  SHA-256
 *   run.c        many cases, each in a process of its own (process/pool.h); events.c says what happens
 *   collect.c    DIR -> cases.csv; overview.c, thumbnail.c  DIR -> overview.html
 *
 * case.json is the commit: it is written last, whole or not at all, and holds the SHA-256 of fit.ply and of
 * all that decides about it, and a seal over itself. A case is done when all of them agree; whatever else is
 * in the folder is computed again. So nothing has to be cleaned up after a kill, and there is no journal that
 * several processes would share. Several runners may share a folder: a case is locked while it is done, and who
 * gets the lock looks first whether another has done the case since.
 *
 * Everything here uses the public header only, and runs on one thread until processes are started. */
#ifndef SFGP_BATCH_BATCH_H
#define SFGP_BATCH_BATCH_H

#include "report/text.h"
#include "sfgp/sfgp.h"

#include <jansson.h>
#include <stdbool.h>
#include <time.h>

typedef struct batch batch;

#define BATCH_ERROR 1024
#define BATCH_DIGEST 65                                              /* 64 hexadecimal digits and a zero */
enum { BATCH_MOST_MANIFEST = 1 << 30, BATCH_MOST_RECORD = 1 << 26 }; /* bytes */

/* ---- manifest ---------------------------------------------------------------------------------------- */

typedef enum batch_role { BATCH_ID, BATCH_TARGET, BATCH_TRUTH, BATCH_MISSING, BATCH_SETTING } batch_role;

typedef struct batch_column {
    char *name; /* a setting's as in the struct, with _ */
    batch_role role;
} batch_column;

/* A table as text: cells point into it, an empty one is "". */
typedef struct batch_manifest {
    char *text, *copy; /* copy: as it was read, size bytes */
    size_t size;
    batch_column *columns;
    int column_count;
    char **cells; /* count x column_count */
    int64_t *lines;
    int64_t count;
} batch_manifest;

/* ---- model ------------------------------------------------------------------------------------------- */

typedef struct batch_prior {
    sfgp_model *model;
    sfgp_model_info info;
    sfgp_mesh *reference, **training;
    int training_count;
    bool file;                 /* a model file: its prior cannot be changed by settings */
    char digest[BATCH_DIGEST]; /* of the files */
    double seconds;
} batch_prior;

/* ---- one case ---------------------------------------------------------------------------------------- */

/* X(name, text), best first. */
#define BATCH_STATUS_TABLE(X)                                                                                \
    X(BATCH_GOOD, "ok")           /* converged */                                                            \
    X(BATCH_FLAGGED, "flagged")   /* max_iterations or no_overlap; fit.ply is there */                       \
    X(BATCH_UNFINISHED, "absent") /* no valid case.json */                                                   \
    X(BATCH_FAILED, "failed")     /* an error, a crash, out of time; no fit.ply */

typedef enum batch_status {
#define BATCH_STATUS_ENUM(name, text) name,
    BATCH_STATUS_TABLE(BATCH_STATUS_ENUM)
#undef BATCH_STATUS_ENUM
} batch_status;

const char *batch_status_text(batch_status status);

/* Whose a case was. */
typedef enum batch_claim {
    BATCH_DONE_HERE,
    BATCH_DONE_BY_OTHER, /* another runner did it since this one made its plan */
    BATCH_BUSY           /* another runner is at it */
} batch_claim;

/* What a case's process hands back. */
typedef struct batch_outcome {
    batch_claim claim;
    batch_status status; /* BATCH_UNFINISHED: the results could not be written, or the case is busy */
    int exit_code;       /* as of sfgp register; 128 + n for signal n */
    double seconds;
    char error[BATCH_ERROR];
} batch_outcome;

/* Of files and settings; "" for a file that is not there to be read or is not asked for. */
typedef struct batch_digests {
    char target[BATCH_DIGEST], truth[BATCH_DIGEST], missing[BATCH_DIGEST];
    char key[BATCH_DIGEST]; /* of all that decides about the fit, the version and the model among it */
    char fit[BATCH_DIGEST]; /* of fit.ply */
} batch_digests;

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Which cases: number index of chunks of `chunk` cases, or every count-th from index; else all. */
typedef enum batch_cut { BATCH_ALL, BATCH_INDEX, BATCH_SHARD } batch_cut;
typedef struct batch_part {
    batch_cut cut;
    int64_t index, count, chunk; /* from 0 */
} batch_part;

typedef struct batch_totals {
    int64_t cases, before; /* of this part; done before */
    int64_t good, flagged, failed, unwritten;
    int64_t by_others; /* of these; done by another runner since the plan was made */
    int64_t busy;      /* left to another runner, which is at them */
    double start;      /* process_seconds */
} batch_totals;

/* Where the numbers of the cases to do come from: the plan of this process, or another process. */
typedef struct batch_dealer {
    void *user;
    int64_t (*next)(void *user); /* a case of the manifest, or as process_pool.next */
    sfgp_status (*done)(void *user, int64_t number, const batch_outcome *outcome);
    void (*tick)(void *user); /* may be NULL */
} batch_dealer;

struct batch {
    char error[BATCH_ERROR];
    /* asked for; texts are the caller's */
    const char *path, *folder, *model;
    char *const *training;
    int training_count;
    sfgp_settings settings;
    sfgp_read_options read; /* how meshes are read */
    bool resume, retry_failed;
    bool profile; /* every stage in case.json */
    batch_part part;
    int at_once;
    double timeout;     /* seconds a case, 0: none */
    const char *events; /* file, may be NULL */
    void (*progress)(void *user, const batch_totals *totals);
    void (*warn)(void *user, const char *words);
    void *user;
    /* made on the way */
    sfgp_context *context;
    batch_manifest manifest;
    batch_prior prior;
    struct timespec began; /* when the manifest was read */
    int64_t *todo;         /* plan: cases to do, in order */
    int64_t todo_count;
    batch_totals totals;
    int event_file; /* -1: none */
};

/* Reads the manifest and the model. Errors: those of reading, SFGP_ERROR_PARAMETER and _FORMAT with line and
 * column; the words are in b->error. Clear also after an error. */
sfgp_status batch_open(batch *b);
/* Makes the folder, finds what is to be done. Errors: SFGP_ERROR_PARAMETER (results are there and nothing
 * says --resume), _WRITE. */
sfgp_status batch_plan(batch *b);
/* Does it. A case that fails is counted, not returned. dealer NULL: the plan. */
sfgp_status batch_run(batch *b, const batch_dealer *dealer);
void batch_clear(batch *b);
void batch_totals_add(batch_totals *totals, const batch_outcome *outcome);
/* 0; 1: some are flagged or failed; SFGP_ERROR_WRITE: some could not be written. */
int batch_exit_code(const batch_totals *totals);

/* cases.csv and overview.html of a folder; the overview shows the worst cases, at most `most`. */
typedef struct batch_collection {
    int64_t cases, absent, good, flagged, failed;
} batch_collection;
sfgp_status batch_collect(batch *b, const char *folder, int64_t most, batch_collection *totals);

/* ---- parts (see above) ------------------------------------------------------------------------------- */

/* Records what is wrong, format as of printf, and returns status. */
#define batch_fail(b, status, ...) report_fail((b)->error, sizeof(b)->error, (status), __VA_ARGS__)
/* Path of a file beside the manifest, or of the case's folder: DIR/ID/name; free(). */
char *batch_beside(const batch *b, const char *path);
char *batch_in_case(const char *folder, const char *id, const char *name);

/* text is taken over, in any case. */
sfgp_status batch_manifest_parse(batch *b, char *text, size_t size);
void batch_manifest_clear(batch_manifest *manifest);
/* Of one case; of all against each other. */
sfgp_status batch_id_check(batch *b, int64_t number);
sfgp_status batch_ids_check(batch *b);
/* Records SFGP_ERROR_FORMAT with the place in the manifest. */
sfgp_status batch_fail_cell(batch *b, int64_t number, const char *column, const char *words);
/* "" when the manifest has no such column. */
const char *batch_cell(const batch_manifest *manifest, int64_t number, batch_role role);
/* Those of the batch with the cells of the case. */
sfgp_status batch_settings(batch *b, int64_t number, sfgp_settings *settings);

sfgp_status batch_prior_open(batch *b);
void batch_prior_clear(batch_prior *prior);
/* The setting that makes a model for these settings another one than that of the batch, NULL: none does. */
const char *batch_prior_differs(const batch *b, const sfgp_settings *settings);

/* Makes the folder of a case; what an earlier run has left there goes, its case.json before all. words: why
 * not. */
sfgp_status batch_folder_prepare(batch *b, const char *id, char *words, size_t room);
/* In the case's process: everything, files included. A case that another runner is at is left to it, or waited
 * for. */
void batch_case_run(batch *b, int64_t number, bool wait, batch_outcome *outcome);
/* A case whose process ended without an outcome: removes fit.ply and writes case.json with the outcome given,
 * unless the process came to that itself, or another runner has the case. Says in *outcome what it is now. */
void batch_case_lost(batch *b, int64_t number, batch_outcome *outcome);
/* Whether the case has a result that a run now would give again; BATCH_UNFINISHED: it has none. by_others: also
 * when nothing is to be resumed, as another runner may have done it meanwhile. */
sfgp_status batch_check_done(batch *b, int64_t number, bool by_others, batch_status *status);

sfgp_status batch_digests_make(batch *b, int64_t number, batch_digests *digests);
/* What of a case goes into case.json; result NULL: there is none. Text is the caller's, free(). */
typedef struct batch_case {
    const batch *b;
    const char *id, *target; /* as in the manifest */
    const batch_outcome *outcome;
    const batch_digests *digests;
    const sfgp_model_info *model;
    const sfgp_result *result;
    const sfgp_evaluation *evaluation; /* NULL: no truth */
    bool by_mask;
    int64_t points_target;
    const char *const *warnings;
    size_t warning_count;
    const sfgp_profile *profile;
    double peak_mib;
    sfgp_memory memory; /* predicted */
} batch_case;
sfgp_status batch_record_make(const batch_case *c, char **text);
/* The object of a text with an unbroken seal, NULL otherwise. */
json_t *batch_record_parse(const char *text);
/* DIR/ID/case.json, NULL: absent or broken. */
json_t *batch_record_read(const char *folder, const char *id);
batch_status batch_record_status(const json_t *record);
/* Whether fit.ply is the one of the record (or both say there is none). */
bool batch_record_holds(const json_t *record, const char *folder, const char *id);

sfgp_status batch_events_open(batch *b);
/* One line; pairs: name, value as jansson's pack. Takes object over. */
void batch_event(batch *b, const char *what, json_t *object);
void batch_events_close(batch *b);

/* Numbers of case.json that tables show: one row of the table in collect.c. */
typedef struct batch_value {
    const char *name;         /* in cases.csv */
    const char *title;        /* in the overview, NULL: not there */
    const char *object, *key; /* object NULL: of the record itself */
    const char *per;          /* divided by this member, NULL: as it is */
} batch_value;

enum { BATCH_VALUES = 13 };
const batch_value *batch_value_row(int index); /* NULL past the end */
int batch_value_find(const char *name);

/* A case as the tables show it. Not known: NaN, "". */
typedef struct batch_row {
    const char *id, *target; /* of the manifest */
    batch_status status;
    double values[BATCH_VALUES];
    char outcome[24];
    char *words; /* what went wrong, NULL: nothing; free() */
} batch_row;

/* rows: worst first. */
sfgp_status batch_write_overview(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                 int64_t most);
/* SVG of the fit seen along an axis; top: sd of the deepest colour. free(). NULL: no memory. */
struct report_fitted;
char *batch_thumbnail(const struct report_fitted *fitted, int along, double top);
/* The axis that the fit is thinnest in; 2 in the plane. */
int batch_thumbnail_axis(const struct report_fitted *fitted);

#endif
