#include "support/corrupt.h"
#include "geom/frame.h"

#include <math.h>
#include <string.h>

static void a_fish_is_as_described(void **state)
{
    sfgp_mesh *fish;
    sfgp_frame frame;
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &fish));
    assert_true(fish->count == 98 && fish->dimension == 2 && fish->face_count == 0);
    for (int k = 0; k < 2 * 98; k++)
        assert_true(fish->points[k] > 0 && fish->points[k] < 1);
    sfgp_assert_ok(*state, sfgp_frame_of(*state, "fish", fish, &frame));
    assert_true(fabs(frame.scale - 0.235) < 0.005); /* radius of the benchmark's reference */
    sfgp_mesh_free(fish);
}

static void its_points_keep_apart(void **state)
{
    sfgp_mesh *fish;
    double least = INFINITY;
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &fish));
    for (int i = 0; i < 98; i++)
        for (int j = 0; j < i; j++)
            least = fmin(least, hypot(fish->points[2 * i] - fish->points[2 * j],
                                      fish->points[2 * i + 1] - fish->points[2 * j + 1]));
    assert_true(least > 0.01); /* the noise of the benchmark's second level */
    sfgp_mesh_free(fish);
}

static void it_is_always_the_same(void **state)
{
    sfgp_mesh *a, *b;
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &a));
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &b));
    assert_memory_equal(a->points, b->points, 2 * 98 * sizeof(double));
    sfgp_mesh_free(a), sfgp_mesh_free(b);
}

static sfgp_status simulate(sfgp_context *context, void *user)
{
    sfgp_mesh *fish;
    const sfgp_status status = sfgp_simulate_fish(context, &fish);
    (void)user;
    assert_true((status == SFGP_OK) == (fish != NULL));
    sfgp_mesh_free(fish);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    sfgp_mesh *fish;
    assert_true(sfgp_sweep_allocations(*state, simulate, NULL) > 0);
    assert_int_equal(sfgp_simulate_fish(*state, NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_fish(NULL, &fish), SFGP_ERROR_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_fish_is_as_described),
        sfgp_unit_test(its_points_keep_apart),
        sfgp_unit_test(it_is_always_the_same),
        sfgp_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
