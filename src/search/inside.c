/* What of a scan lies over the inside of a shape. Rule in inside.h. */
#include "search/inside.h"
#include "geom/vector.h"
#include "search/left_over.h"
#include "search/tuning.h"

#include <math.h>

enum { NEAREST = 20 }; /* 9 and 30 tell the same (ADR 0125) */

/* |c - r_i| / s */
static double offset_of(const sfgp_neighbours *near, const double *points, int64_t i)
{
    const int d = near->dimension;
    const int32_t *index = near->index + i * near->size;
    double centre[3] = {0}, second = 0;
    for (int k = 0; k < near->size; k++)
        for (int a = 0; a < d; a++)
            centre[a] += points[index[k] * d + a] / near->size;
    for (int k = 0; k < near->size; k++)
        second += sfgp_square_between(d, points + (int64_t)index[k] * d, centre) / near->size;
    return second > 0 ? sqrt(sfgp_square_between(d, points + i * d, centre) / second) : 0;
}

static double share_inside(const sfgp_em *em, const sfgp_left_over *left, const sfgp_neighbours *near)
{
    const double border = sfgp_tuning_of(em->problem->basis)->inside_border;
    int64_t inside = 0;
    for (int64_t k = 0; k < left->count; k++)
        inside += offset_of(near, em->problem->basis->mean, left->nearest[k]) < border;
    return left->count > 0 ? (double)inside / (double)left->count : 0;
}

sfgp_status sfgp_inside_share(const sfgp_em *em, double *share)
{
    const sfgp_basis *basis = em->problem->basis;
    sfgp_neighbours near = {0};
    sfgp_left_over left;
    *share = 0;
    sfgp_status status = sfgp_left_over_find(em, sfgp_tuning_of(basis)->inside_far, &left);
    if (status == SFGP_OK && left.count > 0)
        status =
            sfgp_regions_nearest(em->context, &em->regions, basis->dimension, basis->mean, NEAREST, &near);
    if (status == SFGP_OK)
        *share = share_inside(em, &left, &near);
    sfgp_neighbours_clear(&near);
    sfgp_left_over_clear(&left);
    return status;
}
