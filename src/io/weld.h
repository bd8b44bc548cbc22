/* Weld: equal points become one, in the order of first appearance. */
#ifndef SFGP_IO_WELD_H
#define SFGP_IO_WELD_H

#include "geom/point_table.h"
#include "io/builder.h"

typedef struct sfgp_weld {
    sfgp_builder *builder; /* of three columns */
    sfgp_point_table table;
} sfgp_weld;

/* *index is that of the first point with the same coordinates (-0 equals 0); appended when there is none. */
sfgp_status sfgp_weld_point(sfgp_weld *weld, const double point[3], int64_t *index);
void sfgp_weld_clear(sfgp_weld *weld);

#endif
