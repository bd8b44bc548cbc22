/* What a writer gets. It appends the whole file to a buffer; the status of the buffer is checked later. */
#ifndef SFGP_IO_OUTPUT_H
#define SFGP_IO_OUTPUT_H

#include "io/buffer.h"

typedef struct sfgp_output {
    sfgp_context *context;
    const char *path;
    const sfgp_mesh *mesh;
    const sfgp_attribute *attributes;
    int attribute_count;
} sfgp_output;

/* Whether every attribute has values and a name of one word; bytes are 0 to 255. Errors: SFGP_ERROR_PARAMETER. */
sfgp_status sfgp_output_check_attributes(const sfgp_output *output);

#endif
