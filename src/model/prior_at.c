/* Rows of the prior at any points: extension of the kernel, interpolation of the modes. Equations in prior_at.h. */
#include "model/prior_at.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define BLOCK SFGP_PRIOR_AT_BLOCK

/* Whether columns, or a field, are along the surface. */
static bool is_along(const sfgp_model *model)
{
    return model->basis.scalar.surface > 0 || model->field;
}

sfgp_status sfgp_prior_at_new(sfgp_context *context, const sfgp_model *model, sfgp_prior_at *prior)
{
    const int64_t n = model->count, d = model->dimension;
    const sfgp_kernel space = sfgp_kernel_in_space(&model->kernel_terms);
    double *axes = NULL;
    *prior = (sfgp_prior_at){.model = model, .mesh = sfgp_model_mesh(model)};
    sfgp_status status = sfgp_model_axes(context, model, &axes);
    const sfgp_covariance covariance = {&space, n, (int)d, axes};
    if (status == SFGP_OK)
        status = sfgp_extension_new(context, &covariance, &model->basis.scalar, &prior->extension);
    if (status == SFGP_OK)
        status = sfgp_interpolator_new(context, n, (int)d, model->reference, &prior->nearby);
    if (status == SFGP_OK && is_along(model) && d == 3 && model->face_count > 0)
        status = sfgp_surface_new(context, &prior->mesh, &prior->surface);
    sfgp_free(axes);
    return status;
}

void sfgp_prior_at_clear(sfgp_prior_at *prior)
{
    sfgp_surface_free(prior->surface);
    sfgp_extension_clear(&prior->extension);
    sfgp_interpolator_clear(&prior->nearby);
}

static int64_t buffer_size(const sfgp_prior_at *prior)
{
    const int64_t q = BLOCK * prior->extension.pivots.count;
    const int64_t modes = SFGP_NEIGHBOURS * prior->model->dimension * (prior->model->basis.pca.modes + 1);
    return q > modes ? q : modes;
}

sfgp_status sfgp_prior_rows_new(sfgp_context *context, const sfgp_prior_at *prior, sfgp_prior_rows *rows)
{
    const sfgp_model *model = prior->model;
    sfgp_status status = SFGP_OK;
    *rows = (sfgp_prior_rows){0};
    if ((status = sfgp_basis_new(context, BLOCK, model->dimension, model->basis.scalar.rank,
                                 model->basis.pca.modes, &rows->basis)) != SFGP_OK ||
        (status = sfgp_allocate(context, BLOCK, &rows->left)) != SFGP_OK ||
        (status = sfgp_allocate(context, BLOCK, &rows->nearby)) != SFGP_OK ||
        (status = sfgp_allocate(context, buffer_size(prior), &rows->buffer)) != SFGP_OK ||
        (status = sfgp_allocate(context, model->count, &rows->index)) != SFGP_OK)
        return status;
    if (is_along(model) && (status = sfgp_allocate(context, BLOCK, &rows->along)) != SFGP_OK)
        return status;
    if (model->basis.scalar.surface > 0 &&
        (status = sfgp_allocate(context, BLOCK * prior->extension.rank, &rows->space)) != SFGP_OK)
        return status;
    return sfgp_allocate(context, model->count, &rows->distance2);
}

void sfgp_prior_rows_clear(sfgp_prior_rows *rows)
{
    sfgp_basis_clear(&rows->basis);
    sfgp_free(rows->space);
    sfgp_free(rows->left);
    sfgp_free(rows->nearby);
    sfgp_free(rows->along);
    sfgp_free(rows->buffer);
    sfgp_free(rows->index);
    sfgp_free(rows->distance2);
    *rows = (sfgp_prior_rows){0};
}

/* prior mean at x = x + interpolated (prior mean - reference) */
static void interpolate_mean(const sfgp_model *model, const sfgp_neighbourhood *at, const double *x,
                             double *mean)
{
    const int64_t d = model->dimension;
    for (int64_t a = 0; a < d; a++) {
        mean[a] = x[a];
        for (int k = 0; k < at->count; k++) {
            const int64_t i = at->index[k] * d + a;
            mean[a] += at->weight[k] * (model->basis.mean[i] - model->reference[i]);
        }
    }
}

/* ---- along the surface ------------------------------------------------------------------------------- */

static sfgp_prior_support find_support(const sfgp_prior_at *prior, const sfgp_neighbourhood *at,
                                       const double *x)
{
    sfgp_prior_support found = {.count = at->count};
    double distance2 = 0;
    for (int k = 0; k < at->count && !prior->surface; k++) {
        found.index[k] = at->index[k];
        found.weight[k] = at->weight[k];
    }
    if (!prior->surface)
        return found;
    const int64_t point = sfgp_kdtree_nearest(prior->nearby.tree, x, &distance2);
    found.count = 3;
    if (distance2 <= sfgp_surface_nearest(prior->surface, x, found.index, found.weight)) {
        found.count = 1;
        found.index[0] = point;
        found.weight[0] = 1;
    }
    return found;
}

