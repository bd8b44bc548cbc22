/* Places: points of a scan in whole steps of a grid, in ascending order of their coordinates. */
#ifndef SFGP_GEOM_PLACES_H
#define SFGP_GEOM_PLACES_H

#include "base/context.h"

typedef struct sfgp_place {
    double at[3];  /* steps; no NaN */
    int64_t index; /* of the point in its file */
} sfgp_place;

/* Sorts by the first coordinate, then the second, then the third. Equal places stay in their order. By their digits, the last one first (radix
 * sort; Knuth, The Art of Computer Programming 3, section 5.2.5). O(count), and room for as many places. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_places_sort(sfgp_context *context, int64_t count, sfgp_place *places);

#endif
