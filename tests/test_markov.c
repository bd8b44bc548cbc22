/* Fields along the surface in the sparse form: the prior, and the posterior beside columns, against dense matrices. */
#include "support/sheet.h"
#include "support/corrupt.h"
#include "support/sparse.h"
#include "base/random.h"
#include "model/model.h"
#include "gpr/posterior.h"
#include "kernel/surface.h"
#include "linalg/dense.h"
#include "linalg/symmetric.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct sfgp_kernel_term term_of(double length, double variance, int smoothness)
{
    return (struct sfgp_kernel_term){&sfgp_kernel_surface, length, variance, smoothness, true, false};
}

static double *numbers(int64_t count)
{
    return calloc((size_t)count + 1, sizeof(double));
}

/* Dense covariance of the field of a mesh in one piece. */
static double *covariance_of(sfgp_context *context, const sfgp_mesh *mesh,
                             const struct sfgp_kernel_term *term)
{
    const int64_t n = mesh->count;
    double *mass = numbers(n), *stiffness = numbers(n * n), *covariance = numbers(n * n), area = 0;
    test_elements(mesh, mass, stiffness);
    test_field(context, n, mass, stiffness, sfgp_surface_kappa2(term, 2), sfgp_surface_strength(term, 2),
               term->smoothness, covariance);
    for (int64_t i = 0; i < n; i++)
        area += mass[i];
    const double constant = sfgp_surface_density(term, 2, 0) / area,
                 scale = constant > term->variance ? term->variance / constant : 1;
    for (int64_t k = 0; k < n * n; k++)
        covariance[k] *= scale;
    free(mass), free(stiffness);
    return covariance;
}

/* ---- prior ------------------------------------------------------------------------------------------- */

/* Q times the dense covariance is I, in both smoothnesses, and where the piece is small against the length. */
static void precision_is_the_inverse_of_the_covariance(void **state)
{
    const double lengths[] = {0.2, 0.2, 2};
    sfgp_mesh *mesh = test_sheet(*state, 11, 9, 0.5, 1, 0);
    const int64_t n = mesh->count;
    for (int c = 0; c < 3; c++) {
        const struct sfgp_kernel_term term = term_of(lengths[c], 0.7, c == 1 ? 1 : 2);
        double *covariance = covariance_of(*state, mesh, &term), *product = numbers(n * n);
        sfgp_markov field;
        sfgp_sparse full;
        sfgp_assert_ok(*state, sfgp_markov_new(*state, mesh, &term, &field));
        assert_true(test_sparse_is_valid(&field.precision));
        sfgp_assert_ok(*state, sfgp_symmetric_expand(*state, &field.precision, &full));
        for (int64_t i = 0; i < n; i++)
            sfgp_symmetric_multiply(&full, 1, covariance + i * n, product + i * n);
        for (int64_t i = 0; i < n; i++) {
            for (int64_t j = 0; j < n; j++)
                assert_true(fabs(product[i * n + j] - (i == j)) < (lengths[c] > 1 ? 1e-5 : 1e-9));
            assert_true(fabs(field.variance[i] / covariance[i * n + i] - 1) < 1e-6);
        }
        free(covariance), free(product);
        sfgp_sparse_clear(&full);
        sfgp_markov_clear(&field);
    }
    sfgp_mesh_free(mesh);
}

/* A sheet of eight lengths: its marginal variance in the middle, its correlation at a length, and twice the variance at a border. */
static void sheet_has_the_variance_and_correlation(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 97, 97, 0, 1, 0);
    const int64_t middle = 48 * 97 + 48;
    double *column = numbers(mesh->count);
    for (int smoothness = 1; smoothness <= 2; smoothness++) {
        const struct sfgp_kernel_term term = term_of(0.125, 3, smoothness);
        sfgp_markov field;
        sfgp_ldl *ldl = NULL;
        sfgp_assert_ok(*state, sfgp_markov_new(*state, mesh, &term, &field));
        assert_true(fabs(field.variance[middle] / 3 - 1) < 0.02);
        assert_true(fabs(field.variance[48] / 6 - 1) < 0.05);
        sfgp_assert_ok(*state, sfgp_ldl_new_ordered(*state, &field.precision, field.order, &ldl));
        sfgp_assert_ok(*state, sfgp_ldl_factorise(*state, &field.precision, ldl));
        memset(column, 0, (size_t)mesh->count * sizeof *column);
        column[middle] = 1;
        sfgp_ldl_solve(ldl, 1, column);
        assert_true(fabs(column[middle] - field.variance[middle]) < 1e-9);
        assert_true(fabs(column[middle + 12] / column[middle] - test_matern(smoothness, 1, 1)) < 0.01);
        assert_true(fabs(column[middle + 97 * 12] / column[middle] - test_matern(smoothness, 1, 1)) < 0.01);
        sfgp_ldl_free(ldl);
        sfgp_markov_clear(&field);
    }
    free(column);
    sfgp_mesh_free(mesh);
}

