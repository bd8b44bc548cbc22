/* Input: the bytes of a file as they lie, or of standard input.
 *
 * A file is read with pread, not mapped: one that somebody cuts while we read it is then an error and not a signal.
 * Standard input, the path "-", is read to its end and kept, because readers compare counts with sizes. */
#ifndef SFGP_IO_INPUT_H
#define SFGP_IO_INPUT_H

#include "base/context.h"

typedef struct sfgp_input {
    sfgp_context *context;
    const char *path;    /* for messages */
    int descriptor;      /* -1: there is none */
    unsigned char *held; /* what standard input gave; NULL: a file */
    int64_t size;        /* when it was opened */
} sfgp_input;

/* path is kept, not copied. Folders, missing files, pipes and devices are SFGP_ERROR_READ and never block; so is
 * standard input of more than 1 GiB. */
sfgp_status sfgp_input_open(sfgp_context *context, const char *path, sfgp_input *input);
void sfgp_input_close(sfgp_input *input);
/* Of standard input: the next one that opens it gets what this one has read. Then input is closed. Does nothing to a file. */
void sfgp_input_put_back(sfgp_input *input);

/* Exactly length bytes from offset on, which has to lie within the size. */
sfgp_status sfgp_input_read(const sfgp_input *input, int64_t offset, int64_t length, unsigned char *bytes);

/* SFGP_ERROR_FORMAT when the size of the file is no longer what it was when it was opened. */
sfgp_status sfgp_input_check_unchanged(const sfgp_input *input);
/* That error. */
sfgp_status sfgp_input_fail_changed(const sfgp_input *input);

#endif
