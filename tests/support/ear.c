#include "support/ear.h"

#include "geom/area.h"
#include "geom/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

sfgp_mesh *test_ear_on_plate(sfgp_context *context, const sfgp_mesh *scan)
{
    double middle[3], area;
    const double extent = sfgp_points_extent(scan->count, 3, scan->points, middle);
    sfgp_assert_ok(context, sfgp_points_area(context, scan->count, scan->points, 1, &area));
    const double step = sqrt(area / (double)scan->count), half = 3 * extent;
    const int64_t side = (int64_t)(2 * half / step), count = scan->count + side * side;
    sfgp_mesh *mesh;
    sfgp_assert_ok(context, sfgp_mesh_new(context, count, 3, 0, 0, &mesh));
    memcpy(mesh->points, scan->points, (size_t)scan->count * 3 * sizeof(double));
    for (int64_t k = 0; k < side * side; k++) {
        double *x = mesh->points + 3 * (scan->count + k);
        x[0] = middle[0] - half + step * (double)(k % side);
        x[1] = middle[1] - half + step * (double)(k / side);
        x[2] = middle[2] - extent;
    }
    return mesh;
}