/* Two sheets, one above the other by a third of the length, and points without faces: strangers, none with more than V as its constant. */
static void pieces_are_strangers(void **state)
{
    sfgp_mesh *two = test_sheet(*state, 14, 14, 0.5, 2, 2), *one = test_sheet(*state, 14, 14, 0.5, 1, 0);
    const struct sfgp_kernel_term term = term_of(0.3, 1.5, 1);
    sfgp_markov both, single;
    sfgp_assert_ok(*state, sfgp_markov_new(*state, two, &term, &both));
    sfgp_assert_ok(*state, sfgp_markov_new(*state, one, &term, &single));
    assert_int_equal(sfgp_sparse_start(&both.precision)[394],
                     2 * sfgp_sparse_start(&single.precision)[196] + 2);
    for (int64_t i = 0; i < 196; i++) {
        assert_true(fabs(both.variance[i] - single.variance[i]) < 1e-9);
        assert_true(fabs(both.variance[196 + i] - single.variance[i]) < 1e-9);
    }
    assert_true(fabs(both.variance[392] - 1.5) < 1e-12 && fabs(both.variance[393] - 1.5) < 1e-12);
    sfgp_markov_clear(&both), sfgp_markov_clear(&single);
    sfgp_mesh_free(two), sfgp_mesh_free(one);
}

/* A length of 20 sheets: without the check the variance would be 0.35 instead of 1. */
static void a_length_beyond_the_rounding_is_refused(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 31, 31, 0, 1, 0);
    const struct sfgp_kernel_term term = term_of(20, 1, 2);
    sfgp_markov field;
    sfgp_assert_error(*state, sfgp_markov_new(*state, mesh, &term, &field), SFGP_ERROR_NUMERIC,
                      "use form=eigen");
    sfgp_markov_clear(&field);
    sfgp_mesh_free(mesh);
}

/* x'Qx of a sample is chi-squared, and the variance of x_i over 300 samples is that of the field: five deviations. */
static void samples_have_the_precision(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 15, 12, 0.5, 1, 0);
    const struct sfgp_kernel_term term = term_of(0.3, 2, 2);
    const int64_t n = mesh->count;
    double *values = numbers(3 * n), *sums = numbers(n), square = 0;
    sfgp_markov field;
    sfgp_assert_ok(*state, sfgp_markov_new(*state, mesh, &term, &field));
    for (uint64_t seed = 1; seed <= 100; seed++) {
        sfgp_assert_ok(*state, sfgp_markov_sample(*state, &field, 3, seed, values));
        square += sfgp_symmetric_square(&field.precision, 3, values);
        for (int64_t k = 0; k < 3 * n; k++)
            sums[k / 3] += values[k] * values[k] / 300;
    }
    assert_true(fabs(square / (300 * (double)n) - 1) < 5 * sqrt(2 / (300 * (double)n)));
    for (int64_t i = 0; i < n; i++)
        assert_true(fabs(sums[i] / field.variance[i] - 1) < 5 * sqrt(2.0 / 300));
    sfgp_markov_clear(&field);
    free(values), free(sums);
    sfgp_mesh_free(mesh);
}

