/* The E-step of a fit: when it needs double precision, and the bound that it leaves. */
#include "base/memory.h"
#include "em/estep.h"
#include "em/mstep.h"
#include "search/tuning.h"
#include "support/scene.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { N = 450, D = 3 };

/* Where sigma is less than single precision resolves, responsibilities have entries. */
static void a_sigma_that_is_too_small_for_tiles_has_entries(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    const double least = 0.003 * fmax(s.solver->problem.target.spacing, 1 / sqrt(N));
    for (int fine = 0; fine < 2; fine++) {
        memcpy(em->state.points, s.model->basis.mean, sizeof(double) * N * D);
        for (int64_t k = 0; k < D * em->responsibilities.targets && k < D * N; k++)
            em->state.points[k] = em->view.points[k]; /* right at them */
        sfgp_em_state_set_sigma2(N, pow((fine ? 0.99 : 1.01) * least, 2), &em->state);
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        assert_in_range(em->responsibilities.pairs, 100, 10 * N);
        assert_int_equal(sfgp_sparse_start(&em->responsibilities.matrix)[N],
                         fine ? em->responsibilities.pairs : 0);
    }
    test_scene_free(&s);
}

/* The weighted log likelihood less the divergence; without labels it stays what it was. */
static void it_sets_the_bound(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    em->state.divergence = 17;
    em->label_weight = 0.25;
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    assert_true(em->responsibilities.missing < N);
    const double bound = em->state.bound;
    assert_true(bound == 0.25 * em->responsibilities.log_likelihood - 17);
    for (int k = 0; k < N * D; k++)
        em->state.points[k] += 1e6;
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    assert_int_equal(em->responsibilities.missing, N);
    assert_true(em->state.bound == bound);
    test_scene_free(&s);
}

/* Where the scan has more points on an area than the reference, all of them count as so many as that has. */
static void points_of_a_dense_scan_count_less(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em_problem problem = s.solver->problem;
    const double even = (double)N / (double)problem.mesh->count;
    problem.shape_area = 2;
    problem.area = 0; /* it is not known */
    assert_true(sfgp_em_label_weight(&problem) == 1);
    problem.area = 2 / even * 2; /* half as dense as the reference */
    assert_true(sfgp_em_label_weight(&problem) == 1);
    problem.area = 2 / even / 8;
    assert_true(fabs(sfgp_em_label_weight(&problem) - 0.125) < 1e-12);
    problem.cold = &sfgp_schedule_paper; /* there each counts */
    assert_true(sfgp_em_label_weight(&problem) == 1);
    test_scene_free(&s);
}

/* Weights of the regression are those of the labels that count. */
static void the_regression_has_their_weight(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    double sum[2] = {0};
    for (int k = 0; k < 2; k++) {
        em->label_weight = k ? 0.25 : 1;
        memcpy(em->state.points, s.model->basis.mean, sizeof(double) * N * D);
        memset(em->state.coefficients, 0, (size_t)sfgp_basis_size(&s.model->basis) * sizeof(double));
        sfgp_assert_ok(*state, sfgp_em_estep(em));
        sfgp_assert_ok(*state, sfgp_em_mstep(em));
        for (int i = 0; i < N; i++)
            sum[k] += em->weights[i];
    }
    assert_true(sum[0] > 0 && fabs(sum[1] - 0.25 * sum[0]) < 1e-6 * sum[0]);
    test_scene_free(&s);
}

/* The room for the entries grows when sigma does; each of its allocations fails in turn. */
static void entries_without_memory_are_an_error(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    const double least = 0.003 * fmax(s.solver->problem.target.spacing, 1 / sqrt(N));
    memcpy(em->state.points, s.model->basis.mean, sizeof(double) * N * D);
    for (int64_t k = 0; k < D * em->responsibilities.targets && k < D * N; k++)
        em->state.points[k] = em->view.points[k];
    sfgp_em_state_set_sigma2(N, pow(0.99 * least, 2), &em->state);
    sfgp_responsibilities *r = &em->responsibilities;
    sfgp_free(r->lane_sums);
    r->lane_sums = NULL;
    r->lane_capacity = 0;
    int failures = -1;
    for (sfgp_status status = SFGP_ERROR_MEMORY; status != SFGP_OK; failures++) {
        sfgp_memory_counters.fail_at = failures + 1;
        status = sfgp_em_estep(em);
        sfgp_memory_counters.fail_at = -1;
        assert_true(status == SFGP_OK || status == SFGP_ERROR_MEMORY);
    }
    assert_true(failures > 0);
    test_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(entries_without_memory_are_an_error),
        sfgp_unit_test(a_sigma_that_is_too_small_for_tiles_has_entries),
        sfgp_unit_test(it_sets_the_bound),
        sfgp_unit_test(points_of_a_dense_scan_count_less),
        sfgp_unit_test(the_regression_has_their_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
