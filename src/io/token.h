/* Words of a line. A sfgp_text is a piece of somebody else's bytes: no terminating zero, nothing to free. */
#ifndef SFGP_IO_TOKEN_H
#define SFGP_IO_TOKEN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct sfgp_text {
    const char *start; /* NULL: nothing, e.g. no further line */
    int64_t length;
} sfgp_text;

bool sfgp_is_blank(char c); /* space, tab */
bool sfgp_is_white(char c); /* these, and line ends */
/* All of a text with a terminating zero. */
sfgp_text sfgp_text_of(const char *text);
/* Without blanks at either end. */
sfgp_text sfgp_text_trim(sfgp_text text);
/* Cuts the next word off rest; false when only blanks are left. */
bool sfgp_text_word(sfgp_text *rest, sfgp_text *word);
/* Equal, letter by letter; _nocase takes A for a. */
bool sfgp_text_is(sfgp_text text, const char *word);
bool sfgp_text_is_nocase(sfgp_text text, const char *word);
/* Two texts that differ at most in the case of ASCII letters. */
bool sfgp_text_is_alike(sfgp_text a, sfgp_text b);
/* A whole decimal number with an optional sign; false when it is anything else or does not fit. */
bool sfgp_text_integer(sfgp_text text, int64_t *value);
/* A number, NaN where it is not finite; false when it is anything else. */
bool sfgp_text_real(sfgp_text text, double *value);

typedef struct sfgp_shown {
    char text[44];
} sfgp_shown;
/* Text for a message: at most 40 characters, everything that is not printable ASCII as '?'. */
sfgp_shown sfgp_text_show(sfgp_text text);

#endif
