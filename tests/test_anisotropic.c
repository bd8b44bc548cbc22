/* Anisotropic labels: the M-step against dense Gaussian process regression, and the step that ends a fit. */
#include "support/corrupt.h"
#include "support/fit.h"
#include "support/shapes.h"
#include "base/threads.h"
#include "em/anisotropic.h"
#include "em/estep.h"
#include "em/loop.h"
#include "em/rim.h"
#include "geom/measure.h"
#include "gpr/anisotropic.h"
#include "gpr/normal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef long double real;

enum { N = 40, LANDMARKS = 3 };

/* ---- the M-step ----------------------------------------------------------------------------------------- */

/* Labels of N points; some have none. The first few points are landmarks as well, each with another label. */
typedef struct setting {
    int d, size; /* axes, coefficients */
    test_shapes *shapes;
    sfgp_model *model;
    sfgp_posterior posterior;
    double weights[N], normals[3 * N], labels[3 * N], *b; /* b: N d x size */
    double known_weights[N], known[3 * N];
} setting;

static void observe(setting *s)
{
    for (int i = 0; i < N; i++) {
        double length = 0;
        s->weights[i] =
            i % 7 == 3 ? 0 : 10 * (1 + i % 4); /* of most lanes of 5 the first and the last one have labels */
        for (int a = 0; a < s->d; a++) {
            s->normals[i * s->d + a] = cos(0.7 * i + 2.1 * a);
            s->labels[i * s->d + a] = 0.2 * sin(i + 3.0 * a);
            s->known[i * s->d + a] = 0.1 * cos(2.0 * i + a);
            length += pow(s->normals[i * s->d + a], 2);
        }
        for (int a = 0; a < s->d; a++)
            s->normals[i * s->d + a] /= sqrt(length);
        s->known_weights[i] = i < LANDMARKS ? 30 : 0;
    }
}

/* Column k of B is where the unit vector k of the coefficients moves the points. */
static double *columns_of(const sfgp_basis *basis, int size)
{
    const int rows = N * basis->dimension;
    double *b = calloc((size_t)(rows * size), sizeof *b), *c = calloc((size_t)size, sizeof *c),
           *moved = calloc((size_t)rows, sizeof *moved);
    for (int k = 0; k < size; k++) {
        c[k] = 1;
        sfgp_basis_multiply(basis, c, 0, N, moved);
        c[k] = 0;
        for (int row = 0; row < rows; row++)
            b[row * size + k] = moved[row] - basis->mean[row];
    }
    free(c), free(moved);
    return b;
}

typedef struct kind {
    int d, training, rank;
    const char *kernel;
} kind;

static void setting_new(sfgp_context *context, const kind *k, bool landmarks, setting *s)
{
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, k->kernel);
    settings.rank = k->rank, settings.accuracy = 0.1; /* the rank is what counts */
    *s = (setting){.d = k->d, .shapes = test_shapes_new(N, k->d, k->training, 9)};
    s->model = test_shapes_model(context, s->shapes, k->training, &settings);
    s->size = (int)sfgp_basis_size(&s->model->basis);
    s->b = columns_of(&s->model->basis, s->size);
    observe(s);
    sfgp_assert_ok(context, sfgp_posterior_new(context, &s->model->basis, &s->posterior));
    if (!landmarks)
        return;
    sfgp_assert_ok(context, sfgp_posterior_add_landmarks(context, &s->posterior));
    sfgp_normal_accumulate(&s->model->basis, s->known_weights, s->known, 0, N, s->posterior.landmarks,
                           s->posterior.buffers);
}

static void setting_free(setting *s)
{
    sfgp_posterior_clear(&s->posterior);
    sfgp_model_free(s->model);
    test_shapes_free(s->shapes);
    free(s->b);
}

