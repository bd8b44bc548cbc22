/* Weld: equal points become one, in the order of first appearance. Open addressing with linear probing over
 * the points of a builder with three columns; expected cost O(1) a point, memory 16 to 32 bytes a point. */
#ifndef SFGP_IO_WELD_H
#define SFGP_IO_WELD_H

#include "io/builder.h"

typedef struct sfgp_weld {
    sfgp_builder *builder;
    int64_t *slots;   /* 1 + index of a point, 0 = free */
    int64_t capacity; /* a power of two, at most half in use */
} sfgp_weld;

/* *index is that of the first point with the same coordinates (-0 equals 0); appended when there is none. */
sfgp_status sfgp_weld_point(sfgp_weld *weld, const double point[3], int64_t *index);
void sfgp_weld_clear(sfgp_weld *weld);

#endif
