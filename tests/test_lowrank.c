/* Kernels, PCA and low-rank factors against dense matrices. */
#include "support/corrupt.h"
#include "support/shapes.h"
#include "base/random.h"
#include "kernel/pca.h"
#include "linalg/dense.h"
#include "lowrank/spectral.h"
#include "lowrank/two_stage.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct setting {
    int n, d;
    double *axes;
    sfgp_kernel kernel;
    sfgp_covariance covariance;
} setting;

/* A sheet or curve in units of its radius. */
static setting *setting_new(sfgp_context *context, int n, int d, const char *kernel)
{
    setting *s = calloc(1, sizeof *s);
    test_shapes *shapes = test_shapes_new(n, d, 0, 11);
    *s = (setting){.n = n, .d = d, .axes = malloc((size_t)(n * d) * sizeof(double))};
    for (int i = 0; i < n; i++)
        for (int a = 0; a < d; a++)
            s->axes[a * n + i] = shapes->reference[i * d + a] / 25;
    test_shapes_free(shapes);
    sfgp_assert_ok(context, sfgp_kernel_parse(context, kernel, &s->kernel));
    s->covariance = (sfgp_covariance){&s->kernel, n, d, s->axes};
    return s;
}

static void setting_free(setting *s)
{
    free(s->axes);
    free(s);
}

static double kernel_entry(const setting *s, int i, int j)
{
    double square = 0, sum = 0;
    for (int a = 0; a < s->d; a++)
        square += pow(s->axes[a * s->n + i] - s->axes[a * s->n + j], 2);
    for (int t = 0; t < s->kernel.count; t++) {
        const double scaled = sqrt(square) / s->kernel.terms[t].length;
        sum += s->kernel.terms[t].variance *
               exp(s->kernel.terms[t].type == &sfgp_kernel_laplace ? -scaled : -0.5 * scaled * scaled);
    }
    return sum;
}

static const sfgp_lowrank_method *const METHODS[] = {&sfgp_lowrank_eigen, &sfgp_lowrank_nystrom,
                                                     &sfgp_lowrank_cholesky};

static double largest_residual(const setting *s, const sfgp_factor *factor)
{
    double worst = 0;
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j <= i; j++) {
            double entry = kernel_entry(s, i, j);
            for (int64_t k = 0; k < factor->rank; k++)
                entry -= factor->values[i * factor->rank + k] * factor->values[j * factor->rank + k];
            worst = fmax(worst, fabs(entry));
        }
    return worst;
}

static void rows_are_the_kernel(void **state)
{
    setting *s = setting_new(*state, 600, 3, "se:length=0.5,variance=2+se:length=2,variance=0.5");
    double row[600];
    sfgp_covariance_row(&s->covariance, 17, 3, 590, row);
    for (int k = 0; k < 590; k++)
        assert_true(fabs(row[k] - kernel_entry(s, 17, 3 + k)) < 1e-14 * 2.5);
    assert_true(sfgp_kernel_variance(&s->kernel) == 2.5);
    setting_free(s);
}

static void kernels_are_parsed_and_mistakes_named(void **state)
{
    sfgp_kernel kernel;
    sfgp_assert_ok(*state, sfgp_kernel_parse(*state, "se", &kernel));
    assert_true(kernel.count == 1 && kernel.terms[0].length == 1 && kernel.terms[0].variance == 1);
    sfgp_assert_ok(*state, sfgp_kernel_parse(*state, "none", &kernel));
    assert_int_equal(kernel.count, 0);
    const char *bad[] = {"",
                         "gauss:length=1",
                         "se:lenght=1",
                         "se:length=0",
                         "se:length=-1",
                         "se:length=nan",
                         "se:length=inf",
                         "se:length=1e300",
                         "se:variance=1e-320",
                         "se:length=1,5",
                         "se:length",

                         "se+se+se+se+se+se+se+se+se",
                         "none+se",
                         "se:length=1e-300",
                         "se:variance=abc"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sfgp_assert_error(*state, sfgp_kernel_parse(*state, bad[k], &kernel), SFGP_ERROR_PARAMETER, "kernel");
    }
}

