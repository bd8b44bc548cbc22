#include "model/coefficients.h"
#include "linalg/thin.h"

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
    sfgp_thin_multiply(n, s, d, model->scalar.values + first * s, c, rows);
    sfgp_thin_multiply(n * d, p, 1, model->pca.factor + first * d * p, c + s * d, rows);
}

void sfgp_coefficients_pull(const sfgp_model *model, const double *r, int64_t first, int64_t end, double *g)
{
    const int64_t s = model->scalar.rank, p = model->pca.modes, d = model->dimension, n = end - first;
    sfgp_thin_cross(n, s, d, model->scalar.values + first * s, r + first * d, g);
    sfgp_thin_cross(n * d, p, 1, model->pca.factor + first * d * p, r + first * d, g + s * d);
}
