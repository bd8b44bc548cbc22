/* The field that follows what the columns of the prior cannot. Equations in detail.h. */
#include "em/detail.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/covariogram.h"
#include "geom/kdtree.h"
#include "geom/normals.h"
#include "geom/vector.h"
#include "gpr/field.h"

#include <math.h>
#include <string.h>

#define NEIGHBOURS 12    /* of a point, itself included: they reach over two spacings */
#define LEAST_NOISE 0.01 /* v is at least this part of the mean square: V is an estimate, and may exceed it */
#define TARGETS 2        /* a point, of which V, L and v are learned */
#define GRAIN 256        /* targets that a thread looks for at a time */
#define TOLERANCE 1e-5   /* of the field, relative: 7e-7 mm of an ear of 60 mm at most (ADR 0109) */
#define EXPLAINED 0.8    /* strength of the change of stated variances: ADR 0077 */
#define SHORT 0.9        /* root of the shortest length / L, above which they grow */
#define LEAST_FOLD 0.5   /* cosine: normals that differ by more than 60 degrees are on two sides of a fold */

/* M: the points that have the field (geom/coarse_surface.h). */
typedef struct workspace {
    sfgp_em *em;
    const sfgp_coarse_surface *coarse;
    const double *centres; /* M x 3: of the reference */
    const double *points;  /* M x 3: of the fit */
    double *fitted;        /* the same, where they are not all; else NULL */
    sfgp_neighbours neighbours;
    double *normals; /* M x 3 */
    double *labels;  /* M x 3: along the normal; then the field */
    double *weights; /* M: W */
} workspace;

static void workspace_clear(workspace *s)
{
    sfgp_neighbours_clear(&s->neighbours);
    sfgp_free(s->fitted);
    sfgp_free(s->normals);
    sfgp_free(s->labels);
    sfgp_free(s->weights);
}

/* Where some points have the field: they and their neighbours, of the fit. */
static sfgp_status take_some(workspace *s)
{
    const sfgp_coarse_surface *coarse = s->coarse;
    sfgp_context *context = s->em->context;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_neighbours_new(context, coarse->count, 3, coarse->centres, NEIGHBOURS,
                                      &s->neighbours)) == SFGP_OK)
        status = sfgp_allocate(context, 3 * coarse->count, &s->fitted);
    for (int64_t k = 0; status == SFGP_OK && k < coarse->count; k++)
        memcpy(s->fitted + 3 * k, s->em->state.points + 3 * coarse->index[k], 3 * sizeof(double));
    s->points = s->fitted;
    return status;
}

static sfgp_status workspace_new(sfgp_em *em, const sfgp_coarse_surface *coarse, workspace *s)
{
    const double *mean = em->problem->basis->mean;
    sfgp_status status = SFGP_OK;
    *s = (workspace){.em = em,
                     .coarse = coarse,
                     .points = em->state.points,
                     .centres = coarse->index ? coarse->centres : mean};
    status = coarse->index
                 ? take_some(s)
                 : sfgp_regions_nearest(em->context, &em->regions, 3, mean, NEIGHBOURS, &s->neighbours);
    if (status == SFGP_OK &&
        (status = sfgp_allocate(em->context, 3 * coarse->count, &s->normals)) == SFGP_OK &&
        (status = sfgp_allocate(em->context, 3 * coarse->count, &s->labels)) == SFGP_OK)
        status = sfgp_allocate(em->context, coarse->count, &s->weights);
    return status;
}

/* label = n n'shift */
static void project(const double *normal, const double *shift, double *label)
{
    const double along = sfgp_dot3(normal, shift);
    for (int a = 0; a < 3; a++)
        label[a] = along * normal[a];
}

/* ---- variance and length ---------------------------------------------------------------------------- */

/* The target points that belong to a point: those that are nearer to it than to the others. */
typedef struct cells {
    const workspace *workspace;
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

static sfgp_status cells_new(const workspace *s, cells *c)
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
    const workspace *s = c->workspace;
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
    const workspace *s = c->workspace;
    const double fold = sfgp_dot3(s->normals + 3 * i, s->normals + 3 * k), pairs = c->count[i] * c->count[k];
    if (k <= i || !(pairs > 0) || fabs(fold) < LEAST_FOLD)
        return;
    double between[3];
    for (int a = 0; a < 3; a++)
        between[a] = s->centres[3 * i + a] - s->centres[3 * k + a];
    sfgp_covariogram_add(sqrt(sfgp_dot3(between, between)), fold * c->sum[i] * c->sum[k], pairs * fold * fold,
                         sums);
}

static double spacing_of(const workspace *s)
{
    return sqrt(s->em->problem->shape_area / (double)s->coarse->count);
}

