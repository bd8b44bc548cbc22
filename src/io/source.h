/* Source: an input file, read from its start to its end through a window.
 *
 * A reader takes bytes or lines; the window holds what it looks at and slides on, so that memory does not
 * grow with the file: a header that claims ten points in a file of five gigabytes costs ten points. The only
 * thing that makes the window grow is a long line. A gzip file is inflated on the way (gzip.h): all sizes and
 * offsets are those of what it holds.
 *
 * Lines end in LF, CRLF or a lone CR; the first line of a file decides between CR and the other two, so that
 * a binary body that starts with a byte 10 after a CR header is not eaten. A NUL byte in a line is an error.
 *
 * Every error of a source names the file and the line (after _line) or the byte offset (after _take, _skip).
 */
#ifndef SFGP_IO_SOURCE_H
#define SFGP_IO_SOURCE_H

#include "io/gzip.h"
#include "io/token.h"

typedef struct sfgp_source {
    sfgp_context *context;
    const char *path; /* for messages */
    sfgp_input input;
    sfgp_gzip *gzip;             /* NULL: the file is not packed */
    const char *columns;         /* of the coordinates, as the caller says; NULL: the file tells */
    bool keep;                   /* colours and the like (kept.h), as the caller wants */
    sfgp_attributes *attributes; /* to be filled by the reader; NULL: not wanted */
    int64_t size;                /* of the bytes when it was opened */
    int64_t offset;              /* of the next byte to take */
    int64_t mark;                /* of what was taken last */
    int64_t line;                /* number of the line taken last, from 1 */
    sfgp_text whole;             /* the line that _next_line took, with the blanks at its ends */
    char line_end;               /* '\n', '\r', 0 before the first line */
    bool text;                   /* a line was taken last */
    unsigned char *window;
    int64_t window_start, window_size, window_capacity;
} sfgp_source;

/* path is kept, not copied; "-" is standard input (input.h). Folders, missing files, pipes and devices are
 * SFGP_ERROR_READ and never block. */
sfgp_status sfgp_source_open(sfgp_context *context, const char *path, sfgp_source *source);
void sfgp_source_close(sfgp_source *source);
/* SFGP_ERROR_FORMAT when the size of the file is no longer what it was when it was opened. */
sfgp_status sfgp_source_check_unchanged(sfgp_source *source);

/* Bytes from the current place on, without taking them: at least length, fewer at the end of the file.
 * Like all pointers from a source they are valid until its next call. */
sfgp_status sfgp_source_look(sfgp_source *source, int64_t length, const unsigned char **bytes, int64_t *got);
/* Exactly length bytes; SFGP_ERROR_FORMAT when the file ends before. */
sfgp_status sfgp_source_take(sfgp_source *source, int64_t length, const unsigned char **bytes);
/* All that is left. */
sfgp_status sfgp_source_take_rest(sfgp_source *source, sfgp_text *rest);
sfgp_status sfgp_source_skip(sfgp_source *source, int64_t length);
/* The UTF-8 byte order mark, if there is one. */
sfgp_status sfgp_source_skip_bom(sfgp_source *source);
/* The next line without its end; start is NULL at the end of the file. */
sfgp_status sfgp_source_line(sfgp_source *source, sfgp_text *line);
/* The next line with something else than blanks; with comments, those with '#' first are passed over too. */
sfgp_status sfgp_source_next_line(sfgp_source *source, bool comments, sfgp_text *line);
/* For loops: the next line as above. False at the end of the file, after an error, and where *status is one already. */
bool sfgp_source_each_line(sfgp_source *source, bool comments, sfgp_text *line, sfgp_status *status);

/* After the last element of a file: warns of bytes that follow, but for blank lines of a text. */
sfgp_status sfgp_source_warn_of_rest(sfgp_source *source, bool text);

sfgp_status sfgp_source_fail(const sfgp_source *source, sfgp_status status, const char *format, ...)
    SFGP_PRINTF(3, 4);
/* Parses a coordinate: SFGP_ERROR_FORMAT for garbage, SFGP_ERROR_DATA for nan, inf and overflow. */
sfgp_status sfgp_source_number(const sfgp_source *source, sfgp_text word, double *value);

#endif
