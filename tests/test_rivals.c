/* Fits of other poses that are nearly as good are told (ADR 0063). */
#include "search/rivals.h"
#include "em/estep.h"
#include "em/loop.h"
#include "geom/rotations.h"
#include "search/score.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>

enum { N = 450, POINTS = 500, OTHERS = 777 };

static const double DEGREE = 0.017453292519943295;

/* The motion of the fit, turned by so many degrees about the third axis. */
static sfgp_similarity turned(sfgp_em *em, double degrees)
{
    const double c = cos(degrees * DEGREE), s = sin(degrees * DEGREE);
    sfgp_similarity motion;
    double old[9];
    assert_true(sfgp_em_motion(em, &motion));
    for (int k = 0; k < 9; k++)
        old[k] = motion.rotation[k];
    for (int k = 0; k < 3; k++) {
        motion.rotation[k] = c * old[k] - s * old[3 + k];
        motion.rotation[3 + k] = s * old[k] + c * old[3 + k];
    }
    return motion;
}

static double margin(sfgp_context *context, sfgp_em *em, const sfgp_rivals *rivals)
{
    em->facts.pose_margin = -1;
    sfgp_assert_ok(context, sfgp_rivals_compare(em, rivals));
    return em->facts.pose_margin;
}

static void the_best_of_the_other_poses_counts(void **state)
{
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_rivals rivals = {.count = 0};
    double score;
    sfgp_assert_ok(*state, sfgp_em_step(em));
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    sfgp_assert_ok(*state, sfgp_search_tempered_score(em, &score));
    const double targets = (double)s.solver->problem.target.count;
    assert_true(isinf(margin(*state, em, &rivals)) && em->facts.pose_margin > 0);
    static const struct {
        double degrees, behind, expected; /* nats a target point */
    } rows[] = {{0, 0.1, HUGE_VAL}, {19, 0.01, HUGE_VAL}, {22, 0.7, 0.7},
                {180, 0.5, 0.5},    {90, 0.6, 0.5},       {120, -0.2, -0.2}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        rivals.each[rivals.count].motion = turned(em, rows[k].degrees);
        rivals.each[rivals.count++].score = score - rows[k].behind * targets;
        const double found = margin(*state, em, &rivals);
        if (!(found == rows[k].expected || fabs(found - rows[k].expected) < 1e-9))
            fail_msg("after %zu others: margin %g instead of %g", k, found, rows[k].expected);
    }
    em->label_weight = 0.25; /* four target points count as one */
    assert_true(fabs(margin(*state, em, &rivals) + 4 * 0.2) < 1e-9);
    test_scene_free(&s);
}

static void ends_are_noted_with_their_motion(void **state)
{
    test_scene s = test_scene_new(*state, N, 3, 0);
    sfgp_em *em = s.solver->em;
    sfgp_rivals rivals = {.count = 0};
    sfgp_assert_ok(*state, sfgp_em_step(em));
    const sfgp_similarity motion = turned(em, 0);
    sfgp_rivals_note(em, -HUGE_VAL, &rivals); /* a fit that failed, or a duplicate */
    assert_int_equal(rivals.count, 0);
    for (int k = 0; k < SFGP_RIVALS + 2; k++)
        sfgp_rivals_note(em, k, &rivals);
    assert_int_equal(rivals.count, SFGP_RIVALS);
    assert_true(rivals.each[3].score == 3);
    assert_true(sfgp_rotation_cosine_between(rivals.each[3].motion.rotation, motion.rotation, 3) > 1 - 1e-12);
    test_scene_free(&s);
}

/* Points on an ellipsoid, bent and thicker at one end by `uneven`; 0: it is the same turned by 180 degrees about each axis. */
static sfgp_mesh *egg(sfgp_context *context, double uneven, int points)
{
    double x[3 * OTHERS];
    for (int k = 0; k < points; k++) {
        const double z = 1 - (2 * k + 1) / (double)points, r = sqrt(1 - z * z), angle = 2.399963229728653 * k;
        x[3 * k] = 40 * r * cos(angle) * (1 + uneven * z) + 60 * uneven * z * z;
        x[3 * k + 1] = 28 * r * sin(angle) + 50 * uneven * z * z;
        x[3 * k + 2] = 60 * z;
    }
    return test_mesh(context, points, 3, x);
}

static sfgp_result *fit_egg(sfgp_context *context, double uneven)
{
    sfgp_settings settings = test_settings();
    return test_fit_meshes(context, egg(context, uneven, POINTS), egg(context, uneven, OTHERS), &settings);
}

/* Nothing tells how a symmetrical shape is turned; one that is bent does. */
static void a_symmetrical_shape_is_doubtful(void **state)
{
    sfgp_result *same = fit_egg(*state, 0), *other = fit_egg(*state, 0.5);
    print_message("margins %g %g\n", same->pose_margin, other->pose_margin);
    assert_int_equal(same->outcome, SFGP_DOUBTFUL);
    assert_int_equal(same->doubts, SFGP_DOUBT_POSE);
    assert_true(same->pose_margin < 0.25);
    assert_int_equal(other->outcome, SFGP_CONVERGED);
    assert_int_equal(other->doubts, 0);
    assert_true(other->pose_margin > 0.25);
    sfgp_result_free(same);
    sfgp_result_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_best_of_the_other_poses_counts),
        sfgp_unit_test(ends_are_noted_with_their_motion),
        sfgp_long_test(a_symmetrical_shape_is_doubtful),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
