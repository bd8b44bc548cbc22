/* Writes the points as NPY 1.0 (numpy.lib.format): little-endian 64-bit reals, one row a point. */
#include "io/format.h"
#include "io/scalar.h"

#include <stdio.h>
#include <string.h>

enum { HEADER = 128, PREFIX = 10 }; /* of the file; a multiple of 64 with room for any shape */

static void add_header(const sfgp_mesh *mesh, sfgp_buffer *buffer)
{
    char header[HEADER + 1];
    memset(header, ' ', sizeof header);
    memcpy(header, "\x93NUMPY\x01\x00", 8);
    sfgp_scalar_store(SFGP_UINT16, HEADER - PREFIX, (unsigned char *)header + 8);
    int length = snprintf(header + PREFIX, HEADER - PREFIX,
                          "{'descr': '<f8', 'fortran_order': False, 'shape': (%lld, %d), }",
                          (long long)mesh->count, mesh->dimension);
    header[PREFIX + length] = ' ';
    header[HEADER - 1] = '\n';
    sfgp_buffer_add(buffer, header, HEADER);
}

sfgp_status sfgp_npy_write(const sfgp_output *output, sfgp_buffer *buffer)
{
    const sfgp_mesh *mesh = output->mesh;
    add_header(mesh, buffer);
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++) {
        unsigned char bytes[8];
        sfgp_scalar_store(SFGP_FLOAT64, mesh->points[k], bytes);
        sfgp_buffer_add(buffer, bytes, sizeof bytes);
    }
    return buffer->status;
}
