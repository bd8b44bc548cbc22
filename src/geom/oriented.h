/* Oriented points: some points of a surface in space, with their unit normals. */
#ifndef SFGP_GEOM_ORIENTED_H
#define SFGP_GEOM_ORIENTED_H

#include "base/context.h"

typedef struct sfgp_oriented {
    int64_t count;
    double *points, *normals; /* count x 3 each */
} sfgp_oriented;

/* An even subset of at most `most` of the points (count x 3), each with the normal of its `neighbours` nearest in the subset
 * (geom/normals.h: the sign is arbitrary). O(count log most). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_oriented_new(sfgp_context *context, int64_t count, const double *points, int64_t most,
                              int neighbours, sfgp_oriented *made);
/* An even subset of at most `most` of oriented points. The same cost and errors. */
sfgp_status sfgp_oriented_choose(sfgp_context *context, const sfgp_oriented *from, int64_t most,
                                 sfgp_oriented *some);
void sfgp_oriented_clear(sfgp_oriented *oriented);

#endif
