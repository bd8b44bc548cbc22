/* What of a scan lies over the inside of a shape, and what beyond its border (search/inside.h, ADR 0125). */
#include "search/inside.h"
#include "support/corrupt.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>

enum { N = 450, SIDE = 8, PATCH = SIDE * SIDE };

/* ---- a wavy sheet: the points in its middle come first ----------------------------------------------------- */

static double most(const test_scene *s, int axis)
{
    double largest = -HUGE_VAL;
    for (int i = 0; i < N; i++)
        largest = fmax(largest, s->solver->em->state.points[3 * i + axis]);
    return largest;
}

/* Rows of the patch that nothing explains: in the plane of x and y, 0.1 apart, about the middle of the first and from its row on. */
static void lay(const test_scene *s, int first, int rows, const double *middle)
{
    sfgp_em *em = s->solver->em;
    for (int j = SIDE * first; j < SIDE * (first + rows); j++) {
        double *point = em->view.points + 3 * j;
        for (int a = 0; a < 3; a++)
            point[a] = middle[a];
        point[0] += 0.1 * (j % SIDE - 3.5), point[1] += 0.1 * (j / SIDE - first - 3.5);
        em->responsibilities.explained[j] = 0;
    }
}

static double share_of(sfgp_context *context, const test_scene *s)
{
    double share = -1;
    sfgp_assert_ok(context, sfgp_inside_share(s->solver->em, &share));
    return share;
}

static void over_the_middle_is_inside(void **state)
{
    test_scene s = test_scene_settled(*state, N, 3);
    assert_true(share_of(*state, &s) == 0);
    lay(&s, 0, SIDE, (double[]){0, 0, most(&s, 2) + 0.3});
    assert_true(share_of(*state, &s) == 1);
    lay(&s, 0, SIDE,
        (double[]){0.4 * most(&s, 0), 0.2 * most(&s, 1), most(&s, 2) + 0.3}); /* on one side of the middle */
    assert_true(share_of(*state, &s) == 1);
    test_scene_free(&s);
}

static void beyond_the_border_is_not(void **state)
{
    test_scene s = test_scene_settled(*state, N, 3);
    lay(&s, 0, SIDE, (double[]){most(&s, 0) + 0.6, 0, 0});
    assert_true(share_of(*state, &s) == 0);
    lay(&s, 4, 4, (double[]){0, 0, most(&s, 2) + 0.3});
    print_message("%g of both\n", share_of(*state, &s));
    assert_true(fabs(share_of(*state, &s) - 0.5) < 0.1);
    test_scene_free(&s);
}

/* The points of the middle, which come first, lifted by 1 and by 2 spacings: 1.5 is the limit. */
static void what_is_near_to_the_fit_is_not_counted(void **state)
{
    test_scene s = test_scene_settled(*state, N, 3);
    sfgp_em *em = s.solver->em;
    for (int k = 0; k < 2; k++) {
        for (int j = 0; j < PATCH; j++) {
            em->responsibilities.explained[j] = 0;
            em->view.points[3 * j + 2] += 0.1;
        }
        assert_true(share_of(*state, &s) == k);
    }
    test_scene_free(&s);
}

static sfgp_status measure(sfgp_context *context, void *data)
{
    const test_scene *s = data;
    double share;
    (void)context;
    return sfgp_inside_share(s->solver->em, &share);
}

static void it_fails_cleanly_without_memory(void **state)
{
    test_scene s = test_scene_settled(*state, N, 3);
    lay(&s, 0, SIDE, (double[]){0, 0, most(&s, 2) + 0.3});
    assert_true(sfgp_sweep_allocations(*state, measure, &s) > 4);
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(over_the_middle_is_inside),
        sfgp_unit_test(beyond_the_border_is_not),
        sfgp_unit_test(what_is_near_to_the_fit_is_not_counted),
        sfgp_unit_test(it_fails_cleanly_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
