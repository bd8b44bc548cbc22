/* Landmarks: the one table of their formats. A new format is a reader, a writer and a row in landmarks.c. */
#ifndef SFGP_IO_LANDMARKS_H
#define SFGP_IO_LANDMARKS_H

#include "io/json.h"
#include "io/source.h"

/* Landmarks of unknown number; as with a buffer, a failed append is seen at the end. */
typedef struct sfgp_landmark_list {
    int64_t count;
    int dimension; /* set before the first one is added */
    const char *system;
    const char *format; /* set by a reader of more than one format; NULL: that of the extension */
    sfgp_buffer names;  /* one after the other, each with its zero */
    sfgp_buffer points; /* double */
} sfgp_landmark_list;

/* The whole file, of formats that are not read line by line. SFGP_ERROR_FORMAT above 64 MiB. */
sfgp_status sfgp_landmarks_take_all(sfgp_source *source, sfgp_text *text);
void sfgp_landmark_add(sfgp_landmark_list *list, sfgp_text name, const double *point);
/* Warns of a landmark without coordinates. Without names nothing would tell which one is left out: SFGP_ERROR_FORMAT. */
sfgp_status sfgp_landmark_leave_out(const sfgp_source *source, sfgp_text name);

/* Makes the names of a list UTF-8 if they are not, with a warning. */
void sfgp_landmarks_recode(const sfgp_source *source, sfgp_buffer *names);

/* ---- rows of fields, as csv and fcsv have them -------------------------------------------------------- */

/* Where a row has what; -1: nowhere. */
typedef struct sfgp_landmark_columns {
    char separator; /* ' ' stands for blanks and tabs */
    int count, name, axes[3];
    bool open;    /* rows may have more fields */
    bool unnamed; /* the header gives its first column no name */
    bool nines;   /* coordinates of 9999 are none */
} sfgp_landmark_columns;

/* Whether a field holds something, and no number. */
bool sfgp_landmark_is_text(sfgp_text field);
/* Whether a field holds no number because there is none: nothing, or NA or nan as R, pandas and numpy write it. */
bool sfgp_landmark_is_absent(sfgp_text field);
/* From a header row; false when it names no x and y. */
bool sfgp_landmark_header(sfgp_text line, char separator, sfgp_landmark_columns *columns);
/* From the first row behind a header: its names, as R and pandas write them, stand in a first column that the header gives
 * no name, or leaves out. Numbers only count the rows. */
void sfgp_landmark_find_row_names(sfgp_text line, sfgp_landmark_columns *columns);
/* Warns of texts in a row that has no column for a name. */
void sfgp_landmark_warn_nameless(const sfgp_source *source, sfgp_text line,
                                 const sfgp_landmark_columns *columns);
/* Fields of a row, at most `most`; returns how many there are. In quotes a separator is text and "" a quote:
 * the field is then what is between the quotes, as it stands. */
int sfgp_landmark_fields(sfgp_text line, char separator, int most, sfgp_text *fields);
/* Adds the landmark of a row. One that has a name and no coordinates is left out with a warning. */
sfgp_status sfgp_landmark_row(sfgp_source *source, sfgp_text line, const sfgp_landmark_columns *columns,
                              sfgp_landmark_list *list);
/* name with the quotes that a comma or a quote in it asks for. */
void sfgp_landmark_put_name(const char *name, sfgp_buffer *buffer);

/* The static "LPS" or "RAS" for a text of a file, also Slicer's old 0 (RAS) and 1 (LPS); NULL otherwise. */
const char *sfgp_landmark_system(sfgp_text text);
/* "sd=0.25" into a free text of a format. */
void sfgp_landmark_describe(const double *sd, int64_t k, sfgp_buffer *buffer);

/* The extension that files like this have, by its first bytes; NULL: it is none of these, so perhaps CSV. */
sfgp_status sfgp_landmarks_extension_by_content(sfgp_source *source, const char **extension);

typedef struct sfgp_landmark_format {
    const char *name;
    const char *extension; /* lower case; NULL: every other one */
    bool lines;            /* a name cannot have a line end */
    sfgp_status (*read)(sfgp_source *source, sfgp_landmark_list *list);
    void (*write)(const sfgp_landmarks *landmarks, const double *sd,
                  sfgp_buffer *buffer); /* NULL: not written */
} sfgp_landmark_format;

/* Whether the first rows are those of landmarks with names, and not of points: a header with a column of names or over
 * named rows, or a name and a number. */
bool sfgp_landmarks_csv_starts(sfgp_source *source);
/* Whether this is the first line of a .pts of Landmark or Checkpoint: "Version 1.0". */
bool sfgp_landmarks_pts_starts(sfgp_text line);
sfgp_status sfgp_landmarks_csv_read(sfgp_source *source, sfgp_landmark_list *list);
void sfgp_landmarks_csv_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer);
sfgp_status sfgp_landmarks_fcsv_read(sfgp_source *source, sfgp_landmark_list *list);
void sfgp_landmarks_fcsv_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer);
sfgp_status sfgp_landmarks_markups_read(sfgp_source *source, sfgp_landmark_list *list);
void sfgp_landmarks_markups_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer);
/* Called by the reader of markups: JSON whose root is an array is Scalismo's. */
#define SFGP_LANDMARKS_SCALISMO "json"
void sfgp_landmarks_scalismo_read(sfgp_json *json, sfgp_landmark_list *list);
void sfgp_landmarks_scalismo_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer);
sfgp_status sfgp_landmarks_picked_read(sfgp_source *source, sfgp_landmark_list *list);
void sfgp_landmarks_picked_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer);
sfgp_status sfgp_landmarks_tps_read(sfgp_source *source, sfgp_landmark_list *list);
void sfgp_landmarks_tps_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer);
sfgp_status sfgp_landmarks_nts_read(sfgp_source *source, sfgp_landmark_list *list);

#endif