/* Variances by samples have no bias, and err by what they state. */
static void sampled_variances_have_the_stated_error(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 31, 31, 0.5, 1, 0);
    const struct sfgp_kernel_term term = term_of(0.2, 2, 1);
    const int64_t n = mesh->count;
    const sfgp_variances_request exactly = {0, 0}, sampled = {200, 7};
    double *variances = numbers(n), *estimates = numbers(n), mean = 0, square = 0, error = 1, stated = 0;
    sfgp_markov field;
    sfgp_ldl *ldl = NULL;
    sfgp_assert_ok(*state, sfgp_markov_new(*state, mesh, &term, &field));
    sfgp_sparse *p = &field.precision;
    for (int64_t i = 0; i < n; i++) /* as of a posterior */
        sfgp_sparse_value(p)[sfgp_sparse_start(p)[i]] += i % 3 ? 20 : 0;
    sfgp_assert_ok(*state, sfgp_ldl_new(*state, p, &ldl));
    sfgp_assert_ok(*state, sfgp_ldl_factorise(*state, p, ldl));
    sfgp_assert_ok(*state, sfgp_variances(*state, &exactly, p, ldl, variances, &error));
    sfgp_assert_ok(*state, sfgp_variances(*state, &sampled, p, ldl, estimates, &stated));
    assert_true(error == 0 && stated > 0.02 && stated < 0.1001);
    for (int64_t i = 0; i < n; i++) {
        const double off = estimates[i] / variances[i] - 1;
        assert_true(fabs(off) < 5 * stated);
        mean += off / (double)n;
        square += off * off / (double)n;
    }
    assert_true(sqrt(square) < stated && sqrt(square) > 0.3 * stated);
    assert_true(fabs(mean) < 0.3 * stated);
    sfgp_ldl_free(ldl);
    sfgp_markov_clear(&field);
    free(variances), free(estimates);
    sfgp_mesh_free(mesh);
}

/* ---- posterior --------------------------------------------------------------------------------------- */

typedef struct scene {
    sfgp_mesh *mesh;
    sfgp_markov field;
    sfgp_basis basis;
    double *covariance; /* n d x n d: of mean + B c + w */
    double *weights, *labels;
} scene;

/* Columns of any values: dense matrices do not ask where they come from. */
static void fill_columns(sfgp_random *random, sfgp_basis *basis)
{
    const int64_t n = basis->count, d = basis->dimension;
    for (int64_t k = 0; k < n * basis->scalar.rank; k++)
        basis->scalar.values[k] = sfgp_random_normal(random);
    for (int64_t k = 0; k < n * d * basis->pca.modes; k++)
        basis->pca.factor[k] = 0.5 * sfgp_random_normal(random);
    for (int64_t k = 0; k < n * d; k++)
        basis->mean[k] = sfgp_random_normal(random);
}

static double *joint_covariance(const sfgp_basis *basis, const double *field)
{
    const int64_t n = basis->count, d = basis->dimension, s = basis->scalar.rank, p = basis->pca.modes,
                  size = n * d;
    double *k = numbers(size * size);
    for (int64_t r = 0; r < size; r++)
        for (int64_t c = 0; c < size; c++) {
            const double *one = basis->scalar.values + r / d * s, *other = basis->scalar.values + c / d * s;
            double sum = 0;
            for (int64_t q = 0; q < p; q++)
                sum += basis->pca.factor[r * p + q] * basis->pca.factor[c * p + q];
            for (int64_t q = 0; q < s && r % d == c % d; q++)
                sum += one[q] * other[q];
            k[r * size + c] = sum + (r % d == c % d ? field[r / d * n + c / d] : 0);
        }
    return k;
}

/* A third of the points has no label: theirs is not a number. */
static void observe(uint64_t seed, int64_t n, int64_t d, double *weights, double *labels)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t i = 0; i < n; i++) {
        weights[i] = i % 3 == 1 ? 0 : 0.5 + 40 * sfgp_random_uniform(&random);
        for (int64_t a = 0; a < d; a++)
            labels[i * d + a] = weights[i] > 0 ? sfgp_random_normal(&random) : (double)NAN;
    }
}