/* Few points for whose eigenpairs Lanczos is asked first. Every point more costs an emulator much. */
enum { LANCZOS = 260 };

/* The certificate is true, and the accuracy is reached, for every method, in 2D and 3D. */
static void residual_bounds_are_true(void **state)
{
    const char *kernels[] = {"se:length=1,variance=1", "se:length=0.4,variance=0.5+se:length=3,variance=2"};
    const double accuracies[] = {1e-2, 1e-5, 1e-9};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 2; k++)
            for (int a = 0; a < 3; a++)
                for (int m = 0; m < 3; m++) {
                    setting *s = setting_new(*state, LANCZOS, d, kernels[k]);
                    const sfgp_factor_request request = {accuracies[a], LANCZOS, 1, false};
                    sfgp_factor factor;
                    sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &factor));
                    double worst = largest_residual(s, &factor);
                    if (!(worst <= factor.residual && factor.residual <= accuracies[a] * 1.01))
                        fail_msg("%s %dD %s: residual %g, certified %g, asked %g", METHODS[m]->name, d,
                                 kernels[k], worst, factor.residual, accuracies[a]);
                    sfgp_factor_clear(&factor);
                    setting_free(s);
                }
}

static void spectral_factors_need_the_fewest_columns(void **state)
{
    setting *s = setting_new(*state, 500, 3, "se:length=0.7,variance=1");
    for (double accuracy = 1e-1; accuracy > 5e-5; accuracy /= 10) {
        const sfgp_factor_request request = {accuracy, 500, 1, false};
        int64_t ranks[3];
        for (int m = 0; m < 3; m++) {
            sfgp_factor factor;
            sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &factor));
            ranks[m] = factor.rank;
            sfgp_factor_clear(&factor);
        }
        assert_true(ranks[0] <= ranks[2] && ranks[1] <= ranks[2] && labs((long)(ranks[0] - ranks[1])) <= 2);
    }
    setting_free(s);
}

/* Column k has the squared length lambda_k: that of K itself, although the products are those of a finer factor, whose error is a hundredth of the
 * accuracy at a point and n times that in an eigenvalue. */
static void eigen_has_the_eigenvalues_of_the_kernel(void **state)
{
    enum { N = 300 };
    const sfgp_factor_request request = {1e-4, N, 1, false};
    setting *s = setting_new(*state, N, 3, "se:length=0.7,variance=1");
    double *dense = malloc(sizeof(double[N][N])), *vectors = malloc(sizeof(double[N][N])), values[N];
    sfgp_factor factor;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            dense[i * N + j] = kernel_entry(s, i, j);
    sfgp_assert_ok(*state, sfgp_dense_eigen(*state, N, dense, values, vectors));
    sfgp_assert_ok(*state, sfgp_lowrank_eigen.factorise(*state, &s->covariance, &request, &factor));
    for (int64_t k = 0; k < factor.rank; k++) {
        double square = 0;
        for (int i = 0; i < N; i++)
            square += pow(factor.values[i * factor.rank + k], 2);
        assert_true(square <= values[k] * (1 + 1e-10) && square >= values[k] - N * 0.01 * request.accuracy);
    }
    assert_true(factor.rank > 20 && values[factor.rank] < N * request.accuracy);
    sfgp_factor_clear(&factor);
    free(dense);
    free(vectors);
    setting_free(s);
}

static void a_rank_caps_the_columns_and_the_bound_stays_true(void **state)
{
    setting *s = setting_new(*state, 300, 3, "se:length=0.5,variance=1");
    for (int m = 0; m < 3; m++)
        for (int64_t rank = 1; rank <= 41; rank += 20) {
            const sfgp_factor_request request = {1e-6, rank, 1, false};
            sfgp_factor factor;
            sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &factor));
            assert_int_equal(factor.rank, rank);
            assert_true(largest_residual(s, &factor) <= factor.residual && factor.residual > 1e-6);
            sfgp_factor_clear(&factor);
        }
    setting_free(s);
}

