/* Points under another layer. Rule in covered.h. */
#include "geom/covered.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "geom/kdtree.h"
#include "geom/normals.h"
#include "geom/vector.h"

#include <math.h>

enum { NEAR = 7 /* itself included: the last gives the radius of a neighbourhood */, OVER = 2 };

/* In median radii of a neighbourhood. */
#define WIDTH 1.2      /* radius of the cylinder over a point */
#define SCATTERED 1.75 /* a point with a larger neighbourhood is a stray (as in fit/fuzzy.c) */
#define LOW 0.5        /* a layer that is as near as that is seen, however thin the wall may be */

#define SLOPE 1.0 /* to the side, of the height */
#define SAME 0.8  /* cosine */
/* Points for each that is over: of noise of any size up to 9 % of a scan are covered then (ADR 0128). */
#define BETWEEN 0.1

typedef struct layers {
    const sfgp_cover *cover;
    double *radius; /* of the neighbourhood of each point */
    double median;  /* of them */
} layers;

/* sorted: room for all. */
static void find_radii(const layers *l, const sfgp_neighbours *near, double *sorted)
{
    for (int64_t j = 0; j < l->cover->count; j++)
        l->radius[j] = sorted[j] = sfgp_neighbours_distance(near, l->cover->points, j, near->size - 1);
    sfgp_sort(l->cover->count, sorted);
}

static sfgp_status layers_new(sfgp_context *context, const sfgp_cover *cover, layers *l)
{
    sfgp_neighbours near = {0};
    double *sorted = NULL;
    *l = (layers){.cover = cover};
    sfgp_status status = sfgp_neighbours_new(context, cover->count, 3, cover->points, NEAR, &near);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, cover->count, &l->radius);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, cover->count, &sorted);
    if (status == SFGP_OK) {
        find_radii(l, &near, sorted);
        l->median = sfgp_quantile(cover->count, sorted, 0.5);
    }
    sfgp_neighbours_clear(&near);
    sfgp_free(sorted);
    return status;
}

static bool is_scattered(const layers *l, int64_t j)
{
    return l->radius[j] > SCATTERED * l->median;
}

/* Where a point lies as seen from another one. */
typedef struct place {
    double height, aside; /* along the normal there, and from it */
    bool counts;          /* it is no stray, and on the same side of the shape */
} place;

static place place_of(const layers *l, int64_t j, int64_t k)
{
    const sfgp_cover *cover = l->cover;
    const double *normal = cover->normals + 3 * j, *x = cover->points + 3 * j, *y = cover->points + 3 * k,
                 shift[3] = {y[0] - x[0], y[1] - x[1], y[2] - x[2]}, height = sfgp_dot3(normal, shift);
    return (place){.height = height,
                   .aside = sqrt(fmax(sfgp_dot3(shift, shift) - height * height, 0)),
                   .counts = sfgp_dot3(normal, cover->normals + 3 * k) > SAME && !is_scattered(l, k)};
}

static bool is_over(const layers *l, const place *p)
{
    return p->counts && p->height > fmin(l->cover->least, LOW * l->median) &&
           p->aside < fmin(WIDTH * l->median, SLOPE * p->height);
}

/* In the middle third of what is below that height. */
static bool is_between(const layers *l, const place *p, double height)
{
    return p->counts && 3 * p->height > height && 3 * p->height < 2 * height && p->aside < WIDTH * l->median;
}

/* index: of the points within reach of j. Returns how many lie over it, and their mean height. */
static int count_over(const layers *l, int64_t j, int64_t found, const int32_t *index, double *height)
{
    int over = 0;
    double sum = 0;
    for (int64_t k = 0; k < found; k++) {
        const place p = place_of(l, j, index[k]);
        if (is_over(l, &p)) {
            over++;
            sum += p.height;
        }
    }
    *height = over > 0 ? sum / over : 0;
    return over;
}

static int count_between(const layers *l, int64_t j, int64_t found, const int32_t *index, double height)
{
    int between = 0;
    for (int64_t k = 0; k < found; k++) {
        const place p = place_of(l, j, index[k]);
        between += is_between(l, &p, height);
    }
    return between;
}

static bool is_covered(const layers *l, int64_t j, int64_t found, const int32_t *index)
{
    double height;
    const int over = is_scattered(l, j) ? 0 : count_over(l, j, found, index, &height);
    return over >= OVER && count_between(l, j, found, index, height) <= BETWEEN * over;
}

/* The arrays are room for all points. */
static void find_all(const layers *l, const sfgp_kdtree *tree, int32_t *index, double *distance2,
                     unsigned char *covered)
{
    const sfgp_cover *cover = l->cover;
    for (int64_t j = 0; j < cover->count; j++) {
        const int64_t found =
            sfgp_kdtree_within(tree, cover->points + 3 * j, cover->most * cover->most, index, distance2);
        covered[j] = is_covered(l, j, found, index);
    }
}

sfgp_status sfgp_covered_find(sfgp_context *context, const sfgp_cover *cover, unsigned char *covered)
{
    layers l;
    sfgp_kdtree *tree = NULL;
    int32_t *index = NULL;
    double *distance2 = NULL;
    sfgp_status status = layers_new(context, cover, &l);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, cover->count, &index);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, cover->count, &distance2);
    if (status == SFGP_OK)
        status = sfgp_kdtree_new(context, cover->count, 3, cover->points, &tree);
    if (status == SFGP_OK)
        find_all(&l, tree, index, distance2, covered);
    sfgp_kdtree_free(tree);
    sfgp_free(l.radius);
    sfgp_free(index);
    sfgp_free(distance2);
    return status;
}
