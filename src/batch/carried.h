/* What a fit carries along: landmarks, or a mesh. */
#ifndef SFGP_BATCH_CARRIED_H
#define SFGP_BATCH_CARRIED_H

#include "batch/parts.h"

typedef struct batch_carried {
    sfgp_landmarks *landmarks;
    sfgp_mesh *mesh;
    double *points; /* those of either */
    double *sd;
    int64_t count;
    int dimension;
} batch_carried;

/* Reads a file for fits in this dimension. Errors: message has the text, or when it is "" the context. Clear also
 * after an error. */
sfgp_status batch_carried_read(const batch *b, sfgp_context *context, const char *path, int dimension,
                               batch_carried *c, char message[BATCH_ERROR]);
void batch_carried_clear(batch_carried *c);

#endif
