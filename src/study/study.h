/* Study: methods x data sets x levels x samples, from one JSON file (docs/studies.md).
 *
 * Data flow
 *   parse*.c   STUDY.json -> sets and methods, every name checked; members.c
 *   source*.c  a set -> cases: reference, target, truth, mask
 *   run.c      a key (method, choice, set, level, sample) -> a row; measure.c, external.c, command.c
 *   runs.c     which keys there are, and which of them are not done yet
 *   pool.c     many keys, each in a process of its own: a crash is a failed run, memory and time are its own
 *   journal.c  rows that are done, on disk as soon as they are: an interrupted study goes on from there
 *   tune.c     which choice of a method's grid is the best on the data named for tuning
 *   summary.c  rows -> one line a method and level;  table.c  both as CSV
 *   figures.c, page.c, page_views.c  summaries and fits -> figures and report.html
 *
 * Everything here uses the public header only. Texts of the file are owned by its JSON tree. */
#ifndef SFGP_STUDY_STUDY_H
#define SFGP_STUDY_STUDY_H

#include "report/text.h"
#include "sfgp/sfgp.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>

typedef struct study study;
typedef struct study_set study_set;

/* ---- data -------------------------------------------------------------------------------------------- */

/* One registration problem. truth and missing may be NULL: then there is no error to measure. */
typedef struct study_case {
    sfgp_mesh *reference; /* of this level; NULL: that of the set */
    sfgp_mesh *target, *truth;
    unsigned char *missing; /* reference count, 1 = no counterpart in the target; free() */
} study_case;

void study_case_clear(study_case *c);

/* Where the cases of a set come from: one row of the table in source.c. */
typedef struct study_source {
    const char *key;   /* the key of a set that asks for this source */
    const char *keys;  /* all it reads, separated by spaces */
    const char *texts; /* those of them that are texts */
    /* Sets reference, training, level and sample counts, and adds to the checksum what else tells these data
     * from others. SFGP_ERROR_READ: the data are not there. */
    sfgp_status (*open)(study *s, study_set *set);
    sfgp_status (*load)(study *s, const study_set *set, int level, int sample, study_case *c);
    void (*close)(study_set *set);
} study_source;

struct study_set {
    const char *name, *axis, *unit; /* axis: what the levels are */
    json_t *json;                   /* of the source in use */
    json_t *settings;               /* that override those of the methods, may be NULL */
    const study_source *source;
    void *state;   /* of the source */
    bool stand_in; /* simulated because the data are not there */
    bool hidden;   /* for tuning only */
    int level_count, sample_count, first;
    double *levels;
    sfgp_mesh *reference, **training;
    int training_count;
    sfgp_model *model; /* its reference is a model file: the prior of the methods that use training shapes */
    uint64_t checksum; /* of the data: other data are another study */
};

/* ---- methods ----------------------------------------------------------------------------------------- */

typedef struct study_method {
    const char *name;    /* in the report */
    const char *method;  /* row of sfgp_method_row, NULL: external */
    const char *command; /* external: template of a command line */
    const char *points;  /* external: template of the file with the fitted points, in the folder of the run */
    const char *missing; /* why the method is left out, NULL: it is not */
    json_t *settings, *grid;
    json_t *sets;   /* names of the sets it runs on, NULL: all */
    bool training;  /* uses the training shapes of a set */
    double timeout; /* seconds a run, 0: none */
    int choices;    /* points of the grid, 0: nothing to tune */
    int chosen;     /* point of the grid in use, -1: none */
} study_method;

/* ---- rows -------------------------------------------------------------------------------------------- */

typedef struct study_key {
    int method, choice, set, level, sample; /* choice: point of the grid while tuning, else -1 */
} study_key;

#define STUDY_WORDS 200
#define STUDY_UNKNOWN ((double)NAN)

