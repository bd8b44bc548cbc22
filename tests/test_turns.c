/* The list of turns: which are kept. */
#include "search/turns.h"
#include "geom/rotations.h"
#include "support/support.h"

#include <math.h>

#define DEGREE (acos(-1) / 180)

static sfgp_similarity turned_by(double degrees)
{
    sfgp_similarity pose = sfgp_similarity_identity(3);
    pose.rotation[0] = pose.rotation[4] = cos(degrees * DEGREE);
    pose.rotation[3] = sin(degrees * DEGREE);
    pose.rotation[1] = -pose.rotation[3];
    return pose;
}

/* The tables, and 12 steps of a circle: 30 degrees apart. */
static void the_list_has_every_turn_but_none(void **state)
{
    static const struct {
        int d, steps, count;
        double cosine; /* no two are nearer */
    } lists[] = {{2, 0, 8, 0.8}, {2, 12, 11, 0.87}, {3, 0, 59, 0.8}};
    (void)state;
    for (int c = 0; c < 3; c++) {
        const int d = lists[c].d;
        sfgp_similarity unturned = sfgp_similarity_identity(d);
        sfgp_turns turns;
        unturned.shift[1] = 7;
        sfgp_turns_list(&unturned, lists[c].steps, &turns);
        assert_int_equal(turns.count, lists[c].count);
        for (int k = 0; k < turns.count; k++) {
            assert_true(sfgp_rotation_cosine(turns.poses[k].rotation, d) < lists[c].cosine);
            assert_true(turns.poses[k].shift[1] == 7 && turns.poses[k].dimension == d);
            for (int l = 0; l < k; l++)
                assert_true(sfgp_rotation_cosine_between(turns.poses[k].rotation, turns.poses[l].rotation,
                                                         d) < lists[c].cosine);
        }
    }
}

static void the_best_are_kept_and_of_near_ones_one(void **state)
{
    static const double degrees[] = {0, 29, 90, 100, 180, 250},
                        scores[] = {-50, -40, -45, -41, -30, -HUGE_VAL};
    static const struct {
        int most, count;
        double kept[4]; /* their scores */
    } cases[] = {{6, 3, {-30, -40, -41}}, {2, 2, {-30, -40}}, {0, 0, {0}}};
    (void)state;
    for (int c = 0; c < 3; c++) {
        sfgp_turns turns = {.count = 6};
        for (int k = 0; k < 6; k++)
            turns.poses[k] = turned_by(degrees[k]), turns.scores[k] = scores[k];
        assert_true(sfgp_turns_score(&turns) == -30);
        sfgp_turns_keep(cases[c].most, cos(30 * DEGREE), &turns);
        assert_int_equal(turns.count, cases[c].count);
        for (int k = 0; k < turns.count; k++)
            assert_true(turns.scores[k] == cases[c].kept[k]);
        if (turns.count > 1) /* the pose of the score */
            assert_true(fabs(turns.poses[1].rotation[0] - cos(29 * DEGREE)) < 1e-15);
    }
}

static void without_a_fit_nothing_is_kept(void **state)
{
    sfgp_turns turns = {.count = 2, .scores = {-HUGE_VAL, -HUGE_VAL}};
    (void)state;
    sfgp_turns_keep(2, 0.9, &turns);
    assert_int_equal(turns.count, 0);
    assert_true(sfgp_turns_score(&turns) == -HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_list_has_every_turn_but_none),
        sfgp_unit_test(the_best_are_kept_and_of_near_ones_one),
        sfgp_unit_test(without_a_fit_nothing_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
