/* Sample: some points of many, at random. */
#ifndef SFGP_GEOM_SAMPLE_H
#define SFGP_GEOM_SAMPLE_H

#include "base/context.h"

typedef struct sfgp_sample {
    int64_t count;
    double *points; /* count x 3 */
} sfgp_sample;

/* Up to `most` of the points (count x 3), in their order. O(count). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_sample_new(sfgp_context *context, int64_t count, const double *points, int64_t most,
                            uint64_t seed, sfgp_sample *sample);
void sfgp_sample_clear(sfgp_sample *sample);

#endif
