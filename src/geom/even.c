/* Thins places that lie unevenly. even.h has the rules. */
#include "geom/even.h"
#include "base/memory.h"
#include "geom/kdtree.h"
#include "geom/unevenness.h"

#include <math.h>
#include <stdio.h>

enum { FEWEST = 200 }; /* places: fewer say little */

/* Limits, between what even and uneven scans have (ADR 0116). */
#define COPIES 0.01 /* lower quartile of (nearest / twelfth distance)^2: 0.025 and more; 0.0035 and less */
/* Area of a point in the middle of the surface / of the middle point: up to 9.5; from 38 on. */
#define UNEVEN 15

/* Distances between places that are left, in spacings. */
#define COPIES_APART 0.5
#define SPOTS_APART 0.5

typedef struct balls {
    sfgp_kdtree *tree;
    double *points;   /* of the tree */
    double *distance; /* of what a ball holds */
    int32_t *index;
    bool *covered;
} balls;

static sfgp_status balls_new(sfgp_context *context, int64_t count, const sfgp_place *places, balls *b)
{
    sfgp_status status = sfgp_allocate(context, 3 * count, &b->points);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, &b->distance);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, &b->index);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, &b->covered);
    for (int64_t j = 0; status == SFGP_OK && j < 3 * count; j++)
        b->points[j] = places[j / 3].at[j % 3];
    return status == SFGP_OK ? sfgp_kdtree_new(context, count, 3, b->points, &b->tree) : status;
}

static void balls_clear(balls *b)
{
    sfgp_kdtree_free(b->tree);
    sfgp_free(b->points);
    sfgp_free(b->distance);
    sfgp_free(b->index);
    sfgp_free(b->covered);
}

static sfgp_status thin(sfgp_context *context, double radius, int64_t *count, sfgp_place *places)
{
    balls b = {0};
    int64_t kept = 0;
    const sfgp_status status = balls_new(context, *count, places, &b);
    for (int64_t j = 0; status == SFGP_OK && j < *count; j++) {
        if (b.covered[j])
            continue;
        const int64_t found = sfgp_kdtree_within(b.tree, places[j].at, radius * radius, b.index, b.distance);
        for (int64_t k = 0; k < found; k++)
            b.covered[b.index[k]] = true;
        places[kept++] = places[j];
    }
    balls_clear(&b);
    if (status == SFGP_OK)
        *count = kept;
    return status;
}

/* why: what the warning says of the target. */
static sfgp_status thin_and_warn(sfgp_context *context, double radius, const char *why, int64_t *count,
                                 sfgp_place *places)
{
    const int64_t before = *count;
    const sfgp_status status = thin(context, radius, count, places);
    if (status == SFGP_OK)
        sfgp_warn(context, "target: %s; %lld of %lld points are used", why, (long long)*count,
                  (long long)before);
    return status;
}

static sfgp_status thin_spots(sfgp_context *context, const sfgp_unevenness *is, int64_t *count,
                              sfgp_place *places)
{
    char why[128];
    snprintf(why, sizeof why, "some parts have far more points than others, by %.0f times for their area",
             is->sparse / is->dense);
    return thin_and_warn(context, SPOTS_APART * sqrt(is->sparse), why, count, places);
}

sfgp_status sfgp_places_even(sfgp_context *context, int64_t *count, sfgp_place *places)
{
    static const char COPIED[] =
        "many points have another one next to them, as where two scans of the same points are joined";
    sfgp_unevenness is;
    if (*count < FEWEST)
        return SFGP_OK;
    sfgp_status status = sfgp_unevenness_measure(context, *count, places, &is);
    if (status == SFGP_OK && is.copies < COPIES) {
        status = thin_and_warn(context, COPIES_APART * sqrt(is.dense), COPIED, count, places);
        if (status == SFGP_OK)
            status = sfgp_unevenness_measure(context, *count, places, &is);
    }
    return status == SFGP_OK && is.sparse > UNEVEN * is.dense ? thin_spots(context, &is, count, places)
                                                              : status;
}
