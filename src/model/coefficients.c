#include "model/coefficients.h"
#include "linalg/dense.h"

#include <string.h>

int64_t sfgp_coefficients_size(const sfgp_model *model)
{
    return model->scalar.rank * model->dimension + model->pca.modes;
}

void sfgp_coefficients_place(const sfgp_model *model, const double *c, int64_t first, int64_t end,
                             double *points)
{
    const int64_t s = model->scalar.rank, p = model->pca.modes, d = model->dimension, n = end - first;
    double *rows = points + first * d;
    memcpy(rows, model->prior_mean + first * d, (size_t)(n * d) * sizeof *rows);
    if (s > 0)
        sfgp_dense_multiply(n, s, d, 1.0, model->scalar.values + first * s, s, c, rows, d);
    if (p > 0)
        sfgp_dense_multiply(n * d, p, 1, 1.0, model->pca.factor + first * d * p, p, c + s * d, rows, 1);
}

void sfgp_coefficients_pull(const sfgp_model *model, const double *r, int64_t first, int64_t end, double *g)
{
    const int64_t s = model->scalar.rank, p = model->pca.modes, d = model->dimension, n = end - first;
    if (s > 0)
        sfgp_dense_cross(n, s, d, 1.0, model->scalar.values + first * s, r + first * d, g);
    if (p > 0)
        sfgp_dense_cross(n * d, p, 1, 1.0, model->pca.factor + first * d * p, r + first * d, g + s * d);
}