/* Gauss elimination with pivots: x of A x = x. */
static void solve(int n, real *a, real *x)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int r = k + 1; r < n; r++)
            best = fabsl(a[r * n + k]) > fabsl(a[best * n + k]) ? r : best;
        for (int c = 0; c < n; c++) {
            const real swap = a[k * n + c];
            a[k * n + c] = a[best * n + c], a[best * n + c] = swap;
        }
        const real swap = x[k];
        x[k] = x[best], x[best] = swap;
        for (int r = k + 1; r < n; r++) {
            const real factor = a[r * n + k] / a[k * n + k];
            for (int c = k; c < n; c++)
                a[r * n + c] -= factor * a[k * n + c];
            x[r] -= factor * x[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int c = k + 1; c < n; c++)
            x[k] -= a[k * n + c] * x[c];
        x[k] /= a[k * n + k];
    }
}

/* One observation of an axis of a point: its row of B, its label. */
typedef struct row {
    int at; /* row of B: i d + axis */
    double label;
} row;

/* Rows of the labels, then of the landmarks. */
static int list_rows(const setting *s, row *rows)
{
    int count = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int at = 0; at < N * s->d; at++)
            if (pass == 0 ? s->weights[at / s->d] > 0
                          : s->posterior.landmarks && s->known_weights[at / s->d] > 0)
                rows[count++] = (row){at, pass == 0 ? s->labels[at] : s->known[at]};
    return count;
}

/* Covariance of two rows of noise: (I - t / (1 + t) nn') / W of one label, diagonal of a landmark. */
static real noise(const setting *s, double stretch, int labels, const row *rows, int r, int c)
{
    const int i = rows[r].at / s->d;
    if ((r < labels) != (c < labels) || rows[c].at / s->d != i)
        return 0;
    if (r >= labels)
        return r == c ? 1 / (real)s->known_weights[i] : 0;
    const real along = (real)s->normals[rows[r].at] * s->normals[rows[c].at];
    return ((r == c) - stretch / (1 + stretch) * along) / s->weights[i];
}

/* Displacement by BB'(BB' + Sigma)^-1 label, all points (N d): the dense regression of the paper. */
static void regress(const setting *s, double stretch, real *moved)
{
    row rows[6 * N];
    const int n = list_rows(s, rows);
    int labels = 0;
    for (int i = 0; i < N; i++)
        labels += s->weights[i] > 0 ? s->d : 0;
    real *k = calloc((size_t)(n * n), sizeof *k), *x = calloc((size_t)n, sizeof *x);
    for (int r = 0; r < n; r++) {
        x[r] = rows[r].label;
        for (int c = 0; c < n; c++) {
            k[r * n + c] = noise(s, stretch, labels, rows, r, c);
            for (int q = 0; q < s->size; q++)
                k[r * n + c] += (real)s->b[rows[r].at * s->size + q] * s->b[rows[c].at * s->size + q];
        }
    }
    solve(n, k, x);
    for (int at = 0; at < N * s->d; at++) {
        moved[at] = 0;
        for (int c = 0; c < n; c++)
            for (int q = 0; q < s->size; q++)
                moved[at] += (real)s->b[at * s->size + q] * s->b[rows[c].at * s->size + q] * x[c];
    }
    free(k), free(x);
}

/* W (I + t nn')(label - B c) */
static void weigh(const setting *s, double stretch, double *residuals)
{
    const double *mean = s->model->basis.mean;
    for (int i = 0; i < N; i++) {
        double along = 0, left[3];
        for (int a = 0; a < s->d; a++) {
            const int at = i * s->d + a;
            left[a] = s->labels[at] - (s->posterior.mean[at] - mean[at]);
            along += s->normals[at] * left[a];
        }
        for (int a = 0; a < s->d; a++)
            residuals[i * s->d + a] = s->weights[i] * (left[a] + stretch * along * s->normals[i * s->d + a]);
    }
}

