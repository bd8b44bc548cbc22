/* Heat flow of the coordinates of a surface: a smooth copy of it (Desbrun, Meyer, Schroeder, Barr, SIGGRAPH 1999, section 3).
 *
 *     (C + t G) x' = C x,   t = length^2
 *
 * with C and G of geom/laplacian.h: one implicit step. It takes off what is narrower than some lengths. */
#ifndef SFGP_LOWRANK_FLOW_H
#define SFGP_LOWRANK_FLOW_H

#include "geom/laplacian.h"

/* smooth (count x 3): x' of points (count x 3); a point without elements stays. The cost of a sparse factorisation. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_flow(sfgp_context *context, const sfgp_laplacian *laplacian, double length,
                      const double *points, double *smooth);

#endif
