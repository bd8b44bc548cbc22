/* The map of a fit with a field along the surface in its sparse form, against dense Gaussian process regression; files give the same bits. */
#include "deformation/deformation.h"
#include "fit/solver.h"
#include "kernel/surface.h"
#include "support/corrupt.h"
#include "support/gauss.h"
#include "support/sheet.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 9, ROWS = 7, N = COLUMNS * ROWS };
static const char BOTH[] = "se:length=0.8,variance=0.3+surface:length=0.6,variance=0.2,form=sparse",
                  ALONE[] = "surface:length=0.6,variance=0.2,form=sparse";

/* A sheet, and a fit of it to a bent one of which a corner is not seen. */
typedef struct fitted {
    sfgp_mesh *sheet;
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map;
} fitted;

static sfgp_mesh *bend(sfgp_context *context, const sfgp_mesh *sheet)
{
    sfgp_mesh *bent = NULL;
    int64_t count = 0;
    sfgp_assert_ok(context, sfgp_mesh_new(context, N, 3, 0, 0, &bent));
    for (int64_t i = 0; i < N; i++) {
        const double *x = sheet->points + 3 * i;
        if (x[0] > 0.6 && x[1] > 0.4)
            continue;
        bent->points[3 * count] = x[0];
        bent->points[3 * count + 1] = x[1] + 0.05 * x[0];
        bent->points[3 * count++ + 2] = 0.1 * sin(3 * x[0]) * x[1];
    }
    bent->count = count;
    return bent;
}

/* The sheet, and twice as it bends along either axis. */
static void make_training(sfgp_context *context, const sfgp_mesh *sheet, sfgp_mesh *training[3])
{
    for (int k = 0; k < 3; k++) {
        sfgp_assert_ok(context, sfgp_mesh_new(context, N, 3, 0, 0, &training[k]));
        memcpy(training[k]->points, sheet->points, 3 * N * sizeof(double));
        for (int i = 0; i < N && k > 0; i++)
            training[k]->points[3 * i + 2] += 0.2 * sin(2 * sheet->points[3 * i + k - 1]);
    }
}

static fitted fit_sheet(sfgp_context *context, const char *kernel, const char *method, bool trained)
{
    fitted fit = {.sheet = test_sheet(context, COLUMNS, ROWS, 0.5, 1, 0)};
    sfgp_mesh *training[3];
    sfgp_mesh *target = bend(context, fit.sheet);
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    strcpy(settings.method, method);
    settings.accuracy = 1e-13;
    settings.max_iterations = 12;
    make_training(context, fit.sheet, training);
    sfgp_assert_ok(context, sfgp_model_new(context, fit.sheet, (const sfgp_mesh *const *)training,
                                           trained ? 3 : 0, &settings, &fit.model));
    sfgp_assert_ok(context, sfgp_solver_new(context, fit.model, &settings, &fit.solver));
    sfgp_assert_ok(context, sfgp_solver_run(fit.solver, target, &fit.result));
    sfgp_assert_ok(context, sfgp_solver_deformation(fit.solver, fit.result, &fit.map));
    for (int k = 0; k < 3; k++)
        sfgp_mesh_free(training[k]);
    sfgp_mesh_free(target);
    return fit;
}

static void clear(fitted *fit)
{
    sfgp_deformation_free(fit->map);
    sfgp_result_free(fit->result);
    sfgp_solver_free(fit->solver);
    sfgp_model_free(fit->model);
    sfgp_mesh_free(fit->sheet);
}

/* ---- at the reference -------------------------------------------------------------------------------- */

static void reference_points_land_on_the_fit(void **state)
{
    static const char *const METHODS[] = {"sfgp-scalar", "sfgp-full", "sfgp-nothreshold", "closest-point"};
    for (int k = 0; k < 12; k++) {
        fitted fit = fit_sheet(*state, k < 4 ? BOTH : ALONE, METHODS[k % 4], k >= 8);
        double moved[3 * N], sd[N];
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, N, fit.sheet->points, 1, moved, sd));
        for (int i = 0; i < 3 * N; i++)
            assert_true(fabs(moved[i] - fit.result->points[i]) < 1e-12);
        for (int i = 0; i < N; i++)
            assert_true(fabs(sd[i] - fit.result->sd[i]) < 1e-9);
        clear(&fit);
    }
}

