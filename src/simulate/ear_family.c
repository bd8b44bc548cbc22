/* The parameters of an ear: drawn by a seed from the table in ear_family.h. */
#include "simulate/ear_family.h"

#include "base/random.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692
#define CUT 2.0               /* standard deviations at which the normals are cut */
#define LEAST_WAVELENGTH 45.0 /* mm */
#define MOST_WAVELENGTH 110.0

static double cut_normal(sfgp_random *random)
{
    double z = sfgp_random_normal(random);
    while (fabs(z) > CUT)
        z = sfgp_random_normal(random);
    return z;
}

static sfgp_ear_wave draw_wave(sfgp_random *random)
{
    sfgp_ear_wave wave;
    double turn = TWO_PI * sfgp_random_uniform(random);
    double wavelength = LEAST_WAVELENGTH + (MOST_WAVELENGTH - LEAST_WAVELENGTH) * sfgp_random_uniform(random);
    wave.direction[0] = TWO_PI / wavelength * cos(turn);
    wave.direction[1] = TWO_PI / wavelength * sin(turn);
    wave.phase = TWO_PI * sfgp_random_uniform(random);
    for (int axis = 0; axis < 3; axis++) /* a cosine has variance 1/2; the waves add up to one deviation */
        wave.amplitude[axis] = SFGP_EAR_WAVE_MM * sqrt(2.0 / SFGP_EAR_WAVES) * cut_normal(random);
    return wave;
}

sfgp_ear_family sfgp_ear_draw(uint64_t seed)
{
    sfgp_ear_family family = {
#define SFGP_EAR_MEAN(name, mean, deviation, meaning) .name = mean,
        SFGP_EAR_PARAMETERS(SFGP_EAR_MEAN)
#undef SFGP_EAR_MEAN
    };
    if (seed == 0)
        return family;
    sfgp_random random = sfgp_random_of(seed);
#define SFGP_EAR_DRAW(name, mean, deviation, meaning) family.name += (deviation)*cut_normal(&random);
    SFGP_EAR_PARAMETERS(SFGP_EAR_DRAW)
#undef SFGP_EAR_DRAW
    for (int k = 0; k < SFGP_EAR_WAVES; k++)
        family.waves[k] = draw_wave(&random);
    return family;
}
