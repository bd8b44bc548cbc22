/* Study: methods x data sets x levels x samples, from one JSON file (docs/studies.md).
 *
 * Data flow
 *   parse*.c   STUDY.json -> sets and methods; every name is checked; members.c
 *   source*.c  a set -> cases: reference, target, truth, mask
 *   run.c      a key (method, choice, set, level, sample) -> a row; measure.c, external.c, command.c
 *   runs.c     lists all keys, and runs those that are not in the journal
 *   pool.c     runs each key in a process of its own: a crash is a failed run, and time and memory are measured for it
 *   journal.c  writes each row to disk as soon as its run ends; an interrupted study continues from there
 *   spare.c    no result takes the place of an input
 *   tune.c     chooses the best point of the grid of a method, on the data named for tuning
 *   summary.c  rows -> one line for each method and level;  table.c  rows and lines as CSV
 *   figures.c, page.c, page_views.c  summaries and fits -> figures and report.html
 *
 * All files use the public header only. Texts of the study file belong to its JSON tree. */
#ifndef SFGP_STUDY_STUDY_H
#define SFGP_STUDY_STUDY_H

#include "page/text.h"
#include "sfgp/sfgp.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

typedef struct study study;
typedef struct study_set study_set;

/* ---- data -------------------------------------------------------------------------------------------- */

/* One registration problem. truth and missing may be NULL: then errors are not measured. */
typedef struct study_case {
    sfgp_mesh *reference; /* of this level; NULL: the reference of the set */
    sfgp_mesh *target;
    sfgp_mesh *truth;
    unsigned char *missing; /* for each reference point: 1 = no counterpart in the target */
} study_case;

void study_case_clear(study_case *c);

/* What is called with the path of every file that data are read from. It may end the calls by an error. */
typedef struct study_visitor {
    sfgp_status (*visit)(void *user, const char *path);
    void *user;
} study_visitor;

/* Where the cases of a set come from: one row of the table in source.c. */
typedef struct study_source {
    const char *key;   /* the key of a set that selects this source */
    const char *keys;  /* all keys that it reads, separated by spaces */
    const char *texts; /* those of them whose values are texts */
    /* Sets reference, training, level_count and sample_count, and adds to the checksum what identifies the data.
     * SFGP_ERROR_READ: the data do not exist. */
    sfgp_status (*open)(study *s, study_set *set);
    sfgp_status (*load)(study *s, const study_set *set, int level, int sample, study_case *c);
    /* Visits the files of an open set. Errors: SFGP_ERROR_MEMORY, without a text, and those of the visitor. */
    sfgp_status (*visit)(const study *s, const study_set *set, const study_visitor *visitor);
    void (*close)(study_set *set);
} study_source;

struct study_set {
    const char *name;
    const char *axis; /* what the levels are: label of the x axis */
    const char *unit; /* of coordinates and errors */
    json_t *json;     /* object of the source in use */
    json_t *settings; /* override the settings of the methods; NULL: none */
    const study_source *source;
    void *state;   /* belongs to the source */
    bool stand_in; /* the data do not exist, simulated shapes are used instead */
    bool hidden;   /* for tuning only, not in the report */
    int level_count;
    int sample_count; /* at each level */
    int first;        /* index of the first sample in the data */
    double *levels;   /* the number of each level */
    sfgp_mesh *reference;
    sfgp_mesh **training; /* training shapes */
    int training_count;
    sfgp_model *model; /* prior of the methods that use training shapes, when the reference is a model file */
    uint64_t checksum; /* of the data */
};

/* ---- methods ----------------------------------------------------------------------------------------- */

typedef struct study_method {
    const char *name;    /* in the report */
    const char *method;  /* row of sfgp_method_row; NULL: an external program */
    const char *command; /* external: template of the command line */
    const char *points;  /* external: template of the path of its output, in the folder of the run */
    const char *missing; /* why the method is left out; NULL: it is used */
    json_t *settings;
    json_t *grid;   /* lists of values for tuning */
    json_t *sets;   /* names of the sets that it runs on; NULL: all */
    bool training;  /* uses the training shapes of a set */
    double timeout; /* seconds for one run; 0: no limit */
    int choices;    /* points of the grid; 0: nothing to tune */
    int chosen;     /* point of the grid in use; -1: none */
} study_method;

/* ---- rows -------------------------------------------------------------------------------------------- */

typedef struct study_key {
    int method; /* indices */
    int choice; /* point of the grid in a run of the tuning, else -1 */
    int set;
    int level;
    int sample;
} study_key;

#define STUDY_MESSAGE 200
#define STUDY_UNKNOWN ((double)NAN)
/* Status of a run whose result did not come. It has no line in the journal, so that the next compare runs it again. */
#define STUDY_LOST "lost"

