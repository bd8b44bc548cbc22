/* A tree over the targets that a fit explains. */
#include "outcome/explained.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

void sfgp_explained_clear(sfgp_explained *e)
{
    sfgp_kdtree_free(e->tree);
    sfgp_free(e->points);
    sfgp_free(e->index);
}

sfgp_status sfgp_explained_new(const sfgp_em *em, int64_t each, sfgp_explained *e)
{
    const sfgp_responsibilities *r = &em->responsibilities;
    const int64_t d = r->dimension;
    sfgp_status status = SFGP_OK;
    *e = (sfgp_explained){0};
    if ((status = sfgp_allocate(em->context, r->targets * d, &e->points)) == SFGP_OK)
        status = sfgp_allocate(em->context, r->targets, &e->index);
    for (int64_t j = 0; status == SFGP_OK && j < r->targets; j += each)
        if (r->explained[j] > 0.5) {
            memcpy(e->points + e->count * d, em->view.points + j * d, (size_t)d * sizeof(double));
            e->index[e->count++] = (int32_t)j;
        }
    return e->count > 0 ? sfgp_kdtree_new(em->context, e->count, (int)d, e->points, &e->tree) : status;
}

int32_t sfgp_explained_nearest(const sfgp_em *em, const sfgp_explained *e, int64_t i, int64_t *last,
                               double *distance)
{
    const int d = em->responsibilities.dimension;
    *last = sfgp_kdtree_follow(e->tree, e->points, d, *last, em->state.points + i * d, distance);
    *distance = sqrt(*distance);
    return e->index[*last];
}