/* The last columns of the row; *left grows by the variance that the mean of rows lacks. */
static void fill_surface(const sfgp_prior_at *prior, const sfgp_prior_support *from, double *row,
                         double *left)
{
    const sfgp_factor *factor = &prior->model->basis.scalar;
    const int64_t first = factor->rank - factor->surface, size = factor->surface;
    double variance = 0;
    memset(row + first, 0, (size_t)size * sizeof *row);
    for (int k = 0; k < from->count; k++) {
        const double *own = factor->values + from->index[k] * factor->rank + first;
        variance += from->weight[k] * sfgp_dense_dot(size, own, own);
        for (int64_t c = 0; c < size; c++)
            row[first + c] += from->weight[k] * own[c];
    }
    *left += fmax(variance - sfgp_dense_dot(size, row + first, row + first), 0);
}

/* The columns in space, where the row has others after them. */
static void fill_space(const sfgp_prior_at *prior, int64_t n, const double *points, sfgp_prior_rows *rows)
{
    const int64_t q = prior->extension.rank, m = prior->model->basis.scalar.rank;
    double *values = rows->basis.scalar.values;
    sfgp_extension_rows(&prior->extension, n, points, rows->buffer, rows->space ? rows->space : values,
                        rows->left);
    for (int64_t i = 0; rows->space && i < n; i++)
        memcpy(values + i * m, rows->space + i * q, (size_t)q * sizeof *values);
}

/* ---- modes ------------------------------------------------------------------------------------------- */

/* d x p */
static void interpolate_modes(const sfgp_model *model, const sfgp_neighbourhood *at, double *modes)
{
    const int64_t size = model->dimension * model->basis.pca.modes;
    memset(modes, 0, (size_t)size * sizeof *modes);
    for (int k = 0; k < at->count; k++)
        for (int64_t c = 0; c < size; c++)
            modes[c] += at->weight[k] * model->basis.pca.factor[at->index[k] * size + c];
}

/* Columns of the modes and of the mean displacement at the neighbours (count x d (p + 1)), less their mean.
 */
static void centred_values(const sfgp_model *model, const sfgp_neighbourhood *at, double *values)
{
    const int64_t d = model->dimension, size = d * model->basis.pca.modes, columns = size + d;
    for (int k = 0; k < at->count; k++) {
        double *row = values + k * columns;
        memcpy(row, model->basis.pca.factor + at->index[k] * size, (size_t)size * sizeof *row);
        for (int64_t a = 0; a < d; a++)
            row[size + a] = model->basis.mean[at->index[k] * d + a] - model->reference[at->index[k] * d + a];
    }
    for (int64_t c = 0; c < columns; c++) {
        double mean = 0;
        for (int k = 0; k < at->count; k++)
            mean += values[k * columns + c] / at->count;
        for (int k = 0; k < at->count; k++)
            values[k * columns + c] -= mean;
    }
}

/* left sigma^2: sigma^2 = |L \ values|^2 / (count d), the scale that makes the neighbours' values likely. */
static double modes_left_out(const sfgp_model *model, const sfgp_neighbourhood *at, double *values)
{
    const int64_t columns = model->dimension * (model->basis.pca.modes + 1);
    double sum = 0;
    if (at->left == 0)
        return 0;
    centred_values(model, at, values);
    for (int i = 0; i < at->count; i++)
        for (int64_t c = 0; c < columns; c++) {
            double *value = &values[i * columns + c];
            for (int k = 0; k < i; k++)
                *value -= at->factor[i * at->count + k] * values[k * columns + c];
            *value /= at->factor[i * at->count + i];
            sum += *value * *value;
        }
    return at->left * sum / (at->count * model->dimension);
}

void sfgp_prior_at_fill(const sfgp_prior_at *prior, int64_t n, const double *points, sfgp_prior_rows *rows)
{
    const sfgp_model *model = prior->model;
    const int64_t d = model->dimension, p = model->basis.pca.modes;
    rows->basis.count = n;
    fill_space(prior, n, points, rows);
    for (int64_t i = 0; i < n; i++) {
        sfgp_neighbourhood *at = &rows->nearby[i];
        sfgp_interpolator_at(&prior->nearby, points + i * d, rows->index, rows->distance2, at);
        interpolate_mean(model, at, points + i * d, rows->basis.mean + i * d);
        sfgp_prior_support *const along = rows->along ? &rows->along[i] : NULL;
        if (along)
            *along = find_support(prior, at, points + i * d);
        if (along && model->basis.scalar.surface > 0)
            fill_surface(prior, along, rows->basis.scalar.values + i * model->basis.scalar.rank,
                         &rows->left[i]);
        if (p == 0)
            continue;
        interpolate_modes(model, at, rows->basis.pca.factor + i * d * p);
        rows->left[i] += modes_left_out(model, at, rows->buffer);
    }
}
