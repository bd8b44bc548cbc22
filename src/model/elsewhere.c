#include "model/elsewhere.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <string.h>

#define BLOCK SFGP_ELSEWHERE_BLOCK

sfgp_status sfgp_elsewhere_new(sfgp_context *context, const sfgp_model *model, sfgp_elsewhere *elsewhere)
{
    const int64_t n = model->count, d = model->dimension;
    double *axes = NULL;
    *elsewhere = (sfgp_elsewhere){.model = model};
    sfgp_status status = sfgp_allocate(context, n * d, &axes);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        for (int64_t a = 0; a < d; a++)
            axes[a * n + i] = model->reference[i * d + a];
    const sfgp_covariance covariance = {&model->kernel_terms, n, (int)d, axes};
    if (status == SFGP_OK)
        status = sfgp_extension_new(context, &covariance, &model->scalar, &elsewhere->extension);
    if (status == SFGP_OK)
        status = sfgp_interpolator_new(context, n, (int)d, model->reference, &elsewhere->nearby);
    sfgp_free(axes);
    return status;
}

void sfgp_elsewhere_clear(sfgp_elsewhere *elsewhere)
{
    sfgp_extension_clear(&elsewhere->extension);
    sfgp_interpolator_clear(&elsewhere->nearby);
}

static int64_t buffer_size(const sfgp_elsewhere *elsewhere)
{
    const int64_t q = BLOCK * elsewhere->extension.pivots.count;
    const int64_t modes = SFGP_NEIGHBOURS * elsewhere->model->dimension * (elsewhere->model->pca.modes + 1);
    return q > modes ? q : modes;
}

sfgp_status sfgp_elsewhere_rows_new(sfgp_context *context, const sfgp_elsewhere *elsewhere,
                                    sfgp_elsewhere_rows *rows)
{
    const sfgp_model *model = elsewhere->model;
    const int64_t n = model->count, d = model->dimension, m = model->scalar.rank, p = model->pca.modes;
    sfgp_model *part = &rows->part;
    sfgp_status status = SFGP_OK;
    *rows = (sfgp_elsewhere_rows){.part = {.frame = model->frame, .dimension = (int)d}};
    part->scalar.rank = m;
    part->pca.modes = p;
    if ((status = sfgp_allocate(context, BLOCK * d, &part->prior_mean)) != SFGP_OK ||
        (status = sfgp_allocate(context, BLOCK * m, &part->scalar.values)) != SFGP_OK ||
        (status = sfgp_allocate(context, BLOCK * d * p, &part->pca.factor)) != SFGP_OK ||
        (status = sfgp_allocate(context, BLOCK, &rows->left)) != SFGP_OK ||
        (status = sfgp_allocate(context, BLOCK, &rows->nearby)) != SFGP_OK ||
        (status = sfgp_allocate(context, buffer_size(elsewhere), &rows->buffer)) != SFGP_OK ||
        (status = sfgp_allocate(context, n, &rows->index)) != SFGP_OK)
        return status;
    return sfgp_allocate(context, n, &rows->distance2);
}

void sfgp_elsewhere_rows_clear(sfgp_elsewhere_rows *rows)
{
    sfgp_free(rows->part.prior_mean);
    sfgp_factor_clear(&rows->part.scalar);
    sfgp_pca_clear(&rows->part.pca);
    sfgp_free(rows->left);
    sfgp_free(rows->nearby);
    sfgp_free(rows->buffer);
    sfgp_free(rows->index);
    sfgp_free(rows->distance2);
    *rows = (sfgp_elsewhere_rows){0};
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
            mean[a] += at->weight[k] * (model->prior_mean[i] - model->reference[i]);
        }
    }
}

/* d x p */
static void interpolate_modes(const sfgp_model *model, const sfgp_neighbourhood *at, double *modes)
{
    const int64_t size = model->dimension * model->pca.modes;
    memset(modes, 0, (size_t)size * sizeof *modes);
    for (int k = 0; k < at->count; k++)
        for (int64_t c = 0; c < size; c++)
            modes[c] += at->weight[k] * model->pca.factor[at->index[k] * size + c];
}

/* Columns of the modes and of the mean displacement at the neighbours (count x d (p + 1)), less their mean.
 */
static void centred_values(const sfgp_model *model, const sfgp_neighbourhood *at, double *values)
{
    const int64_t d = model->dimension, size = d * model->pca.modes, columns = size + d;
    for (int k = 0; k < at->count; k++) {
        double *row = values + k * columns;
        memcpy(row, model->pca.factor + at->index[k] * size, (size_t)size * sizeof *row);
        for (int64_t a = 0; a < d; a++)
            row[size + a] = model->prior_mean[at->index[k] * d + a] - model->reference[at->index[k] * d + a];
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
    const int64_t columns = model->dimension * (model->pca.modes + 1);
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

void sfgp_elsewhere_fill(const sfgp_elsewhere *elsewhere, int64_t n, const double *points,
                         sfgp_elsewhere_rows *rows)
{
    const sfgp_model *model = elsewhere->model;
    const int64_t d = model->dimension, p = model->pca.modes;
    rows->part.count = rows->part.scalar.rows = n;
    sfgp_extension_rows(&elsewhere->extension, n, points, rows->buffer, rows->part.scalar.values, rows->left);
    for (int64_t i = 0; i < n; i++) {
        sfgp_neighbourhood *at = &rows->nearby[i];
        sfgp_interpolator_at(&elsewhere->nearby, points + i * d, rows->index, rows->distance2, at);
        interpolate_mean(model, at, points + i * d, rows->part.prior_mean + i * d);
        if (p == 0)
            continue;
        interpolate_modes(model, at, rows->part.pca.factor + i * d * p);
        rows->left[i] += modes_left_out(model, at, rows->buffer);
    }
}
