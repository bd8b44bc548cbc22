/* The parts of a batch, as the functions of one file need them of another. batch.h says which file has what. */
#ifndef SFGP_BATCH_PARTS_H
#define SFGP_BATCH_PARTS_H

#include "batch/batch.h"

/* Sets the error text, as printf, and returns status. */
#define batch_fail(b, status, ...) report_fail((b)->error, sizeof(b)->error, (status), __VA_ARGS__)
/* Likewise with the error text of the context, or else that of the status. */
#define batch_fail_library(b, status) batch_fail((b), (status), "%s", batch_library_text((b), (status)))
const char *batch_library_text(const batch *b, sfgp_status status);
/* Path of a file beside the manifest, and of a file of a case, DIR/ID/name. The caller frees it. */
char *batch_beside(const batch *b, const char *path);
char *batch_in_case(const char *folder, const char *id, const char *name);
/* Whether a case has this file. */
bool batch_case_has(const char *folder, const char *id, const char *name);
/* Writes a file beside the folders of the cases. */
sfgp_status batch_write(batch *b, const char *folder, const char *name, const char *text, size_t size);

/* Makes text with commas or quotes tab-separated without quotes; other text stays as it is. *text may be replaced, also after an error. */
sfgp_status batch_source_convert(batch *b, char **text, size_t *size);
/* Owns text from now on, also after an error. */
sfgp_status batch_manifest_parse(batch *b, char *text, size_t size);
void batch_manifest_clear(batch_manifest *manifest);
/* Check the id of one case, and that no two ids are equal. */
sfgp_status batch_id_check(batch *b, int64_t number);
/* Makes the ids from the names of the targets. */
sfgp_status batch_ids_make(batch *b);
sfgp_status batch_ids_check(batch *b);
/* Sets an error text with the place in the manifest, and returns SFGP_ERROR_FORMAT. */
sfgp_status batch_fail_cell(batch *b, int64_t number, const char *column, const char *message);
/* The cell of a case; "" when the manifest has no such column. */
const char *batch_cell(const batch_manifest *manifest, int64_t number, batch_role role);
/* By which the target of a case is multiplied: its cell, or that of the batch. */
double batch_target_scale(const batch *b, int64_t number);
/* Refuses a cell that holds no factor. */
sfgp_status batch_target_scale_check(batch *b, int64_t number);
/* The settings of the batch, overridden by the cells of the case. */
sfgp_status batch_settings(batch *b, int64_t number, sfgp_settings *settings);

sfgp_status batch_priors_open(batch *b);
void batch_priors_clear(batch *b);
/* A setting that requires another model than that of the prior; NULL: none. */
const char *batch_prior_differs(const batch *b, const batch_prior *prior, const sfgp_settings *settings);

batch_choice batch_choice_of(const batch *b, int64_t number);
/* The file of a cell, beside the manifest; where the cell is empty `usual`, which may be NULL. *path NULL: there is none; the
 * caller frees it. */
sfgp_status batch_file_of(batch *b, int64_t number, batch_role role, const char *usual, char **path);
/* Likewise the file that a fit of the case with prior k carries along, and the landmarks of that reference. */
sfgp_status batch_apply_of(batch *b, int64_t number, int k, char **path);
sfgp_status batch_landmarks_of(batch *b, int64_t number, int k, char **path);
/* The same landmarks as they are named, beside the manifest or on the command line; NULL: the case has none. */
const char *batch_landmarks_named(const batch *b, int64_t number, int k);
/* Every case has a reference, and what it needs of it. */
sfgp_status batch_choices_check(batch *b);
/* Reads the target of a case, or its truth, which is in the same unit. The errors are those of sfgp_mesh_read_with. */
sfgp_status batch_read_target(const batch *b, sfgp_context *context, int64_t number, const char *path,
                              sfgp_mesh **mesh);
/* Reads a file that a case names, for models that are there, and checks a target as a fit does. Nothing where the cell is empty. Roles:
 * BATCH_TARGET, _TRUTH, _MISSING, _LANDMARKS, _REFERENCE_LANDMARKS. */
sfgp_status batch_input_check(batch *b, int64_t number, batch_role role);
/* Refuses a truth that has the points of no reference of its case. */
sfgp_status batch_truth_check(batch *b, int64_t number, const sfgp_mesh *truth);
/* Puts those cases of the plan first that name a file that cannot be read; the others keep their order, and so do these. room: of
 * as many numbers as the plan has. */
void batch_absent_first(batch *b, int64_t *room);
/* Reads the landmarks of the command line, for models that are there, and checks that they have their dimension. */
sfgp_status batch_landmarks_check(batch *b);
/* Reads the files that fits carry along, for models that are there, and checks that they have their dimension. */
sfgp_status batch_carried_check(batch *b);

/* Names of what is carried along, in the folder of a case. */
#define BATCH_CARRIED_LANDMARKS "landmarks.csv"
#define BATCH_CARRIED_MESH "carried.ply"