/* c <- c + step */
static void step_on(sfgp_context *context, setting *s, const sfgp_anisotropic_weights *weights,
                    const double *residuals, sfgp_anisotropic *made, double *c)
{
    const double *step;
    sfgp_assert_ok(context, sfgp_anisotropic_step(context, weights, residuals, c, made, &step));
    for (int64_t k = 0; k < made->size; k++)
        c[k] += step[k];
    sfgp_posterior_set_coefficients(c, &s->posterior);
}

/* Steps from c = 0: how far the points are from the regression after each. */
static void take_steps(sfgp_context *context, setting *s, double stretch, int count, double *apart)
{
    const sfgp_anisotropic_weights weights = {s->weights, s->normals, stretch};
    double c[3 * N] = {0}, residuals[3 * N];
    real moved[3 * N];
    sfgp_anisotropic step;
    sfgp_assert_ok(context, sfgp_anisotropic_new(context, &s->posterior, &step));
    sfgp_posterior_set_coefficients(c, &s->posterior);
    regress(s, stretch, moved);
    for (int k = 0; k < count; k++) {
        apart[k] = 0;
        weigh(s, stretch, residuals);
        step_on(context, s, &weights, residuals, &step, c);
        for (int at = 0; at < N * s->d; at++)
            apart[k] =
                fmax(apart[k], (double)fabsl(s->posterior.mean[at] - s->model->basis.mean[at] - moved[at]));
    }
    sfgp_anisotropic_clear(&step);
}

/* The first is as exact as single precision, and the others correct it. */
static void assert_steps_end_at_the_regression(sfgp_context *context, setting *s, double stretch)
{
    double apart[6];
    take_steps(context, s, stretch, 6, apart);
    for (int k = 0; k < 6; k++)
        if (!(apart[k] < (k == 0 ? 1e-4 : k < 5 ? 1 : 1e-12)))
            fail_msg("%d axes, t %g, step %d: %g", s->d, stretch, k, apart[k]);
}

static void steps_end_at_the_dense_regression(void **state)
{
    static const kind KINDS[] = {{2, 0, 9, "se:length=0.7,variance=1"},
                                 {3, 0, 9, "se:length=0.7,variance=1"},
                                 {3, 6, 9, "se:length=0.7,variance=0.5"},
                                 {2, 6, 9, "se:length=0.7,variance=0.5"},
                                 {3, 6, 9, "none"}};
    for (int k = 0; k < 5; k++)
        for (int landmarks = 0; landmarks < 2; landmarks++)
            for (int t = 0; t < 3; t++) {
                setting s;
                setting_new(*state, &KINDS[k], landmarks, &s);
                assert_steps_end_at_the_regression(*state, &s, (double[]){0, 1.5, 9}[t]);
                setting_free(&s);
            }
}

/* As many columns as labels: what they leave free the prior alone decides, by an eigenvalue of A of 1 beside those of the weights. A step is
 * W (1 + t) times the rounding of a residual away at least. With weights of 1e8 and more single precision makes negative
 * eigenvalues, and the first step of an A of double precision ends there at once, but for the rounding of A. With less weight, steps get nearer
 * until they do. */
static void heavy_labels_are_fitted_as_well(void **state)
{
    static const kind FREE = {3, 0, 35, "se:length=0.3,variance=1"};
    const double stretch = 9;
    double apart[30];
    for (double scale = 0.1; scale < 2e8; scale *= 10) { /* of weights of 10 to 40 */
        setting s;
        setting_new(*state, &FREE, false, &s);
        for (int i = 0; i < N; i++)
            s.weights[i] *= scale;
        take_steps(*state, &s, stretch, 30, apart);
        const double least = 1e-12 + DBL_EPSILON * 40 * scale * (1 + stretch) * 0.2;
        print_message("weights of %g: %.1e, %.1e, %.1e away\n", 10 * scale, apart[0], apart[1], apart[29]);
        assert_true(apart[29] < least);
        if (scale > 1e7)
            assert_true(apart[0] < 100 * least);
        setting_free(&s);
    }
}

