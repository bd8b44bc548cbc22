/* The score test of adapted shapes. Equation in adapt_gain.h. */
#include "fit/adapt_gain.h"
#include "base/memory.h"
#include "em/mstep.h"

/* Directions, with what the prior cannot express of them. */
typedef struct test {
    const sfgp_em *em;
    double *weights;   /* N: W */
    double *residuals; /* N x 3: r */
    double *left[2];   /* N x 3: W (s - posterior mean of s) */
    sfgp_posterior posterior;
} test;

static void test_clear(test *t)
{
    sfgp_free(t->weights);
    sfgp_free(t->residuals);
    for (int k = 0; k < 2; k++)
        sfgp_free(t->left[k]);
    sfgp_posterior_clear(&t->posterior);
}

static sfgp_status test_new(const sfgp_solver *solver, test *t)
{
    const int64_t n = solver->model->count;
    *t = (test){.em = solver->em};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(solver->context, n, &t->weights)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, 3 * n, &t->residuals)) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, 3 * n, &t->left[0])) != SFGP_OK ||
        (status = sfgp_allocate(solver->context, 3 * n, &t->left[1])) != SFGP_OK ||
        (status = sfgp_posterior_new(solver->context, solver->problem.basis, &t->posterior)) != SFGP_OK)
        return status;
    t->posterior.prior = solver->em->posterior.prior;
    sfgp_em_weigh_shifts(t->em, t->weights, t->residuals);
    return SFGP_OK;
}

/* left_k = W (s_k - posterior mean of s_k) */
static sfgp_status explain(test *t, int k, const double *moves)
{
    const sfgp_basis *basis = t->em->problem->basis;
    const sfgp_status status = sfgp_posterior_update(t->em->context, t->weights, moves, &t->posterior);
    for (int64_t i = 0; status == SFGP_OK && i < 3 * basis->count; i++)
        t->left[k][i] = t->weights[i / 3] * (moves[i] - (t->posterior.mean[i] - basis->mean[i]));
    return status;
}

static double product(const test *t, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < 3 * t->em->problem->basis->count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* g' H^-1 g / 2 */
static double gain_of(const test *t, const double *moves[2])
{
    const double g0 = product(t, moves[0], t->residuals), h00 = product(t, moves[0], t->left[0]);
    if (!moves[1])
        return g0 * g0 / h00 / 2;
    const double g1 = product(t, moves[1], t->residuals), h11 = product(t, moves[1], t->left[1]),
                 h01 = product(t, moves[0], t->left[1]);
    return (g0 * g0 * h11 - 2 * g0 * g1 * h01 + g1 * g1 * h00) / (h00 * h11 - h01 * h01) / 2;
}

sfgp_status sfgp_adapt_gain(const sfgp_solver *solver, const double *moves[2], double *gain)
{
    test t;
    sfgp_status status = test_new(solver, &t);
    if (status == SFGP_OK)
        status = explain(&t, 0, moves[0]);
    if (status == SFGP_OK && moves[1])
        status = explain(&t, 1, moves[1]);
    if (status == SFGP_OK)
        *gain = gain_of(&t, moves);
    test_clear(&t);
    return status;
}
