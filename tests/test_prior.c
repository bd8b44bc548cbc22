/* Two priors in one factor: everything under the stiff prior equals the same under a model whose kernel is the
 * rescaled one; and the search keeps the fit with the larger tempered score. */
#include "base/memory.h"
#include "em/loop.h"
#include "gpr/information.h"
#include "model/standard.h"
#include "search/halving.h"
#include "search/score.h"
#include "search/tuning.h"
#include "support/fit.h"
#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 60, D = 3, NUMBERS = N * D };

#define FACTOR 0.1
#define AFFINE 0.5

/* The standard model of a sheet under another prior, and the model whose kernel is that prior's. */
typedef struct pair {
    test_shapes *shapes;
    sfgp_model *model, *named;
    double *c;
    sfgp_prior prior;
    sfgp_posterior ours, theirs; /* ours: of model, under the prior */
    double weights[N], labels[NUMBERS];
} pair;

static sfgp_model *model_of(sfgp_context *context, const test_shapes *shapes, const char *kernel)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    settings.accuracy = 1e-13; /* so that both factors are exact */
    return test_shapes_model(context, shapes, 0, &settings);
}

static void pair_new(sfgp_context *context, pair *p)
{
    char text[SFGP_KERNEL_SIZE];
    p->shapes = test_shapes_new(N, D, 0, 7);
    p->model = model_of(context, p->shapes, "auto");
    const sfgp_kernel kernel = sfgp_model_rescaled_kernel(p->model, AFFINE, FACTOR);
    sfgp_kernel_format(&kernel, text);
    p->named = model_of(context, p->shapes, text);
    const int64_t m = p->model->basis.scalar.rank;
    assert_true(sfgp_model_is_standard(p->model) && !sfgp_model_is_standard(p->named));
    const sfgp_reflection none = {0, 0};
    sfgp_assert_ok(context, sfgp_model_rescale(context, p->model, AFFINE, FACTOR, &none, &p->c));
    sfgp_assert_ok(context, sfgp_prior_new(context, m, p->c, m, &p->prior));
    sfgp_assert_ok(context, sfgp_posterior_new(context, &p->model->basis, &p->ours));
    sfgp_assert_ok(context, sfgp_posterior_new(context, &p->named->basis, &p->theirs));
    p->ours.prior = &p->prior;
    for (int i = 0; i < N; i++)
        p->weights[i] = i % 3 == 0 ? 0 : 10 + i;
    for (int k = 0; k < NUMBERS; k++)
        p->labels[k] = 0.2 * sin(k + 1.0);
}

static void pair_free(pair *p)
{
    sfgp_posterior_clear(&p->ours);
    sfgp_posterior_clear(&p->theirs);
    sfgp_prior_clear(&p->prior);
    sfgp_free(p->c);
    sfgp_model_free(p->model);
    sfgp_model_free(p->named);
    test_shapes_free(p->shapes);
}

/* The factors leave 1e-13 of the kernel, and K + W^-1 has a condition of 1e4. */
#define CLOSE 1e-8

static void assert_close(int n, const double *ours, const double *theirs)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(ours[k] - theirs[k]) <= CLOSE * (1 + fabs(theirs[k]))))
            fail_msg("number %d: %.15g for %.15g", k, ours[k], theirs[k]);
}

/* B C B' = K', and the eigenvalues of C lie between the factor and 1. */
static void the_columns_serve_the_rescaled_kernel(void **state)
{
    pair p = {0};
    pair_new(*state, &p);
    const int64_t m = p.model->basis.scalar.rank, q = p.named->basis.scalar.rank;
    const double *b = p.model->basis.scalar.values, *k = p.named->basis.scalar.values;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double ours = 0, theirs = 0;
            for (int64_t r = 0; r < m; r++)
                for (int64_t l = 0; l < m; l++)
                    ours += b[i * m + r] * p.c[r * m + l] * b[j * m + l];
            for (int64_t r = 0; r < q; r++)
                theirs += k[i * q + r] * k[j * q + r];
            assert_close(1, &ours, &theirs);
        }
    const double trace = (double)m, least = log(FACTOR) * trace;
    assert_true(p.prior.axes[0].log_determinant > least && p.prior.axes[0].log_determinant < 0);
    pair_free(&p);
}

static void an_update_is_that_of_the_rescaled_kernel(void **state)
{
    pair p = {0};
    pair_new(*state, &p);
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, p.weights, p.labels, &p.ours));
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, p.weights, p.labels, &p.theirs));
    assert_close(NUMBERS, p.ours.mean, p.theirs.mean);
    assert_close(N, p.ours.variance, p.theirs.variance);
    const double ours = sfgp_posterior_divergence(&p.ours), theirs = sfgp_posterior_divergence(&p.theirs);
    assert_close(1, &ours, &theirs);
    pair_free(&p);
}

