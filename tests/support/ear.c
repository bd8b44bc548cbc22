#include "support/ear.h"

#include <stdlib.h>

test_ear test_ear_new(sfgp_context *context, int resolution, uint64_t seed, test_ear_damage how)
{
    test_ear ear;
    sfgp_damage damage;
    sfgp_damage_default(&damage);
    damage.seed = how.seed;
    damage.holes = 3, damage.hole_radius = 0.4;
    damage.noise = how.noise, damage.outliers = 0.05;
    damage.rotation = how.rotation;
    sfgp_assert_ok(context, sfgp_simulate_ear(context, resolution, 0, &ear.reference));
    sfgp_assert_ok(context, sfgp_simulate_ear(context, resolution, seed, &ear.truth));
    ear.missing = calloc((size_t)ear.truth->count, 1);
    assert_non_null(ear.missing);
    sfgp_assert_ok(context, sfgp_simulate_scan(context, ear.truth, &damage, &ear.target, ear.missing));
    return ear;
}

void test_ear_free(test_ear *ear)
{
    sfgp_mesh_free(ear->reference);
    sfgp_mesh_free(ear->truth);
    sfgp_mesh_free(ear->target);
    free(ear->missing);
}