/* ---- elsewhere --------------------------------------------------------------------------------------- */

/* A point and its weights between three points of the reference. */
typedef struct place {
    double x[3]; /* in the frame */
    int index[3];
    double weight[3];
} place;

static double se(const double *a, const double *b)
{
    double square = 0;
    for (int k = 0; k < 3; k++)
        square += (a[k] - b[k]) * (a[k] - b[k]);
    return 0.3 * exp(-square / (2 * 0.8 * 0.8));
}

/* Covariance of the field at the points of the reference. */
static void field_covariance(sfgp_context *context, const fitted *fit, double *covariance)
{
    const struct sfgp_kernel_term *term = sfgp_kernel_sparse(&fit->model->kernel_terms);
    const sfgp_mesh mesh = sfgp_model_mesh(fit->model);
    double mass[N], *stiffness = malloc(N * N * sizeof *stiffness);
    test_elements(&mesh, mass, stiffness);
    test_field(context, N, mass, stiffness, sfgp_surface_kappa2(term, 2), sfgp_surface_strength(term, 2),
               term->smoothness, covariance);
    free(stiffness);
}

/* Prior covariances with the points of the reference, and the variance. */
static double covariances_at(const fitted *fit, const double *field, const place *at, double *with)
{
    double variance = se(at->x, at->x);
    for (int j = 0; j < N; j++)
        with[j] = se(at->x, fit->model->reference + 3 * j);
    for (int a = 0; a < 3; a++) {
        for (int j = 0; j < N; j++)
            with[j] += at->weight[a] * field[at->index[a] * N + j];
        for (int b = 0; b < 3; b++)
            variance += at->weight[a] * at->weight[b] * field[at->index[a] * N + at->index[b]];
    }
    return variance;
}

/* The mean is k_x' K^-1 (fit - reference), the variance k_xx - k_x' (K + W^-1)^-1 k_x over the points that have labels. */
static double dense_at(const fitted *fit, const double *field, const place *at, double *moved)
{
    const double *w = fit->solver->em->posterior.field->weights, *r = fit->model->reference;
    double *a = malloc(N * N * sizeof *a), *b = malloc(N * N * sizeof *b), with[N], seen[N], move[3 * N];
    const sfgp_frame *frame = &fit->model->frame;
    double variance = covariances_at(fit, field, at, with);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const bool labelled = w[i] > 0 && w[j] > 0;
            a[i * N + j] = se(r + 3 * i, r + 3 * j) + field[i * N + j];
            b[i * N + j] = (labelled ? a[i * N + j] : 0) + (i != j ? 0 : w[i] > 0 ? 1 / w[i] : 1);
        }
    for (int i = 0; i < N; i++)
        seen[i] = w[i] > 0 ? with[i] : 0;
    sfgp_frame_enter_exactly(frame, N, fit->result->points, move);
    for (int k = 0; k < 3 * N; k++)
        move[k] -= r[k];
    test_gauss(N, 3, a, move);
    test_gauss(N, 1, b, seen);
    memcpy(moved, at->x, sizeof at->x);
    for (int i = 0; i < N; i++) {
        variance -= w[i] > 0 ? seen[i] * with[i] : 0;
        for (int k = 0; k < 3; k++)
            moved[k] += with[i] * move[3 * i + k];
    }
    free(a), free(b);
    return variance;
}

/* The point with these weights of corners of face f, moved off the sheet by `height`. */
static place place_on(const fitted *fit, int f, const double weight[3], double height)
{
    place at = {.x = {0, 0, height}};
    for (int c = 0; c < 3; c++) {
        at.index[c] = (int)fit->model->face_points[3 * f + c];
        at.weight[c] = weight[c];
        for (int k = 0; k < 3; k++)
            at.x[k] += weight[c] * fit->model->reference[3 * at.index[c] + k];
    }
    return at;
}

/* Above a point of the reference mean and variance are those of dense regression; between three of them the mean is, and the variance is not below: that of the
 * field is the mean of theirs. */
