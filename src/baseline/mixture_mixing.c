/* The mixing weights of BCPD (Hirose, IEEE TPAMI 43(7), 2021) and the digamma function that they need. */
#include "baseline/mixture.h"

#include <math.h>

/* psi(x) = psi(x + 1) - 1/x up to 10, then Stirling's series, whose next term is 3617 / (8160 x^16) < 5e-17.
 * Source: Abramowitz, Stegun, 6.3.5 and 6.3.18. */
double sfgp_mixture_digamma(double x)
{
    static const double COEFFICIENTS[] = {-1.0 / 12,  1.0 / 120,     -1.0 / 252, 1.0 / 240,
                                          -1.0 / 132, 691.0 / 32760, -1.0 / 12};
    double shift = 0, power = 1, series = 0;
    while (x < 10) {
        shift -= 1 / x;
        x++;
    }
    for (size_t k = 0; k < sizeof COEFFICIENTS / sizeof *COEFFICIENTS; k++) {
        power /= x * x;
        series += COEFFICIENTS[k] * power;
    }
    return shift + log(x) - 0.5 / x + series;
}

void sfgp_mixture_mix(double kappa, double thinning, const sfgp_responsibilities *labels, double *mixing)
{
    const double n = (double)labels->count;
    double mass = 0;
    for (int64_t i = 0; i < labels->count; i++)
        mass += thinning * labels->mass[i];
    const double whole = sfgp_mixture_digamma(kappa * n + mass);
    for (int64_t i = 0; i < labels->count; i++)
        mixing[i] = sfgp_mixture_digamma(kappa + thinning * labels->mass[i]) - whole + log(n);
}
