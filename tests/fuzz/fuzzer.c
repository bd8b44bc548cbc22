/* libFuzzer's entry: inputs for the reader that $SFGP_FUZZ_READER names (tests/fuzz/run.sh). */
#include "fuzz/readers.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Most changes are those of the format's structure, where the reader has such; the others are libFuzzer's own, of bytes and words,
 * and most of them are made to agree again. */
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    static unsigned char copy[1 << 20];
    sfgp_random random = sfgp_random_of(seed);
    if (reader->mutate && room <= sizeof copy && sfgp_random_below(&random, 4) > 0) {
        const size_t made = reader->mutate(bytes, size, copy, room, &random);
        memcpy(bytes, copy, made);
        return made;
    }
    const size_t made = LLVMFuzzerMutate(bytes, size, room);
    if (reader->repair && sfgp_random_below(&random, 4) > 0)
        reader->repair(bytes, made);
    return made;
}
