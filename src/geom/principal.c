/* The eigenvectors of the covariance. */
#include "geom/principal.h"
#include "linalg/dense.h"

sfgp_status sfgp_principal_of(sfgp_context *context, int64_t count, int d, const double *points,
                              sfgp_principal *p)
{
    double spread[9] = {0}, values[3];
    *p = (sfgp_principal){.square = 0};
    for (int64_t k = 0; k < count * d; k++)
        p->centre[k % d] += points[k] / (double)count;
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < d * d; k++)
            spread[k] += (points[i * d + k / d] - p->centre[k / d]) *
                         (points[i * d + k % d] - p->centre[k % d]) / (double)count;
    for (int a = 0; a < d; a++)
        p->square += spread[a * (d + 1)];
    return sfgp_dense_eigen(context, d, spread, values, p->axes);
}