/* With B'WB of the same weights a step from anywhere is the update: single precision, some 1e-6. */
static void a_step_is_the_update(void **state)
{
    pair p = {0};
    pair_new(*state, &p);
    double ratio = 0, residuals[NUMBERS], exact[NUMBERS],
           *start = calloc((size_t)sfgp_basis_size(p.ours.basis), 8);
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, p.weights, p.labels, &p.ours));
    memcpy(exact, p.ours.mean, sizeof exact);
    start[0] = start[4] = 0.3;
    sfgp_posterior_accumulate_gram(p.weights, &p.ours);
    assert_true(sfgp_posterior_gram_drift(&p.ours, p.weights, &ratio) < 1e-12 && fabs(ratio - 1) < 1e-12);
    memset(residuals, 0, sizeof residuals);
    sfgp_basis_multiply(p.ours.basis, start, 0, N, residuals);
    for (int k = 0; k < NUMBERS; k++)
        residuals[k] = p.weights[k / D] * (p.labels[k] + p.ours.basis->mean[k] - residuals[k]);
    sfgp_assert_ok(*state, sfgp_posterior_newton_step(*state, ratio, residuals, start, &p.ours));
    for (int k = 0; k < NUMBERS; k++)
        assert_true(fabs(p.ours.mean[k] - exact[k]) < 2e-5);
    free(start);
    pair_free(&p);
}

/* One label a point, at the target point of the same index. */
static void label_each(sfgp_context *context, sfgp_responsibilities *r)
{
    sfgp_assert_ok(context, sfgp_responsibilities_new(context, N, D, true, r));
    sfgp_assert_ok(context, sfgp_responsibilities_reserve(context, N, N, r));
    sfgp_assert_ok(context, sfgp_sparse_reserve(context, N, &r->matrix));
    r->targets = N;
    int32_t *start = sfgp_sparse_start(&r->matrix), *index = sfgp_sparse_index(&r->matrix);
    for (int i = 0; i < N; i++) {
        start[i] = i, index[i] = i;
        sfgp_sparse_value(&r->matrix)[i] = r->mass[i] = i % 4 == 0 ? 0 : 0.5;
    }
    start[N] = N;
}

static void the_information_is_that_of_the_rescaled_kernel(void **state)
{
    pair p = {0};
    sfgp_responsibilities r = {0};
    double target[NUMBERS], sigma2[N], ours[N], theirs[N];
    pair_new(*state, &p);
    label_each(*state, &r);
    for (int k = 0; k < NUMBERS; k++)
        target[k] = p.model->reference[k] + 0.05 * cos(3.0 * k);
    for (int i = 0; i < N; i++)
        sigma2[i] = 0.01;
    const sfgp_observed here = {p.ours.basis, &r, target, p.model->reference, sigma2},
                        there = {p.theirs.basis, &r, target, p.model->reference, sigma2};
    sfgp_assert_ok(*state, sfgp_information_variance(*state, &p.ours, &here, 1, ours));
    sfgp_assert_ok(*state, sfgp_information_variance(*state, &p.theirs, &there, 1, theirs));
    assert_close(N, ours, theirs);
    assert_true(theirs[1] < 0.5 * sfgp_basis_variance(&p.named->basis, 1)); /* the labels tell something */
    sfgp_responsibilities_clear(&r);
    pair_free(&p);
}

/* ---- the choice -------------------------------------------------------------------------------------- */

/* A fit of rung WHOLE. */
typedef struct whole {
    double chosen, tempered; /* the score by which it is chosen, and that by which priors are */
    double sigma2;           /* of its start */
} whole;

static whole fit_from(sfgp_context *context, sfgp_em *em, const sfgp_em_start *start)
{
    sfgp_outcome outcome;
    double score, tempered;
    sfgp_assert_ok(context, sfgp_em_begin(em, start));
    assert_true((em->posterior.prior != NULL) == (start->prior != SFGP_PRIOR_AS_IS));
    sfgp_assert_ok(context, sfgp_em_run(em, &outcome));
    sfgp_assert_ok(context, sfgp_search_score(em, &score));
    sfgp_assert_ok(context, sfgp_search_tempered_score(em, &tempered));
    assert_true(fabs(tempered - (score - (sfgp_tuning_of(em->problem->basis)->score_temper - 1) *
                                             em->state.divergence)) < 1e-9 * fabs(score));
    return (whole){start->prior == SFGP_PRIOR_STIFF ? tempered : score, tempered, start->sigma2};
}

/* Rung WHOLE under a prior: the fit with the largest score of those from the sigma2 that the rungs use, or from the narrow
 * one. */
static whole best_under(sfgp_context *context, sfgp_em *em, const sfgp_shortlist *list, bool stiff,
                        bool narrow)
{
    whole best = {-HUGE_VAL, -HUGE_VAL, 0};
    for (int k = 0; k < list->count; k++) {
        sfgp_em_start start = list->best[k].start;
        start.prior = stiff ? SFGP_PRIOR_STIFF : SFGP_PRIOR_AS_IS;
        if (narrow)
            start.sigma2 = sfgp_tuning_of(em->problem->basis)->sigma2_narrow;
        const whole found = fit_from(context, em, &start);
        if (found.chosen > best.chosen)
            best = found;
    }
    return best;
}

