/* Pieces: parts of a surface that no face connects, as several objects in one file are. */
#ifndef SFGP_GEOM_PIECES_H
#define SFGP_GEOM_PIECES_H

#include "base/context.h"

/* Multiple of the distance from the centroid of the largest piece to its farthest point. */
#define SFGP_PIECES_REACH 1.25

typedef struct sfgp_pieces {
    int64_t count;         /* with faces; 0: the mesh has none */
    int64_t largest;       /* points of the largest one */
    double largest_radius; /* its RMS radius; 0 where there is but one */
    double radius;         /* that of all points with faces; likewise */
    int64_t apart;         /* points of pieces that lie wholly outside SFGP_PIECES_REACH */
} sfgp_pieces;

/* The faces are valid. O(count + corners). SFGP_ERROR_MEMORY. */
sfgp_status sfgp_pieces_find(sfgp_context *context, const sfgp_mesh *mesh, sfgp_pieces *pieces);

#endif
