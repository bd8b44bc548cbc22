/* The posterior of a fit as a model: its mean is the fit, its deviations are those of the fit, its covariance is that of the
 * dense Gaussian process; samples have it; files keep it. */
#include "deformation/deformation.h"
#include "gpr/normal.h"
#include "support/corrupt.h"
#include "support/shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct fitted {
    sfgp_model *model, *posterior;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map;
} fitted;

static fitted fit_shapes(sfgp_context *context, const test_shapes *shapes, const char *method, int training)
{
    fitted fit;
    sfgp_settings settings = test_settings();
    strcpy(settings.method, method);
    strcpy(settings.kernel, "se:length=1,variance=0.1");
    settings.accuracy = 1e-6;
    settings.reject = 0;
    sfgp_mesh *target = test_mesh(context, shapes->m, shapes->d, shapes->target);
    fit.model = test_shapes_model(context, shapes, training, &settings);
    sfgp_assert_ok(context, sfgp_solver_new(context, fit.model, &settings, &fit.solver));
    sfgp_assert_ok(context, sfgp_solver_run(fit.solver, target, &fit.result));
    sfgp_assert_ok(context, sfgp_solver_deformation(fit.solver, fit.result, &fit.map));
    sfgp_assert_ok(context, sfgp_deformation_posterior(context, fit.map, &fit.posterior));
    sfgp_mesh_free(target);
    return fit;
}

static void clear(fitted *fit)
{
    sfgp_model_free(fit->posterior);
    sfgp_deformation_free(fit->map);
    sfgp_result_free(fit->result);
    sfgp_solver_free(fit->solver);
    sfgp_model_free(fit->model);
}

/* ---- mean and deviations ----------------------------------------------------------------------------- */

static void assert_mean_and_sd(sfgp_context *context, const fitted *fit)
{
    const int64_t n = fit->result->count, d = fit->result->dimension;
    const double scale = fit->model->frame.scale;
    sfgp_mesh *mean;
    sfgp_assert_ok(context, sfgp_model_mean(context, fit->posterior, &mean));
    for (int64_t k = 0; k < n * d;
         k++) /* into the frame and out of it: rounding of the coordinates, below 200 mm */
        assert_true(fabs(mean->points[k] - fit->result->points[k]) < 1e-12 * 200);
    for (int64_t i = 0; i < n; i++) {
        const double sd = scale * sqrt(sfgp_basis_variance(&fit->posterior->basis, i));
        assert_true(fabs(sd - fit->result->sd[i]) <
                    1e-6 * fit->result->sd[i]); /* the variance may be of single precision */
    }
    sfgp_mesh_free(mean);
}

static void mean_and_sd_are_those_of_the_fit(void **state)
{
    static const char *const METHODS[] = {"auto", "sfgp-scalar", "sfgp-full", "closest-point"};
    for (int d = 2; d <= 3; d++)
        for (int training = 0; training <= 6; training += 6)
            for (int m = 0; m < 4; m++) {
                test_shapes *shapes = test_shapes_new(90, d, 6, 17);
                fitted fit = fit_shapes(*state, shapes, METHODS[m], training);
                assert_mean_and_sd(*state, &fit);
                clear(&fit);
                test_shapes_free(shapes);
            }
}

/* The scan is the reference: at some points the fit states less than the Gaussian process. */
static void so_they_are_where_the_fit_states_less(void **state)
{
    enum { N = 500 };
    test_shapes *shapes = test_shapes_new(N, 3, 0, 3);
    double lowest = HUGE_VAL;
    shapes->m = N;
    free(shapes->target);
    shapes->target = malloc(3 * N * sizeof *shapes->target);
    memcpy(shapes->target, shapes->reference, 3 * N * sizeof *shapes->target);
    fitted fit = fit_shapes(*state, shapes, "auto", 0);
    for (int i = 0; i < N; i++)
        lowest = fmin(lowest, fit.map->extra_variance[i]);
    assert_true(lowest < 0);
    assert_mean_and_sd(*state, &fit);
    clear(&fit);
    test_shapes_free(shapes);
}

/* ---- covariance -------------------------------------------------------------------------------------- */

