/* Whether the length of a long shape of which one end is missing is a guess (ADR 0118). */
#include "outcome/length.h"
#include "em/estep.h"
#include "outcome/overlap.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>

enum { N = 450 };

/* A shape as long as a bone, with RMS radius 1. */
static void make_long(double factor, int d, double *points)
{
    double square = 0;
    for (int64_t i = 0; i < N; i++)
        points[i * d] *= factor;
    for (int64_t k = 0; k < N * d; k++)
        square += points[k] * points[k] / N;
    for (int64_t k = 0; k < N * d; k++)
        points[k] /= sqrt(square);
}

/* What lies beyond the cut is missing. */
static void cut(double at, const double *points, int d, sfgp_em *em)
{
    for (int64_t i = 0; i < N; i++)
        em->responsibilities.best_target[i] = points[i * d] > at ? -1 : 0;
}

/* A fit that is `size` times as large, and beyond the cut `length` times as long beside that. */
static void shorten(double size, double length, double at, int d, sfgp_em *em)
{
    const double *mean = em->problem->basis->mean;
    for (int64_t k = 0; k < N * d; k++)
        em->state.points[k] = size * (k % d == 0 && mean[k] > at ? at + length * (mean[k] - at) : mean[k]);
}

static void only_a_shortened_end_of_a_long_shape_is_a_guess(void **state)
{
    static const struct {
        double factor, cut, size, length;
        bool doubtful;
    } cases[] = {{10, 0.3, 1, 1, false},   {10, 0.3, 1, 0.7, true},  {10, 0.3, 1, 0.95, false},
                 {10, 0.3, 1, 1.3, false}, {10, 0.3, 0.5, 1, false}, {10, 0.3, 0.5, 0.7, true},
                 {10, 0.3, 2, 0.7, true},  {10, 9, 1, 0.7, false},   {10, -9, 1, 0.7, false},
                 {10, 1.3, 1, 0.7, false}, {1, 0.3, 1, 0.7, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_scene s = test_scene_new(*state, N, 3, 0);
        sfgp_em *em = s.solver->em;
        double *mean = em->problem->basis->mean;
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        make_long(cases[k].factor, 3, mean);
        cut(cases[k].cut, mean, 3, em);
        shorten(cases[k].size, cases[k].length, cases[k].cut, 3, em);
        assert_int_equal(sfgp_length_is_doubtful(em), cases[k].doubtful);
        assert_int_equal((sfgp_overlap_doubts(em, 0) & SFGP_DOUBT_LENGTH) != 0, cases[k].doubtful);
        test_scene_free(&s);
    }
}

/* Curves have a doubt of their own; training shapes and landmarks tell the length. */
static void others_are_not_asked(void **state)
{
    static const int KINDS[][2] = {{2, 0}, {3, 3}, {3, 0}}; /* axes, training shapes */
    const sfgp_em_landmarks landmarks = {.target = NULL};
    for (int k = 0; k < 3; k++) {
        test_scene s = test_scene_new(*state, N, KINDS[k][0], KINDS[k][1]);
        sfgp_em *em = s.solver->em;
        double *mean = em->problem->basis->mean;
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        make_long(10, KINDS[k][0], mean);
        cut(0.3, mean, KINDS[k][0], em);
        shorten(1, 0.7, 0.3, KINDS[k][0], em);
        assert_int_equal(sfgp_length_is_doubtful(em), k == 2);
        s.solver->problem.landmarks = &landmarks;
        assert_false(sfgp_length_is_doubtful(em));
        s.solver->problem.landmarks = NULL;
        test_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(only_a_shortened_end_of_a_long_shape_is_a_guess),
        sfgp_unit_test(others_are_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