static void scene_new(sfgp_context *context, int d, int smoothness, int64_t rank, int64_t modes, scene *s)
{
    const struct sfgp_kernel_term term = term_of(0.3, 0.6, smoothness);
    *s = (scene){.mesh = test_sheet(context, 9, 7, 0.5, 1, 0)};
    const int64_t n = s->mesh->count;
    sfgp_random random = sfgp_random_of(5);
    sfgp_assert_ok(context, sfgp_markov_new(context, s->mesh, &term, &s->field));
    sfgp_assert_ok(context, sfgp_basis_new(context, n, d, rank, modes, &s->basis));
    fill_columns(&random, &s->basis);
    s->basis.field = &s->field;
    double *field = covariance_of(context, s->mesh, &term);
    s->covariance = joint_covariance(&s->basis, field);
    s->weights = numbers(n);
    s->labels = numbers(n * d);
    free(field);
}

static void scene_clear(scene *s)
{
    sfgp_markov_clear(&s->field);
    sfgp_basis_clear(&s->basis);
    free(s->covariance), free(s->weights), free(s->labels);
    sfgp_mesh_free(s->mesh);
}

/* What dense matrices say: mean, variance, and ln p(labels). free(mean). */
typedef struct dense {
    double *mean, *variance, evidence;
} dense;

/* a: K + W^-1 of the labelled numbers, b: the same rows of K, y: labels. */
static dense dense_posterior(sfgp_context *context, const scene *s)
{
    const int64_t d = s->basis.dimension, size = s->basis.count * d;
    double *a = numbers(size * size), *b = numbers(size * size), *y = numbers(size);
    dense made = {numbers(size), numbers(s->basis.count), 0};
    int64_t m = 0, *seen = calloc((size_t)size, sizeof *seen);
    for (int64_t r = 0; r < size; r++)
        if (s->weights[r / d] > 0)
            seen[m++] = r;
    for (int64_t r = 0; r < m; r++) {
        for (int64_t c = 0; c < m; c++)
            a[r * m + c] =
                s->covariance[seen[r] * size + seen[c]] + (r == c ? 1 / s->weights[seen[r] / d] : 0);
        memcpy(b + r * size, s->covariance + seen[r] * size, (size_t)size * sizeof *b);
        y[r] = s->labels[seen[r]];
    }
    sfgp_assert_ok(context, sfgp_dense_cholesky(context, "oracle", m, a));
    sfgp_dense_solve_lower(m, size, a, b);
    sfgp_dense_solve_lower(m, 1, a, y);
    for (int64_t r = 0; r < m; r++)
        made.evidence -= 0.5 * y[r] * y[r] + log(a[r * m + r]) + 0.5 * log(2 * 3.14159265358979323846);
    for (int64_t c = 0; c < size; c++) {
        made.mean[c] = s->basis.mean[c];
        made.variance[c / d] += s->covariance[c * size + c] / (double)d;
        for (int64_t r = 0; r < m; r++) {
            made.mean[c] += b[r * size + c] * y[r];
            made.variance[c / d] -= b[r * size + c] * b[r * size + c] / (double)d;
        }
    }
    free(a), free(b), free(y), free(seen);
    return made;
}

/* ln p(labels) = E ln p(labels | u) - KL of the exact posterior. */
static double evidence_of(const scene *s, const sfgp_posterior *posterior)
{
    const int64_t n = s->basis.count, d = s->basis.dimension;
    double sum = -sfgp_posterior_divergence(posterior);
    for (int64_t i = 0; i < n; i++)
        for (int64_t a = 0; a < d && s->weights[i] > 0; a++) {
            const double off = s->labels[i * d + a] + s->basis.mean[i * d + a] - posterior->mean[i * d + a];
            sum += 0.5 * (log(s->weights[i] / (2 * 3.14159265358979323846)) -
                          s->weights[i] * (off * off + posterior->variance[i]));
        }
    return sum;
}

static void assert_dense(sfgp_context *context, const scene *s, const sfgp_posterior *posterior)
{
    const int64_t n = s->basis.count, d = s->basis.dimension;
    const dense expected = dense_posterior(context, s);
    for (int64_t i = 0; i < n; i++) {
        assert_true(fabs(posterior->variance[i] - expected.variance[i]) < 1e-9);
        for (int64_t a = 0; a < d; a++)
            assert_true(fabs(posterior->mean[i * d + a] - expected.mean[i * d + a]) < 1e-9);
    }
    assert_true(fabs(evidence_of(s, posterior) - expected.evidence) < 1e-9 * fabs(expected.evidence));
    free(expected.mean), free(expected.variance);
}

