/* Copies: points of a scan that are there more than once, exactly. They are one measurement: the default method uses the first of
 * them (ADR 0054). */
#ifndef SFGP_GEOM_COPIES_H
#define SFGP_GEOM_COPIES_H

#include "base/context.h"

typedef struct sfgp_copies {
    sfgp_mesh *rest; /* each point once, in the order of first appearance, no faces; NULL: no copies */
    int32_t *first;  /* rest->count: index in the whole mesh; NULL likewise */
} sfgp_copies;

/* -0 equals 0. Expected O(N), by a hash table. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_copies_find(sfgp_context *context, const sfgp_mesh *mesh, sfgp_copies *copies);
/* first[i] = index of the first point with the coordinates of point i, mesh->count of them; *count: points that are no first one. */
sfgp_status sfgp_copies_map(sfgp_context *context, const sfgp_mesh *mesh, int64_t *first, int64_t *count);
void sfgp_copies_clear(sfgp_copies *copies);

#endif