/* One run. Errors in the unit of the set; NaN: not known. */
typedef struct study_row {
    study_key key;
    char status[24];                 /* outcome of a fit, or failed, crashed, timeout */
    int64_t success;                 /* 1: finite points came back */
    double error, observed, missing; /* mean distance to the truth over all, observed, missing points */
    double recall, precision;        /* of the missing mask */
    double inside_observed, inside_missing; /* share of true points within the stated 95 % region */
    double iterations, seconds, fit_seconds, cpu_seconds, peak_mib;
    int64_t points_reference, points_target;
    char words[STUDY_WORDS]; /* why it failed */
} study_row;

/* The numeric columns of a row, for CSV, journal and summaries. */
typedef struct study_column {
    const char *name;
    size_t offset;
    bool count; /* int64_t */
} study_column;

const study_column *study_column_row(int index); /* NULL past the end */
double study_column_value(const study_row *row, const study_column *column);

/* A row about which nothing is known but its key. */
study_row study_row_unknown(study_key key);

typedef struct study_rows {
    study_row *items;
    int64_t count, capacity;
} study_rows;

sfgp_status study_rows_add(study_rows *rows, const study_row *row);
void study_rows_sort(study_rows *rows); /* by key */
/* NULL when there is none; rows are sorted. */
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
    const char *title, *text;
    study_set *sets;
    study_method *methods;
    int set_count, method_count;
    json_t *tune, *views;
    int64_t seed, threads;
    int jobs;           /* runs at once, 0: the caller's choice */
    const char *output; /* folder of the results */
    void (*progress)(void *user, const char *what, int64_t done, int64_t total);
    void *user;
};

/* Records what is wrong, format as of printf, and returns status. */
#define study_fail(s, status, ...) report_fail((s)->error, sizeof(s)->error, (status), __VA_ARGS__)
/* The same with the error text of a library call. */
sfgp_status study_fail_with(study *s, sfgp_status status, sfgp_context *context, const char *what);

/* Sizes that a study may have. The number of the runs counts those of the tuning. */
enum {
    STUDY_MOST_LISTED = 1000, /* sets, methods */
    STUDY_MOST_LEVELS = 1000,
    STUDY_MOST_SAMPLES = 1000000,
    STUDY_MOST_CHOICES = 100000,
    STUDY_MOST_RUNS = 10000000,
    STUDY_MOST_JOBS = 4096
};

/* Reads and checks the file, opens its sets. Errors: SFGP_ERROR_READ, _FORMAT, _PARAMETER, _DATA, _MEMORY;
 * the words are in s->error. Clear also after an error. */
sfgp_status study_open(study *s, const char *path);
void study_clear(study *s);

/* All of it: tuning, runs, tables, report into folder, which is made if need be and continued when it holds a
 * part of the same study. */
sfgp_status study_run(study *s, const char *folder);

/* Number of the set of this name (may be NULL), and of the level with this value; -1: none. */
int study_find_set(const study *s, const char *name);
int study_find_level(const study_set *set, const json_t *value);
/* The members "tune" and "views"; the sets are open. */
sfgp_status study_check_tune(study *s);
sfgp_status study_check_views(study *s);

/* ---- parts (see above) ------------------------------------------------------------------------------- */

/* The source that a set asks for, NULL: none. */
const study_source *study_source_of(json_t *set);
sfgp_status study_sets_open(study *s);
void study_set_clear(study_set *set);

/* A JSON value at a level: a number or text as it is, "level" the number of the level, an array its entry at
 * the level's index. Text of at most SFGP_TEXT_SIZE. False when it is none of these. */
bool study_value_text(const json_t *value, const study_set *set, int level, char text[SFGP_TEXT_SIZE]);
bool study_value_number(const json_t *value, const study_set *set, int level, double *number);
/* template with {name} replaced; names and values in pairs, NULL ends. free(). NULL: out of memory. */
char *study_expand(const char *template, const char *const *pairs);
char *study_level_text(const study_set *set, int level, char text[32]);
/* figures/SET-figure.svg, the name of the set in letters of file names; free(). */
char *study_figure_path(const study_set *set, const char *figure);
/* Path relative to a folder unless it is absolute; free(). */
char *study_path(const char *folder, const char *path);
/* Writes folder/name, whole or not at all. */
sfgp_status study_save(study *s, const char *folder, const char *name, const char *text, size_t size);
/* Names of the files in a folder, sorted; free each and the array. -1: cannot be read. */
int study_folder_list(const char *folder, char ***names);
/* Removes a file, or a folder with all that is in it; what cannot be removed stays. */
void study_folder_remove(const char *path);

