/* Amplitude: how far a fit bends the shape, how far the prior expects it to, against a dense computation, and the one against the other. */
#include "em/amplitude.h"
#include "fit/solver.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 60, MOST = 3 * POINTS };

/* Orthonormal directions of translation, rotation about the axes of space and scale, by Gram-Schmidt. */
static int similar_directions(const sfgp_basis *basis, double (*q)[MOST])
{
    const int n = (int)basis->count, d = basis->dimension;
    double centre[3] = {0};
    int count = 0;
    memset(q, 0, 7 * sizeof *q);
    for (int k = 0; k < n * d; k++)
        centre[k % d] += basis->mean[k] / n;
    for (int a = 0; a < d; a++) {
        for (int i = 0; i < n; i++)
            q[count][i * d + a] = 1;
        count++;
        for (int b = 0; b < a; b++, count++)
            for (int i = 0; i < n; i++) {
                q[count][i * d + a] = basis->mean[i * d + b] - centre[b];
                q[count][i * d + b] = centre[a] - basis->mean[i * d + a];
            }
    }
    for (int k = 0; k < n * d; k++)
        q[count][k] = basis->mean[k] - centre[k % d];
    count++;
    for (int k = 0; k < count; k++) {
        double length = 0;
        for (int l = 0; l < k; l++) {
            double dot = 0;
            for (int r = 0; r < n * d; r++)
                dot += q[k][r] * q[l][r];
            for (int r = 0; r < n * d; r++)
                q[k][r] -= dot * q[l][r];
        }
        for (int r = 0; r < n * d; r++)
            length += q[k][r] * q[k][r];
        for (int r = 0; r < n * d; r++)
            q[k][r] /= sqrt(length);
    }
    return count;
}

/* Row r of column c of B: those of the scalar factor axis by axis, then the modes. */
static double entry(const sfgp_basis *basis, int r, int c)
{
    const int d = basis->dimension, s = (int)basis->scalar.rank, p = (int)basis->pca.modes;
    if (c < d * s)
        return c % d == r % d ? basis->scalar.values[r / d * s + c / d] : 0;
    return basis->pca.factor[r * p + c - d * s];
}

static double mean_square_radius(const sfgp_basis *basis)
{
    double centre[3] = {0}, sum = 0;
    const int n = (int)basis->count, d = basis->dimension;
    for (int k = 0; k < n * d; k++)
        centre[k % d] += basis->mean[k] / n;
    for (int k = 0; k < n * d; k++)
        sum += pow(basis->mean[k] - centre[k % d], 2) / n;
    return sum;
}

/* sum over the columns b of |b|^2 less what the directions take of it. */
static double dense_expected(const sfgp_basis *basis)
{
    static double q[7][MOST];
    const int directions = similar_directions(basis, q), size = (int)basis->count * basis->dimension;
    double sum = 0;
    for (int c = 0; c < (int)sfgp_basis_size(basis); c++) {
        for (int r = 0; r < size; r++)
            sum += pow(entry(basis, r, c), 2);
        for (int k = 0; k < directions; k++) {
            double dot = 0;
            for (int r = 0; r < size; r++)
                dot += q[k][r] * entry(basis, r, c);
            sum -= dot * dot;
        }
    }
    return sum / ((double)basis->count * mean_square_radius(basis));
}

static void the_expected_bend_is_that_of_a_dense_computation(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int training = 0; training <= 6; training += 6) {
            test_shapes *shapes = test_shapes_new(POINTS, d, training, 5);
            sfgp_settings settings = test_settings();
            sfgp_model *model = test_shapes_model(*state, shapes, training, &settings);
            double tangent[MOST], square;
            sfgp_assert_ok(*state, sfgp_amplitude_expected(*state, &model->basis, tangent, &square));
            const double expected = dense_expected(&model->basis);
            /* affine columns are 1e3 times as large as what is left of them */
            assert_true(square > 0 && fabs(square - expected) < 1e-10 * expected);
            sfgp_model_free(model);
            test_shapes_free(shapes);
        }
}