/* Largest sum of squares of a row from column first on. */
static double largest_tail(const sfgp_factor *factor, int64_t first)
{
    double most = 0;
    for (int64_t i = 0; i < factor->rows; i++) {
        double sum = 0;
        for (int64_t k = first; k < factor->rank; k++)
            sum += pow(factor->values[i * factor->rank + k], 2);
        most = fmax(most, sum);
    }
    return most;
}

/* The fewest columns for what may be lost, those that were the first; and the bound stays true. */
static void truncated_factors_keep_the_bound(void **state)
{
    const double losses[] = {1e-12, 1e-6, 1e-3, 0.1, 100};
    setting *s = setting_new(*state, 150, 3, "se:length=0.8,variance=1");
    for (int m = 0; m < 3; m++)
        for (int k = 0; k < 5; k++) {
            const sfgp_factor_request request = {1e-9, 150, 1, false};
            sfgp_factor whole, part;
            sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &whole));
            sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &part));
            sfgp_factor_truncate(losses[k], &part);
            assert_true(part.rows == whole.rows && part.rank >= 1 && part.rank <= whole.rank);
            assert_true(largest_tail(&whole, part.rank) <= losses[k]);
            assert_true(part.rank == 1 || largest_tail(&whole, part.rank - 1) > losses[k]);
            for (int64_t i = 0; i < whole.rows; i++)
                assert_memory_equal(part.values + i * part.rank, whole.values + i * whole.rank,
                                    (size_t)part.rank * sizeof(double));
            const double worst = largest_residual(s, &part);
            if (!(worst <= part.residual && part.residual <= (whole.residual + losses[k]) * (1 + 1e-12)))
                fail_msg("%s, %g lost: residual %g, certified %g", METHODS[m]->name, losses[k], worst,
                         part.residual);
            assert_int_equal(part.rank == 1, k == 4);
            sfgp_factor_clear(&whole);
            sfgp_factor_clear(&part);
        }
    setting_free(s);
}

static void a_factor_without_columns_stays(void **state)
{
    sfgp_factor none = {.rows = 5, .residual = 2};
    (void)state;
    sfgp_factor_truncate(1, &none);
    assert_true(none.rank == 0 && none.residual == 2);
}

static void full_rank_leaves_nothing(void **state)
{
    setting *s = setting_new(*state, 120, 2, "se:length=0.3,variance=1");
    for (int m = 0; m < 3; m++) {
        const sfgp_factor_request request = {1e-16, 120, 1, false};
        sfgp_factor factor;
        sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &factor));
        assert_true(largest_residual(s, &factor) < 1e-13);
        sfgp_factor_clear(&factor);
    }
    setting_free(s);
}

static void coincident_points_cost_no_columns(void **state)
{
    setting *s = setting_new(*state, 200, 2, "se:length=1,variance=1");
    for (int k = 0; k < 400; k++)
        s->axes[k] = k % 2;
    const sfgp_factor_request request = {1e-6, 200, 1, false};
    for (int m = 0; m < 3; m++) {
        sfgp_factor factor;
        sfgp_assert_ok(*state, METHODS[m]->factorise(*state, &s->covariance, &request, &factor));
        assert_true(factor.rank <= 4 && largest_residual(s, &factor) <= factor.residual);
        sfgp_factor_clear(&factor);
    }
    setting_free(s);
}

static void methods_have_names(void **state)
{
    const sfgp_lowrank_method *method;
    for (int m = 0; m < 3; m++) {
        sfgp_assert_ok(*state, sfgp_lowrank_find(*state, METHODS[m]->name, &method));
        assert_ptr_equal(method, METHODS[m]);
    }
    sfgp_assert_status(*state, sfgp_lowrank_find(*state, "qr", &method), SFGP_ERROR_PARAMETER);
}

