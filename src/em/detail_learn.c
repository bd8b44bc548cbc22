/* Variance and length of the field, and the noise of its labels: V, L and v of detail.h. */
#include "base/memory.h"
#include "base/parallel.h"
#include "em/detail_parts.h"
#include "geom/covariogram.h"
#include "geom/kdtree.h"
#include "geom/vector.h"

#include <math.h>

#define LEAST_NOISE 0.01 /* v is at least this part of the mean square: V is an estimate, and may exceed it */
#define TARGETS 2        /* a point, of which V, L and v are learned */
#define GRAIN 256        /* targets that a thread looks for at a time */
#define LEAST_FOLD 0.5   /* cosine: normals that differ by more than 60 degrees are on two sides of a fold */

/* The target points that belong to a point: those that are nearer to it than to the others. */
typedef struct cells {
    const sfgp_detail_workspace *workspace;
    sfgp_kdtree *tree; /* over the points of the fit */
    int64_t stride;    /* of the targets that are looked at */
    int32_t *nearest;  /* the point of each of them; -1: the fit does not explain it */
    double *sum;       /* M: of the distances of its target points along its normal */
    double *count;     /* M: of its target points */
    double square;     /* mean square of the distances */
} cells;

static void cells_clear(cells *c)
{
    sfgp_kdtree_free(c->tree);
    sfgp_free(c->nearest);
    sfgp_free(c->sum);
    sfgp_free(c->count);
}

static sfgp_status cells_new(const sfgp_detail_workspace *s, cells *c)
{
    sfgp_context *context = s->em->context;
    const int64_t count = s->coarse->count, targets = s->em->responsibilities.targets;
    sfgp_status status = SFGP_OK;
    *c = (cells){.workspace = s, .stride = 1 + targets / (TARGETS * count)};
    if ((status = sfgp_allocate(context, targets / c->stride + 1, &c->nearest)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &c->sum)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, &c->count)) == SFGP_OK)
        status = sfgp_kdtree_new(context, count, 3, s->points, &c->tree);
    return status;
}

static void find_some(const void *data, int64_t first, int64_t end)
{
    const cells *c = data;
    const sfgp_em *em = c->workspace->em;
    double distance2;
    for (int64_t k = first; k < end; k++) {
        const int64_t j = k * c->stride;
        c->nearest[k] = em->responsibilities.explained[j] > 0.5
                            ? (int32_t)sfgp_kdtree_nearest(c->tree, em->view.points + 3 * j, &distance2)
                            : -1;
    }
}

static void add_target(cells *c, const double *target, int64_t k)
{
    const sfgp_detail_workspace *s = c->workspace;
    double shift[3];
    for (int a = 0; a < 3; a++)
        shift[a] = target[a] - s->points[3 * k + a];
    const double along = sfgp_dot3(s->normals + 3 * k, shift);
    c->sum[k] += along;
    c->count[k]++;
    c->square += along * along;
}

/* Of the target points that the fit explains, TARGETS a point if there are more. */
static void add_targets(cells *c)
{
    const sfgp_em *em = c->workspace->em;
    const int64_t looked_at = (em->responsibilities.targets + c->stride - 1) / c->stride;
    double count = 0;
    sfgp_parallel_for(looked_at, GRAIN, find_some, c);
    for (int64_t k = 0; k < looked_at; k++) {
        if (c->nearest[k] < 0)
            continue;
        add_target(c, em->view.points + 3 * k * c->stride, c->nearest[k]);
        count++;
    }
    c->square = count > 0 ? c->square / count : 0;
}

static void add_pair(const cells *c, int64_t i, int64_t k, sfgp_covariogram *sums)
{
    const sfgp_detail_workspace *s = c->workspace;
    const double fold = sfgp_dot3(s->normals + 3 * i, s->normals + 3 * k), pairs = c->count[i] * c->count[k];
    if (k <= i || !(pairs > 0) || fabs(fold) < LEAST_FOLD)
        return;
    double between[3];
    for (int a = 0; a < 3; a++)
        between[a] = s->centres[3 * i + a] - s->centres[3 * k + a];
    sfgp_covariogram_add(sqrt(sfgp_dot3(between, between)), fold * c->sum[i] * c->sum[k], pairs * fold * fold,
                         sums);
}

sfgp_status sfgp_detail_learn(const sfgp_detail_workspace *s, sfgp_em_detail *detail)
{
    cells c;
    sfgp_covariogram sums = {.spacing = sfgp_detail_spacing(s)};
    const sfgp_status status = cells_new(s, &c);
    if (status == SFGP_OK)
        add_targets(&c);
    for (int64_t i = 0; status == SFGP_OK && i < s->coarse->count; i++)
        for (int k = 1; k < s->neighbours.size && c.count[i] > 0; k++)
            add_pair(&c, i, s->neighbours.index[i * s->neighbours.size + k], &sums);
    if (status == SFGP_OK && sfgp_covariogram_fit(&sums, &detail->variance, &detail->length)) {
        detail->variance = fmin(detail->variance, (1 - LEAST_NOISE) * c.square);
        detail->noise = c.square - detail->variance;
    }
    cells_clear(&c);
    return status;
}