/* The six points at distance 1 on the axes, stretched by 1 + t along x, by 1 - t along y, turned, made larger and moved: t sqrt(2 / 3)
 * from the nearest similar shape. */
static void the_bend_does_not_see_a_similarity(void **state)
{
    static double mean[18] = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
    const sfgp_basis basis = {.count = 6, .dimension = 3, .mean = mean};
    const sfgp_em_problem problem = {.basis = &basis};
    double points[18], scratch[18];
    sfgp_em em = {.problem = &problem, .deltas = scratch, .state = {.points = points}};
    (void)state;
    for (int step = 0; step < 4; step++) {
        const double t = 0.1 * step, stretch[3] = {1 + t, 1 - t, 1};
        for (int i = 0; i < 6; i++) {
            double x[3];
            for (int a = 0; a < 3; a++)
                x[a] = 5 * stretch[a] * mean[3 * i + a];
            points[3 * i] = 0.6 * x[0] - 0.8 * x[1] + 3, points[3 * i + 1] = 0.8 * x[0] + 0.6 * x[1] - 7;
            points[3 * i + 2] = x[2];
        }
        assert_true(fabs(sfgp_em_bend(&em) - t * sqrt(2 / 3.0)) < 1e-12);
    }
    memset(points, 0, sizeof points); /* similar to no shape: nothing can be said */
    assert_true(sfgp_em_bend(&em) == 0);
}

/* A prior of similar motions alone bends nothing. */
static void similar_motions_are_not_expected_to_bend(void **state)
{
    double mean[3 * 4] = {1, 2, 0, -1, 0, 1, 0, -1, 3, 2, 0, -2}, factor[3 * 4 * 2], tangent[12], square = 1;
    const sfgp_basis basis = {
        .count = 4, .dimension = 3, .mean = mean, .pca = {.modes = 2, .factor = factor}};
    for (int k = 0; k < 12; k++) {
        factor[2 * k] = mean[k] + (k % 3 == 1 ? 0.5 : 0);                             /* scale and shift */
        factor[2 * k + 1] = k % 3 == 0 ? -mean[k + 1] : k % 3 == 1 ? mean[k - 1] : 0; /* a turn */
    }
    sfgp_assert_ok(*state, sfgp_amplitude_expected(*state, &basis, tangent, &square));
    assert_true(square == 0);
}

static void a_fit_is_compared_with_its_prior(void **state)
{
    test_shapes *shapes = test_shapes_new(POINTS, 3, 0, 5);
    double tangent[MOST], square, ratio;
    sfgp_settings settings = test_settings();
    sfgp_model *model = test_shapes_model(*state, shapes, 0, &settings);
    sfgp_mesh *target = test_mesh(*state, shapes->m, 3, shapes->target);
    sfgp_solver *solver = test_solver(*state, model, &settings);
    sfgp_assert_ok(*state, sfgp_solver_load(solver, target));
    sfgp_em *em = solver->em;
    sfgp_assert_ok(*state, sfgp_amplitude_expected(*state, &model->basis, tangent, &square));
    for (int k = 0; k < MOST; k++)
        em->state.points[k] = model->basis.mean[k] * (k % 3 == 0 ? 1.3 : 1);
    const double bend = sfgp_em_bend(em);
    sfgp_assert_ok(*state, sfgp_amplitude_of_fit(em, &ratio));
    assert_true(bend > 0.1 && fabs(ratio - bend * bend / square) < 1e-12 * ratio);
    for (int k = 0; k < MOST; k++) /* not bent */
        em->state.points[k] = 1.3 * model->basis.mean[k];
    sfgp_assert_ok(*state, sfgp_amplitude_of_fit(em, &ratio));
    assert_true(ratio == 0.01);
    sfgp_solver_free(solver);
    sfgp_mesh_free(target);
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_expected_bend_is_that_of_a_dense_computation),
        sfgp_unit_test(the_bend_does_not_see_a_similarity),
        sfgp_unit_test(similar_motions_are_not_expected_to_bend),
        sfgp_unit_test(a_fit_is_compared_with_its_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
