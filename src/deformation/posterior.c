/* The posterior of a fit as a model. With the factor of the fit, A = LL' (gpr/posterior.h), the deviations from the fit
 * have the covariance B A^-1 B' = F F', whose factor is F = B L'^-1:
 *
 *     scalar columns of every axis   T = B_s L_s'^-1, with the L_s of that axis
 *     PCA columns of axis a          (B_p,a - T X_a) L_p'^-1
 *
 * With a field along the surface in the sparse form (gpr/markov.h) the covariance is Z A^-1 Z' + P^-1 for each axis: Z stands for B, and the
 * largest eigenpairs of P^-1 (gpr/markov_columns.h) are further columns of every axis.
 *
 * The pose turns F, and the size makes it larger. Where the fit states another variance than |f_i|^2 / d (deformation.h, extra), the rows of point i are
 * scaled, so that the model has the deviations of the fit and the correlations of the Gaussian process. */
#include "base/memory.h"
#include "base/threads.h"
#include "deformation/deformation.h"
#include "gpr/markov_columns.h"
#include "gpr/normal.h"
#include "linalg/dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLOCK SFGP_NORMAL_BLOCK

/* The columns of F are those of scalar k and axis a at k d + a, then those of PCA, then those of field k and axis a. */
typedef struct factor {
    const sfgp_deformation *map;
    const sfgp_basis *basis;  /* B, or Z of a field; with the axis across of the fit */
    const sfgp_factor *field; /* columns of P^-1; none without a field */
    sfgp_normal normal;       /* L */
    int64_t columns;
    double *scalar, *pca; /* BLOCK rows of T, and of one axis of the PCA columns */
    double *values;       /* N d x columns */
} factor;

/* Rows of T of this axis; without an axis across those of all axes. */
static void solve_scalar(const factor *f, int64_t first, int64_t n, int64_t axis)
{
    const int64_t s = f->basis->scalar.rank;
    memcpy(f->scalar, f->basis->scalar.values + first * s, (size_t)(n * s) * sizeof(double));
    sfgp_dense_solve_rows(n, s, sfgp_normal_of(f->basis, &f->normal, axis), f->scalar);
}

static void set_scalar(const factor *f, int64_t first, int64_t n)
{
    const sfgp_basis *basis = f->basis;
    const int64_t s = basis->scalar.rank, d = basis->dimension;
    for (int64_t axis = 0; axis < d; axis++) {
        if (axis == 0 || basis->across)
            solve_scalar(f, first, n, axis);
        for (int64_t i = 0; i < n; i++)
            for (int64_t k = 0; k < s; k++)
                f->values[((first + i) * d + axis) * f->columns + k * d + axis] = f->scalar[i * s + k];
    }
}

static void set_pca(const factor *f, int64_t first, int64_t n, int64_t axis)
{
    const sfgp_basis *basis = f->basis;
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    for (int64_t i = 0; i < n; i++)
        memcpy(f->pca + i * p, basis->pca.factor + ((first + i) * d + axis) * p, (size_t)p * sizeof(double));
    sfgp_dense_multiply(n, s, p, -1.0, f->scalar, s, f->normal.cross + axis * s * p, f->pca, p);
    sfgp_dense_solve_rows(n, p, f->normal.pca, f->pca);
    for (int64_t i = 0; i < n; i++)
        memcpy(f->values + ((first + i) * d + axis) * f->columns + s * d, f->pca + i * p,
               (size_t)p * sizeof(double));
}

static void set_field(const factor *f, int64_t i)
{
    const int64_t rank = f->field->rank, d = f->basis->dimension, first = f->columns - rank * d;
    for (int64_t axis = 0; axis < d; axis++)
        for (int64_t k = 0; k < rank; k++)
            f->values[(i * d + axis) * f->columns + first + k * d + axis] = f->field->values[i * rank + k];
}

/* What the fit states: the variance given the columns is part of extra where there is a field. */
static double stated_variance(const factor *f, int64_t i, double variance)
{
    const double *row = f->field->values + i * f->field->rank;
    return fmax(variance - sfgp_dense_dot(f->field->rank, row, row) + f->map->extra_variance[i], 0);
}

/* Rows of point i to R rows and to the variance that the fit states. */
static void pose_and_scale(const factor *f, int64_t i)
{
    const int64_t d = f->map->model->dimension;
    const double *const rotation = f->map->pose.rotation;
    double *const rows = f->values + i * d * f->columns;
    const double variance = sfgp_dense_dot(d * f->columns, rows, rows) / (double)d;
    const double scale = variance > 0 ? sqrt(stated_variance(f, i, variance) / variance) : 1;
    for (int64_t k = 0; k < f->columns; k++) {
        double turned[3] = {0};
        for (int64_t a = 0; a < d; a++)
            for (int64_t b = 0; b < d; b++)
                turned[a] += f->map->size * scale * rotation[a * d + b] * rows[b * f->columns + k];
        for (int64_t a = 0; a < d; a++)
            rows[a * f->columns + k] = turned[a];
    }
}

