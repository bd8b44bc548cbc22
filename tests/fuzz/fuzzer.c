/* libFuzzer's entry: inputs for the reader that $SFGP_FUZZ_READER names (./bootstrap fuzz). */
#include "fuzz/readers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const fuzz_reader *reader;
static const char *folder;

static void remove_folder(void)
{
    fuzz_folder_remove(folder);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    const char *name = getenv("SFGP_FUZZ_READER");
    (void)argc, (void)argv;
    reader = name ? fuzz_reader_of(name) : NULL;
    folder = reader ? fuzz_folder() : NULL;
    if (!folder) {
        fprintf(stderr, "SFGP_FUZZ_READER: names no reader\n");
        exit(2);
    }
    atexit(remove_folder);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_read(reader, folder, bytes, size);
    return 0;
}
