/* Minimum of a smooth function by libLBFGS: its callbacks, its stopping rules and its error codes in our
 * terms. */
#include "linalg/minimise.h"
#include "base/memory.h"

#include <lbfgs.h>
#include <limits.h>
#include <math.h>
#include <string.h>

_Static_assert(sizeof(lbfgsfloatval_t) == sizeof(double), "libLBFGS works in doubles");

/* libLBFGS built for SSE needs a multiple of 16 variables. The added ones stay 0, with gradient 0. */
enum { VECTOR = 16 };

typedef struct search {
    const sfgp_problem *problem;
    sfgp_minimum *minimum;
    int64_t padded;
} search;

static lbfgsfloatval_t evaluate(void *user, const lbfgsfloatval_t *x, lbfgsfloatval_t *gradient, int n,
                                lbfgsfloatval_t step)
{
    const search *own = user;
    const sfgp_problem *problem = own->problem;
    (void)n, (void)step;
    memset(gradient + problem->n, 0, (size_t)(own->padded - problem->n) * sizeof *gradient);
    return problem->objective(problem->user, x, gradient);
}

/* NOLINTNEXTLINE(readability-function-size): the arguments that libLBFGS gives */
static int accept(void *user, const lbfgsfloatval_t *x, const lbfgsfloatval_t *gradient,
                  lbfgsfloatval_t value, lbfgsfloatval_t x_norm, lbfgsfloatval_t gradient_norm,
                  lbfgsfloatval_t step, int n, int iteration, int evaluations)
{
    const search *own = user;
    const sfgp_problem *problem = own->problem;
    (void)gradient, (void)x_norm, (void)gradient_norm, (void)step, (void)n, (void)evaluations;
    own->minimum->iterations = iteration;
    own->minimum->value = value;
    return problem->observe && problem->observe(problem->user, iteration, x);
}

/* Outcomes that count as converged. A line search that finds nothing lower has reached the limit that
 * rounding, or a kink of f, sets. */
static bool is_end(int outcome)
{
    return outcome == LBFGS_SUCCESS || outcome == LBFGS_STOP || outcome == LBFGS_ALREADY_MINIMIZED ||
           outcome == LBFGSERR_ROUNDING_ERROR || outcome == LBFGSERR_MINIMUMSTEP ||
           outcome == LBFGSERR_MAXIMUMLINESEARCH || outcome == LBFGSERR_WIDTHTOOSMALL ||
           outcome == LBFGSERR_INCREASEGRADIENT;
}

/* Of the iterations or of a step. */
static bool is_limit(int outcome)
{
    static const int LIMITS[] = {LBFGSERR_MAXIMUMITERATION, LBFGSERR_MAXIMUMSTEP, LBFGSERR_OUTOFINTERVAL,
                                 LBFGSERR_INCORRECT_TMINMAX};
    bool found = false;
    for (size_t k = 0; k < sizeof LIMITS / sizeof *LIMITS; k++)
        found = found || outcome == LIMITS[k];
    return found;
}

static sfgp_status check_outcome(sfgp_context *context, int outcome, sfgp_minimum *minimum)
{
    minimum->converged = is_end(outcome);
    if (outcome == LBFGSERR_OUTOFMEMORY)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory: L-BFGS");
    if (is_end(outcome) || is_limit(outcome))
        return SFGP_OK;
    /* GCOVR_EXCL_START: its other codes are of parameters that are not given */
    return sfgp_fail(context, SFGP_ERROR_NUMERIC, "L-BFGS: stopped with code %d of libLBFGS", outcome);
    /* GCOVR_EXCL_STOP */
}

static sfgp_status run(sfgp_context *context, const sfgp_problem *problem, search *own, double *x)
{
    lbfgs_parameter_t parameters;
    lbfgs_parameter_init(&parameters);
    parameters.epsilon = problem->gradient;
    parameters.max_iterations = problem->max_iterations < INT_MAX ? (int)problem->max_iterations : INT_MAX;
    return check_outcome(context, lbfgs((int)own->padded, x, NULL, evaluate, accept, own, &parameters),
                         own->minimum);
}

sfgp_status sfgp_minimise(sfgp_context *context, const sfgp_problem *problem, double *x,
                          sfgp_minimum *minimum)
{
    const int64_t n = problem->n;
    search own = {problem, minimum, (n + VECTOR - 1) / VECTOR * VECTOR};
    double *work = NULL; /* x and the gradient at the start, padded */
    *minimum = (sfgp_minimum){.value = 0};
    if (own.padded > INT_MAX / 2)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "too large: L-BFGS in %lld variables", (long long)n);
    sfgp_status status = sfgp_allocate(context, 2 * own.padded, &work);
    if (status != SFGP_OK)
        return status;
    memcpy(work, x, (size_t)n * sizeof *x);
    minimum->value = evaluate(&own, work, work + own.padded, (int)own.padded, 0);
    if (!isfinite(minimum->value))
        status = sfgp_fail(context, SFGP_ERROR_NUMERIC, "L-BFGS: the function is not finite where it starts");
    else if (problem->max_iterations > 0)
        status = run(context, problem, &own, work);
    memcpy(x, work, (size_t)n * sizeof *x);
    sfgp_free(work);
    return status;
}