static void fill(const factor *f)
{
    const sfgp_model *model = f->map->model;
    for (int64_t first = 0; first < model->count; first += BLOCK) {
        const int64_t n = model->count - first < BLOCK ? model->count - first : BLOCK;
        set_scalar(f, first, n);
        for (int64_t axis = 0; axis < model->dimension && model->basis.pca.modes > 0; axis++)
            set_pca(f, first, n, axis);
        for (int64_t i = first; i < first + n; i++) {
            set_field(f, i);
            pose_and_scale(f, i);
        }
    }
}

static sfgp_status make_factor(sfgp_context *context, const sfgp_deformation *map, const sfgp_basis *basis,
                               const sfgp_factor *field, sfgp_pca *pca)
{
    factor f = {.map = map,
                .basis = basis,
                .field = field,
                .normal = sfgp_normal_parts(basis, map->block),
                .columns = sfgp_basis_size(basis) + field->rank * basis->dimension};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, BLOCK * basis->scalar.rank, &f.scalar)) == SFGP_OK &&
        (status = sfgp_allocate(context, BLOCK * basis->pca.modes, &f.pca)) == SFGP_OK &&
        (status = sfgp_allocate_bytes(context, basis->count * basis->dimension,
                                      f.columns * (int64_t)sizeof(double), (void **)&f.values)) == SFGP_OK) {
        fill(&f);
        pca->factor = f.values;
        pca->modes = f.columns;
    }
    sfgp_free(f.scalar);
    sfgp_free(f.pca);
    return status;
}

static sfgp_status make_factor_with_field(sfgp_context *context, const sfgp_deformation *map, sfgp_pca *pca)
{
    const struct sfgp_kernel_term *term = sfgp_kernel_sparse(&map->model->kernel_terms);
    const sfgp_mesh mesh = sfgp_model_mesh(map->model);
    sfgp_markov_posterior posterior = {0};
    sfgp_factor field = {0};
    sfgp_status status = sfgp_markov_posterior_new(context, &map->model->basis, &posterior);
    if (status == SFGP_OK)
        status = sfgp_markov_posterior_factorise(context, map->weights, &posterior);
    if (status == SFGP_OK)
        status = sfgp_markov_posterior_columns(context, &mesh, term, SFGP_MODEL_SURFACE_LEFT * term->variance,
                                               SFGP_MODEL_FIELD_COLUMNS, &posterior, &field);
    if (status == SFGP_OK)
        status = make_factor(context, map, &posterior.left, &field, pca);
    sfgp_factor_clear(&field);
    sfgp_markov_posterior_clear(&posterior);
    return status;
}

/* Of a mirrored fit the faces of the reference are inside out. */
static void turn_faces(const sfgp_deformation *map, sfgp_model *made)
{
    sfgp_mesh faces = {
        .face_count = made->face_count, .face_start = made->face_start, .face_points = made->face_points};
    if (sfgp_deformation_mirrors(map))
        sfgp_mesh_turn_faces(&faces);
}

/* The reference of the fit with its frame and the faces of the fit, and the fit as the mean. */
static sfgp_status place(sfgp_context *context, const sfgp_deformation *map, sfgp_model *made)
{
    const sfgp_model *from = map->model;
    const sfgp_mesh reference = {.count = from->count,
                                 .dimension = from->dimension,
                                 .points = from->original,
                                 .face_count = from->face_count,
                                 .face_start = from->face_start,
                                 .face_points = from->face_points};
    made->frame = from->frame;
    sfgp_status status = sfgp_allocate(context, 0, &made->basis.scalar.values);
    if (status == SFGP_OK)
        status = sfgp_model_place(context, &reference, made);
    if (status != SFGP_OK)
        return status;
    turn_faces(map, made);
    made->basis.scalar.rows = made->count;
    sfgp_frame_enter_exactly(&made->frame, made->count, map->points, made->basis.mean);
    snprintf(made->kernel, sizeof made->kernel, "posterior");
    return SFGP_OK;
}

sfgp_status sfgp_deformation_posterior(sfgp_context *context, const sfgp_deformation *deformation,
                                       sfgp_model **posterior)
{
    sfgp_model *made = NULL;
    *posterior = NULL;
    const int before = sfgp_threads_begin(1, 0);
    sfgp_status status = sfgp_dense_prepare(context);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = place(context, deformation, made);
    if (status == SFGP_OK)
        status = deformation->model->field ? make_factor_with_field(context, deformation, &made->basis.pca)
                                           : make_factor(context, deformation, &deformation->basis,
                                                         &(sfgp_factor){0}, &made->basis.pca);
    if (status == SFGP_OK)
        *posterior = made;
    else
        sfgp_model_free(made);
    sfgp_threads_end(before);
    return status;
}