/* A run keeps what rung WHOLE says, and its kernel is the one that was fitted. */
static void assert_kept(sfgp_context *context, uint64_t seed, bool expected)
{
    test_fit fit = test_fit_moved_ear(context, seed, 0.2);
    sfgp_shortlist list;
    bool turned;
    sfgp_assert_ok(context, sfgp_halving_run(fit.em, &list, &turned));
    assert_true(list.best[0].start.prior == SFGP_PRIOR_STIFF); /* rung STARTS is run under the stiff prior */
    const double stiff = fmax(best_under(context, fit.em, &list, true, false).tempered,
                              best_under(context, fit.em, &list, true, true).tempered),
                 loose = best_under(context, fit.em, &list, false, false).tempered;
    assert_true(expected ? stiff > loose + 50 : loose > stiff + 50);
    sfgp_result *r = test_run(context, fit.solver, fit.target);
    assert_int_equal(fit.em->state.start.prior == SFGP_PRIOR_STIFF, expected);
    assert_int_equal(strstr(r->settings->kernel, "variance=0.003") != NULL, expected);
    sfgp_result_free(r);
    test_fit_free(&fit);
}

/* Two simulated ears: the stiff prior is better for one, the other prior for the other. */
static void the_better_prior_is_kept_and_reported(void **state)
{
    assert_kept(*state, 5, true);
    assert_kept(*state, 7, false);
}

/* Leaves the points of the target whose coordinate is among the lowest `share` of its range. */
static void crop(sfgp_mesh *mesh, int axis, double share)
{
    double low = HUGE_VAL, high = -HUGE_VAL;
    int64_t kept = 0;
    for (int64_t i = 0; i < mesh->count; i++) {
        low = fmin(low, mesh->points[3 * i + axis]);
        high = fmax(high, mesh->points[3 * i + axis]);
    }
    for (int64_t i = 0; i < mesh->count; i++)
        if (mesh->points[3 * i + axis] < low + share * (high - low))
            memcpy(mesh->points + 3 * kept++, mesh->points + 3 * i, 3 * sizeof(double));
    mesh->count = kept;
}

/* A scan, moved by so many radii, of which a share is left, and whether its narrow start is the better one. */
typedef struct part {
    uint64_t seed;
    double moved, share;
    bool single; /* there is one prior only */
    bool narrow;
} part;

static void assert_start(sfgp_context *context, part p)
{
    test_fit fit = test_fit_moved_ear(context, p.seed, p.moved);
    sfgp_shortlist list;
    bool turned;
    crop(fit.target, 0, p.share);
    if (p.single)
        fit.solver->problem.rescaled[SFGP_PRIOR_STIFF] = NULL;
    sfgp_assert_ok(context, sfgp_solver_load(fit.solver, fit.target));
    sfgp_assert_ok(context, sfgp_halving_glance(fit.em, &list, &turned));
    const whole wide = best_under(context, fit.em, &list, !p.single, false),
                narrow = best_under(context, fit.em, &list, !p.single, true);
    assert_true(p.narrow ? narrow.chosen > wide.chosen + 50 : wide.chosen > narrow.chosen + 50);
    sfgp_result *r = test_run(context, fit.solver, fit.target);
    assert_true(fit.em->state.start.sigma2 == (p.narrow ? narrow.sigma2 : wide.sigma2));
    sfgp_result_free(r);
    test_fit_free(&fit);
}

/* Of a small part the wide start pulls at all of the shape, and the fit from the narrow start is kept. Of a whole scan that
 * is moved it is the wide one. A single prior has both starts, too. */
static void the_better_start_is_kept(void **state)
{
    assert_start(*state, (part){6, 0.05, 0.3, false, true});
    assert_start(*state, (part){5, -0.3, 1.01, false, false});
    assert_start(*state, (part){6, 0.05, 0.3, true, true});
}

/* A kernel that the caller names is used as it is. */
static void a_named_kernel_has_one_prior(void **state)
{
    pair p = {0};
    pair_new(*state, &p);
    sfgp_settings settings = test_settings();
    sfgp_solver *solver = test_solver(*state, p.named, &settings);
    assert_null(solver->problem.rescaled[SFGP_PRIOR_STIFF]);
    sfgp_solver_free(solver);
    sfgp_assert_ok(*state, sfgp_solver_new(*state, p.model, &settings, &solver));
    assert_non_null(solver->problem.rescaled[SFGP_PRIOR_STIFF]);
    sfgp_solver_free(solver);
    pair_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_columns_serve_the_rescaled_kernel),
        sfgp_unit_test(an_update_is_that_of_the_rescaled_kernel),
        sfgp_unit_test(a_step_is_the_update),
        sfgp_unit_test(the_information_is_that_of_the_rescaled_kernel),
        sfgp_unit_test(the_better_prior_is_kept_and_reported),
        sfgp_unit_test(the_better_start_is_kept),
        sfgp_unit_test(a_named_kernel_has_one_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