/* L \ b for the row b of point i and axis a, by the dense L of gpr/posterior.h. */
static void whiten(const fitted *fit, int64_t i, int64_t a, double *v)
{
    const sfgp_basis *basis = &fit->model->basis;
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension, m = s * d + p;
    const sfgp_normal normal = sfgp_normal_parts(basis, fit->map->block);
    double *l = calloc((size_t)(m * m), sizeof *l);
    memset(v, 0, (size_t)m * sizeof *v);
    for (int64_t k = 0; k < s; k++) {
        v[k * d + a] = basis->scalar.values[i * s + k];
        for (int64_t axis = 0; axis < d; axis++) {
            for (int64_t j = 0; j <= k; j++)
                l[(k * d + axis) * m + j * d + axis] = normal.scalar[k * s + j];
            for (int64_t j = 0; j < p; j++)
                l[(s * d + j) * m + k * d + axis] = normal.cross[(axis * s + k) * p + j];
        }
    }
    for (int64_t k = 0; k < p; k++) {
        v[s * d + k] = basis->pca.factor[(i * d + a) * p + k];
        for (int64_t j = 0; j <= k; j++)
            l[(s * d + k) * m + s * d + j] = normal.pca[k * p + j];
    }
    for (int64_t k = 0; k < m; k++) {
        for (int64_t j = 0; j < k; j++)
            v[k] -= l[k * m + j] * v[j];
        v[k] /= l[k * m + k];
    }
    free(l);
}

static double dot(int64_t m, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t k = 0; k < m; k++)
        sum += x[k] * y[k];
    return sum;
}

/* The covariance of points i and j by the dense L, turned by the pose: expected, d x d. */
static void expect(const fitted *fit, int64_t i, int64_t j, double *expected)
{
    enum { MOST = 400 };
    const int64_t d = fit->model->dimension, m = sfgp_basis_size(&fit->model->basis);
    const double *r = fit->map->pose.rotation;
    static double u[3 * MOST], v[3 * MOST];
    assert_true(m <= MOST);
    for (int64_t a = 0; a < d; a++) {
        whiten(fit, i, a, u + a * m);
        whiten(fit, j, a, v + a * m);
    }
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++) {
            double *sum = &expected[a * d + b];
            *sum = 0;
            for (int64_t e = 0; e < d; e++)
                for (int64_t f = 0; f < d; f++)
                    *sum += r[a * d + e] * dot(m, u + e * m, v + f * m) * r[b * d + f];
        }
}

/* What the fit states more than the Gaussian process, as a factor of the deviation. */
static double more(const fitted *fit, int64_t i)
{
    double own[9], variance = 0;
    const int64_t d = fit->model->dimension;
    expect(fit, i, i, own);
    for (int64_t a = 0; a < d; a++)
        variance += own[a * d + a] / (double)d;
    return sqrt((variance + fit->map->extra_variance[i]) / variance);
}

static void assert_covariance(const fitted *fit, int64_t i, int64_t j)
{
    const int64_t d = fit->model->dimension, m = fit->posterior->basis.pca.modes;
    const double *f = fit->posterior->basis.pca.factor, factor = more(fit, i) * more(fit, j);
    double expected[9];
    expect(fit, i, j, expected);
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++) /* sums of 400 products below 1 */
            assert_true(fabs(dot(m, f + (i * d + a) * m, f + (j * d + b) * m) -
                             factor * expected[a * d + b]) < 1e-12);
}

/* Gives the map a turn of 0.5 about the last axis and more variance at every other point, and makes its posterior. */
static void turn_and_spread(sfgp_context *context, fitted *fit)
{
    double *r = fit->map->pose.rotation;
    const int d = fit->model->dimension;
    memset(r, 0, 9 * sizeof *r);
    r[d * d - 1] = 1;
    r[0] = r[d + 1] = cos(0.5);
    r[1] = -(r[d] = sin(0.5));
    for (int64_t i = 0; i < fit->model->count; i += 2)
        fit->map->extra_variance[i] = 1e-3 * (double)(1 + i);
    sfgp_model_free(fit->posterior);
    sfgp_assert_ok(context, sfgp_deformation_posterior(context, fit->map, &fit->posterior));
}

