/* The mean of stated deviations as an error in space or in the plane. */
#include "outcome/expected.h"

#include <math.h>

#define IN_PLANE 1.253314137315500251208 /* sqrt(pi / 2) */
#define IN_SPACE 1.595769121605730711760 /* sqrt(8 / pi) */

static double mean_of(double sum, int64_t count)
{
    return count > 0 ? sum / (double)count : (double)NAN;
}

static double factor_of(int dimension)
{
    return dimension == 3 ? IN_SPACE : IN_PLANE;
}

double sfgp_expected_error(const sfgp_em *em)
{
    const sfgp_basis *basis = em->problem->basis;
    double sum = 0;
    for (int64_t i = 0; i < basis->count; i++)
        sum += sqrt(em->state.variance[i]);
    return factor_of(basis->dimension) * sum / (double)basis->count;
}

void sfgp_result_expect(sfgp_result *result)
{
    const double each = factor_of(result->dimension);
    double observed = 0, missing = 0;
    for (int64_t i = 0; i < result->count; i++)
        *(result->missing[i] ? &missing : &observed) += each * result->sd[i];
    result->expected_error = mean_of(observed + missing, result->count);
    result->expected_error_observed = mean_of(observed, result->count - result->missing_count);
    result->expected_error_missing = mean_of(missing, result->missing_count);
}