/* V, L and v. */
static sfgp_status learn(const workspace *s, sfgp_em_detail *detail)
{
    cells c;
    sfgp_covariogram sums = {.spacing = spacing_of(s)};
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

/* ---- the field -------------------------------------------------------------------------------------- */

/* Sums of the labels of the points of each cell. */
static void sum_labels(const workspace *s)
{
    const sfgp_responsibilities *r = &s->em->responsibilities;
    memset(s->labels, 0, (size_t)(3 * s->coarse->count) * sizeof *s->labels);
    for (int64_t i = 0; i < r->count; i++) {
        const int64_t k = sfgp_coarse_surface_cell(s->coarse, i);
        s->weights[k] += r->weight[i];
        for (int a = 0; a < 3; a++)
            s->labels[3 * k + a] += r->shift[3 * i + a];
    }
}

static void set_labels(const workspace *s, double noise)
{
    sum_labels(s);
    for (int64_t k = 0; k < s->coarse->count; k++) {
        const double weight = s->weights[k];
        double shift[3] = {0};
        for (int a = 0; a < 3 && weight > 0; a++)
            shift[a] = s->labels[3 * k + a] / weight;
        project(s->normals + 3 * k, shift, s->labels + 3 * k);
        s->weights[k] = (double)s->em->state.thinning * weight / noise;
    }
}

/* A landmark of weight w adds a label of 0 in all directions. */
static void hold(const workspace *s, int64_t point, double weight)
{
    const double sum = s->weights[point] + weight;
    for (int a = 0; a < 3 && sum > 0; a++)
        s->labels[3 * point + a] *= s->weights[point] / sum;
    s->weights[point] = sum;
}

static sfgp_status hold_landmarks(const workspace *s)
{
    const sfgp_em *em = s->em;
    const sfgp_em_landmarks *landmarks = em->problem->landmarks;
    sfgp_kdtree *tree = NULL;
    if (!landmarks)
        return SFGP_OK;
    const sfgp_status status = sfgp_kdtree_new(em->context, s->coarse->count, 3, s->centres, &tree);
    for (int64_t k = 0; status == SFGP_OK && k < landmarks->basis.count; k++) {
        double distance2;
        hold(s, sfgp_kdtree_nearest(tree, landmarks->basis.mean + 3 * k, &distance2), landmarks->weights[k]);
    }
    sfgp_kdtree_free(tree);
    return status;
}

static sfgp_status solve(const workspace *s, const sfgp_mesh *reference, sfgp_coarse_surface *coarse,
                         const sfgp_em_detail *detail)
{
    const struct sfgp_kernel_term term = {
        &sfgp_kernel_surface, detail->length, detail->variance, 1, false, false};
    sfgp_status status = sfgp_coarse_surface_connect(s->em->context, reference, coarse);
    return status == SFGP_OK ? sfgp_field_mean(s->em->context, &coarse->laplacian, &term, s->weights, 3,
                                               TOLERANCE, s->labels)
                             : status;
}

/* exp(0.8 min(r, 1 - r) (sqrt(1.5 spacings / L) - 0.9)), r = V / mean p < 1, for the stated variance p of all points. */
static double variance_factor(const workspace *s, const sfgp_em_detail *detail)
{
    const sfgp_em *em = s->em;
    const int64_t n = em->problem->basis->count;
    const double shortest = SFGP_COVARIOGRAM_SHORTEST * spacing_of(s);
    double mean = 0;
    for (int64_t i = 0; i < n; i++)
        mean += em->state.variance[i] / (double)n;
    const double part = fmax(fmin(detail->variance / mean, 1 - detail->variance / mean), 0);
    return exp(EXPLAINED * part * (sqrt(shortest / detail->length) - SHORT));
}

static sfgp_status add_field(const workspace *s, const sfgp_mesh *reference, const sfgp_em_detail *detail)
{
    sfgp_em_state *state = &s->em->state;
    const double factor = variance_factor(s, detail);
    const sfgp_status status =
        sfgp_coarse_surface_carry(s->em->context, s->coarse, reference, s->labels, state->points);
    for (int64_t i = 0; status == SFGP_OK && i < s->em->problem->basis->count; i++)
        state->variance[i] *= factor;
    return status;
}

sfgp_status sfgp_em_detail_add(sfgp_em *em, const sfgp_mesh *reference, sfgp_coarse_surface *coarse,
                               sfgp_em_detail *detail)
{
    workspace s;
    *detail = (sfgp_em_detail){0};
    sfgp_status status = workspace_new(em, coarse, &s);
    if (status == SFGP_OK) {
        sfgp_normals_estimate(&s.neighbours, s.points, s.normals);
        status = learn(&s, detail);
    }
    if (status == SFGP_OK && detail->variance > 0) {
        set_labels(&s, detail->noise);
        if ((status = hold_landmarks(&s)) == SFGP_OK)
            status = solve(&s, reference, coarse, detail);
    }
    if (status == SFGP_OK && detail->variance > 0)
        status = add_field(&s, reference, detail);
    workspace_clear(&s);
    return status;
}