/* An A of weights that are 5 % smaller is used on, one of weights that are 20 % smaller is not. */
static void the_hessian_is_made_again_when_the_weight_has_moved(void **state)
{
    for (int far = 0; far < 2; far++) {
        setting s;
        double c[3 * N] = {0}, residuals[3 * N], old;
        sfgp_anisotropic step;
        setting_new(*state, &(kind){3, 0, 9, "se:length=0.7,variance=1"}, false, &s);
        const sfgp_anisotropic_weights weights = {s.weights, s.normals, 4};
        sfgp_assert_ok(*state, sfgp_anisotropic_new(*state, &s.posterior, &step));
        sfgp_posterior_set_coefficients(c, &s.posterior);
        weigh(&s, 4, residuals);
        step_on(*state, &s, &weights, residuals, &step, c);
        old = step.factor[0];
        for (int i = 0; i < N; i++)
            s.weights[i] *= far ? 0.8 : 0.95;
        step_on(*state, &s, &weights, residuals, &step, c);
        assert_int_equal(far, step.factor[0] != old);
        sfgp_anisotropic_clear(&step);
        setting_free(&s);
    }
}

/* ---- the end of a fit ------------------------------------------------------------------------------------ */

static const sfgp_em_anisotropy DEFAULT = {.iterations = 40, .neighbours = 8, .least = 0.04, .rim = 0.6};

/* The middles of the faces of a mesh: points of its surface that are none of its vertices. */
static sfgp_mesh *middles(sfgp_context *context, const sfgp_mesh *mesh)
{
    double *points = calloc((size_t)(mesh->face_count * 3), sizeof *points);
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f]; k < mesh->face_start[f + 1]; k++)
            for (int a = 0; a < 3; a++)
                points[f * 3 + a] += mesh->points[3 * mesh->face_points[k] + a] /
                                     (double)(mesh->face_start[f + 1] - mesh->face_start[f]);
    sfgp_mesh *made = test_mesh(context, mesh->face_count, 3, points);
    free(points);
    return made;
}

/* An ear that is fitted, and settled: to its scan, which has vertices of the truth, or to points of the surface of the
 * truth. */