/* Fields alone, beside scalar columns, beside modes, and beside both. The second labels come with the same weights, the third with
 * others. */
static void posterior_is_that_of_dense_matrices(void **state)
{
    const struct {
        int d, smoothness;
        int64_t rank, modes;
    } cases[] = {{3, 1, 0, 0}, {3, 2, 4, 0}, {3, 1, 0, 2}, {3, 2, 5, 4}, {2, 1, 7, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        scene s;
        sfgp_posterior posterior;
        scene_new(*state, cases[c].d, cases[c].smoothness, cases[c].rank, cases[c].modes, &s);
        sfgp_assert_ok(*state, sfgp_posterior_new(*state, &s.basis, &posterior));
        for (uint64_t round = 1; round <= 3; round++) {
            double *kept = numbers(s.basis.count);
            memcpy(kept, s.weights, (size_t)s.basis.count * sizeof *kept);
            observe(round, s.basis.count, s.basis.dimension, s.weights, s.labels);
            if (round == 2)
                memcpy(s.weights, kept, (size_t)s.basis.count * sizeof *kept);
            sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &posterior));
            assert_dense(*state, &s, &posterior);
            free(kept);
        }
        sfgp_posterior_clear(&posterior);
        scene_clear(&s);
    }
}

/* Without labels the posterior is the prior, at no divergence. */
static void nothing_seen_is_the_prior(void **state)
{
    scene s;
    sfgp_posterior posterior;
    scene_new(*state, 3, 2, 3, 2, &s);
    sfgp_assert_ok(*state, sfgp_posterior_new(*state, &s.basis, &posterior));
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &posterior));
    for (int64_t i = 0; i < s.basis.count; i++)
        assert_true(fabs(posterior.variance[i] - sfgp_basis_variance(&s.basis, i)) < 1e-9);
    assert_true(fabs(sfgp_posterior_divergence(&posterior)) < 1e-9);
    sfgp_posterior_clear(&posterior);
    scene_clear(&s);
}

static void bits_do_not_depend_on_threads(void **state)
{
    scene s;
    sfgp_posterior one, many;
    scene_new(*state, 3, 1, 6, 2, &s);
    observe(3, s.basis.count, 3, s.weights, s.labels);
    sfgp_assert_ok(*state, sfgp_posterior_new(*state, &s.basis, &one));
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &one));
    sfgp_test_threads(4);
    sfgp_assert_ok(*state, sfgp_posterior_new(*state, &s.basis, &many));
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &many));
    assert_memory_equal(one.mean, many.mean, (size_t)(3 * s.basis.count) * sizeof(double));
    assert_memory_equal(one.variance, many.variance, (size_t)s.basis.count * sizeof(double));
    sfgp_posterior_clear(&one), sfgp_posterior_clear(&many);
    scene_clear(&s);
}

/* ---- models ------------------------------------------------------------------------------------------ */

#define FIELD "surface:length=0.5,variance=0.01,smoothness=1,form=sparse"

static sfgp_model *model_of(sfgp_context *context, const char *kernel)
{
    sfgp_mesh *mesh = test_sheet(context, 13, 11, 0.5, 1, 0);
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, kernel);
    sfgp_model *model = test_model(context, mesh, &settings);
    sfgp_mesh_free(mesh);
    return model;
}

