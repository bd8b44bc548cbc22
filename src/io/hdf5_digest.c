/* The digest in the user block of our HDF5 files (docs/models.md): made when they are written, compared
 * before they are read. */
#include "io/hdf5_digest.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/input.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MAGIC "sfgp HDF5 1\n" /* foreign.c knows its first word */

enum { BUFFER_SIZE = 1 << 18 };

void sfgp_hdf5_digest_format(int64_t size, uint64_t sum, char block[SFGP_HDF5_DIGEST_SIZE])
{
    char digits[SFGP_CHECKSUM_SIZE];
    memset(block, '\n', SFGP_HDF5_DIGEST_SIZE);
    const int length =
        snprintf(block, SFGP_HDF5_DIGEST_SIZE,
                 MAGIC "size %" PRId64 "\nfnv1a-64 %s\n"
                       "An HDF5 file starts at byte 512. The size is that of the whole file, the sum "
                       "that of the bytes from 512 on.\nsfgp refuses the file when they do not agree. "
                       "tail -c +513 makes a file without them.",
                 size, sfgp_checksum_format(sum, digits));
    block[length] = '\n';
}

static sfgp_status sum_content(const sfgp_input *input, unsigned char *buffer, uint64_t *sum)
{
    sfgp_status status = SFGP_OK;
    *sum = SFGP_CHECKSUM_START;
    for (int64_t offset = SFGP_HDF5_DIGEST_SIZE; status == SFGP_OK && offset < input->size;
         offset += BUFFER_SIZE) {
        const int64_t rest = input->size - offset, length = rest < BUFFER_SIZE ? rest : BUFFER_SIZE;
        if ((status = sfgp_input_read(input, offset, length, buffer)) == SFGP_OK)
            *sum = sfgp_checksum(*sum, buffer, (size_t)length);
    }
    return status;
}

static sfgp_status compare(const sfgp_input *input, const char *block, bool *verified)
{
    char expected[SFGP_HDF5_DIGEST_SIZE];
    unsigned char *buffer = NULL;
    uint64_t sum = 0;
    sfgp_status status = sfgp_allocate(input->context, BUFFER_SIZE, &buffer);
    if (status == SFGP_OK && (status = sum_content(input, buffer, &sum)) == SFGP_OK) {
        sfgp_hdf5_digest_format(input->size, sum, expected);
        *verified = memcmp(block, expected, SFGP_HDF5_DIGEST_SIZE) == 0;
    }
    sfgp_free(buffer);
    return status != SFGP_OK || *verified
               ? status
               : sfgp_fail(
                     input->context, SFGP_ERROR_FORMAT,
                     "%s: its bytes are not those that sfgp wrote (the checksum in its first 512 bytes does "
                     "not agree): it is damaged, or was edited; use a copy, or see docs/models.md",
                     sfgp_path_shown(input->path));
}

static sfgp_status check(const sfgp_input *input, bool *verified)
{
    char block[SFGP_HDF5_DIGEST_SIZE];
    if (input->held)
        return sfgp_fail(input->context, SFGP_ERROR_READ,
                         "HDF5 files are not read from standard input; give the name of the file");
    if (input->size < SFGP_HDF5_DIGEST_SIZE)
        return SFGP_OK;
    sfgp_status status = sfgp_input_read(input, 0, SFGP_HDF5_DIGEST_SIZE, (unsigned char *)block);
    return status == SFGP_OK && memcmp(block, MAGIC, strlen(MAGIC)) == 0 ? compare(input, block, verified)
                                                                         : status;
}

sfgp_status sfgp_hdf5_digest_check(sfgp_context *context, const char *path, int64_t *size, bool *verified)
{
    sfgp_input input;
    *verified = false;
    sfgp_status status = sfgp_input_open(context, path, &input);
    *size = input.size;
    if (status == SFGP_OK)
        status = check(&input, verified);
    sfgp_input_close(&input);
    return status;
}