/* Makes the folder of a case. Removes results of an earlier run, case.json first. message: the error text. */
sfgp_status batch_folder_prepare(batch *b, const char *id, char *message, size_t room);
/* After the process of a case was killed: removes its unfinished files, and the folder where it is empty then; not where another runner has
 * the case. */
void batch_folder_abandon(batch *b, const char *id);
/* Whether a file of this name in the folder of a case is a result, which batch_folder_prepare removes. */
bool batch_is_result(const char *name);
/* Whether batch_collect writes a file of this name, in capitals or not, into the folder of a batch. */
bool batch_is_table(const char *name);
/* Refuses inputs that are one of these, and one that is the file of events. Nothing but the manifest has been read.
 * SFGP_ERROR_PARAMETER, _MEMORY. */
sfgp_status batch_inputs_spare(batch *b);
/* Does a case, in its own process, and writes its files. A case that another runner has locked is left to that runner;
 * with wait, this call waits until the lock is free. */
void batch_case_run(batch *b, int64_t number, bool wait, batch_outcome *outcome);
/* For a case whose process ended without an outcome: removes fit.ply and writes case.json with this outcome, unless the
 * process had written case.json before it ended, or another runner has the case. *outcome: its state now. */
void batch_case_lost(batch *b, int64_t number, batch_outcome *outcome);
/* *status: the status of a case whose result is up to date, or was asked for by a runner that began after this one;
 * BATCH_UNFINISHED: it has to be computed. by_others: accept a result that another runner has written since this one
 * began, also without --resume. */
sfgp_status batch_check_done(batch *b, int64_t number, bool by_others, batch_status *status);

sfgp_status batch_digests_make(batch *b, int64_t number, batch_digests *digests);
/* b->began in nanoseconds, and its name in case.json. */
#define BATCH_BEGAN "began"
int64_t batch_began(const batch *b);
/* One of the times of a case; null when it is not known. */
json_t *batch_seconds(const batch_outcome *outcome, double seconds);
/* The object of a text whose seal is right; NULL otherwise. */
json_t *batch_record_parse(const char *text);
/* The record of DIR/ID/case.json; NULL: absent or damaged. */
json_t *batch_record_read(const char *folder, const char *id);
batch_status batch_record_status(const json_t *record);
/* The digest of a file as the record has it; NULL: none. key: as in case.json. */
const char *batch_record_digest(const json_t *record, const char *key);
/* Whether fit.ply is the file that the record describes, or neither exists; likewise what was carried along. */
bool batch_record_holds(const json_t *record, const char *folder, const char *id);

sfgp_status batch_events_open(batch *b);
/* Writes one line: time, event, process and the members of object (NULL: none). Releases object. */
void batch_event(batch *b, const char *what, json_t *object);
void batch_events_close(batch *b);

/* A number of case.json that the tables show: one row of the table in values.c. */
typedef struct batch_value {
    const char *name;   /* in cases.csv */
    const char *title;  /* in the overview; NULL: not shown there */
    const char *object; /* path of the object in the record, as "errors.all"; NULL: the record */
    const char *key;    /* member of the object */
    const char *per;    /* the number is divided by this member; NULL: it is not */
    enum {
        BATCH_PLAIN,
        BATCH_SHARE,
        BATCH_LENGTH,
        BATCH_TIME
    } kind; /* a share is shown in per cent, a length with its unit, a time to a tenth of a second */
} batch_value;

enum { BATCH_VALUES = 15 };
const batch_value *batch_value_row(int index); /* NULL past the end */
int batch_value_find(const char *name);

/* A case as the tables show it. A number that is not known is NaN, a text "". */
typedef struct batch_row {
    const char *id;     /* as in the manifest */
    const char *target; /* as in the manifest */
    batch_status status;
    double values[BATCH_VALUES];
    char outcome[BATCH_OUTCOME];
    char *message;       /* error text, owned; NULL: none */
    char *warnings;      /* of the fit, owned; NULL: none */
    bool landmarks;      /* landmarks.csv is there, as the record says */
    char *unit;          /* of the files, as --unit said, owned; NULL: not known */
    char *scan;          /* path of the scan, owned; NULL: it is not there any more, or has changed */
    double target_scale; /* by which the scan was multiplied */
} batch_row;

/* The record of a case and what the tables show of it; clear the row afterwards. */
void batch_row_read(const batch *b, int64_t number, const char *folder, batch_row *row);
void batch_row_clear(batch_row *row);

/* Writes landmarks.csv and landmarks.tps, unless no case has landmarks. *cases: how many have. */
sfgp_status batch_write_landmarks(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                  int64_t *cases);
/* rows: the worst first. */
sfgp_status batch_write_overview(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                 int64_t most);
/* Images of the scan (NULL: none) and of its fit as HTML. id: for their alternative texts. The caller frees it. NULL: out of
 * memory. */
struct report_fitted;
struct canvas_camera;
char *batch_thumbnails(const struct report_fitted *fitted, const sfgp_mesh *scan,
                       const struct canvas_camera *camera, const char *id);

#endif
