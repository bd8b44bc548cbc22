/* The parts of a fit of BCPD: y = s R (source + v) + t, with the similarity s, R, t of the result. */
#ifndef SFGP_REPORT_MOTION_H
#define SFGP_REPORT_MOTION_H

#include "sfgp/sfgp.h"

/* s */
double report_scale(const sfgp_result *result);
/* v; motion: count x dimension. */
void report_motion(const sfgp_result *result, const sfgp_mesh *source, double *motion);
/* Root mean square per axis of the points about their mean: the unit of a shape that BCPD has normalised. */
double report_spread(const sfgp_mesh *shape);

#endif
