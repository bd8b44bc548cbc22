/* The field that follows what the columns of the prior cannot. Equations in detail.h. */
#include "em/detail.h"
#include "base/memory.h"
#include "em/detail_parts.h"
#include "geom/covariogram.h"
#include "geom/kdtree.h"
#include "geom/normals.h"
#include "geom/vector.h"
#include "gpr/field.h"

#include <math.h>
#include <string.h>

#define NEIGHBOURS 12  /* of a point, itself included: they reach over two spacings */
#define TOLERANCE 1e-5 /* of the field, relative: 7e-7 mm of an ear of 60 mm at most (ADR 0109) */
#define EXPLAINED 0.8  /* strength of the change of stated variances: ADR 0077 */
#define SHORT 0.9      /* root of the shortest length / L, above which they grow */

static void workspace_clear(sfgp_detail_workspace *s)
{
    sfgp_neighbours_clear(&s->neighbours);
    sfgp_free(s->fitted);
    sfgp_free(s->normals);
    sfgp_free(s->labels);
    sfgp_free(s->weights);
}

/* Where some points have the field: they and their neighbours, of the fit. */
static sfgp_status take_some(sfgp_detail_workspace *s)
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

static sfgp_status workspace_new(sfgp_em *em, const sfgp_coarse_surface *coarse, sfgp_detail_workspace *s)
{
    const double *mean = em->problem->basis->mean;
    sfgp_status status = SFGP_OK;
    *s = (sfgp_detail_workspace){.em = em,
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

/* ---- the field -------------------------------------------------------------------------------------- */

/* Sums of the labels of the points of each cell. */
static void sum_labels(const sfgp_detail_workspace *s)
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

static void set_labels(const sfgp_detail_workspace *s, double noise)
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
static void hold(const sfgp_detail_workspace *s, int64_t point, double weight)
{
    const double sum = s->weights[point] + weight;
    for (int a = 0; a < 3 && sum > 0; a++)
        s->labels[3 * point + a] *= s->weights[point] / sum;
    s->weights[point] = sum;
}

static sfgp_status hold_landmarks(const sfgp_detail_workspace *s)
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

static sfgp_status solve(const sfgp_detail_workspace *s, const sfgp_mesh *reference,
                         sfgp_coarse_surface *coarse, const sfgp_em_detail *detail)
{
    const struct sfgp_kernel_term term = {
        &sfgp_kernel_surface, detail->length, detail->variance, 1, false, false};
    sfgp_status status = sfgp_coarse_surface_connect(s->em->context, reference, coarse);
    return status == SFGP_OK ? sfgp_field_mean(s->em->context, &coarse->laplacian, &term, s->weights, 3,
                                               TOLERANCE, s->labels)
                             : status;
}

/* exp(0.8 min(r, 1 - r) (sqrt(1.5 spacings / L) - 0.9)), r = V / mean p < 1, for the stated variance p of all points. */
static double variance_factor(const sfgp_detail_workspace *s, const sfgp_em_detail *detail)
{
    const sfgp_em *em = s->em;
    const int64_t n = em->problem->basis->count;
    const double shortest = SFGP_COVARIOGRAM_SHORTEST * sfgp_detail_spacing(s);
    double mean = 0;
    for (int64_t i = 0; i < n; i++)
        mean += em->state.variance[i] / (double)n;
    const double part = fmax(fmin(detail->variance / mean, 1 - detail->variance / mean), 0);
    return exp(EXPLAINED * part * (sqrt(shortest / detail->length) - SHORT));
}

static sfgp_status add_field(const sfgp_detail_workspace *s, const sfgp_mesh *reference,
                             const sfgp_em_detail *detail)
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
    sfgp_detail_workspace s;
    *detail = (sfgp_em_detail){0};
    sfgp_status status = workspace_new(em, coarse, &s);
    if (status == SFGP_OK) {
        sfgp_normals_estimate(&s.neighbours, s.points, s.normals);
        status = sfgp_detail_learn(&s, detail);
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
