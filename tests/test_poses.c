/* Poses of a rigid search: a scan, or a part of one, is found where it lies, and what is not clear is said. */
#include "search/poses.h"
#include "geom/measure.h"
#include "geom/rotations.h"
#include "search/effort.h"
#include "search/tuning.h"
#include "support/curve.h"
#include "support/fit.h"
#include "support/shapes.h"
#include "support/rotation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE 0.017453292519943295

typedef struct found {
    sfgp_shortlist list;
    bool sure;
} found;

static found find(sfgp_context *context, const sfgp_em *em)
{
    found f = {.list = {.count = 0}};
    assert_true(sfgp_poses_apply(em->problem));
    sfgp_assert_ok(context,
                   sfgp_poses_find(context, em->problem, em->problem->basis->mean, &f.list, &f.sure));
    return f;
}

/* The rotation from the reference to the truth in the frame, by all points. */
static sfgp_similarity true_pose(const test_fit *fit)
{
    double *truth = malloc((size_t)fit->n * 3 * sizeof *truth);
    const sfgp_pairs pairs = {.count = fit->n, .dimension = 3, .from = fit->model->reference, .to = truth};
    sfgp_similarity pose = sfgp_similarity_identity(3);
    sfgp_frame_enter(&fit->model->frame, fit->n, fit->truth->points, truth);
    assert_true(sfgp_similarity_fit(SFGP_ALIGN_RIGID, &pairs, &pose));
    free(truth);
    return pose;
}

static double degrees_between(const sfgp_similarity *a, const sfgp_similarity *b)
{
    return acos(sfgp_rotation_cosine_between(a->rotation, b->rotation, 3)) / DEGREE;
}

/* Points of the scan on one side of a plane through its middle: half of a half-seen shape. */
static void cut_target(sfgp_mesh *target)
{
    double middle[3];
    int64_t kept = 0;
    sfgp_points_extent(target->count, 3, target->points, middle);
    for (int64_t k = 0; k < target->count; k++)
        if (target->points[3 * k] + target->points[3 * k + 1] > middle[0] + middle[1])
            memcpy(target->points + 3 * kept++, target->points + 3 * k, 3 * sizeof(double));
    target->count = kept;
}

/* The ears of these seeds, turned; the refinement ends within some degrees of the rigid motion nearest to the truth. */
static void a_turned_scan_is_found_where_it_lies(void **state)
{
    static const double degrees[] = {70, 110, 180};
    for (int k = 0; k < 3; k++) {
        test_fit fit = test_fit_ear(*state, 5 + (uint64_t)k, degrees[k], 0.01, false);
        const sfgp_similarity truth = true_pose(&fit);
        sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
        const found f = find(*state, fit.em);
        assert_true(f.list.count >= 1);
        const double angle = degrees_between(&f.list.best[0].start.pose, &truth);
        if (!(angle < 15))
            fail_msg("turned by %g: best pose %g degrees away", degrees[k], angle);
        assert_true(test_is_rotation(f.list.best[0].start.pose.rotation, 3, 1e-12));
        for (int l = 1; l < f.list.count; l++)
            assert_true(f.list.best[l].score <= f.list.best[l - 1].score);
        test_fit_free(&fit);
    }
}

/* The middle of half a scan is not that of the shape. */
static void half_of_a_turned_scan_is_found(void **state)
{
    test_fit fit = test_fit_ear(*state, 5, 110, 0.01, false);
    const sfgp_similarity truth = true_pose(&fit);
    cut_target(fit.target);
    assert_true(fit.target->count < 2000);
    sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
    const found f = find(*state, fit.em);
    assert_true(degrees_between(&f.list.best[0].start.pose, &truth) < 15);
    test_fit_free(&fit);
}

enum { AROUND = 20000 };

