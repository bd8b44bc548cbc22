/* The demonstration in data/demo: one place for its parameters. */
#include "base/memory.h"

#define RINGS 38
#define TRUTH_SEED 4
static const sfgp_damage damage = {.holes = 3,
                                   .hole_radius = 0.5,
                                   .noise = 0.003,
                                   .outliers = 0.05,
                                   .rotation = 2.9793805346802804, /* degrees: 0.052 radians */
                                   .translation = 0.03,
                                   .scale = 0.02,
                                   .seed = 14};

sfgp_status sfgp_simulate_demo(sfgp_context *context, sfgp_mesh **reference, sfgp_mesh **truth,
                               sfgp_mesh **scan, unsigned char **mask)
{
    sfgp_status status = SFGP_OK;
    if (!context || !reference || !truth || !scan || !mask)
        return SFGP_ERROR_PARAMETER;
    *reference = *truth = *scan = NULL;
    *mask = NULL;
    if ((status = sfgp_simulate_ear(context, RINGS, 0, reference)) == SFGP_OK &&
        (status = sfgp_simulate_ear(context, RINGS, TRUTH_SEED, truth)) == SFGP_OK &&
        (status = sfgp_allocate(context, (*truth)->count, mask)) == SFGP_OK &&
        (status = sfgp_simulate_scan(context, *truth, &damage, scan, *mask)) == SFGP_OK)
        return SFGP_OK;
    sfgp_mesh_free(*reference);
    sfgp_mesh_free(*truth);
    sfgp_free(*mask);
    *reference = *truth = NULL;
    *mask = NULL;
    return status;
}
