#include "support/support.h"

#include <math.h>

#define FOLDER SFGP_SOURCE_DIR "/data/demo"
#define ROUNDING 1e-6 /* mm; the files keep all bits, but libraries differ in the last bit of exp and cos */

typedef struct demo {
    sfgp_mesh *reference, *truth, *scan;
    unsigned char *mask;
} demo;

static demo make(sfgp_context *context)
{
    demo made;
    sfgp_assert_ok(context,
                   sfgp_simulate_demo(context, &made.reference, &made.truth, &made.scan, &made.mask));
    return made;
}

static void release(demo *made)
{
    sfgp_mesh_free(made->reference);
    sfgp_mesh_free(made->truth);
    sfgp_mesh_free(made->scan);
    sfgp_mask_free(made->mask);
}

static void compare(sfgp_context *context, const char *path, const sfgp_mesh *made)
{
    sfgp_mesh *stored;
    sfgp_assert_ok(context, sfgp_mesh_read(context, path, &stored));
    assert_int_equal(stored->count, made->count);
    assert_int_equal(stored->dimension, made->dimension);
    assert_int_equal(stored->face_count, made->face_count);
    for (int64_t k = 0; k < 3 * made->count; k++)
        assert_true(fabs(stored->points[k] - made->points[k]) < ROUNDING);
    for (int64_t k = 0; k < 3 * made->face_count; k++)
        assert_int_equal(stored->face_points[k], made->face_points[k]);
    sfgp_mesh_free(stored);
}

static void the_files_are_made_by_the_library(void **state)
{
    demo made = make(*state);
    unsigned char *mask;
    compare(*state, FOLDER "/reference.ply", made.reference);
    compare(*state, FOLDER "/truth.ply", made.truth);
    compare(*state, FOLDER "/scan.ply", made.scan);
    sfgp_assert_ok(*state, sfgp_mask_read(*state, FOLDER "/truth_missing.txt", made.truth->count, &mask));
    assert_memory_equal(mask, made.mask, (size_t)made.truth->count);
    sfgp_mask_free(mask);
    release(&made);
}

static void the_demo_is_as_described(void **state)
{
    demo made = make(*state);
    int64_t missing = 0, outliers = llround(0.05 * (double)made.truth->count);
    sfgp_evaluation start;
    for (int64_t k = 0; k < made.truth->count; k++)
        missing += made.mask[k];
    assert_true((double)missing > 0.25 * (double)made.truth->count);
    assert_true((double)missing < 0.30 * (double)made.truth->count);
    assert_int_equal(made.scan->count, made.truth->count - missing + outliers);
    sfgp_assert_ok(*state, sfgp_evaluate(*state, made.reference, made.truth, made.mask, &start));
    assert_true(start.all.mean > 2 && start.all.mean < 6);
    release(&made);
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    sfgp_mesh *reference, *truth, *scan;
    unsigned char *mask;
    long needed, live = sfgp_memory_counters.live;
    sfgp_memory_counters.allocations = 0;
    demo made = make(*state);
    needed = sfgp_memory_counters.allocations;
    release(&made);
    for (long at = needed - 1; at >= 0; at -= 3) { /* each attempt makes an ear: every third is enough */
        sfgp_memory_counters.fail_at = at;
        sfgp_assert_status(*state, sfgp_simulate_demo(*state, &reference, &truth, &scan, &mask),
                           SFGP_ERROR_MEMORY);
        assert_true(!reference && !truth && !scan && !mask);
        assert_int_equal(sfgp_memory_counters.live, live);
    }
}

static void what_is_missing_is_refused(void **state)
{
    demo made = {0};
    assert_int_equal(sfgp_simulate_demo(NULL, &made.reference, &made.truth, &made.scan, &made.mask),
                     SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_demo(*state, NULL, &made.truth, &made.scan, &made.mask),
                     SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_demo(*state, &made.reference, NULL, &made.scan, &made.mask),
                     SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_demo(*state, &made.reference, &made.truth, NULL, &made.mask),
                     SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_demo(*state, &made.reference, &made.truth, &made.scan, NULL),
                     SFGP_ERROR_PARAMETER);
    assert_true(!made.reference && !made.truth && !made.scan && !made.mask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(what_is_missing_is_refused),
        sfgp_unit_test(the_files_are_made_by_the_library),
        sfgp_unit_test(the_demo_is_as_described),
        sfgp_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