static void pca_is_the_sample_covariance(void **state)
{
    enum { COUNT = 6, SIZE = 40 };
    double shapes[COUNT * SIZE], original[COUNT * SIZE], mean[SIZE] = {0};
    sfgp_pca pca;
    for (int k = 0; k < COUNT * SIZE; k++)
        shapes[k] = original[k] = 100 + sin(0.7 * k * k);
    for (int k = 0; k < COUNT * SIZE; k++)
        mean[k % SIZE] += original[k] / COUNT;
    sfgp_assert_ok(*state, sfgp_pca_new(*state, COUNT, SIZE, shapes, &pca));
    assert_int_equal(pca.modes, COUNT - 1);
    for (int a = 0; a < SIZE; a++) {
        assert_true(fabs(pca.mean[a] - mean[a]) < 1e-12);
        for (int b = 0; b < SIZE; b++) {
            double sample = 0, factor = 0;
            for (int s = 0; s < COUNT; s++)
                sample +=
                    (original[s * SIZE + a] - mean[a]) * (original[s * SIZE + b] - mean[b]) / (COUNT - 1);
            for (int k = 0; k < pca.modes; k++)
                factor += pca.factor[a * pca.modes + k] * pca.factor[b * pca.modes + k];
            assert_true(fabs(sample - factor) < 1e-13);
        }
    }
    sfgp_pca_clear(&pca);
}

/* Squared distance of row `at` from all affine combinations of the other rows, by Gram-Schmidt on differences from one of them. */
static double left_of_shape(int count, int size, const double *shapes, int at)
{
    const int base = at == 0 ? 1 : 0;
    double q[8][40], sum = 0;
    int found = 0;
    for (int s = 0; s <= count; s++) { /* the shape itself comes last */
        const int row = s < count ? s : at;
        if (s < count && (s == at || s == base))
            continue;
        double *v = q[found], length = 0;
        for (int k = 0; k < size; k++)
            v[k] = shapes[row * size + k] - shapes[base * size + k];
        for (int l = 0; l < found; l++) {
            double dot = 0;
            for (int k = 0; k < size; k++)
                dot += v[k] * q[l][k];
            for (int k = 0; k < size; k++)
                v[k] -= dot * q[l][k];
        }
        for (int k = 0; k < size; k++)
            length += v[k] * v[k];
        sum = length;
        for (int k = 0; k < size; k++)
            v[k] /= sqrt(length);
        found++;
    }
    return sum;
}

static void what_training_shapes_do_not_span_is_what_the_others_leave_of_each(void **state)
{
    enum { COUNT = 6, SIZE = 40 };
    double shapes[COUNT * SIZE], expected = 0;
    sfgp_pca pca;
    for (int k = 0; k < COUNT * SIZE; k++)
        shapes[k] = sin(0.7 * k * k);
    for (int s = 0; s < COUNT; s++)
        expected += left_of_shape(COUNT, SIZE, shapes, s) / COUNT / SIZE;
    sfgp_assert_ok(*state, sfgp_pca_new(*state, COUNT, SIZE, shapes, &pca));
    assert_true(fabs(pca.unspanned - expected) < 1e-12 * expected);
    sfgp_pca_clear(&pca);
    for (int k = 0; k < COUNT * SIZE; k++) /* on a plane: each is a combination of others */
        shapes[k] = k / SIZE * sin(k % SIZE) + (k / SIZE) * (k / SIZE) * cos(k % SIZE);
    sfgp_assert_ok(*state, sfgp_pca_new(*state, COUNT, SIZE, shapes, &pca));
    assert_true(pca.modes == 2 && pca.unspanned == 0);
    sfgp_pca_clear(&pca);
}

static void memory_failures_leave_nothing_behind(void **state)
{
    setting *s = setting_new(*state, 300, 3, "se:length=1,variance=1");
    const sfgp_factor_request request = {1e-4, 300, 1, false};
    for (int m = 0; m < 3; m++)
        for (long k = 0;; k++) {
            sfgp_factor factor;
            sfgp_memory_counters.fail_at = k;
            sfgp_status status = METHODS[m]->factorise(*state, &s->covariance, &request, &factor);
            sfgp_memory_counters.fail_at = -1;
            sfgp_factor_clear(&factor);
            assert_int_equal(sfgp_memory_counters.live, 1); /* the context */
            if (status == SFGP_OK)
                break;
            sfgp_assert_status(*state, status, SFGP_ERROR_MEMORY);
        }
    setting_free(s);
}

