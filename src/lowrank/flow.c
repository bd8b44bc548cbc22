/* One implicit step of heat flow. Equation in flow.h. */
#include "lowrank/flow.h"
#include "base/memory.h"
#include "linalg/ldl.h"
#include "lowrank/harmonics.h"

enum { AXES = 3 };

static sfgp_status factorise(sfgp_context *context, const sfgp_laplacian *laplacian, double kappa2,
                             sfgp_ldl **ldl)
{
    sfgp_sparse lower = {0};
    sfgp_status status = sfgp_laplacian_shift(context, laplacian, kappa2, &lower);
    if (status == SFGP_OK)
        status = sfgp_ldl_new(context, &lower, ldl);
    if (status == SFGP_OK)
        status = sfgp_ldl_factorise(context, &lower, *ldl);
    sfgp_sparse_clear(&lower);
    return status;
}

/* (C / t + G) x' = C x / t, axis by axis. */
sfgp_status sfgp_flow(sfgp_context *context, const sfgp_laplacian *laplacian, double length,
                      const double *points, double *smooth)
{
    const int64_t n = laplacian->count;
    const double kappa2 = 1 / (length * length);
    sfgp_ldl *ldl = NULL;
    double *x = NULL;
    sfgp_status status = sfgp_allocate(context, AXES * n, &x);
    if (status == SFGP_OK)
        status = factorise(context, laplacian, kappa2, &ldl);
    for (int64_t k = 0; status == SFGP_OK && k < AXES * n; k++)
        x[k % AXES * n + k / AXES] = kappa2 * laplacian->mass[k / AXES] * points[k];
    if (status == SFGP_OK)
        sfgp_ldl_solve(ldl, AXES, x);
    for (int64_t k = 0; status == SFGP_OK && k < AXES * n; k++)
        smooth[k] = x[k % AXES * n + k / AXES];
    sfgp_ldl_free(ldl);
    sfgp_free(x);
    return status;
}