static void other_points_go_where_dense_regression_puts_them(void **state)
{
    static const double WEIGHTS[][3] = {{1, 0, 0}, {0.2, 0.5, 0.3}};
    fitted fit = fit_sheet(*state, BOTH, "sfgp-scalar", false);
    double *field = malloc(N * N * sizeof *field), least = 1;
    field_covariance(*state, &fit, field);
    for (int f = 0; f < fit.sheet->face_count; f += 5)
        for (int k = 0; k < 2; k++) {
            const place at = place_on(&fit, f, WEIGHTS[k], 0.3);
            double in[3], out[3], sd, expected[3], moved[3];
            const double variance = dense_at(&fit, field, &at, expected), scale = fit.model->frame.scale;
            sfgp_frame_leave(&fit.model->frame, 1, at.x, in);
            sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, 1, in, 1, out, &sd));
            sfgp_frame_enter(&fit.model->frame, 1, out, moved);
            for (int c = 0; c < 3; c++)
                assert_true(fabs(moved[c] - expected[c]) < 1e-7);
            const double more = sd * sd / (scale * scale) - variance;
            assert_true(more > -1e-7 && (k == 1 || more < 1e-7));
            least = fmin(least, variance);
        }
    assert_true(least < 0.1); /* of a prior variance of 0.5: labels count */
    free(field);
    clear(&fit);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void a_saved_fit_is_the_fit(void **state)
{
    const char *path = test_path("field.h5");
    for (int k = 0; k < 3; k++) {
        fitted fit = fit_sheet(*state, k == 0 ? BOTH : ALONE, "sfgp-scalar", k == 2);
        sfgp_deformation *read = NULL;
        double in[3 * N], a[3 * N], b[3 * N], sd_a[N], sd_b[N];
        for (int i = 0; i < 3 * N; i++)
            in[i] = fit.sheet->points[i] + 0.03 * sin(i);
        sfgp_assert_ok(*state, sfgp_deformation_write(*state, fit.map, path));
        sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &read));
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, fit.map, N, in, 1, a, sd_a));
        sfgp_assert_ok(*state, sfgp_deformation_apply(*state, read, N, in, 1, b, sd_b));
        assert_memory_equal(a, b, sizeof a);
        assert_memory_equal(sd_a, sd_b, sizeof sd_a);
        sfgp_deformation_free(read);
        clear(&fit);
    }
}

/* Nothing moves, and the variance is that of the prior: 0.2 inside, twice as much at a border, and that of the column. */
static void without_overlap_nothing_moves(void **state)
{
    fitted fit = fit_sheet(*state, ALONE, "sfgp-scalar", false);
    sfgp_deformation *map = NULL;
    double moved[3 * N], sd[N];
    fit.result->outcome = SFGP_NO_OVERLAP;
    memcpy(fit.result->points, fit.sheet->points, sizeof moved);
    sfgp_assert_ok(*state, sfgp_solver_deformation(fit.solver, fit.result, &map));
    sfgp_assert_ok(*state, sfgp_deformation_apply(*state, map, N, fit.sheet->points, 1, moved, sd));
    for (int i = 0; i < N; i++) {
        assert_true(fabs(sd[i] - fit.model->frame.scale * sqrt(fit.model->field->variance[i])) < 1e-12);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(moved[3 * i + k] - fit.sheet->points[3 * i + k]) < 1e-12);
    }
    sfgp_deformation_free(map);
    clear(&fit);
}

/* ---- as a model -------------------------------------------------------------------------------------- */

/* K - K_s (K_ss + W^-1)^-1 K_s', s: the points that have labels. */
static void posterior_covariance(sfgp_context *context, const fitted *fit, bool columns, double *covariance)
{
    const double *w = fit->solver->em->posterior.field->weights, *r = fit->model->reference;
    double *k = malloc(N * N * sizeof *k), *b = malloc(N * N * sizeof *b), *x = malloc(N * N * sizeof *x);
    field_covariance(context, fit, k);
    for (int i = 0; i < N * N; i++)
        k[i] += columns ? se(r + 3 * (i / N), r + 3 * (i % N)) : 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            b[i * N + j] = (w[i] > 0 && w[j] > 0 ? k[i * N + j] : 0) + (i != j ? 0 : w[i] > 0 ? 1 / w[i] : 1);
            x[i * N + j] = w[i] > 0 ? k[i * N + j] : 0;
        }
    test_gauss(N, N, b, x);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            covariance[i * N + j] = k[i * N + j];
            for (int s = 0; s < N; s++)
                covariance[i * N + j] -= w[s] > 0 ? k[i * N + s] * x[s * N + j] : 0;
        }
    free(k), free(b), free(x);
}

