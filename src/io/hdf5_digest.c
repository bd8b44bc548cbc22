/* The digest in the user block of our HDF5 files (docs/models.md): made when they are written, compared
 * before they are read. XXH3 is by Y. Collet (libxxhash); ADR 0044. */
#include "io/hdf5_digest.h"
#include "base/memory.h"
#include "io/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#define MAGIC "sfgp HDF5 " /* foreign.c knows it */
#define MAGIC_1 MAGIC "1\n"
#define MAGIC_2 MAGIC "2\n"

enum { BUFFER_SIZE = 1 << 18, SIZE_1 = 512 };

/* ---- version 1 --------------------------------------------------------------------------------------- */

static void format_1(int64_t size, uint64_t sum, char block[SIZE_1])
{
    char digits[SFGP_CHECKSUM_SIZE];
    memset(block, '\n', SIZE_1);
    const int length =
        snprintf(block, SIZE_1,
                 MAGIC_1 "size %" PRId64 "\nfnv1a-64 %s\n"
                         "An HDF5 file starts at byte 512. The size is that of the whole file, the sum "
                         "that of the bytes from 512 on.\nsfgp refuses the file when they do not agree. "
                         "tail -c +513 makes a file without them.",
                 size, sfgp_checksum_format(sum, digits));
    block[length] = '\n';
}

static void sum_1(void *sum, const unsigned char *bytes, int64_t length)
{
    *(uint64_t *)sum = sfgp_checksum(*(uint64_t *)sum, bytes, (size_t)length);
}

/* ---- version 2 --------------------------------------------------------------------------------------- */

static void format_2(int64_t size, uint64_t sum, char head[SFGP_HDF5_HEAD_SIZE + 1])
{
    char digits[SFGP_CHECKSUM_SIZE];
    snprintf(head, SFGP_HDF5_HEAD_SIZE + 1, MAGIC_2 "size %020" PRId64 "\nxxh3-64 %s\n\n", size,
             sfgp_checksum_format(sum, digits));
}

static void sum_2(void *state, const unsigned char *bytes, int64_t length)
{
    XXH3_64bits_update(state, bytes, (size_t)length);
}

void sfgp_hdf5_digest_write(const char *table, int64_t size, char *bytes)
{
    char head[SFGP_HDF5_HEAD_SIZE + 1];
    memset(bytes, '\n', SFGP_HDF5_DIGEST_SIZE);
    const int length = snprintf(
        bytes + SFGP_HDF5_HEAD_SIZE, SFGP_HDF5_DIGEST_SIZE - SFGP_HDF5_HEAD_SIZE,
        "%s\nAn HDF5 file starts at byte 4096. The size is that of the whole file, the sum that of the bytes from "
        "64 on (XXH3, 64 bit).\nsfgp refuses the file when they do not agree. Above is where its data sets lie: "
        "name, type, first byte, sizes;\nthe lowest byte is the first. tail -c +4097 makes a file without this text.",
        table);
    bytes[SFGP_HDF5_HEAD_SIZE + length] = '\n';
    format_2(size, XXH3_64bits(bytes + SFGP_HDF5_HEAD_SIZE, (size_t)(size - SFGP_HDF5_HEAD_SIZE)), head);
    memcpy(bytes, head, SFGP_HDF5_HEAD_SIZE);
}

/* ---- comparison -------------------------------------------------------------------------------------- */

/* Gives all bytes from first on to add, in parts. */
static sfgp_status read_all(const sfgp_input *input, int64_t first,
                            void (*add)(void *sum, const unsigned char *bytes, int64_t length), void *sum)
{
    unsigned char *buffer = NULL;
    sfgp_status status = sfgp_allocate_raw(input->context, BUFFER_SIZE, 1, (void **)&buffer);
    for (int64_t offset = first; status == SFGP_OK && offset < input->size; offset += BUFFER_SIZE) {
        const int64_t rest = input->size - offset, length = rest < BUFFER_SIZE ? rest : BUFFER_SIZE;
        if ((status = sfgp_input_read(input, offset, length, buffer)) == SFGP_OK)
            add(sum, buffer, length);
    }
    sfgp_free(buffer);
    return status;
}

static sfgp_status compare(const sfgp_input *input, const char *block, const char *expected, size_t length)
{
    return memcmp(block, expected, length) == 0
               ? SFGP_OK
               : sfgp_fail(input->context, SFGP_ERROR_FORMAT,
                           "%s: its bytes are not those that sfgp wrote (the checksum at its start does "
                           "not agree): it is damaged, or was edited; use a copy, or see docs/models.md",
                           sfgp_path_shown(input->path));
}

static sfgp_status check_1(const sfgp_input *input, const char *block)
{
    char expected[SIZE_1];
    uint64_t sum = SFGP_CHECKSUM_START;
    const sfgp_status status = read_all(input, SIZE_1, sum_1, &sum);
    format_1(input->size, sum, expected);
    return status == SFGP_OK ? compare(input, block, expected, sizeof expected) : status;
}

static sfgp_status check_2(const sfgp_input *input, const char *block)
{
    char expected[SFGP_HDF5_HEAD_SIZE + 1];
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        return sfgp_fail(input->context, SFGP_ERROR_MEMORY, "out of memory: %s",
                         sfgp_path_shown(input->path));
    XXH3_64bits_reset(state);
    const sfgp_status status = read_all(input, SFGP_HDF5_HEAD_SIZE, sum_2, state);
    format_2(input->size, XXH3_64bits_digest(state), expected);
    XXH3_freeState(state);
    return status == SFGP_OK ? compare(input, block, expected, SFGP_HDF5_HEAD_SIZE) : status;
}

sfgp_status sfgp_hdf5_digest_check(const sfgp_input *input, sfgp_hdf5_digest *found)
{
    char block[SIZE_1];
    sfgp_status status = SFGP_OK;
    *found = SFGP_HDF5_NO_DIGEST;
    if (input->size < SIZE_1 ||
        (status = sfgp_input_read(input, 0, sizeof block, (unsigned char *)block)) != SFGP_OK)
        return status;
    const bool first = memcmp(block, MAGIC_1, strlen(MAGIC_1)) == 0,
               second = memcmp(block, MAGIC_2, strlen(MAGIC_2)) == 0;
    if (first || second)
        status = (first ? check_1 : check_2)(input, block);
    if (status == SFGP_OK && (first || second))
        *found = first ? SFGP_HDF5_DIGEST : SFGP_HDF5_DIGEST_WITH_TABLE;
    return status;
}
