/* Generalised Procrustes analysis: removes the pose of the shapes, and with `similarity` their size (Gower,
 * Psychometrika 40(1), 1975).
 *
 *     until the mean has settled:
 *         align every shape to the mean
 *         mean = average of the shapes, aligned to the reference by a map of the same kind
 *     apply the last of these maps to the shapes
 *
 * So the mean has the position and, with `similarity`, the size of the reference. It cannot shrink, and the
 * PCA modes stay in its unit. `rigid` keeps the size of the shapes as variation. Sums run in the order of the
 * points and of the shapes. */
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
