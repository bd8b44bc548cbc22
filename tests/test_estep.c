/* The E-step of a fit: when it needs double precision, and the bound that it leaves. */
#include "base/memory.h"
#include "em/estep.h"
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

/* The log likelihood less the divergence; without labels it stays what it was. */
static void it_sets_the_bound(void **state)
{
    test_scene s = test_scene_new(*state, N, D, 0);
    sfgp_em *em = s.solver->em;
    em->state.divergence = 17;
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    assert_true(em->responsibilities.missing < N);
    const double bound = em->state.bound;
    assert_true(bound == em->responsibilities.log_likelihood - 17);
    for (int k = 0; k < N * D; k++)
        em->state.points[k] += 1e6;
    sfgp_assert_ok(*state, sfgp_em_estep(em));
    assert_int_equal(em->responsibilities.missing, N);
    assert_true(em->state.bound == bound);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
