/* Facts about a mesh that say whether it is what it should be: size, spacing, holes. */
#ifndef SFGP_CLI_INFO_SHAPE_H
#define SFGP_CLI_INFO_SHAPE_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

typedef struct cli_shape {
    double radius;   /* RMS distance of the points from their centroid */
    double diagonal; /* of the bounding box */
    double spacing;  /* median distance to the nearest other point, over at most 200 points */
    int64_t holes;   /* closed rims and those that touch: groups of edges with one face */
    int64_t rim;     /* edges with one face */
    int64_t knots;   /* edges with more than two faces */
} cli_shape;

/* O(200 count + corners log corners). False: out of memory. */
bool cli_shape_measure(const sfgp_mesh *mesh, cli_shape *shape);

#endif