/* Covariance of two points on an axis in a model that has modes only. */
static double model_covariance(const sfgp_model *model, int i, int j, int axis)
{
    const int64_t p = model->basis.pca.modes;
    double sum = 0;
    for (int64_t k = 0; k < p; k++)
        sum +=
            model->basis.pca.factor[(3 * i + axis) * p + k] * model->basis.pca.factor[(3 * j + axis) * p + k];
    return sum;
}

/* The fit and its deviations, and covariances that are those of dense regression but for what the columns leave out: 1 % of the 0.2 of the field in
 * the mean, in a corner up to eight times as much (model/factor.c). */
static void the_posterior_is_a_model(void **state)
{
    double *covariance = malloc(N * N * sizeof *covariance), widest = 0;
    for (int k = 0; k < 2; k++) {
        fitted fit = fit_sheet(*state, k ? ALONE : BOTH, "sfgp-scalar", false);
        sfgp_model *posterior = NULL;
        sfgp_assert_ok(*state, sfgp_deformation_posterior(*state, fit.map, &posterior));
        posterior_covariance(*state, &fit, k == 0, covariance);
        assert_null(posterior->field);
        for (int i = 0; i < N; i++) {
            const double sd = fit.result->sd[i] / fit.model->frame.scale;
            widest = fmax(widest, covariance[i * N + i]);
            for (int axis = 0; axis < 3; axis++) {
                assert_true(fabs(model_covariance(posterior, i, i, axis) - sd * sd) < 1e-9);
                for (int j = 0; j < N; j++)
                    assert_true(fabs(model_covariance(posterior, i, j, axis) - covariance[i * N + j]) <
                                8 * 0.01 * 0.2);
            }
        }
        sfgp_model_free(posterior);
        clear(&fit);
    }
    assert_true(widest > 0.1); /* the corner that is not seen */
    free(covariance);
}

/* With modes beside both the deviations are those of the fit. */
static void the_posterior_with_modes_has_the_deviations(void **state)
{
    fitted fit = fit_sheet(*state, BOTH, "sfgp-scalar", true);
    sfgp_model *posterior = NULL;
    sfgp_assert_ok(*state, sfgp_deformation_posterior(*state, fit.map, &posterior));
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int axis = 0; axis < 3; axis++)
            sum += model_covariance(posterior, i, i, axis) / 3;
        assert_true(fabs(sum - pow(fit.result->sd[i] / fit.model->frame.scale, 2)) < 1e-9);
    }
    sfgp_model_free(posterior);
    clear(&fit);
}

static sfgp_status make_map(sfgp_context *context, void *user)
{
    const fitted *fit = user;
    const char *path = test_path("memory.h5");
    sfgp_deformation *made = NULL, *read = NULL;
    sfgp_model *posterior = NULL;
    double out[3 * N], sd[N];
    sfgp_status status =
        sfgp_deformation_from_result(context, fit->model, fit->solver->em, fit->result, &made);
    if (status == SFGP_OK)
        status = sfgp_deformation_write(context, made, path);
    if (status == SFGP_OK)
        status = sfgp_deformation_read(context, path, &read);
    if (status == SFGP_OK)
        status = sfgp_deformation_apply(context, read, N, fit->sheet->points, 1, out, sd);
    if (status == SFGP_OK)
        status = sfgp_deformation_posterior(context, read, &posterior);
    sfgp_model_free(posterior);
    sfgp_deformation_free(made);
    sfgp_deformation_free(read);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    fitted fit = fit_sheet(*state, BOTH, "sfgp-scalar", false);
    assert_true(sfgp_sweep_allocations(*state, make_map, &fit) > 50);
    clear(&fit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(reference_points_land_on_the_fit),
        sfgp_unit_test(other_points_go_where_dense_regression_puts_them),
        sfgp_unit_test(a_saved_fit_is_the_fit),
        sfgp_unit_test(without_overlap_nothing_moves),
        sfgp_unit_test(the_posterior_is_a_model),
        sfgp_unit_test(the_posterior_with_modes_has_the_deviations),
        sfgp_unit_test(memory_runs_out_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
