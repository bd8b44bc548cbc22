/* Groups of points as a forest (union-find with halved paths): every point has a parent, and a root is its own. */
#ifndef SFGP_GEOM_FOREST_H
#define SFGP_GEOM_FOREST_H

#include <stdint.h>

static inline void sfgp_forest_begin(int64_t count, int64_t *parents)
{
    for (int64_t i = 0; i < count; i++)
        parents[i] = i;
}

static inline int64_t sfgp_forest_root(int64_t *parents, int64_t i)
{
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

#endif