/* The scan, and a bowl around it that is open where the scan is: many times its area. */
static sfgp_mesh *with_a_bowl(sfgp_context *context, const sfgp_mesh *scan)
{
    double middle[3], *points = malloc((size_t)(scan->count + AROUND) * 3 * sizeof *points);
    const double radius = sfgp_points_extent(scan->count, 3, scan->points, middle);
    memcpy(points, scan->points, (size_t)scan->count * 3 * sizeof *points);
    for (int k = 0; k < AROUND; k++) {
        const double r = radius * sqrt(1.5 * 1.5 + 20 * (double)k / AROUND), angle = 2.399963 * k;
        double *point = points + 3 * (scan->count + k);
        point[0] = middle[0] + r * cos(angle);
        point[1] = middle[1] + r * sin(angle) + 0.5 * radius;
        point[2] = middle[2] + 0.1 * r * r / radius - 0.4 * radius;
    }
    sfgp_mesh *made = test_mesh(context, scan->count + AROUND, 3, points);
    free(points);
    return made;
}

/* The middle of the scan is not that of the ear, and most of its points are not on it. */
static void an_ear_is_found_in_a_scan_of_more_at_any_turn(void **state)
{
    static const double degrees[] = {0, 110, 180};
    for (int k = 0; k < 3; k++) {
        test_fit fit = test_fit_ear(*state, 5 + (uint64_t)k, degrees[k], 0.01, false);
        const sfgp_similarity truth = true_pose(&fit);
        sfgp_mesh *more = with_a_bowl(*state, fit.target);
        sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, more));
        assert_true(fit.em->problem->clutter > 0.5);
        const found f = find(*state, fit.em);
        const sfgp_similarity *best = &f.list.best[0].start.pose;
        const double angle = degrees_between(best, &truth),
                     apart = sfgp_points_distance(3, best->shift, truth.shift);
        if (!(angle < 15 && apart < 0.2))
            fail_msg("turned by %g: best pose %g degrees and %g radii away", degrees[k], angle, apart);
        sfgp_mesh_free(more);
        test_fit_free(&fit);
    }
}

/* The pose nearly in place is that in place, exactly. */
static void a_scan_in_place_is_found_there(void **state)
{
    test_fit fit = test_fit_ear(*state, 5, 4, 0.01, false);
    sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
    const found f = find(*state, fit.em);
    assert_true(f.sure);
    assert_true(sfgp_similarity_is_identity(&f.list.best[0].start.pose));
    for (int k = 1; k < f.list.count; k++)
        assert_false(sfgp_similarity_is_identity(&f.list.best[k].start.pose));
    test_fit_free(&fit);
}

enum { BALL = 600 };

/* Even points of a ball. */
static void make_ball(double *points)
{
    for (int64_t i = 0; i < BALL; i++) {
        const double z = 1 - (2 * (double)i + 1) / BALL, r = sqrt(1 - z * z),
                     angle = 2.399963229728653 * (double)i;
        points[3 * i] = r * cos(angle);
        points[3 * i + 1] = r * sin(angle);
        points[3 * i + 2] = z;
    }
}

/* Of a reference in a target, both freed. place: comes into the frame; NULL: none does. */
static found find_in(sfgp_context *context, sfgp_mesh *reference, sfgp_mesh *target, double *place)
{
    sfgp_settings settings = test_settings();
    sfgp_model *model = test_model(context, reference, &settings);
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_assert_ok(context, sfgp_solver_load(solver, target));
    const found f = find(context, solver->em);
    if (place)
        sfgp_frame_enter(&model->frame, 1, place, place);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    return f;
}

/* Of the ball, turned by so many radians about (1, 1, 1) and moved; and where its middle is in the frame. */
static found find_ball(sfgp_context *context, double angle, double shift, double middle[3])
{
    static double points[3 * BALL], moved[3 * BALL];
    const double c = (1 + 2 * cos(angle)) / 3, p = (1 - cos(angle)) / 3, q = sin(angle) / sqrt(3);
    const sfgp_similarity turn = {3, 1, {c, p - q, p + q, p + q, c, p - q, p - q, p + q, c}, {shift, 0, 0}};
    make_ball(points);
    middle[0] = shift, middle[1] = middle[2] = 0;
    sfgp_similarity_apply(&turn, BALL, points, moved);
    return find_in(context, test_mesh(context, BALL, 3, points), test_mesh(context, BALL, 3, moved), middle);
}

/* A ball lies on a ball at every turn; this one has its points elsewhere. */
static void what_looks_alike_at_every_turn_is_not_sure(void **state)
{
    double middle[3];
    const found f = find_ball(*state, 1, 0, middle);
    assert_true(f.list.best[0].score > sfgp_tuning_for(3, false)->rigid_sure);
    assert_false(f.sure);
}