/* Methods and landmarks that do not know the field say so, and what to do. */
static void what_does_not_know_the_field_refuses(void **state)
{
    static const char *const METHODS[] = {"auto", "bcpd", "map", "cpd"};
    sfgp_model *model = model_of(*state, "se:length=1,variance=0.1+" FIELD);
    const double point[3] = {0, 0, 0};
    sfgp_solver *solver = NULL;
    sfgp_mesh *shape = NULL;
    sfgp_result *result = NULL;
    sfgp_settings settings = test_settings();
    for (int k = 0; k < 4; k++) {
        strcpy(settings.method, METHODS[k]);
        sfgp_assert_error(*state, sfgp_solver_new(*state, model, &settings, &solver), SFGP_ERROR_PARAMETER,
                          "form=eigen, or --method");
    }
    strcpy(settings.method, "sfgp-scalar");
    settings.max_memory = 1 << 16;
    sfgp_assert_ok(*state, sfgp_solver_new(*state, model, &settings, &solver));
    sfgp_assert_ok(*state, sfgp_model_reference(*state, model, &shape));
    sfgp_assert_error(*state, sfgp_solver_run(solver, shape, &result), SFGP_ERROR_MEMORY, "use form=eigen");
    sfgp_mesh_free(shape);
    sfgp_assert_error(*state, sfgp_solver_set_landmarks(solver, 1, point, point, 0), SFGP_ERROR_PARAMETER,
                      "form=eigen");
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

static const char *const WITH_FIELD[] = {FIELD, "se:length=1,variance=0.1+" FIELD};

/* Of a field alone the components have all of its variance but 1 % in the mean over the area, of which points at a border have half. Beside a term in
 * space they are those of the term. */
static void components_of_a_field_have_its_variance(void **state)
{
    for (int k = 0; k < 2; k++) {
        sfgp_model *model =
            model_of(*state, k == 0 ? "surface:length=0.6,variance=0.01,form=sparse" : WITH_FIELD[1]);
        sfgp_array *variances = NULL;
        sfgp_mesh *first = NULL;
        const double unit = pow(model->frame.scale, 2);
        double sum = 0, expected = 0, square = 0;
        sfgp_assert_ok(*state, sfgp_model_variances(*state, model, &variances));
        for (int64_t v = 0; v < variances->shape[0]; v++)
            sum += variances->values[v] / unit;
        for (int64_t i = 0; i < model->count; i++)
            expected += 3 * (k == 0 ? model->field->variance[i] : 0.1);
        assert_true(sum < expected * (1 + 1e-12));
        const double left =
            k == 0 ? 0.02 * 0.01 : 1e-12 + 1e-10 * variances->values[0] / unit; /* modes.h drops such ones */
        assert_true(sum > expected - 3 * left * (double)model->count);
        sfgp_assert_ok(*state, sfgp_model_component(*state, model, 0, 1, &first));
        for (int64_t i = 0; i < 3 * model->count; i++)
            square += pow(first->points[i] - model->original[i], 2);
        assert_true(fabs(square / variances->values[0] - 1) < 1e-9);
        sfgp_mesh_free(first);
        sfgp_array_free(variances);
        sfgp_model_free(model);
    }
}

static void keeps_its_field(sfgp_context *context, const char *kernel)
{
    const char *path = test_path("field.h5");
    sfgp_model *model = model_of(context, kernel), *read = NULL;
    sfgp_mesh *one = NULL, *other = NULL;
    sfgp_assert_ok(context, sfgp_model_write(context, model, path));
    sfgp_assert_ok(context, sfgp_model_read(context, path, &read));
    const int64_t n = model->count, entries = sfgp_sparse_start(&model->field->precision)[n];
    assert_memory_equal(sfgp_sparse_value(&model->field->precision),
                        sfgp_sparse_value(&read->field->precision), (size_t)entries * sizeof(double));
    assert_memory_equal(model->field->order, read->field->order, (size_t)n * sizeof(int32_t));
    assert_true(model->field->log_determinant == read->field->log_determinant);
    assert_true(model->field->factor_bytes == read->field->factor_bytes &&
                model->field->work_bytes == read->field->work_bytes);
    sfgp_assert_ok(context, sfgp_model_sample(context, model, 3, &one));
    sfgp_assert_ok(context, sfgp_model_sample(context, read, 3, &other));
    assert_memory_equal(one->points, other->points, (size_t)(3 * n) * sizeof(double));
    for (int64_t i = 0; i < n; i++)
        assert_true(sfgp_basis_variance(&read->basis, i) == sfgp_basis_variance(&model->basis, i));
    sfgp_mesh_free(one), sfgp_mesh_free(other);
    sfgp_model_free(model), sfgp_model_free(read);
}

/* A model that was written has the same precision, bit for bit, and the same samples. */
static void a_saved_model_has_the_same_field(void **state)
{
    for (int k = 0; k < 2; k++)
        keeps_its_field(*state, WITH_FIELD[k]);
}

/* Over 200 samples the variance of a point is that of the columns and the field together: five deviations. */
static void samples_of_a_model_have_the_field(void **state)
{
    sfgp_model *model =
        model_of(*state, "se:length=1,variance=0.01+surface:length=0.5,variance=0.05,form=sparse");
    const int64_t n = model->count;
    double *sums = numbers(n), sum = 0, expected = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        sfgp_mesh *shape = NULL;
        sfgp_assert_ok(*state, sfgp_model_sample(*state, model, seed, &shape));
        sfgp_frame_enter(&model->frame, n, shape->points, shape->points);
        for (int64_t k = 0; k < 3 * n; k++)
            sums[k / 3] += pow(shape->points[k] - model->basis.mean[k], 2) / 600;
        sfgp_mesh_free(shape);
    }
    for (int64_t i = 0; i < n; i++) {
        assert_true(fabs(sums[i] / sfgp_basis_variance(&model->basis, i) - 1) < 5 * sqrt(2.0 / 600));
        sum += sums[i], expected += sfgp_basis_variance(&model->basis, i);
    }
    assert_true(fabs(sum / expected - 1) < 0.15);
    free(sums);
    sfgp_model_free(model);
}