static void matrix_apply(const void *user, const double *x, double *y)
{
    const double *matrix = user;
    for (int i = 0; i < LANCZOS; i++) {
        y[i] = 0;
        for (int j = 0; j < LANCZOS; j++)
            y[i] += matrix[i * LANCZOS + j] * x[j];
    }
}

/* A first guess of one pair needs several rounds; memory may end in any of them. The matrix is stored: nothing here asks
 * how its entries come about, and hundreds of products take less time. */
static void a_low_guess_ends_at_the_accuracy(void **state)
{
    enum { SEVERAL = 7 }; /* rounds of 1, 2, 3, 5 and 7 pairs do not suffice */
    setting *s = setting_new(*state, LANCZOS, 3, "se:length=1,variance=1");
    double *entries = malloc(LANCZOS * LANCZOS * sizeof *entries);
    for (int i = 0; i < LANCZOS * LANCZOS; i++)
        entries[i] = kernel_entry(s, i / LANCZOS, i % LANCZOS);
    double diagonal[LANCZOS];
    for (int i = 0; i < LANCZOS; i++)
        diagonal[i] = 1;
    const sfgp_operator matrix = {LANCZOS, matrix_apply, entries};
    const sfgp_factor_request request = {1e-2, LANCZOS, 1, false};
    sfgp_status status = SFGP_ERROR_MEMORY;
    for (long k = 0; status != SFGP_OK; k++) {
        sfgp_factor factor;
        sfgp_memory_counters.fail_at = k;
        status = sfgp_factor_spectral(*state, &matrix, diagonal, 1, &request, &factor);
        sfgp_memory_counters.fail_at = -1;
        if (status == SFGP_OK)
            assert_true(largest_residual(s, &factor) <= factor.residual && factor.residual <= 1.01e-2);
        else
            sfgp_assert_status(*state, status, SFGP_ERROR_MEMORY);
        assert_int_equal(factor.rank > SEVERAL, status == SFGP_OK);
        sfgp_factor_clear(&factor);
    }
    free(entries);
    setting_free(s);
}

/* ---- cholesky of many points, in two stages ------------------------------------------------------------ */

enum { MANY = 6500 };
static const char SMOOTH[] = "se:length=1.5,variance=0.03+se:length=10,variance=1";

/* One thread: waking others for every column takes longer than a column. */
static setting *many_new(sfgp_context *context, int n, int d, const char *kernel)
{
    setting *s = setting_new(context, n, d, kernel);
    sfgp_assert_ok(context, sfgp_dense_prepare(context));
    sfgp_test_threads(1);
    return s;
}

static sfgp_factor two_stages(sfgp_context *context, const setting *s, double accuracy, int64_t rank,
                              bool expected)
{
    const sfgp_factor_request request = {accuracy, rank, 1, false};
    sfgp_factor factor;
    bool done = !expected;
    sfgp_assert_ok(context, sfgp_factor_two_stages(context, &s->covariance, &request, &factor, &done));
    assert_int_equal(done, expected);
    return factor;
}

static sfgp_factor cholesky(sfgp_context *context, const setting *s, double accuracy, int64_t rank)
{
    const sfgp_factor_request request = {accuracy, rank, 1, false};
    sfgp_factor factor;
    sfgp_assert_ok(context, sfgp_lowrank_cholesky.factorise(context, &s->covariance, &request, &factor));
    return factor;
}

/* |K - BB'| at one entry */
static double residual_at(const setting *s, const sfgp_factor *factor, int64_t i, int64_t j)
{
    double entry = kernel_entry(s, (int)i, (int)j);
    for (int64_t k = 0; k < factor->rank; k++)
        entry -= factor->values[i * factor->rank + k] * factor->values[j * factor->rank + k];
    return fabs(entry);
}

/* What rounding may add: a product of two rows and the solution of a triangle, rank terms each. */
static double rounding(const setting *s, const sfgp_factor *factor)
{
    return DBL_EPSILON * (double)(factor->rank + 8) * sfgp_kernel_variance(&s->kernel);
}