static test_fit fitted_ear(sfgp_context *context, uint64_t seed, double noise, bool sampled)
{
    test_fit fit = test_fit_ear(context, seed, 0, noise, false);
    sfgp_outcome outcome;
    if (sampled) {
        sfgp_mesh *surface = middles(context, fit.truth);
        sfgp_mesh_free(fit.target);
        fit.target = surface;
    }
    sfgp_assert_ok(context, sfgp_solver_load(fit.solver, fit.target));
    sfgp_assert_ok(context, sfgp_em_run(fit.em, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    return fit;
}

static void refine(sfgp_context *context, const test_fit *fit, int64_t iterations)
{
    const sfgp_em_anisotropy anisotropy = {iterations, DEFAULT.neighbours, DEFAULT.least, DEFAULT.rim};
    sfgp_assert_ok(context, sfgp_em_anisotropic_refine(fit->em, &anisotropy));
}

static double error_of(const test_fit *fit)
{
    double *points = calloc((size_t)(fit->n * fit->d), sizeof *points);
    sfgp_frame_leave(&fit->model->frame, fit->n, fit->em->state.points, points);
    const double error = test_fit_error(fit, points);
    free(points);
    return error;
}

/* v_n and v_t of an iteration, by their sums, and how many have been compared with what the next one works with. */
typedef struct variances {
    const sfgp_em *em;
    double along, across;
    int compared;
} variances;

static void add_up(variances *v)
{
    const sfgp_em *em = v->em;
    const sfgp_sparse *matrix = &em->responsibilities.matrix;
    double along = 0, whole = 0, mass = 0;
    for (int64_t i = 0; i < em->problem->basis->count; i++)
        for (int32_t k = sfgp_sparse_start(matrix)[i]; k < sfgp_sparse_start(matrix)[i + 1]; k++) {
            const double p = sfgp_sparse_value(matrix)[k],
                         *s = em->view.points + 3 * (int64_t)sfgp_sparse_index(matrix)[k];
            double height = 0, square = 0;
            for (int a = 0; a < 3; a++) {
                const double u = s[a] - em->state.points[3 * i + a];
                height += em->normals[3 * i + a] * u;
                square += u * u;
            }
            along += p * height * height, whole += p * square, mass += p;
        }
    v->along = along / mass, v->across = (whole - along) / (2 * mass);
}

static int compare_variances(void *user, const sfgp_progress *progress)
{
    variances *v = user;
    (void)progress;
    if (v->across > 0) {
        assert_true(fabs(v->em->state.sigma2[0] - v->across) < 1e-9 * v->across);
        assert_true(fabs(v->em->stretch + 1 - v->across / v->along) < 1e-9 * v->across / v->along);
        v->compared++;
    }
    add_up(v);
    return 0;
}

/* With this noise both are within the limits, where nothing but the sums decides. */
static void the_variances_are_those_of_the_labels(void **state)
{
    test_fit fit = fitted_ear(*state, 1, 0.005, false);
    variances v = {.em = fit.em};
    sfgp_context_set_progress(*state, compare_variances, &v);
    refine(*state, &fit, 4);
    sfgp_context_set_progress(*state, NULL, NULL);
    assert_int_equal(v.compared, 3);
    assert_true(v.along > DEFAULT.least * v.across && v.along < v.across);
    test_fit_free(&fit);
}

/* The points after so many iterations. */
static double *points_after(sfgp_context *context, int64_t iterations)
{
    test_fit fit = fitted_ear(context, 1, 0, true);
    double *points = malloc((size_t)(3 * fit.n) * sizeof *points);
    refine(context, &fit, iterations);
    memcpy(points, fit.em->state.points, (size_t)(3 * fit.n) * sizeof *points);
    test_fit_free(&fit);
    return points;
}

/* 40 iterations leave 0.016 of the way to where 400 end, and without momentum 0.113. */
static void momentum_brings_points_near_to_the_end(void **state)
{
    double *start = points_after(*state, 0), *some = points_after(*state, 40),
           *end = points_after(*state, 400);
    const int64_t n = 2943;
    const double whole = sfgp_points_apart(n, 3, start, end), left = sfgp_points_apart(n, 3, some, end);
    print_message("%.3f of the way is left\n", left / whole);
    assert_true(left < 0.04 * whole);
    free(start), free(some), free(end);
}

/* Mean distance to the truth, mm, before and after. */
static void points_slide_to_the_truth(void **state)
{
    double before = 0, after = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        test_fit fit = fitted_ear(*state, seed, 0, true);
        const double bound = fit.em->state.bound;
        before += error_of(&fit) / 3;
        refine(*state, &fit, 40);
        after += error_of(&fit) / 3;
        assert_true(fit.em->state.bound == bound);
        assert_null(fit.em->normals);
        test_fit_free(&fit);
    }
    print_message("mean error %.4g, then %.4g mm\n", before, after);
    assert_true(after < 0.95 * before);
}

/* What of the ear lies above 0.4 of its height. */
static void cut(sfgp_context *context, test_fit *fit)
{
    double *points = malloc((size_t)(3 * fit->target->count) * sizeof *points), low = HUGE_VAL,
           high = -HUGE_VAL;
    int64_t kept = 0;
    for (int64_t j = 0; j < fit->target->count; j++) {
        low = fmin(low, fit->target->points[3 * j + 1]);
        high = fmax(high, fit->target->points[3 * j + 1]);
    }
    for (int64_t j = 0; j < fit->target->count; j++)
        if (fit->target->points[3 * j + 1] > low + 0.4 * (high - low))
            memcpy(points + 3 * kept++, fit->target->points + 3 * j, 3 * sizeof(double));
    sfgp_mesh_free(fit->target);
    fit->target = test_mesh(context, kept, 3, points);
    free(points);
}

/* An ear of which a part is cut off, fitted to points of the surface. */
static test_fit fitted_cut_ear(sfgp_context *context, uint64_t seed)
{
    test_fit fit = test_fit_ear(context, seed, 0, 0, false);
    sfgp_mesh *surface = middles(context, fit.truth);
    sfgp_outcome outcome;
    sfgp_mesh_free(fit.target);
    fit.target = surface;
    cut(context, &fit);
    sfgp_assert_ok(context, sfgp_solver_load(fit.solver, fit.target));
    sfgp_assert_ok(context, sfgp_em_run(fit.em, &outcome));
    return fit;
}

/* Mean distance of it to the truth, mm. */
static double error_of_cut(sfgp_context *context, uint64_t seed, double rim)
{
    const sfgp_em_anisotropy anisotropy = {40, DEFAULT.neighbours, DEFAULT.least, rim};
    test_fit fit = fitted_cut_ear(context, seed);
    sfgp_assert_ok(context, sfgp_em_anisotropic_refine(fit.em, &anisotropy));
    const double error = error_of(&fit);
    test_fit_free(&fit);
    return error;
}

static void labels_beyond_the_rim_do_not_shorten_the_shape(void **state)
{
    double with = 0, without = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        with += error_of_cut(*state, seed, DEFAULT.rim) / 3;
        without += error_of_cut(*state, seed, 0) / 3;
        print_message("mean error %.4g, and %.4g mm where all labels pull\n", with, without);
    }
    assert_true(with < 0.97 * without);
}