/* Settings of a method at a choice of its grid on a set and level. */
sfgp_status study_settings(study *s, const study_method *method, int choice, const study_set *set, int level,
                           sfgp_context *context, sfgp_settings *settings);
/* The k-th combination of a grid as "name=value, ..."; free(). */
char *study_choice_text(const study_method *method, int choice);
/* Value of one entry of the grid at a choice. */
const json_t *study_choice_value(const study_method *method, int choice, const char *name);

/* One run in this process. Errors of the run are in the row; errors of the study are returned. */
sfgp_status study_run_one(study *s, study_key key, study_row *row);
/* Columns of the row: error, observed, missing; recall, precision; inside_observed, inside_missing. What cannot be known
 * stays unknown. */
sfgp_status study_measure_errors(study *s, sfgp_context *context, const study_case *c,
                                 const sfgp_mesh *fitted, study_row *row);
void study_measure_mask(const study_case *c, const sfgp_result *result, study_row *row);
void study_measure_regions(const study_case *c, const sfgp_result *result, study_row *row);

/* What a program of others is run on. */
typedef struct study_external_run {
    study *s;
    const study_method *method;
    const sfgp_settings *settings;
    const sfgp_mesh *reference, *target;
} study_external_run;
/* Fitted points, or NULL and in the row why there are none. */
sfgp_status study_external(const study_external_run *run, study_row *row, sfgp_mesh **fitted);

/* Runs the keys, at most s->jobs at once, and hands every row to take in any order. */
sfgp_status study_pool(study *s, const study_key *keys, int64_t count,
                       sfgp_status (*take)(void *user, const study_row *row), void *user);

typedef struct study_journal {
    int file;
    study_rows rows;
} study_journal;

sfgp_status study_journal_open(study *s, const char *folder, study_journal *journal);
sfgp_status study_journal_add(study *s, study_journal *journal, const study_row *row);
void study_journal_close(study_journal *journal);
/* SFGP_ERROR_FORMAT when there are more runs than STUDY_MOST_RUNS; tuning: those of the grids. */
sfgp_status study_check_size(study *s, int64_t tuning);
/* All runs of the study that the journal does not have yet. */
sfgp_status study_run_all(study *s, study_journal *journal);
/* Runs what of the keys the journal does not have yet. */
sfgp_status study_complete(study *s, study_journal *journal, const char *what, const study_key *keys,
                           int64_t count);

/* Chooses for every method with a grid. */
sfgp_status study_tune(study *s, study_journal *journal);

typedef struct study_spread {
    int64_t count; /* values that are known */
    double mean, q25, median, q75;
} study_spread;

/* One line of summary.csv. */
typedef struct study_line {
    int method, set, level;
    int64_t runs, successes;
    study_spread *columns; /* one a study_column_row */
} study_line;

typedef struct study_summary {
    study_line *lines;
    int64_t count;
} study_summary;

sfgp_status study_summarise(study *s, const study_rows *rows, study_summary *summary);
/* NULL when the method did not run there. */
const study_line *study_summary_find(const study_summary *summary, int method, int set, int level);
/* Spread of a column by its name. */
const study_spread *study_line_column(const study_line *line, const char *name);
void study_summary_clear(study_summary *summary);

sfgp_status study_write_rows(study *s, const char *folder, const char *name, const study_rows *rows);
sfgp_status study_write_summary(study *s, const char *folder, const study_summary *summary);
sfgp_status study_write_report(study *s, const char *folder, const study_rows *rows,
                               const study_summary *summary);

/* Views: fits that the report shows in 3D. Whether the report shows this case, and its fit on disk. */
bool study_view_wanted(const study *s, study_key key);
sfgp_status study_view_save(study *s, study_key key, const sfgp_result *result, const sfgp_mesh *fitted);

#endif