/* The largest of the diagonal, which is no less than any other entry. */
static double assert_bounded(const setting *s, const sfgp_factor *factor)
{
    double worst = 0;
    sfgp_random random = sfgp_random_of(12);
    for (int64_t i = 0; i < s->n; i++) {
        worst = fmax(worst, residual_at(s, factor, i, i));
        for (int k = 0; k < 4; k++)
            assert_true(residual_at(s, factor, i, sfgp_random_below(&random, s->n)) <= factor->residual);
    }
    assert_true(worst <= factor->residual);
    return worst;
}

/* Rows at pivots are exact but for rounding, in the rows, in the triangle that they come from, and here. */
static void assert_exact_at_pivots(const setting *s, const sfgp_factor *factor)
{
    for (int64_t k = 0; k < factor->rank; k++)
        for (int64_t l = 0; l <= k; l++) {
            assert_in_range(factor->pivots[k], 0, s->n - 1);
            assert_true(k == l || factor->pivots[k] != factor->pivots[l]);
            assert_true(residual_at(s, factor, factor->pivots[k], factor->pivots[l]) <=
                        4 * rounding(s, factor));
        }
}

static void assert_same_factors(const sfgp_factor *a, const sfgp_factor *b)
{
    assert_true(a->rows == b->rows && a->rank == b->rank && a->residual == b->residual);
    assert_memory_equal(a->pivots, b->pivots, (size_t)a->rank * sizeof *a->pivots);
    assert_memory_equal(a->values, b->values, (size_t)(a->rows * a->rank) * sizeof *a->values);
}

/* The certificate is the largest of the diagonal and the rounding, and below the accuracy. */
static void many_points_have_a_true_bound_and_exact_pivots(void **state)
{
    const double accuracies[] = {1e-2, 1e-5, 1e-9};
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < 3; k++) {
            setting *s = many_new(*state, MANY, d, SMOOTH);
            sfgp_factor factor = two_stages(*state, s, accuracies[k], MANY, true),
                        whole = cholesky(*state, s, accuracies[k], MANY);
            assert_true(factor.rows == MANY && factor.residual <= accuracies[k]);
            assert_true(factor.residual <= assert_bounded(s, &factor) + 2 * rounding(s, &factor));
            assert_exact_at_pivots(s, &factor);
            assert_same_factors(&factor, &whole); /* that is how many points are factorised */
            sfgp_factor_clear(&factor);
            sfgp_factor_clear(&whole);
            setting_free(s);
        }
}

static void threads_do_not_change_a_bit_of_many_points(void **state)
{
    setting *s = many_new(*state, MANY, 3, SMOOTH);
    sfgp_factor one = two_stages(*state, s, 1e-6, MANY, true);
    sfgp_test_threads(2);
    sfgp_factor two = two_stages(*state, s, 1e-6, MANY, true);
    assert_same_factors(&one, &two);
    sfgp_factor_clear(&one);
    sfgp_factor_clear(&two);
    setting_free(s);
}

/* Not the accuracy: the residual is what the diagonal says it is. */
static void a_rank_caps_the_columns_of_many_points(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int64_t rank = 1; rank <= 7; rank += 3) {
            setting *s = many_new(*state, MANY, d, SMOOTH);
            sfgp_factor factor = two_stages(*state, s, 1e-9, rank, true);
            const double worst = assert_bounded(s, &factor);
            assert_int_equal(factor.rank, rank);
            assert_true(factor.residual > 1e-9 && factor.residual <= worst + 2 * rounding(s, &factor));
            assert_exact_at_pivots(s, &factor);
            sfgp_factor_clear(&factor);
            setting_free(s);
        }
}

/* Greedy pivoted Cholesky, column by column: the point with most left next, of several the outermost. */
typedef struct plain {
    int rank, pivots[SFGP_TWO_STAGE_RANK + 1];
    double *columns, *left, *radius2;
} plain;

static int next_pivot(const setting *s, const plain *p)
{
    int best = 0;
    for (int i = 1; i < s->n; i++)
        if (p->left[i] > p->left[best] || (p->left[i] == p->left[best] && p->radius2[i] > p->radius2[best]))
            best = i;
    return best;
}

