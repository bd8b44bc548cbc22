/* Generalised Procrustes: shapes without the pose, and without the size, that each was scanned in.
 *
 *     until the mean rests: every shape is aligned to the mean, the mean is the average of the shapes,
 *     aligned to the reference by a map of the same kind; the last such map is done to the shapes too
 *
 * (Gower, Psychometrika 40(1), 1975). So the mean has the place, the frame and, for similarity, the size of
 * the reference: it cannot shrink, and PCA modes stay in its unit. Similarity takes the size of the shapes
 * out, rigid keeps it as variation. Sums run in the order of the points and of the shapes. */
#ifndef SFGP_MODEL_PROCRUSTES_H
#define SFGP_MODEL_PROCRUSTES_H

#include "base/context.h"

#include <stdbool.h>

/* "none" | "rigid" | "similarity" of the setting align_training. SFGP_ERROR_PARAMETER. */
sfgp_status sfgp_align_find(sfgp_context *context, const char *name, bool *wanted, sfgp_align_kind *kind);

/* shapes: shape_count x count x dimension, in place; reference: count x dimension. O(shapes count) a round.
 * Errors: SFGP_ERROR_DATA naming the shape that does not determine a map, SFGP_ERROR_MEMORY. */
sfgp_status sfgp_procrustes(sfgp_context *context, sfgp_align_kind kind, int64_t count, int dimension,
                            const double *reference, int64_t shape_count, double *shapes);

#endif