/* The rim by the masses of the last iteration whose number is a multiple of ten. */
typedef struct rims {
    const sfgp_em *em;
    sfgp_rim rim;
    int iterations, compared;
    int changed[3]; /* points whose labels pull otherwise each time that it is found */
} rims;

/* By how much of the label along the surface the last iteration has moved a point; not a number where it has none. */
static double pull_of(const sfgp_em *em, int64_t i)
{
    const double *normal = em->normals + 3 * i, *shift = em->responsibilities.shift + 3 * i;
    const double height = normal[0] * shift[0] + normal[1] * shift[1] + normal[2] * shift[2],
                 scale = em->weights[i] / em->responsibilities.weight[i];
    double moved = 0, square = 0;
    for (int a = 0; a < 3; a++) {
        const double along = shift[a] - height * normal[a];
        moved += em->deltas[3 * i + a] * along / scale;
        square += along * along;
    }
    return square > 1e-6 * height * height ? moved / square : (double)NAN;
}

static int compare_pulls(void *user, const sfgp_progress *progress)
{
    rims *r = user;
    (void)progress;
    if (r->iterations % 10 == 0) {
        for (int64_t i = 0; i < r->em->problem->basis->count; i++)
            r->changed[r->iterations / 10] += fabs(pull_of(r->em, i) - sfgp_rim_pull(&r->rim, i)) > 1e-3;
        sfgp_rim_find(&r->rim);
    }
    r->iterations++;
    for (int64_t i = 0; i < r->em->problem->basis->count; i++) {
        const double pull = pull_of(r->em, i);
        if (!isfinite(pull))
            continue;
        assert_true(fabs(pull - sfgp_rim_pull(&r->rim, i)) < 1e-9);
        r->compared++;
    }
    return 0;
}

