/* Batch: fits one reference, or the best of several, to many targets. The folder of results is consistent at any moment.
 *
 * Data flow
 *   open.c       manifest, references, landmarks: all that is read before a case
 *   source.c     a comma-separated manifest -> a tab-separated one
 *   manifest.c   MANIFEST.tsv -> cases: id, target, settings; every cell is checked; ids.c
 *   references.c which references a case is fitted with
 *   prior.c      references or model files -> models, which are built before any process is started
 *   spare.c      no result takes the place of an input
 *   plan.c       which cases belong to this process, and which of them are not done yet; done.c
 *   order.c      cases without their files come first
 *   case.c       a case -> DIR/ID/fit.ply, fit.html, then DIR/ID/case.json; lock.c, folder.c, key.c, fit.c
 *   warm.c       what a process keeps from one case to the next
 *   choose.c     fits a case with each of its references; pairs.c  its landmarks; carry.c  fit -> fit.h5, landmarks.csv or carried.ply; carried.c
 *   record.c     writes, reads and checks case.json;  digest.c  SHA-256
 *   fit_outcome.c how a fit ended, as case.json says, for who uses the fit
 *   run.c        runs many cases in processes that do one after the other, or each in one of its own (pool.c); events.c logs them
 *   collect.c    DIR -> cases.csv; landmarks.c  DIR -> landmarks.csv, landmarks.tps; overview.c, thumbnail.c  DIR -> overview.html; row.c, values.c  their rows
 *
 * case.json completes a case. It is written last, whole or not at all. It holds the SHA-256 of fit.ply, the SHA-256 of
 * everything that the fit depends on (the key), and a checksum of itself (the seal). A case is done when all three are
 * right; otherwise it is computed again. So nothing has to be cleaned up after a kill, and processes share no journal.
 * Several programs (runners) may work in one folder: a runner locks a case before it works on it, and then checks again
 * whether the case is done.
 *
 * All files use the public header only, and run on one thread until processes are started. */
#ifndef SFGP_BATCH_BATCH_H
#define SFGP_BATCH_BATCH_H

#include "page/text.h"
#include "base/platform_clock.h"
#include "sfgp/sfgp.h"

#include <jansson.h>
#include <stdbool.h>

typedef struct batch batch;

#define BATCH_ERROR 1024
#define BATCH_DIGEST 65 /* 64 hexadecimal digits and a zero byte */
enum { BATCH_MOST_MANIFEST = 1 << 30, BATCH_MOST_RECORD = 1 << 26 }; /* largest files, in bytes */

/* Bytes of the name of an outcome, with its zero. */
enum { BATCH_OUTCOME = 24 };

/* ---- manifest ---------------------------------------------------------------------------------------- */

typedef enum batch_role {
    BATCH_ID,
    BATCH_TARGET,
    BATCH_TRUTH,
    BATCH_MISSING,
    BATCH_REFERENCE,
    BATCH_LANDMARKS,
    BATCH_REFERENCE_LANDMARKS,
    BATCH_APPLY,
    BATCH_TARGET_SCALE,
    BATCH_SETTING
} batch_role;

typedef struct batch_column {
    char *name; /* of a setting: as in sfgp_settings, with _ */
    batch_role role;
} batch_column;

typedef struct batch_manifest {
    char *text;  /* holds the texts of the cells */
    char *copy;  /* the file as it was read */
    size_t size; /* of copy, in bytes */
    batch_column *columns;
    int column_count;
    char **cells;   /* count x column_count; an empty cell is "" */
    char **ids;     /* count: made from the names of the targets; NULL: there is a column id */
    int64_t *lines; /* count: line of the file */
    int64_t count;  /* cases */
} batch_manifest;

/* ---- model ------------------------------------------------------------------------------------------- */

enum { BATCH_MOST_REFERENCES = 64 };

/* A reference of the command line, with what belongs to it. The texts are the caller's. */
typedef struct batch_reference {
    const char *path;      /* a mesh, or a model file */
    const char *landmarks; /* its landmarks, which column `landmarks` is paired with; NULL: none */
    const char *apply;     /* landmarks or a mesh that every fit carries along; NULL: none */
} batch_reference;