static void covariance_is_that_of_the_dense_process(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int training = 0; training <= 6; training += 6) {
            test_shapes *shapes = test_shapes_new(90, d, 6, 18);
            fitted fit = fit_shapes(*state, shapes, "sfgp-scalar", training);
            turn_and_spread(*state, &fit);
            for (int64_t i = 0; i < 90; i += 30)
                for (int64_t j = 0; j < 90; j += 44)
                    assert_covariance(&fit, i, j);
            clear(&fit);
            test_shapes_free(shapes);
        }
}

/* ---- other methods, files, memory -------------------------------------------------------------------- */

static void without_overlap_it_is_the_prior_at_the_reference(void **state)
{
    test_shapes *shapes = test_shapes_new(60, 3, 0, 19);
    sfgp_settings settings = test_settings();
    fitted fit = {.model = test_shapes_model(*state, shapes, 0, &settings)};
    sfgp_assert_ok(*state, sfgp_deformation_new(*state, fit.model, &fit.map));
    memcpy(fit.map->points, shapes->reference, 180 * sizeof(double));
    sfgp_assert_ok(*state, sfgp_deformation_posterior(*state, fit.map, &fit.posterior));
    for (int64_t i = 0; i < 60; i++) /* sums in another order */
        assert_true(fabs(sfgp_basis_variance(&fit.posterior->basis, i) -
                         sfgp_basis_variance(&fit.model->basis, i)) < 1e-14);
    sfgp_model_free(fit.posterior);
    sfgp_deformation_free(fit.map);
    sfgp_model_free(fit.model);
    test_shapes_free(shapes);
}

static void it_is_written_and_fitted_as_any_model(void **state)
{
    test_shapes *shapes = test_shapes_new(90, 3, 0, 20);
    fitted fit = fit_shapes(*state, shapes, "auto", 0);
    const char *path = test_path("posterior.h5");
    sfgp_mesh *sample, *again;
    sfgp_model *read;
    sfgp_assert_ok(*state, sfgp_model_write(*state, fit.posterior, path));
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &read));
    sfgp_assert_ok(*state, sfgp_model_sample(*state, fit.posterior, 3, &sample));
    sfgp_assert_ok(*state, sfgp_model_sample(*state, read, 3, &again));
    assert_memory_equal(sample->points, again->points, 270 * sizeof(double));
    sfgp_mesh_free(sample);
    sfgp_mesh_free(again);
    sfgp_model_free(read);
    clear(&fit);
    test_shapes_free(shapes);
}

/* Few points: the columns of all axes and the modes are more than the coordinates. The posterior of a fit of it has as many. */
static void one_of_more_columns_than_coordinates_is_read(void **state)
{
    test_shapes *shapes = test_shapes_new(5, 3, 3, 20);
    fitted fit = fit_shapes(*state, shapes, "auto", 3);
    const char *path = test_path("few.h5");
    const int64_t modes = fit.posterior->basis.pca.modes;
    sfgp_model *read;
    assert_in_range(modes, 16, 17);
    sfgp_assert_ok(*state, sfgp_model_write(*state, fit.posterior, path));
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &read));
    assert_int_equal(read->basis.pca.modes, modes);
    assert_memory_equal(read->basis.pca.factor, fit.posterior->basis.pca.factor,
                        (size_t)(15 * modes) * sizeof(double));
    sfgp_model_free(read);
    clear(&fit);
    test_shapes_free(shapes);
}

static sfgp_status make_posterior(sfgp_context *context, void *map)
{
    sfgp_model *posterior;
    sfgp_status status = sfgp_deformation_posterior(context, map, &posterior);
    sfgp_model_free(posterior);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, 3, 15);
    fitted fit = fit_shapes(*state, shapes, "sfgp-scalar", 3);
    assert_true(sfgp_sweep_allocations(*state, make_posterior, fit.map) >= 6);
    clear(&fit);
    test_shapes_free(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(mean_and_sd_are_those_of_the_fit),
        sfgp_unit_test(so_they_are_where_the_fit_states_less),
        sfgp_unit_test(covariance_is_that_of_the_dense_process),
        sfgp_unit_test(without_overlap_it_is_the_prior_at_the_reference),
        sfgp_unit_test(it_is_written_and_fitted_as_any_model),
        sfgp_unit_test(one_of_more_columns_than_coordinates_is_read),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
