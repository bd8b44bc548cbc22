/* The parts of a study, as the functions of one file need them of another. study.h says which file has what. */
#ifndef SFGP_STUDY_PARTS_H
#define SFGP_STUDY_PARTS_H

#include "study/study.h"

/* The source that a set selects; NULL: none. */
const study_source *study_source_of(json_t *set);
sfgp_status study_sets_open(study *s);
void study_set_clear(study_set *set);

/* The value of a JSON value at a level: a number or a text has the same value at all levels, the text "level" is the
 * number of the level, and an array has one entry for each level. False when it is none of these, or too long. */
bool study_value_text(const json_t *value, const study_set *set, int level, char text[SFGP_TEXT_SIZE]);
bool study_value_number(const json_t *value, const study_set *set, int level, double *number);
/* template with each {name} replaced by its value. pairs: name, value, ..., NULL. The caller frees the text. NULL: out
 * of memory. */
char *study_expand(const char *template, const char *const *pairs);
char *study_level_text(const study_set *set, int level, char text[32]);
/* figures/SET-figure.svg; in the name of the set, characters that file names may not have are replaced. The caller
 * frees it. */
char *study_figure_path(const study_set *set, const char *figure);
/* folder/path, or path when it is absolute. The caller frees it. */
char *study_path(const char *folder, const char *path);
/* Visits one file, and frees its path. NULL: SFGP_ERROR_MEMORY. */
sfgp_status study_visit(const study_visitor *visitor, char *path);
/* folder/NAME of a result. The caller frees it. */
char *study_result_path(const char *folder, study_result result);
/* Refuses a study with a result in folder that would take the place of a file that it reads. Errors:
 * SFGP_ERROR_PARAMETER, _MEMORY. */
sfgp_status study_spare_inputs(study *s, const char *folder);
/* Writes folder/name, whole or not at all. */
sfgp_status study_save(study *s, const char *folder, const char *name, const char *text, size_t size);
/* Sorted names of the files in a folder; the caller frees each name and the array. -1: the folder cannot be read. */
int study_folder_list(const char *folder, char ***names);
/* Removes a file, or a folder and its content. Ignores errors. */
void study_folder_remove(const char *path);

/* Settings of a run; its sample does not matter. */
sfgp_status study_settings(study *s, study_key key, sfgp_context *context, sfgp_settings *settings);
/* A choice of a grid as "name=value, ...". The caller frees it. */
char *study_choice_text(const study_method *method, int choice);
/* Settings in the same form; NULL has none. The caller frees it. */
char *study_settings_text(json_t *settings);
/* Value of one setting of the grid at a choice. */
const json_t *study_choice_value(const study_method *method, int choice, const char *name);

/* One run, in this process. Errors of the run are written into the row; errors of the study are returned. */
sfgp_status study_run_one(study *s, study_key key, study_row *row);
/* Set columns of the row: error, observed, missing; recall, precision; inside_observed, inside_missing. Without a truth
 * or mask they stay NaN. */
sfgp_status study_measure_errors(study *s, sfgp_context *context, const study_case *c,
                                 const sfgp_mesh *fitted, study_row *row);
void study_measure_mask(const study_case *c, const sfgp_result *result, study_row *row);
void study_measure_regions(const study_case *c, const sfgp_result *result, study_row *row);

/* Input of an external program. */
typedef struct study_external_run {
    study *s;
    const study_method *method;
    const sfgp_settings *settings;
    const sfgp_mesh *reference;
    const sfgp_mesh *target;
} study_external_run;
/* Runs the program. *fitted: its points, or NULL with the reason in the row. */
sfgp_status study_external(const study_external_run *run, study_row *row, sfgp_mesh **fitted);

/* Runs the keys, at most s->jobs at a time, and calls record with each row, in any order. */
sfgp_status study_pool(study *s, const study_key *keys, int64_t count,
                       sfgp_status (*record)(void *user, const study_row *row), void *user);

typedef struct study_journal {
    int file;
    study_rows rows;
} study_journal;

sfgp_status study_journal_open(study *s, const char *folder, study_journal *journal);
sfgp_status study_journal_add(study *s, study_journal *journal, const study_row *row);
void study_journal_close(study_journal *journal);
/* SFGP_ERROR_FORMAT when there are more runs than STUDY_MOST_RUNS. tuning: number of runs of the tuning. */
sfgp_status study_check_size(study *s, int64_t tuning);
/* All runs of the study that are not in the journal. */
sfgp_status study_run_all(study *s, study_journal *journal);
/* Runs those of the keys that are not in the journal. what: text for progress. */
sfgp_status study_complete(study *s, study_journal *journal, const char *what, const study_key *keys,
                           int64_t count);

/* Chooses the point of the grid of every method that has one. */
sfgp_status study_tune(study *s, study_journal *journal);

typedef struct study_spread {
    int64_t count; /* known values */
    double mean;
    double q25; /* quartiles */
    double median;
    double q75;
} study_spread;

/* One line of summary.csv. */
typedef struct study_line {
    int method; /* indices */
    int set;
    int level;
    int64_t runs;
    int64_t successes;
    study_spread *columns; /* one for each study_column_row */
} study_line;

typedef struct study_summary {
    study_line *lines;
    int64_t count;
} study_summary;

sfgp_status study_summarise(study *s, const study_rows *rows, study_summary *summary);
/* NULL when the method did not run on this level. */
const study_line *study_summary_find(const study_summary *summary, int method, int set, int level);
/* The spread of a column, by its name. */
const study_spread *study_line_column(const study_line *line, const char *name);
void study_summary_clear(study_summary *summary);

/* file: STUDY_TUNING has the runs of the tuning, STUDY_ROWS those of the study. */
sfgp_status study_write_rows(study *s, const char *folder, study_result file, const study_rows *rows);
sfgp_status study_write_summary(study *s, const char *folder, const study_summary *summary);
sfgp_status study_write_report(study *s, const char *folder, const study_rows *rows,
                               const study_summary *summary);

/* Views: fits that the report shows in 3D. Whether the report shows this run, and saving its fit. */
bool study_view_wanted(const study *s, study_key key);
sfgp_status study_view_save(study *s, study_key key, const sfgp_result *result, const sfgp_mesh *fitted);

#endif
