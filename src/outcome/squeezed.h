/* The part of a fit that is squeezed onto a surface of another shape.
 *
 * Programs close a scan where it is cut off. The end of the shape that is not in the scan is then squeezed onto what closes it. With
 * the points x of a fit, r of the reference, and the 8 nearest points j of each point i of the reference,
 *
 *     q_i = sum_j |x_i - x_j|^2 / sum_j |r_i - r_j|^2, over its median, smoothed: the geometric mean over the 40 nearest points.
 *
 * A part is the largest group of neighbours with q below a limit (`squeezed_size`). Shapes also differ: one foot has a shorter leg,
 * whose points are nearer to each other, too. But then the surface of the fit is that of the scan. On what closes a scan it is not:
 * the end of the shape has other normals. So the normals n_i of the fit are compared with those of the nearest points of the scan,
 * m_i, by the mean of |n_i'm_i| over the part (`squeezed_normals`). ADR 0124. */
#ifndef SFGP_OUTCOME_SQUEEZED_H
#define SFGP_OUTCOME_SQUEEZED_H

#include "em/em.h"

typedef struct sfgp_squeezed {
    int64_t count;       /* cells of the reference (geom/regions.h) */
    double *points;      /* count x 3: their centres in the fit, where the target is */
    unsigned char *part; /* count: 1 in the part, and within `squeezed_around` of it */
    bool found;          /* the part is large enough, and has other normals than the scan */
} sfgp_squeezed;

/* Of a fit of a surface to its scan, problem->mesh. Without found the part is unfinished. O(cells log cells) and O(points of the scan).
 * SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_squeezed_find(const sfgp_em *em, sfgp_squeezed *squeezed);
void sfgp_squeezed_clear(sfgp_squeezed *squeezed);

#endif