static void plain_column(const setting *s, int pivot, plain *p)
{
    double *column = p->columns + p->rank * s->n;
    const double root = sqrt(p->left[pivot]);
    for (int i = 0; i < s->n; i++)
        column[i] = kernel_entry(s, i, pivot);
    for (int k = 0; k < p->rank; k++) {
        const double *other = p->columns + k * s->n, factor = other[pivot];
        for (int i = 0; i < s->n; i++)
            column[i] -= factor * other[i];
    }
    for (int i = 0; i < s->n; i++) {
        column[i] /= root;
        p->left[i] = fmax(p->left[i] - column[i] * column[i], 0);
    }
    p->left[pivot] = 0;
    p->pivots[p->rank++] = pivot;
}

static plain plain_new(const setting *s, double accuracy, int most)
{
    const size_t n = (size_t)s->n;
    plain p = {0,
               {0},
               calloc(n * (size_t)most, sizeof(double)),
               calloc(n, sizeof(double)),
               calloc(n, sizeof(double))};
    for (int i = 0; i < s->n; i++) {
        p.left[i] = sfgp_kernel_variance(&s->kernel);
        for (int a = 0; a < s->d; a++)
            p.radius2[i] += s->axes[a * s->n + i] * s->axes[a * s->n + i];
    }
    for (int pivot = next_pivot(s, &p); p.rank < most && p.left[pivot] > accuracy; pivot = next_pivot(s, &p))
        plain_column(s, pivot, &p);
    return p;
}

/* The factor of cholesky is that of the plain algorithm. Pivots leave more than the accuracy, 1e-3 at least,
 * so that a column's rounding of 1e-13 (500 products) is not magnified by more than 1e3. */
static void assert_one_stage(sfgp_context *context, const setting *s, double accuracy, int most)
{
    plain p = plain_new(s, accuracy, most);
    sfgp_factor factor = cholesky(context, s, accuracy, most);
    assert_int_equal(factor.rank, p.rank);
    for (int k = 0; k < p.rank; k++) {
        assert_int_equal(factor.pivots[k], p.pivots[k]);
        for (int i = 0; i < s->n; i++)
            assert_true(fabs(factor.values[i * p.rank + k] - p.columns[k * s->n + i]) < 1e-10);
    }
    assert_true(fabs(factor.residual - p.left[next_pivot(s, &p)]) < 1e-10);
    sfgp_factor_clear(&factor);
    free(p.columns), free(p.left), free(p.radius2);
}

static void assert_not_done(sfgp_context *context, const setting *s, double accuracy, int most)
{
    sfgp_factor factor = two_stages(context, s, accuracy, most, false);
    assert_true(!factor.values && !factor.pivots && factor.rows == 0 && factor.rank == 0);
}

static void up_to_so_many_points_one_stage_does(void **state)
{
    setting *s = many_new(*state, SFGP_TWO_STAGE_POINTS, 3, SMOOTH);
    assert_one_stage(*state, s, 1e-3, 100);
    setting_free(s);
}

/* The accuracy is out of reach: as many columns as the spread points may settle, or one more. */
static void kernels_as_fine_as_the_points_take_one_stage(void **state)
{
    setting *s = many_new(*state, MANY, 3, "laplace:length=0.3,variance=1");
    sfgp_factor factor = two_stages(*state, s, 1e-2, SFGP_TWO_STAGE_RANK, true);
    assert_int_equal(factor.rank, SFGP_TWO_STAGE_RANK);
    sfgp_factor_clear(&factor);
    assert_not_done(*state, s, 1e-2, SFGP_TWO_STAGE_RANK + 1);
    assert_one_stage(*state, s, 1e-2, SFGP_TWO_STAGE_RANK + 1);
    setting_free(s);
}

static setting *with_outliers(sfgp_context *context, int count)
{
    setting *s = many_new(context, MANY, 3, "se:length=1.5,variance=1");
    for (int i = 0; i < count; i++)
        s->axes[i * (MANY / count)] = 30 * (i + 2);
    return s;
}

/* Points far from all others. Fewer than two thirds of all points are spread ones: some of these
 * are not, and nothing of their variance is settled, but for those that join the spread points: at most one of 128 in each of two rounds. */
