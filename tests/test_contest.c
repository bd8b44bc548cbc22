/* Which starts of a subset go on to the whole shape (ADR 0016, 0035, 0037). */
#include "geom/rotations.h"
#include "search/contest.h"
#include "support/support.h"

/* A subset of some of the points, whose target is one point at (4, 0, 0). */
typedef struct setting {
    double point[3];
    sfgp_subset subset;
    sfgp_contest contest;
} setting;

static void begin(double clutter, setting *s)
{
    const sfgp_target target = {.count = 1, .dimension = 3, .points = s->point, .spacing = 1};
    s->point[0] = 4, s->point[1] = s->point[2] = 0;
    s->subset = (sfgp_subset){.complete = false, .problem = {.target = target, .clutter = clutter}};
    sfgp_contest_begin(sfgp_tuning_for(3, false), &s->subset, &s->contest);
}

/* In place, at the middle of the target, or there with turns, 72 degrees and more apart. */
static void enter(int pose, double score, double omega, setting *s)
{
    sfgp_em_start start = {.pose = pose == 0 ? sfgp_similarity_identity(3) : s->contest.centred};
    const sfgp_trial end = {.score = score, .sigma2 = 0.25, .omega = omega};
    if (pose >= 2)
        sfgp_rotation_table(3, 5 + pose, start.pose.rotation);
    sfgp_contest_enter(&start, &end, 0, true, &s->contest);
}

/* In place and at the middle up to 20 nats apart; turned and not up to 40; the better one of those not turned. */
static void poses_that_a_subset_cannot_tell_both_go_on(void **state)
{
    static const struct {
        double in_place, centred, turned, other; /* scores; that of the second that goes on, 0: none does */
    } cases[] = {{-100, -119, -300, -119}, {-100, -121, -300, 0},    {-119, -100, -300, -119},
                 {-139, -300, -100, -139}, {-300, -139, -100, -139}, {-135, -130, -100, -130},
                 {-141, -300, -100, 0}};
    (void)state;
    for (int k = 0; k < 7; k++) {
        setting s;
        begin(0, &s);
        enter(0, cases[k].in_place, 0.1, &s);
        enter(1, cases[k].centred, 0.1, &s);
        enter(2, cases[k].turned, 0.1, &s);
        sfgp_contest_add_other_poses(&s.contest);
        assert_int_equal(s.contest.list.count, cases[k].other < 0 ? 2 : 1);
        assert_true(s.contest.list.best[0].score == -100);
        if (cases[k].other < 0)
            assert_true(s.contest.list.best[1].score == cases[k].other);
    }
}

/* Beside a turn the best other turn up to 20 nats behind goes on, in whatever order they come; of one turn the best start. */
static void of_turns_that_a_subset_cannot_tell_two_go_on(void **state)
{
    static const struct {
        int pose[4];
        double score[4]; /* in the order of entry */
        int count;
        double kept[2];
    } cases[] = {{{2, 3, 4, 0}, {-100, -115, -119, -300}, 2, {-100, -115}},
                 {{3, 4, 2, 0}, {-115, -119, -100, -300}, 2, {-100, -115}},
                 {{2, 3, 3, 0}, {-100, -119, -112, -300}, 2, {-100, -112}},
                 {{2, 2, 3, 0}, {-120, -100, -115, -300}, 2, {-100, -115}},
                 {{2, 3, 4, 0}, {-100, -121, -125, -300}, 1, {-100, 0}},
                 {{2, 3, 4, 0}, {-100, -95, -130, -300}, 2, {-100, -95}},
                 {{0, 2, 3, 4}, {-100, -120, -125, -130}, 1, {-100, 0}}};
    (void)state;
    for (int c = 0; c < 7; c++) {
        setting s;
        begin(0, &s);
        for (int k = 0; k < 4; k++)
            enter(cases[c].pose[k], cases[c].score[k], 0.1, &s);
        sfgp_contest_add_other_poses(&s.contest);
        assert_int_equal(s.contest.list.count, cases[c].count);
        for (int k = 0; k < cases[c].count; k++)
            assert_true(s.contest.list.best[k].score == cases[c].kept[k]);
    }
}

/* 30 % of the target, or of what is left beside the clutter. */
static void a_good_fit_explains_a_share_of_what_is_not_clutter(void **state)
{
    static const struct {
        double clutter, omega;
        bool good;
    } cases[] = {{0, 0.69, true}, {0, 0.71, false}, {0.9, 0.96, true}, {0.9, 0.98, false}};
    (void)state;
    for (int k = 0; k < 4; k++) {
        setting s;
        begin(cases[k].clutter, &s);
        enter(0, -100, cases[k].omega, &s);
        assert_int_equal(s.contest.good, cases[k].good);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(poses_that_a_subset_cannot_tell_both_go_on),
        sfgp_unit_test(of_turns_that_a_subset_cannot_tell_two_go_on),
        sfgp_unit_test(a_good_fit_explains_a_share_of_what_is_not_clutter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