typedef struct batch_prior {
    char *path; /* of the mesh or the model file */
    char *name; /* as the command line or the manifest has it */
    sfgp_model *model;
    sfgp_model_info info;
    sfgp_mesh *reference;
    sfgp_mesh **training; /* training shapes */
    int training_count;
    bool file;                 /* read from a model file: settings cannot change its prior */
    char digest[BATCH_DIGEST]; /* of the files */
} batch_prior;

/* The priors that a case is fitted with: `count` of them, from `first` on. */
typedef struct batch_choice {
    int first;
    int count;
} batch_choice;

/* ---- one case ---------------------------------------------------------------------------------------- */

/* X(name, text), best first. */
#define BATCH_STATUS_TABLE(X)                                                                                \
    X(BATCH_GOOD, "ok")           /* converged */                                                            \
    X(BATCH_FLAGGED, "flagged")   /* max_iterations, max_time, doubtful or no_overlap; fit.ply is there */   \
    X(BATCH_UNFINISHED, "absent") /* no valid case.json */                                                   \
    X(BATCH_FAILED, "failed")     /* an error, a crash, out of time; no fit.ply */

typedef enum batch_status {
#define BATCH_STATUS_ENUM(name, text) name,
    BATCH_STATUS_TABLE(BATCH_STATUS_ENUM)
#undef BATCH_STATUS_ENUM
} batch_status;

const char *batch_status_text(batch_status status);
/* The file of a model: FILE of FILE:NAME, one model of a catalogue, unless there is a file of the whole name. The caller frees it. NULL: out
 * of memory. */
char *batch_model_file(const char *path);

/* Which runner has done a case. */
typedef enum batch_claim {
    BATCH_DONE_HERE,
    BATCH_DONE_BY_OTHER, /* another runner, after this one had made its plan */
    BATCH_BUSY           /* not done: another runner is working on it */
} batch_claim;

/* What the process of a case sends back. */
typedef struct batch_outcome {
    batch_claim claim;
    batch_status status; /* BATCH_UNFINISHED: the results could not be written, or the case is busy */
    int exit_code;       /* as that of sfgp register; 128 + n after signal n */
    bool lost;           /* the process ended without an outcome, as after a crash: the times are not known */
    double seconds;
    double processor; /* seconds of the processor, but for those of programs that it started */
    char error[BATCH_ERROR];
} batch_outcome;

/* SHA-256 of files and settings. "": the case has no such file, or it cannot be read. */
typedef struct batch_digests {
    char target[BATCH_DIGEST];
    char truth[BATCH_DIGEST];
    char missing[BATCH_DIGEST];
    char key[BATCH_DIGEST];     /* of everything that the fit depends on, with the version and the model */
    char fit[BATCH_DIGEST];     /* of fit.ply */
    char carried[BATCH_DIGEST]; /* of what was carried along: landmarks.csv or carried.ply */
} batch_digests;

/* ---- all steps --------------------------------------------------------------------------------------- */

/* Which cases of the manifest this process does. */
typedef enum batch_cut {
    BATCH_ALL,
    BATCH_INDEX, /* `chunk` consecutive cases: number `index` of the chunks */
    BATCH_SHARD  /* every count-th case, from case `index` on */
} batch_cut;

typedef struct batch_part {
    batch_cut cut;
    int64_t index; /* from 0 */
    int64_t count;
    int64_t chunk;
} batch_part;

typedef struct batch_totals {
    int64_t cases;  /* of this part */
    int64_t before; /* those that were done before */
    int64_t good;
    int64_t flagged;
    int64_t failed;
    int64_t unwritten; /* their results could not be written */
    int64_t by_others; /* of the four above: done by another runner after the plan was made */
    int64_t busy;      /* not done: another runner is working on them */
    int64_t not_begun; /* not done: those before them could not be written */
    double start;      /* by sfgp_platform_seconds */
    double processor;  /* seconds of the processor that the cases done here took */
    int64_t here;      /* number of these, without lost ones */
} batch_totals;

/* Tells which case is next. Without a scheduler the plan of this process does; under MPI it is another process. */
typedef struct batch_scheduler {
    void *user;                  /* passed to the functions */
    int64_t (*next)(void *user); /* number of a case, or a value of process_pool.next */
    sfgp_status (*done)(void *user, int64_t number, const batch_outcome *outcome);
    void (*tick)(void *user); /* as in process_pool */
} batch_scheduler;

