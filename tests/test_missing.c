/* Missing points: those whose ring has too little mass of responsibilities. */
#include "outcome/missing.h"
#include "support/curve.h"
#include "support/scene.h"

#include <math.h>

enum { N = TEST_CURVE };

/* Missing are: no label at all, or rings of three with less than half of the mass that a label finds around
 * it, at most half a label a point. Thin scans count as dense ones; one that is dense in places does not
 * make others missing. */
static void points_in_rings_without_mass_are_missing(void **state)
{
    static const double factors[] = {0.2, 1, 30};
    for (int k = 0; k < 4; k++) {
        test_curve s = test_curve_with_masses(*state, true);
        sfgp_responsibilities *r = &s.em->responsibilities;
        double means[N], squares = 0;
        r->mass[s.first + 8] = 0.9; /* one label in the hole is none, */
        r->mass[50] = 0.01;         /* and a point with next to no mass is seen, */
        r->mass[45] = 0;            /* but for that no label can tell */
        for (int i = 0; i < N; i++) {
            r->mass[i] *= k < 3 ? factors[k] : i >= N / 2 ? 30 : 1;
            r->weight[i] = r->mass[i];
        }
        test_curve_smooth(&s, 3, r->mass, means);
        for (int i = 0; i < N; i++)
            squares += means[i] * means[i];
        const double least = 0.5 * fmin(1, squares / test_curve_total(means));
        int missing = 0;
        sfgp_missing_classify(s.em);
        for (int i = 0; i < N; i++) {
            assert_int_equal(r->weight[i] == 0, means[i] < least || r->mass[i] == 0);
            assert_true(r->weight[i] == 0 || r->weight[i] == r->mass[i]);
            if (k != 2 && i != s.first - 1 && i != s.end) /* rings there hold much of the hole */
                assert_int_equal(r->weight[i] == 0, (i >= s.first && i < s.end) || i == 45);
            missing += r->weight[i] == 0;
        }
        assert_int_equal(r->missing, missing);
        test_curve_free(&s);
    }
}

/* On a surface, also where reference points lie so densely that each has little mass: a label within 0.7 spacings of
 * the scan speaks against missing. Without an area it is not asked. */
static void points_with_labels_near_by_are_not_missing(void **state)
{
    static const struct {
        double area, spacings;
        bool missing;
    } cases[] = {{9, 0.65, false}, {9, 0.75, true}, {0, 0.65, true}};
    enum { POINTS = 450 };
    for (int k = 0; k < 3; k++) {
        test_scene s = test_scene_new(*state, POINTS, 3, 0);
        sfgp_em *em = s.solver->em;
        sfgp_responsibilities *r = &em->responsibilities;
        const double spacing = sqrt(9.0 / (double)r->targets);
        s.solver->problem.area = cases[k].area;
        for (int64_t i = 0; i < POINTS; i++) {
            r->best_target[i] = (int32_t)(i % r->targets);
            r->weight[i] = r->mass[i] = em->state.points[3 * i] > 0 ? 1 : 0.01;
            for (int64_t a = 0; a < 3; a++)
                em->state.points[3 * i + a] = em->view.points[3 * r->best_target[i] + a];
            em->state.points[3 * i + 1] += cases[k].spacings * spacing;
        }
        sfgp_missing_classify(em);
        if (cases[k].missing)
            assert_in_range(r->missing, POINTS / 4, 3 * POINTS / 4);
        else
            assert_int_equal(r->missing, 0);
        test_scene_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(points_in_rings_without_mass_are_missing),
        sfgp_unit_test(points_with_labels_near_by_are_not_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