/* In iterations 0, 10 and 20: labels pull as the rim says that was found there, and each time it is another one. */
static void the_rim_is_found_again_every_ten_iterations(void **state)
{
    test_fit fit = fitted_cut_ear(*state, 1);
    sfgp_neighbours near;
    rims r = {.em = fit.em};
    sfgp_assert_ok(*state, sfgp_regions_nearest(*state, &fit.em->regions, 3, fit.em->problem->basis->mean,
                                                DEFAULT.neighbours, &near));
    sfgp_assert_ok(*state, sfgp_rim_new(fit.em, &near, DEFAULT.rim, &r.rim));
    sfgp_context_set_progress(*state, compare_pulls, &r);
    refine(*state, &fit, 21);
    sfgp_context_set_progress(*state, NULL, NULL);
    assert_int_equal(r.iterations, 21);
    print_message("%d pulls; %d, %d and %d are others\n", r.compared, r.changed[0], r.changed[1],
                  r.changed[2]);
    assert_true(r.compared > r.iterations * 1000);
    for (int k = 0; k < 3; k++)
        assert_true(r.changed[k] > 0);
    sfgp_rim_clear(&r.rim);
    sfgp_neighbours_clear(&near);
    test_fit_free(&fit);
}

/* Another E-step hardly changes the sigma2 of a fit that has ended. */
static void assert_sigma2_rests(sfgp_context *context, sfgp_em *em)
{
    const double sigma2 = em->state.sigma2[0];
    sfgp_assert_ok(context, sfgp_em_estep(em));
    em->problem->variant->update_sigma2(em);
    assert_true(fabs(em->state.sigma2[0] - sigma2) < 0.02 * sigma2);
}

/* The posterior has the coefficients of the state, which give its points, and one variance for all labels. */
static void the_posterior_belongs_to_the_points(void **state)
{
    test_fit fit = fitted_ear(*state, 1, 0, true);
    sfgp_em *em = fit.em;
    refine(*state, &fit, 3);
    double *points = calloc((size_t)(fit.n * fit.d), sizeof *points);
    sfgp_basis_multiply(em->problem->basis, em->state.coefficients, 0, fit.n, points);
    for (int64_t k = 0; k < fit.n * fit.d; k++)
        assert_true(fabs(points[k] - em->state.points[k]) < 1e-12);
    assert_memory_equal(sfgp_posterior_coefficients(&em->posterior), em->state.coefficients,
                        (size_t)sfgp_basis_size(em->problem->basis) * sizeof(double));
    assert_memory_equal(em->posterior.variance, em->state.variance, (size_t)fit.n * sizeof(double));
    for (int64_t i = 0; i < fit.n; i++)
        assert_true(em->state.sigma2[i] == em->state.sigma2[0] && em->state.sigma2[i] > 0);
    assert_sigma2_rests(*state, em);
    free(points);
    test_fit_free(&fit);
}

/* Noise of five spacings in all directions: there is no direction to learn, and the points stay. */
static void noise_in_all_directions_moves_little(void **state)
{
    test_fit fit = fitted_ear(*state, 2, 0.1, false);
    double *before = calloc((size_t)(fit.n * fit.d), sizeof *before), moved = 0;
    memcpy(before, fit.em->state.points, (size_t)(fit.n * fit.d) * sizeof *before);
    const double sigma = sqrt(fit.em->state.sigma2[0]);
    refine(*state, &fit, 40);
    for (int64_t k = 0; k < fit.n * fit.d; k++)
        moved += fabs(fit.em->state.points[k] - before[k]) / (double)(fit.n * fit.d);
    print_message("moved by %.3g sigma\n", moved / sigma);
    assert_true(moved < 0.1 * sigma);
    free(before);
    test_fit_free(&fit);
}

static void no_iterations_change_nothing(void **state)
{
    test_fit fit = fitted_ear(*state, 1, 0.002, false);
    const size_t bytes = (size_t)fit.em->state.size * sizeof(double);
    double *before = malloc(bytes);
    memcpy(before, fit.em->state.values, bytes);
    refine(*state, &fit, 0);
    assert_memory_equal(before, fit.em->state.values, bytes);
    free(before);
    test_fit_free(&fit);
}

