/* JSON, read from front to back: RFC 8259, strict, nothing is kept but the place. For small files of other
 * programs of which a few values are wanted (Slicer markups).
 *
 * A reader walks: enter an object or array, ask for the next member or element, then take its value or skip
 * it. The first error is kept with its line, and from then on nothing has a next. */
#ifndef SFGP_IO_JSON_H
#define SFGP_IO_JSON_H

#include "io/buffer.h"
#include "io/source.h"

typedef struct sfgp_json {
    sfgp_context *context;
    const char *path; /* for messages */
    const char *at, *end;
    int64_t line;
    bool entered; /* an object or array, and nothing was taken of it yet */
    sfgp_status status;
} sfgp_json;

/* text: taken from the source, whose path is for messages. */
sfgp_json sfgp_json_start(const sfgp_source *source, sfgp_text text);
/* Keeps the first error, "FILE: line N: words". */
void sfgp_json_fail(sfgp_json *json, sfgp_status status, const char *format, ...) SFGP_PRINTF(3, 4);

/* Before the first member or element: '{' or '['. */
void sfgp_json_enter(sfgp_json *json, char bracket);
/* True when another member (its name as it stands between the quotes) or element follows. */
bool sfgp_json_member(sfgp_json *json, sfgp_text *name);
bool sfgp_json_element(sfgp_json *json);
/* The next character that is not blank, 0 at the end or after an error. */
char sfgp_json_peek(sfgp_json *json);

/* Values. The text of a string is appended to buffer as UTF-8, with a terminating zero. */
double sfgp_json_number(sfgp_json *json);
/* A list of numbers, of which the first `most` are kept. Returns how many there are. */
int sfgp_json_numbers(sfgp_json *json, int most, double *values);
void sfgp_json_string(sfgp_json *json, sfgp_buffer *buffer);
void sfgp_json_skip(sfgp_json *json);
/* Only blanks may follow the last value. */
void sfgp_json_finish(sfgp_json *json);

/* Writing: text as a JSON string with its quotes. */
void sfgp_json_quote(const char *text, sfgp_buffer *buffer);

#endif