struct batch {
    char error[BATCH_ERROR];
    /* set by the caller, who owns the texts */
    const char *path;   /* of the manifest; a folder ends with / */
    char *text;         /* the manifest of a folder, owned; NULL: it is in the file */
    char *folder_path;  /* owned: path, when it had to be made */
    const char *folder; /* of the results */
    batch_reference references[BATCH_MOST_REFERENCES];
    int reference_count;
    double landmark_sd;    /* of the landmarks; 0: default */
    char *const *training; /* files */
    int training_count;
    sfgp_settings settings;
    sfgp_read_options read; /* options for reading meshes */
    double target_scale; /* of targets, their truths and landmarks; a row may have its own; 1: as they are */
    bool resume;         /* keep the results of an earlier run */
    bool retry_failed;   /* but compute failed cases again */
    bool dry;            /* only plan: nothing is written, and the folder is not made */
    bool profile;        /* write the times of all stages into case.json */
    bool save;           /* write every fit as a map of space, fit.h5 */
    bool median;         /* carried landmarks are the median over the references */
    bool html;           /* write a page of every fit, fit.html */
    bool isolate;        /* each case in a process of its own */
    const char *unit;    /* of the files, as "mm", for pages; NULL: not known */
    batch_part part;
    int at_once;        /* cases at a time */
    double timeout;     /* seconds for one case; 0: no limit */
    const char *events; /* file for events; NULL: none */
    const char *config; /* file that settings came from; NULL: none */
    void (*progress)(void *user, const batch_totals *totals);
    void (*warn)(void *user, const char *message);
    void (*tell)(void *user, const char *id, const batch_outcome *outcome); /* a case has ended; NULL: none */
    bool (*stop)(void *user); /* asked twice a second: true ends the run; NULL: never */
    void *user;               /* passed to progress, warn, tell and stop */
    /* set by the functions below */
    sfgp_context *context;
    batch_manifest manifest;
    batch_prior *priors; /* of the references, then those that the manifest names */
    int prior_count;
    sfgp_platform_time began; /* time when the manifest was read */
    int64_t *todo;            /* the plan: numbers of the cases to do, in ascending order until batch_run */
    int64_t todo_count;
    batch_totals totals;
    int event_file;          /* descriptor; -1: none */
    struct batch_warm *warm; /* in a process that does several cases: what it keeps (warm.h); NULL: nothing */
};

/* Reads the manifest and the model. Errors, with a text in b->error: those of reading, and SFGP_ERROR_PARAMETER and
 * _FORMAT with line and column. Clear also after an error. */
sfgp_status batch_open(batch *b);
/* Makes the folder, unless b->dry, and lists the cases to do. Errors: SFGP_ERROR_PARAMETER (the folder has results and --resume is not
 * given), _WRITE. */
sfgp_status batch_plan(batch *b);
/* Runs the cases. A case that fails is counted; it is no error. scheduler NULL: the plan, of which cases without their files come
 * first. SFGP_CANCELLED: b->stop has ended the run, and no case has an empty folder. */
sfgp_status batch_run(batch *b, const batch_scheduler *scheduler);
void batch_clear(batch *b);
void batch_totals_add(batch_totals *totals, const batch_outcome *outcome);
/* 0, 1 when cases are flagged or failed, SFGP_ERROR_WRITE when results could not be written. */
int batch_exit_code(const batch_totals *totals);

typedef struct batch_collection {
    int64_t cases;
    int64_t absent; /* without a result */
    int64_t good;
    int64_t flagged;
    int64_t failed;
    int64_t landmarks; /* cases in landmarks.csv */
} batch_collection;

/* How a fit.ply ended, as case.json beside it says. False: there is none, or it tells of another file. */
bool batch_fit_outcome(const char *path, char outcome[BATCH_OUTCOME]);
/* Writes cases.csv and overview.html of a folder. The overview shows the worst cases, at most `most`. */
sfgp_status batch_collect(batch *b, const char *folder, int64_t most, batch_collection *totals);

#endif