static void threads_change_no_bit(void **state)
{
    double *points[2];
    for (int k = 0; k < 2; k++) {
        test_fit fit = fitted_ear(*state, 1, 0.002, false);
        const int before = sfgp_threads_begin(k + 1, fit.n);
        refine(*state, &fit, 5);
        sfgp_threads_end(before);
        points[k] = malloc((size_t)(fit.n * fit.d) * sizeof(double));
        memcpy(points[k], fit.em->state.points, (size_t)(fit.n * fit.d) * sizeof(double));
        if (k == 1)
            assert_memory_equal(points[0], points[1], (size_t)(fit.n * fit.d) * sizeof(double));
        test_fit_free(&fit);
    }
    free(points[0]), free(points[1]);
}

static sfgp_status try_refine(sfgp_context *context, void *user)
{
    const sfgp_em_anisotropy anisotropy = {2, DEFAULT.neighbours, DEFAULT.least, DEFAULT.rim};
    (void)context; /* that of the fit */
    return sfgp_em_anisotropic_refine(user, &anisotropy);
}

/* After a first run, which makes what stays with the fit: the tree of the target. */
static void failing_allocations_are_survived(void **state)
{
    test_fit fit = test_fit_moved_ear(*state, 1, 0);
    sfgp_outcome outcome;
    sfgp_assert_ok(*state, sfgp_em_run(fit.em, &outcome));
    refine(*state, &fit, 2);
    assert_true(sfgp_sweep_allocations(*state, try_refine, fit.em) >= 10);
    test_fit_free(&fit);
}

/* Points in no face, far away, have columns of the factor to themselves: in single precision A has negative eigenvalues. */
static void points_far_away_are_fitted_in_double_precision(void **state)
{
    static const double FAR[] = {300, 0, 0, 0, 200, 0, 0, 0, 100};
    sfgp_mesh *reference, *truth, *scan, *loose;
    unsigned char *mask;
    sfgp_assert_ok(*state, sfgp_simulate_demo(*state, &reference, &truth, &scan, &mask));
    const int64_t n = reference->count, faces = reference->face_count, corners = reference->face_start[faces];
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, n + 3, 3, faces, corners, &loose));
    memcpy(loose->points, reference->points, (size_t)(3 * n) * sizeof(double));
    memcpy(loose->points + 3 * n, FAR, sizeof FAR);
    memcpy(loose->face_start, reference->face_start, (size_t)(faces + 1) * sizeof(int64_t));
    memcpy(loose->face_points, reference->face_points, (size_t)corners * sizeof(int64_t));
    sfgp_settings settings = test_settings();
    sfgp_result *result = test_fit_of(*state, loose, scan, &settings);
    assert_int_equal(result->outcome, SFGP_CONVERGED);
    sfgp_result_free(result);
    sfgp_mask_free(mask);
    for (sfgp_mesh **mesh = (sfgp_mesh *[]){reference, truth, scan, loose, NULL}; *mesh; mesh++)
        sfgp_mesh_free(*mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(steps_end_at_the_dense_regression),
        sfgp_unit_test(heavy_labels_are_fitted_as_well),
        sfgp_unit_test(the_hessian_is_made_again_when_the_weight_has_moved),
        sfgp_unit_test(the_variances_are_those_of_the_labels),
        sfgp_long_test(points_slide_to_the_truth),
        sfgp_long_test(labels_beyond_the_rim_do_not_shorten_the_shape),
        sfgp_unit_test(the_rim_is_found_again_every_ten_iterations),
        sfgp_long_test(momentum_brings_points_near_to_the_end),
        sfgp_unit_test(the_posterior_belongs_to_the_points),
        sfgp_long_test(noise_in_all_directions_moves_little),
        sfgp_unit_test(no_iterations_change_nothing),
        sfgp_long_test(threads_change_no_bit),
        sfgp_unit_test(failing_allocations_are_survived),
        sfgp_long_test(points_far_away_are_fitted_in_double_precision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