/* The result of one run. Errors are in the unit of the set; NaN: not known. */
typedef struct study_row {
    study_key key;
    char status[24];        /* outcome of the fit, or failed, crashed, timeout, lost */
    int64_t success;        /* 1: the fit has finite points */
    double error;           /* mean distance to the truth */
    double observed;        /* the same, over observed points */
    double missing;         /* the same, over missing points */
    double recall;          /* of the missing mask */
    double precision;       /* of the missing mask */
    double inside_observed; /* share of observed true points inside the stated 95 % region */
    double inside_missing;  /* share of missing true points inside it */
    double iterations;
    double seconds;     /* model and fit */
    double fit_seconds; /* fit only */
    double cpu_seconds;
    double peak_mib; /* largest memory of the process */
    int64_t points_reference;
    int64_t points_target;
    char message[STUDY_MESSAGE]; /* why it failed */
} study_row;

/* A numeric column of a row, for CSV, journal and summaries. */
typedef struct study_column {
    const char *name;
    size_t offset; /* in study_row */
    bool count;    /* int64_t; else double */
} study_column;

const study_column *study_column_row(int index); /* NULL past the end */
double study_column_value(const study_row *row, const study_column *column);

/* A row with this key and no known values. */
study_row study_row_unknown(study_key key);

typedef struct study_rows {
    study_row *items;
    int64_t count;
    int64_t capacity;
} study_rows;

sfgp_status study_rows_add(study_rows *rows, const study_row *row);
void study_rows_sort(study_rows *rows); /* by key */
/* The row of a key; NULL: none. rows must be sorted. */
const study_row *study_rows_find(const study_rows *rows, study_key key);
void study_rows_clear(study_rows *rows);
int study_key_compare(const void *a, const void *b);

/* ---- the study --------------------------------------------------------------------------------------- */

#define STUDY_ERROR 1024

struct study {
    char error[STUDY_ERROR];
    json_t *json;
    char *folder; /* of the study file */
    char *data;   /* folder of the evaluation data */
    const char *title;
    const char *text; /* introduction of the report */
    study_set *sets;
    int set_count;
    study_method *methods;
    int method_count;
    json_t *tune;  /* member "tune" */
    json_t *views; /* member "views" */
    int64_t seed;
    int64_t threads;    /* of each run */
    int jobs;           /* runs at a time; 0: the caller decides */
    const char *output; /* folder of the results */
    void (*progress)(void *user, const char *what, int64_t done, int64_t total);
    void (*warn)(void *user, const char *text); /* NULL: none */
    void *user;                                 /* passed to progress and warn */
};

/* Sets the error text, as printf, and returns status. */
#define study_fail(s, status, ...) report_fail((s)->error, sizeof(s)->error, (status), __VA_ARGS__)
/* The same, with the error text of the context. */
sfgp_status study_fail_with(study *s, sfgp_status status, sfgp_context *context, const char *what);

/* Limits of a study. Runs include those of the tuning. */
enum {
    STUDY_MOST_LISTED = 1000, /* sets, methods */
    STUDY_MOST_LEVELS = 1000,
    STUDY_MOST_SAMPLES = 1000000,
    STUDY_MOST_CHOICES = 100000,
    STUDY_MOST_RUNS = 10000000,
    STUDY_MOST_JOBS = 4096
};

/* Reads and checks the file, and opens its sets. Errors, with a text in s->error: SFGP_ERROR_READ, _FORMAT, _PARAMETER,
 * _DATA, _MEMORY. Clear also after an error. */
sfgp_status study_open(study *s, const char *path);
void study_clear(study *s);

/* What a study writes into its folder: files, and folders with more of them. */
typedef enum study_result {
    STUDY_JOURNAL,
    STUDY_ROWS,
    STUDY_TUNING,
    STUDY_SUMMARY,
    STUDY_REPORT,
    STUDY_FIGURES, /* the first folder */
    STUDY_VIEWS,
    STUDY_WORK, /* of external programs; it is removed at the end, with all that is in it */
    STUDY_RESULTS
} study_result;
extern const char *const STUDY_NAME[STUDY_RESULTS + 1]; /* of each; NULL ends them */

/* Runs the whole study and writes tables and report into folder. Makes the folder when it does not exist; continues
 * when it holds a part of the same study. A result that would take the place of an input is SFGP_ERROR_PARAMETER. */
sfgp_status study_run(study *s, const char *folder);

/* Index of the set with this name (may be NULL), and of the level with this value; -1: none. */
int study_find_set(const study *s, const char *name);
int study_find_level(const study_set *set, const json_t *value);
/* Check the members "tune" and "views". The sets must be open. */
sfgp_status study_check_tune(study *s);
sfgp_status study_check_views(study *s);

#endif
