/* The readers of files, one row each, for the fuzzer (fuzzer.c) and for the regression test (regression.c). */
#ifndef SFGP_TESTS_FUZZ_READERS_H
#define SFGP_TESTS_FUZZ_READERS_H

#include <stdbool.h>
#include <stddef.h>

#include "fuzz/mutate.h"
#include "sfgp/sfgp.h"

typedef struct fuzz_reader {
    const char *name; /* of its seeds: a folder */
    const char *file; /* name of the file that it reads; the extension chooses the reader */
    /* Reads and frees. */
    sfgp_status (*read)(sfgp_context *context, const char *path);
    bool inside;          /* libhdf5 runs in this process (inside.h) */
    bool forks;           /* it may run in a process for each input */
    fuzz_mutator *mutate; /* by the structure of the format; NULL: bytes only */
    void (*repair)(unsigned char *bytes,
                   size_t size); /* makes changed bytes agree again; NULL: nothing to do */
} fuzz_reader;

/* NULL after the last. */
const fuzz_reader *fuzz_reader_row(int k);
const fuzz_reader *fuzz_reader_of(const char *name);

/* Writes the bytes into a file of the folder and reads it; returns what the reader returns. Ends the process by abort() when what the reader returns is
 * not what it promises: an error has a text and one of the codes of readers, a mesh is finite, and its faces have corners
 * that exist. */
sfgp_status fuzz_read(const fuzz_reader *reader, const char *folder, const void *bytes, size_t size);

/* A new folder in memory, or in /tmp. NULL: none can be made. */
const char *fuzz_folder(void);
void fuzz_folder_remove(const char *folder);

#endif