/* Only without a turn does each point lie on its own, in place or moved: a score of 1. None of the 500 turns of the search is that. */
static void poses_without_a_turn_are_compared_as_well(void **state)
{
    for (int moved = 0; moved < 2; moved++) {
        double place[3], middle[3];
        const found f = find_ball(*state, 0, moved ? 3 : 0, middle);
        const sfgp_similarity *pose = &f.list.best[0].start.pose;
        assert_true(f.list.best[0].score > 0.999);
        assert_true(sfgp_rotation_cosine(pose->rotation, 3) > 1 - 1e-6);
        sfgp_similarity_undo(pose, 1, middle, place);
        for (int a = 0; a < 3; a++)
            assert_true(fabs(place[a]) < 1e-3);
    }
}

enum { BEAN = 2000 };

/* Even points of a bent tube with round ends, of which one is thicker by `more`. */
static void make_bean(double more, int first, double *points)
{
    for (int i = 0; i < BEAN; i++) {
        const double t = fmod(0.5 + 0.7548776662466927 * (first + i), 1), z = 2 * t - 1,
                     around = 360 * DEGREE * fmod(0.5 + 0.5698402909980532 * (first + i), 1),
                     along = 75 * DEGREE * z, r = (0.5 + more * z) * sqrt(1 - z * z * z * z),
                     out = 0.8 + r * cos(around);
        const double point[3] = {out * cos(along), out * sin(along), 0.8 * r * sin(around)};
        memcpy(points + 3 * i, point, sizeof point);
    }
}

/* A bean with a thicker end, and another one whose ends are more alike, at a turn: the one upside down lies nearly as well in it. */
static found find_bean(sfgp_context *context, int number)
{
    static double points[3 * BEAN], moved[3 * BEAN];
    sfgp_similarity turn = sfgp_similarity_identity(3);
    sfgp_rotation_spiral(20, number, turn.rotation);
    make_bean(0.05, 0, points);
    sfgp_mesh *reference = test_mesh(context, BEAN, 3, points);
    make_bean(0.02, BEAN, points);
    sfgp_similarity_apply(&turn, BEAN, points, moved);
    return find_in(context, reference, test_mesh(context, BEAN, 3, moved), NULL);
}

/* Without half turns of the best pose the second one is not found at two of these turns. */
static void both_poses_of_what_looks_alike_upside_down_are_found(void **state)
{
    for (int k = 0; k < 20; k++) {
        const found f = find_bean(*state, k);
        assert_int_equal(f.list.count, 2);
        const double angle = degrees_between(&f.list.best[0].start.pose, &f.list.best[1].start.pose);
        if (!(angle > 160))
            fail_msg("turn %d: the second pose is %g degrees from the first", k, angle);
    }
}

/* The same ear and one with so much noise that no pose lies near it. */
static void what_lies_nowhere_near_is_not_sure(void **state)
{
    for (int noisy = 0; noisy < 2; noisy++) {
        test_fit fit = test_fit_ear(*state, 5, 110, noisy ? 0.1 : 0.01, false);
        sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
        const found f = find(*state, fit.em);
        assert_int_equal(f.sure, !noisy);
        test_fit_free(&fit);
    }
}

/* Whether the search is sure with these columns of an effort. */
static bool is_sure(sfgp_context *context, const test_fit *fit, double here, double alone)
{
    sfgp_em_problem problem = *fit->em->problem;
    sfgp_effort effort = *problem.effort;
    found f = {.list = {.count = 0}};
    effort.sure_in_place = here, effort.sure_alone = alone;
    problem.effort = &effort;
    sfgp_assert_ok(context, sfgp_poses_find(context, &problem, problem.basis->mean, &f.list, &f.sure));
    assert_in_range(1000 * f.list.best[0].score, 310, 1000 * sfgp_tuning_for(3, false)->rigid_sure - 10);
    return f.sure;
}

