/* Squared exponential kernel: variance * exp(-|x - y|^2 / (2 length^2)). */
#include "base/exponential.h"
#include "kernel/kernel.h"

static void add(int64_t n, double length, double variance, const double *distance2, double *values)
{
    sfgp_exponential_add(n, variance, -0.5 / (length * length), distance2, values);
}

const sfgp_kernel_type sfgp_kernel_se = {"se", add};