static sfgp_status fit(sfgp_context *context, scene *s)
{
    const struct sfgp_kernel_term term = term_of(0.3, 0.6, 2);
    sfgp_markov field;
    sfgp_posterior posterior = {0};
    sfgp_status status = sfgp_markov_new(context, s->mesh, &term, &field);
    if (status == SFGP_OK) {
        s->basis.field = &field;
        status = sfgp_posterior_new(context, &s->basis, &posterior);
    }
    if (status == SFGP_OK)
        status = sfgp_posterior_update(context, s->weights, s->labels, &posterior);
    sfgp_posterior_clear(&posterior);
    sfgp_markov_clear(&field);
    return status;
}

static sfgp_status fit_it(sfgp_context *context, void *user)
{
    return fit(context, user);
}

static void every_failed_allocation_is_reported(void **state)
{
    scene s;
    scene_new(*state, 3, 2, 3, 2, &s);
    observe(3, s.basis.count, 3, s.weights, s.labels);
    assert_in_range(sfgp_sweep_allocations(*state, fit_it, &s), 1, 199);
    scene_clear(&s);
}

/* As rounding might leave Q + W: a pivot below zero. */
static void weights_below_zero_have_no_posterior(void **state)
{
    scene s;
    sfgp_posterior posterior;
    scene_new(*state, 3, 2, 3, 2, &s);
    observe(3, s.basis.count, 3, s.weights, s.labels);
    for (int64_t i = 0; i < s.basis.count; i++)
        s.weights[i] = -1e6;
    sfgp_assert_ok(*state, sfgp_posterior_new(*state, &s.basis, &posterior));
    sfgp_assert_error(*state, sfgp_posterior_update(*state, s.weights, s.labels, &posterior),
                      SFGP_ERROR_NUMERIC, "not positive definite");
    sfgp_posterior_clear(&posterior);
    scene_clear(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(weights_below_zero_have_no_posterior),
        sfgp_unit_test(precision_is_the_inverse_of_the_covariance),
        sfgp_unit_test(sheet_has_the_variance_and_correlation),
        sfgp_unit_test(pieces_are_strangers),
        sfgp_unit_test(a_length_beyond_the_rounding_is_refused),
        sfgp_unit_test(samples_have_the_precision),
        sfgp_unit_test(sampled_variances_have_the_stated_error),
        sfgp_unit_test(posterior_is_that_of_dense_matrices),
        sfgp_unit_test(nothing_seen_is_the_prior),
        sfgp_unit_test(bits_do_not_depend_on_threads),
        sfgp_unit_test(what_does_not_know_the_field_refuses),
        sfgp_unit_test(components_of_a_field_have_its_variance),
        sfgp_unit_test(a_saved_model_has_the_same_field),
        sfgp_unit_test(samples_of_a_model_have_the_field),
        sfgp_unit_test(every_failed_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
