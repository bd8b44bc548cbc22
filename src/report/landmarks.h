/* The distances of landmarks that were compared, as CSV. */
#ifndef SFGP_REPORT_LANDMARKS_H
#define SFGP_REPORT_LANDMARKS_H

#include "sfgp/sfgp.h"

/* From the first landmark of a pair to the second. */
double report_landmark_distance(const sfgp_landmark_pairs *pairs, int64_t pair);
/* One row for each pair: landmark,distance,dx,dy,dz, where dx is that of the first file less that of the second; there is no dz in 2D.
 * names: of the pairs. The caller frees the text; NULL: memory has run out. */
char *report_landmark_table(const sfgp_landmark_pairs *pairs, const char *const *names);

#endif