/* An ear with so much noise that no pose is good, in place and turned. */
static void a_pose_may_be_sure_though_it_is_not_good(void **state)
{
    for (int turned = 0; turned < 2; turned++) {
        test_fit fit = test_fit_ear(*state, 5, turned ? 110 : 0, 0.065, false);
        sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
        assert_false(is_sure(*state, &fit, HUGE_VAL, HUGE_VAL));
        assert_int_equal(is_sure(*state, &fit, 0.85, HUGE_VAL), !turned);
        assert_true(is_sure(*state, &fit, HUGE_VAL, 0.3)); /* of what turns otherwise nothing comes near */
        assert_false(is_sure(*state, &fit, HUGE_VAL, 0.4));
        test_fit_free(&fit);
    }
}

static void curves_are_left_alone(void **state)
{
    test_curve curve = test_curve_new(*state, (test_curve_scan){40, 0, 0, TEST_CURVE_OUTLIERS});
    sfgp_assert_ok(*state, sfgp_solver_load(curve.solver, curve.mesh));
    assert_false(sfgp_poses_apply(curve.em->problem));
    test_curve_free(&curve);
}

static void threads_change_no_bit(void **state)
{
    test_fit fit = test_fit_ear(*state, 6, 110, 0.01, false);
    sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
    const found one = find(*state, fit.em);
    sfgp_test_threads(3);
    const found three = find(*state, fit.em);
    assert_int_equal(one.list.count, three.list.count);
    for (int k = 0; k < one.list.count; k++) {
        assert_true(one.list.best[k].score == three.list.best[k].score);
        assert_memory_equal(one.list.best[k].start.pose.rotation, three.list.best[k].start.pose.rotation,
                            sizeof one.list.best[k].start.pose.rotation);
    }
    test_fit_free(&fit);
}

/* To the next step of the table. */
static void another_size_is_told(void **state)
{
    static const double sizes[] = {0.45, 0.62, 0.75, 1, 1.35, 1.6, 2.3};
    for (int k = 0; k < 7; k++) {
        double size, middle[3];
        test_fit fit = test_fit_ear(*state, 5, 110, 0.01, false);
        sfgp_points_extent(fit.target->count, 3, fit.target->points, middle);
        test_mesh_scale(fit.target, middle, sizes[k]);
        sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
        sfgp_assert_ok(*state, sfgp_poses_find_size(*state, fit.em->problem, &size));
        print_message("size %g: %g\n", sizes[k], size);
        assert_true(fabs(log(size / sizes[k])) < 0.14);
        test_fit_free(&fit);
    }
}

static void every_failing_allocation_is_reported(void **state)
{
    test_fit fit = test_fit_ear(*state, 5, 110, 0.01, false);
    sfgp_assert_ok(*state, sfgp_solver_load(fit.solver, fit.target));
    sfgp_memory_counters.allocations = 0;
    find(*state, fit.em);
    const long all = sfgp_memory_counters.allocations;
    assert_true(all > 10);
    for (long k = 0; k < all; k++) {
        found f = {.list = {.count = 0}};
        sfgp_memory_counters.fail_at = k;
        const sfgp_status status =
            sfgp_poses_find(*state, fit.em->problem, fit.em->problem->basis->mean, &f.list, &f.sure);
        sfgp_memory_counters.fail_at = -1;
        sfgp_assert_status(*state, status, SFGP_ERROR_MEMORY);
        assert_int_equal(f.list.count, 0);
    }
    test_fit_free(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_long_test(a_turned_scan_is_found_where_it_lies),
        sfgp_unit_test(half_of_a_turned_scan_is_found),
        sfgp_unit_test(an_ear_is_found_in_a_scan_of_more_at_any_turn),
        sfgp_unit_test(a_scan_in_place_is_found_there),
        sfgp_unit_test(what_looks_alike_at_every_turn_is_not_sure),
        sfgp_unit_test(poses_without_a_turn_are_compared_as_well),
        sfgp_unit_test(both_poses_of_what_looks_alike_upside_down_are_found),
        sfgp_long_test(what_lies_nowhere_near_is_not_sure),
        sfgp_long_test(a_pose_may_be_sure_though_it_is_not_good),
        sfgp_unit_test(curves_are_left_alone),
        sfgp_long_test(threads_change_no_bit),
        sfgp_unit_test(another_size_is_told),
        sfgp_long_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