static void few_outliers_join_the_spread_points(void **state)
{
    setting *s = with_outliers(*state, 60);
    sfgp_factor factor = two_stages(*state, s, 1e-3, MANY, true);
    assert_true(factor.residual <= 1e-3);
    assert_true(factor.residual <= assert_bounded(s, &factor) + 2 * rounding(s, &factor));
    assert_exact_at_pivots(s, &factor);
    sfgp_factor_clear(&factor);
    setting_free(s);
}

static void many_outliers_take_one_stage(void **state)
{
    setting *s = with_outliers(*state, 400);
    assert_not_done(*state, s, 1e-3, MANY);
    assert_one_stage(*state, s, 1e-3, 450);
    setting_free(s);
}

typedef struct attempt {
    const setting *s;
    sfgp_factor_request request;
    int64_t rank;
} attempt;

static sfgp_status factorise_and_clear(sfgp_context *context, void *user)
{
    attempt *a = user;
    sfgp_factor factor;
    const sfgp_status status =
        sfgp_lowrank_cholesky.factorise(context, &a->s->covariance, &a->request, &factor);
    a->rank = factor.rank;
    sfgp_factor_clear(&factor);
    return status;
}

/* Through both stages, and through stage one and back. */
static void every_failing_allocation_of_many_points_is_reported(void **state)
{
    setting *s = many_new(*state, MANY, 2, SMOOTH);
    attempt smooth = {s, {1e-3, MANY, 1, false}, 0};
    assert_true(sfgp_sweep_allocations(*state, factorise_and_clear, &smooth) >= 14);
    assert_in_range(smooth.rank, 2, 20);
    for (int i = 0; i < 60; i++)
        s->axes[i * 100] = 1000 * (i + 2);
    assert_true(sfgp_sweep_allocations(*state, factorise_and_clear, &smooth) >= 20);
    assert_in_range(smooth.rank, 60, 80);
    setting_free(s);
}

/* A dense matrix of so many points would be too large; nothing is asked of the operator. */
static void more_than_half_of_many_pairs_are_refused(void **state)
{
    static const double diagonal[6001] = {1};
    const sfgp_operator many = {.n = 6001};
    const sfgp_factor_request request = {1e-6, 4000, 1, false};
    sfgp_factor factor;
    sfgp_assert_error(*state, sfgp_factor_spectral(*state, &many, diagonal, 4000, &request, &factor),
                      SFGP_ERROR_PARAMETER, "more than half of the 6001 eigenpairs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(more_than_half_of_many_pairs_are_refused),
        sfgp_unit_test(rows_are_the_kernel),
        sfgp_unit_test(kernels_are_parsed_and_mistakes_named),
        sfgp_unit_test(residual_bounds_are_true),
        sfgp_unit_test(spectral_factors_need_the_fewest_columns),
        sfgp_unit_test(eigen_has_the_eigenvalues_of_the_kernel),
        sfgp_unit_test(a_rank_caps_the_columns_and_the_bound_stays_true),
        sfgp_unit_test(truncated_factors_keep_the_bound),
        sfgp_unit_test(a_factor_without_columns_stays),
        sfgp_unit_test(full_rank_leaves_nothing),
        sfgp_unit_test(coincident_points_cost_no_columns),
        sfgp_unit_test(methods_have_names),
        sfgp_unit_test(pca_is_the_sample_covariance),
        sfgp_unit_test(what_training_shapes_do_not_span_is_what_the_others_leave_of_each),
        sfgp_unit_test(memory_failures_leave_nothing_behind),
        sfgp_unit_test(a_low_guess_ends_at_the_accuracy),
        sfgp_long_test(many_points_have_a_true_bound_and_exact_pivots),
        sfgp_long_test(threads_do_not_change_a_bit_of_many_points),
        sfgp_unit_test(a_rank_caps_the_columns_of_many_points),
        sfgp_unit_test(up_to_so_many_points_one_stage_does),
        sfgp_long_test(kernels_as_fine_as_the_points_take_one_stage),
        sfgp_unit_test(few_outliers_join_the_spread_points),
        sfgp_unit_test(many_outliers_take_one_stage),
        sfgp_unit_test(every_failing_allocation_of_many_points_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
