/* References that are symmetric to a plane (geom/symmetry.h, fit/priors.h, ADR 0135): the plane is found, the posterior is that of the dense process, and
 * what a scan shows of one side tells of the other. */
#include "base/memory.h"
#include "deformation/deformation.h"
#include "em/loop.h"
#include "em/mstep.h"
#include "fit/asymmetry.h"
#include "fit/priors.h"
#include "fit/solver.h"
#include "geom/symmetry.h"
#include "gpr/anisotropic.h"
#include "gpr/information.h"
#include "gpr/normal.h"
#include "io/hdf5_group.h"
#include "search/tuning.h"
#include "support/corrupt.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 80, D = 3, SIZE = N * D };

#define GOLDEN 2.39996322972865332 /* angle between two points of a spiral */

/* A bumpy egg: the half with x > 0 by points of a spiral, then its mirror image. Only the plane x = 0 is one of symmetry. */
static void set_egg(int n, double *points)
{
    for (int i = 0; i < n / 2; i++) {
        const double x = (2 * i + 1.0) / n, r = sqrt(1 - x * x), y = r * cos(GOLDEN * i),
                     z = r * sin(GOLDEN * i),
                     bumps = 1 + 0.3 * sin(2.5 * y + 1) + 0.3 * sin(3 * z) + 0.2 * cos(5 * x);
        const double at[D] = {bumps * x, 1.5 * bumps * y, 0.7 * bumps * z};
        for (int k = 0; k < 2; k++)
            memcpy(points + (k * (n / 2) + i) * D, at, sizeof at);
        points[(n / 2 + i) * D] = -at[0];
    }
}

/* ---- the plane ------------------------------------------------------------------------------------------- */

static int axis_of(sfgp_context *context, int n, const double *points)
{
    sfgp_mesh *mesh = test_mesh(context, n, D, points);
    int axis;
    sfgp_settings settings = test_settings();
    sfgp_model *model = test_model(context, mesh, &settings);
    sfgp_assert_ok(context, sfgp_symmetry_axis(context, n, model->reference, 1, &axis));
    sfgp_model_free(model);
    sfgp_mesh_free(mesh);
    return axis;
}

/* The longest axis of the frame is the first. */
static void the_plane_is_found(void **state)
{
    enum { MANY = 1000 };
    static const struct {
        double stretch; /* along x */
        int axis;
    } CASES[] = {{3, 0}, {1, 1}, {0.5, 2}};
    double *points = malloc(MANY * D * sizeof *points);
    for (int k = 0; k < 3; k++) {
        set_egg(MANY, points);
        for (int i = 0; i < MANY; i++)
            points[i * D] *= CASES[k].stretch;
        assert_int_equal(axis_of(*state, MANY, points), CASES[k].axis);
        for (int i = 0; i < MANY * D; i++) /* as of a subject */
            points[i] += 0.015 * sin(17.0 * i);
        assert_int_equal(axis_of(*state, MANY, points), CASES[k].axis);
    }
    free(points);
}

/* Both halves of the array are a shape; the points of only the first one have mirror images. */
static void all_of_the_shape_is_compared(void **state)
{
    enum { HALF = 1000 };
    double *points = malloc(2 * HALF * D * sizeof *points);
    int axis;
    set_egg(HALF, points);
    memcpy(points + HALF * D, points, HALF * D * sizeof *points);
    sfgp_assert_ok(*state, sfgp_symmetry_axis(*state, 2 * HALF, points, 1, &axis));
    assert_int_equal(axis, 0);
    for (int i = HALF; i < 2 * HALF; i++)
        points[i * D] += 0.5 * points[i * D + 1];
    sfgp_assert_ok(*state, sfgp_symmetry_axis(*state, 2 * HALF, points, 1, &axis));
    assert_int_equal(axis, -1);
    free(points);
}

static void other_shapes_have_none(void **state)
{
    enum { MANY = 1000 };
    double *points = malloc(MANY * D * sizeof *points);
    set_egg(MANY, points);
    for (int i = 0; i < MANY; i++) /* bent to one side */
        points[i * D] += 0.5 * points[i * D + 1] * points[i * D + 1];
    assert_int_equal(axis_of(*state, MANY, points), -1);
    for (int i = 0; i < MANY; i++) /* flat */
        points[i * D + 2] = 0;
    assert_int_equal(axis_of(*state, MANY, points), -1);
    for (int i = 0; i < MANY; i++) { /* long, as a bone with a thick end */
        const double along = 2.0 * i / MANY - 1, thick = 0.1 * (1 + 0.4 * along);
        points[i * D] = along;
        points[i * D + 1] = thick * (cos(GOLDEN * i) + 0.3 * cos(2 * GOLDEN * i + 1));
        points[i * D + 2] = 0.8 * thick * sin(GOLDEN * i);
    }
    assert_int_equal(axis_of(*state, MANY, points), -1);
    free(points);
}

/* Points of one spiral around an egg: the mirror image of each lies between others. */
static void set_spiral(int n, double one_side, double *points)
{
    for (int i = 0; i < n; i++) {
        const double x = (2 * i + 1.0) / n - 1, r = sqrt(1 - x * x), y = r * cos(GOLDEN * i),
                     z = r * sin(GOLDEN * i), bumps = 1 + 0.3 * sin(2.5 * y + 1) + 0.2 * sin(3 * z);
        const double at[D] = {bumps * x * (1 + one_side * x * (y + 0.5)), 1.5 * bumps * y, 0.7 * bumps * z};
        memcpy(points + i * D, at, sizeof at);
    }
}

/* Their distance from the nearest points is up to 0.3 of the shape, as far as that of shapes without a plane. */
static void the_plane_of_few_points_is_found(void **state)
{
    double points[400 * D];
    for (int n = 200; n <= 400; n += 100) {
        set_spiral(n, 0, points);
        assert_int_equal(axis_of(*state, n, points), 1);
        set_spiral(n, 0.5, points);
        assert_int_equal(axis_of(*state, n, points), -1);
    }
}

/* All normals of a drawing are across it: what its mirror image differs in is along it. */
static void a_flat_shape_is_compared_along_itself(void **state)
{
    enum { MANY = 1000 };
    double *points = calloc(MANY * D, sizeof *points);
    int axis;
    for (int i = 0; i < MANY; i++) { /* the fat end is the right one */
        const double r = sqrt((i + 0.5) / MANY), x = r * cos(GOLDEN * i), y = r * sin(GOLDEN * i);
        points[i * D] = 2 * x + 0.5 * y;
        points[i * D + 1] = y * (1 + 0.6 * x) + 0.4 * x * x - 0.1;
    }
    sfgp_assert_ok(*state, sfgp_symmetry_axis(*state, MANY, points, 1, &axis));
    assert_int_equal(axis, -1);
    free(points);
}

/* ---- the posterior, beside the dense process --------------------------------------------------------------- */

/* The default of an egg, with weights and labels that are not symmetric. */
typedef struct setting {
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_posterior posterior;
    const double *reference;
    double correlation; /* of both sides */
    double weights[N], labels[SIZE];
} setting;

static void setting_new(sfgp_context *context, sfgp_em_prior prior, setting *s)
{
    double points[SIZE];
    sfgp_settings settings = test_settings();
    settings.accuracy = 1e-13; /* so that the factor is exact */
    set_egg(N, points);
    sfgp_mesh *mesh = test_mesh(context, N, D, points);
    sfgp_assert_ok(context, sfgp_model_new(context, mesh, NULL, 0, &settings, &s->model));
    sfgp_assert_ok(context, sfgp_solver_new(context, s->model, &settings, &s->solver));
    sfgp_mesh_free(mesh);
    assert_int_equal(s->solver->problem.basis->across, 2);
    sfgp_assert_ok(context, sfgp_posterior_new(context, s->solver->problem.basis, &s->posterior));
    s->posterior.prior = &s->solver->em->rescaled[prior];
    s->reference = s->model->reference;
    s->correlation = sfgp_tuning_of(&s->model->basis)->symmetry;
    for (int i = 0; i < N; i++)
        s->weights[i] = i % 3 == 0 ? 0 : 10 + i;
    for (int k = 0; k < SIZE; k++)
        s->labels[k] = 0.2 * sin(k + 1.0);
}

static void setting_free(setting *s)
{
    sfgp_posterior_clear(&s->posterior);
    sfgp_solver_free(s->solver);
    sfgp_model_free(s->model);
}

/* Covariance of axis a of two points, written plainly: K'(x, y) and the correlation with the mirror image of y. */
static double covariance(const setting *s, sfgp_em_prior prior, int a, int i, int j)
{
    const sfgp_tuning *t = sfgp_tuning_of(&s->model->basis);
    const double affine = prior == SFGP_PRIOR_STIFF ? t->stiff_affine : 1,
                 smooth = prior == SFGP_PRIOR_STIFF   ? t->stiff
                          : prior == SFGP_PRIOR_LOOSE ? t->loose
                                                      : 1,
                 sign = a == 1 ? -1 : 1, *x = s->reference + i * D, *y = s->reference + j * D;
    const sfgp_kernel *kernel = &s->model->kernel_terms;
    double here = 0, across = 0, sum = 0;
    for (int b = 0; b < D; b++) {
        here += (x[b] - y[b]) * (x[b] - y[b]);
        across += b == 1 ? (x[b] + y[b]) * (x[b] + y[b]) : (x[b] - y[b]) * (x[b] - y[b]);
    }
    for (int k = 0; k < kernel->count; k++) {
        const double l2 = kernel->terms[k].length * kernel->terms[k].length;
        sum += (k == 0 ? affine : smooth) * kernel->terms[k].variance *
               (exp(-here / (2 * l2)) + sign * s->correlation * exp(-across / (2 * l2)));
    }
    return sum;
}

/* A dense Gaussian process of 3 N numbers, and what it says of labels with the precision matrices W_i (3 x 3). */
typedef struct dense {
    double mean[SIZE], variance[N], evidence;
} dense;

/* a (m x m) = LL', in place. */
static void cholesky(int m, double *a)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a[i * m + j];
            for (int k = 0; k < j; k++)
                sum -= a[i * m + k] * a[j * m + k];
            a[i * m + j] = i == j ? sqrt(sum) : sum / a[j * m + j];
        }
}

static void solve(int m, const double *l, double *x)
{
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= l[i * m + k] * x[k];
        x[i] /= l[i * m + i];
    }
}

/* noise (SIZE x 3): row of 3 i + a holds row a of W_i^-1; points without weight have none. */
static void dense_regress(const setting *s, sfgp_em_prior prior, const double *noise, dense *d)
{
    static int seen[SIZE];
    int m = 0;
    for (int k = 0; k < SIZE; k++)
        if (s->weights[k / D] > 0)
            seen[m++] = k;
    double *l = calloc((size_t)m * (size_t)m, sizeof *l), *v = calloc((size_t)m, sizeof *v),
           *y = calloc((size_t)m, sizeof *y);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++) {
            const int a = seen[i] % D, b = seen[j] % D, p = seen[i] / D, q = seen[j] / D;
            l[i * m + j] =
                (a == b ? covariance(s, prior, a, p, q) : 0) + (p == q ? noise[seen[i] * D + b] : 0);
        }
    cholesky(m, l);
    for (int i = 0; i < m; i++)
        y[i] = s->labels[seen[i]];
    solve(m, l, y);
    d->evidence = -0.5 * m * log(2 * acos(-1));
    for (int i = 0; i < m; i++)
        d->evidence -= 0.5 * y[i] * y[i] + log(l[i * m + i]);
    memset(d->variance, 0, sizeof d->variance);
    for (int k = 0; k < SIZE; k++) {
        d->mean[k] = 0;
        for (int i = 0; i < m; i++)
            v[i] = seen[i] % D == k % D ? covariance(s, prior, k % D, k / D, seen[i] / D) : 0;
        solve(m, l, v);
        double left = covariance(s, prior, k % D, k / D, k / D);
        for (int i = 0; i < m; i++) {
            d->mean[k] += v[i] * y[i];
            left -= v[i] * v[i];
        }
        d->variance[k / D] += left / D;
    }
    free(l), free(v), free(y);
}

static void set_noise(const setting *s, const double *normals, double stretch, double *noise)
{
    for (int k = 0; k < SIZE; k++)
        for (int b = 0; b < D; b++) {
            const double along = normals ? normals[k] * normals[k / D * D + b] : 0;
            noise[k * D + b] =
                ((k % D == b) - along * stretch / (1 + stretch)) / fmax(s->weights[k / D], 1e-300);
        }
}

/* The factor leaves 1e-13 of the kernel, and K + W^-1 has a condition of 1e4. */
#define CLOSE 1e-7

static void assert_close(int n, const double *ours, const double *theirs)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(ours[k] - theirs[k]) <= CLOSE * (1 + fabs(theirs[k]))))
            fail_msg("number %d: %.15g for %.15g", k, ours[k], theirs[k]);
}

/* KL = the expected log likelihood less the evidence. */
static double divergence_of(const setting *s, const dense *d)
{
    double expected = 0;
    for (int k = 0; k < SIZE; k++) {
        const double w = s->weights[k / D], e = s->labels[k] - d->mean[k];
        expected += w > 0 ? 0.5 * log(w / (2 * acos(-1))) - 0.5 * w * (e * e + d->variance[k / D]) : 0;
    }
    return expected - d->evidence;
}

static void moves_of(const setting *s, double *moves)
{
    for (int k = 0; k < SIZE; k++)
        moves[k] = s->posterior.mean[k] - s->posterior.basis->mean[k];
}

static void an_update_is_that_of_the_dense_process(void **state)
{
    for (int prior = 0; prior < SFGP_PRIORS; prior++) {
        setting s;
        dense d;
        double noise[SIZE * D], moves[SIZE];
        setting_new(*state, (sfgp_em_prior)prior, &s);
        set_noise(&s, NULL, 0, noise);
        dense_regress(&s, (sfgp_em_prior)prior, noise, &d);
        sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &s.posterior));
        moves_of(&s, moves);
        assert_close(SIZE, moves, d.mean);
        assert_close(N, s.posterior.variance, d.variance);
        const double ours = sfgp_posterior_divergence(&s.posterior), theirs = divergence_of(&s, &d);
        assert_close(1, &ours, &theirs);
        setting_free(&s);
    }
}

/* W (label - rbar) at the coefficients. */
static void set_residuals(const setting *s, const double *c, double *residuals)
{
    double *points = calloc(SIZE, sizeof *points);
    sfgp_basis_multiply(s->posterior.basis, c, 0, N, points);
    for (int k = 0; k < SIZE; k++)
        residuals[k] = s->weights[k / D] * (s->labels[k] + s->posterior.basis->mean[k] - points[k]);
    free(points);
}

/* With B'WB of the same weights a step from anywhere is the update: single precision, some 1e-6. */
static void a_step_is_the_update(void **state)
{
    setting s;
    double ratio = 1, residuals[SIZE], exact[SIZE], variance[N];
    setting_new(*state, SFGP_PRIOR_STIFF, &s);
    double *c = calloc((size_t)sfgp_basis_size(s.posterior.basis), sizeof *c);
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &s.posterior));
    memcpy(exact, s.posterior.mean, sizeof exact);
    memcpy(variance, s.posterior.variance, sizeof variance);
    c[0] = c[4] = c[5] = 0.3;
    sfgp_posterior_accumulate_gram(s.weights, &s.posterior);
    set_residuals(&s, c, residuals);
    sfgp_assert_ok(*state, sfgp_posterior_newton_step(*state, ratio, residuals, c, &s.posterior));
    for (int k = 0; k < SIZE; k++)
        assert_true(fabs(s.posterior.mean[k] - exact[k]) < 2e-5);
    for (int i = 0; i < N; i++)
        assert_true(fabs(s.posterior.variance[i] - variance[i]) < 1e-4 * variance[i]);
    free(c);
    setting_free(&s);
}

/* A step from anywhere ends at the posterior mean, which the step from there does not move. */
static void an_anisotropic_step_is_that_of_the_dense_process(void **state)
{
    setting s;
    dense d;
    sfgp_anisotropic a;
    double noise[SIZE * D], normals[SIZE], residuals[SIZE], moves[SIZE];
    const double stretch = 3, *step;
    setting_new(*state, SFGP_PRIOR_STIFF, &s);
    const int64_t m = sfgp_basis_size(s.posterior.basis);
    double *c = calloc((size_t)m, sizeof *c);
    for (int i = 0; i < N; i++) {
        const double *x = s.reference + i * D, length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        for (int b = 0; b < D; b++)
            normals[i * D + b] = x[b] / length;
    }
    set_noise(&s, normals, stretch, noise);
    dense_regress(&s, SFGP_PRIOR_STIFF, noise, &d);
    const sfgp_anisotropic_weights weights = {s.weights, normals, stretch};
    sfgp_assert_ok(*state, sfgp_anisotropic_new(*state, &s.posterior, &a));
    for (int k = 0; k < 3; k++) { /* A is of single precision: 1e-6 of the rest is left each time */
        set_residuals(&s, c, residuals);
        for (int i = 0; i < N; i++) {
            double *r = residuals + i * D, *n = normals + i * D,
                   along = stretch * (r[0] * n[0] + r[1] * n[1] + r[2] * n[2]);
            for (int b = 0; b < D; b++)
                r[b] += along * n[b];
        }
        sfgp_assert_ok(*state, sfgp_anisotropic_step(*state, &weights, residuals, c, &a, &step));
        for (int64_t l = 0; l < m; l++)
            c[l] += step[l];
    }
    sfgp_posterior_set_coefficients(c, &s.posterior);
    moves_of(&s, moves);
    assert_close(SIZE, moves, d.mean);
    sfgp_anisotropic_clear(&a);
    free(c);
    setting_free(&s);
}

/* Labels that lie on their points leave no information open: the variance is that of the update. */
static void the_information_is_that_of_known_labels(void **state)
{
    setting s;
    sfgp_responsibilities r = {0};
    double sigma2[N], variance[N];
    setting_new(*state, SFGP_PRIOR_AS_IS, &s);
    sfgp_assert_ok(*state, sfgp_responsibilities_new(*state, N, D, true, &r));
    sfgp_assert_ok(*state, sfgp_responsibilities_reserve(*state, N, N, &r));
    sfgp_assert_ok(*state, sfgp_sparse_reserve(*state, N, &r.matrix));
    r.targets = N;
    int32_t *start = sfgp_sparse_start(&r.matrix), *index = sfgp_sparse_index(&r.matrix);
    for (int i = 0; i < N; i++) {
        start[i] = index[i] = i;
        sfgp_sparse_value(&r.matrix)[i] = r.mass[i] = s.weights[i] > 0;
        sigma2[i] = 1 / fmax(s.weights[i], 1);
    }
    start[N] = N;
    const sfgp_observed observed = {s.posterior.basis, &r, s.reference, s.reference, sigma2};
    sfgp_assert_ok(*state, sfgp_information_variance(*state, &s.posterior, &observed, 1, variance));
    sfgp_assert_ok(*state, sfgp_posterior_update(*state, s.weights, s.labels, &s.posterior));
    assert_close(N, variance, s.posterior.variance);
    sfgp_responsibilities_clear(&r);
    setting_free(&s);
}

static int image_of(const setting *s, int i)
{
    double least = HUGE_VAL;
    int nearest = 0;
    for (int j = 0; j < N; j++) {
        const double *x = s->reference + i * D, *y = s->reference + j * D;
        const double apart = hypot(hypot(x[0] - y[0], x[1] + y[1]), x[2] - y[2]);
        nearest = apart < least ? j : nearest;
        least = fmin(apart, least);
    }
    return nearest;
}

/* The labels of a fit after some iterations, of points whose mirror images have labels. */
static void take_labels(sfgp_em *em, setting *s)
{
    static double residuals[SIZE], weights[N];
    sfgp_em_weigh_shifts(em, weights, residuals);
    for (int i = 0; i < N; i++)
        s->weights[i] = weights[image_of(s, i)] > 0 ? weights[i] : 0;
    for (int k = 0; k < SIZE; k++)
        s->labels[k] = s->weights[k / D] > 0
                           ? residuals[k] / s->weights[k / D] + em->state.points[k] - s->reference[k]
                           : 0;
}

/* E of fit/asymmetry.h without symmetry, less E with it. */
static void the_evidence_is_that_of_the_dense_process(void **state)
{
    static double points[SIZE], noise[SIZE * D];
    for (int prior = 0; prior < SFGP_PRIORS; prior++) {
        setting s;
        dense with, without;
        double gain;
        setting_new(*state, (sfgp_em_prior)prior, &s);
        set_egg(N, points);
        for (int i = 0; i < N; i++)
            points[i * D] += 0.2 * points[i * D + 1] * points[i * D + 1];
        sfgp_mesh *scan = test_mesh(*state, N - 20, D, points);
        sfgp_assert_ok(*state, sfgp_solver_load(s.solver, scan));
        sfgp_em *em = s.solver->em;
        sfgp_em_start start = sfgp_em_standard_start(&s.solver->problem);
        start.prior = (sfgp_em_prior)prior;
        sfgp_assert_ok(*state, sfgp_em_begin(em, &start));
        for (int k = 0; k < 5; k++)
            sfgp_assert_ok(*state, sfgp_em_step(em));
        take_labels(em, &s);
        set_noise(&s, NULL, 0, noise);
        dense_regress(&s, (sfgp_em_prior)prior, noise, &with);
        s.correlation = 0;
        dense_regress(&s, (sfgp_em_prior)prior, noise, &without);
        sfgp_assert_ok(*state, sfgp_priors_make_asymmetric(s.solver));
        sfgp_assert_ok(*state, sfgp_asymmetry_gain(s.solver, &gain));
        print_message("prior %d: gain %.9g, dense %.9g\n", prior, gain, without.evidence - with.evidence);
        assert_true(fabs(gain - (without.evidence - with.evidence)) < 1e-5 * (1 + fabs(gain)));
        sfgp_mesh_free(scan);
        setting_free(&s);
    }
}

static void parts_of_the_prior_keep_its_axis(void **state)
{
    static const int64_t some[] = {3, 1, 7};
    setting s;
    sfgp_basis part, narrow;
    setting_new(*state, SFGP_PRIOR_STIFF, &s);
    sfgp_assert_ok(*state, sfgp_basis_select(*state, s.posterior.basis, 3, some, &part));
    sfgp_assert_ok(*state, sfgp_basis_narrow(*state, s.posterior.basis, 1e-3, &narrow));
    assert_true(part.across == 2 && narrow.across == 2);
    sfgp_basis_clear(&part);
    sfgp_basis_clear(&narrow);
    setting_free(&s);
}

/* Landmarks that say nothing leave the prior as it is, and so the sigma2 that a fit begins with. */
static void landmarks_without_weight_change_no_start(void **state)
{
    setting s;
    double points[SIZE];
    setting_new(*state, SFGP_PRIOR_STIFF, &s);
    set_egg(N, points);
    sfgp_mesh *scan = test_mesh(*state, N, D, points);
    sfgp_assert_ok(*state, sfgp_solver_set_landmarks(s.solver, 2, points, points, 1e9));
    sfgp_assert_ok(*state, sfgp_solver_load(s.solver, scan));
    for (int prior = 0; prior < SFGP_PRIORS; prior++) {
        sfgp_em_start start = sfgp_em_standard_start(&s.solver->problem);
        start.prior = (sfgp_em_prior)prior;
        sfgp_assert_ok(*state, sfgp_em_begin(s.solver->em, &start));
        assert_true(s.solver->em->state.sigma2[0] == start.sigma2);
    }
    sfgp_mesh_free(scan);
    setting_free(&s);
}

static sfgp_status make_solver(sfgp_context *context, void *user)
{
    double points[SIZE];
    sfgp_model *model = NULL;
    sfgp_solver *solver = NULL;
    sfgp_settings settings = test_settings();
    (void)user;
    set_egg(N, points);
    const sfgp_mesh mesh = {.count = N, .dimension = D, .points = points};
    sfgp_status status = sfgp_model_new(context, &mesh, NULL, 0, &settings, &model);
    if (status == SFGP_OK)
        status = sfgp_solver_new(context, model, &settings, &solver);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    return status;
}

static void memory_runs_out_cleanly(void **state)
{
    assert_true(sfgp_sweep_allocations(*state, make_solver, NULL) > 40);
}

/* ---- whole fits ------------------------------------------------------------------------------------------ */

enum { MANY = 1200, SHOWN = MANY / 2 };

/* An egg, a subject whose sides deform alike, and a scan that shows one side of it. */
typedef struct half {
    sfgp_mesh *reference, *scan;
    double truth[MANY * D];
    sfgp_model *model;
    sfgp_solver *solver;
} half;

static void half_new(sfgp_context *context, int symmetry, half *h)
{
    static double points[MANY * D];
    sfgp_settings settings = test_settings();
    settings.symmetry = symmetry;
    set_egg(MANY, points);
    for (int i = 0; i < MANY; i++) {
        const double *x = points + i * D, apart = fabs(x[0]), sign = x[0] > 0 ? 1 : -1;
        h->truth[i * D] = x[0] + 0.25 * sign * apart * apart * cos(1.5 * x[1]);
        h->truth[i * D + 1] = x[1] + 0.3 * apart * apart;
        h->truth[i * D + 2] = x[2] + 0.25 * apart * sin(1.5 * x[1]);
    }
    h->reference = test_mesh(context, MANY, D, points);
    h->scan = test_mesh(context, SHOWN, D, h->truth);
    for (int k = 0; k < SHOWN * D; k++) /* noise */
        h->scan->points[k] += 0.004 * sin(17.0 * k);
    sfgp_assert_ok(context, sfgp_model_new(context, h->reference, NULL, 0, &settings, &h->model));
    sfgp_assert_ok(context, sfgp_solver_new(context, h->model, &settings, &h->solver));
}

static void half_free(half *h)
{
    sfgp_solver_free(h->solver);
    sfgp_model_free(h->model);
    sfgp_mesh_free(h->reference);
    sfgp_mesh_free(h->scan);
}

/* Of a reference and of its model; only the default needs the second factor. */
static void memory_is_predicted(void **state)
{
    half h;
    sfgp_memory with, without;
    half_new(*state, 1, &h);
    sfgp_settings settings = test_settings();
    for (int k = 0; k < 3; k++) { /* m x m numbers: in each lane, and of each prior C, C^-1 and Q */
        sfgp_run_size size;
        if (k == 0)
            sfgp_assert_ok(*state, sfgp_run_size_from_mesh(*state, h.reference, 0, &settings, &size));
        else
            sfgp_run_size_from_model(h.model, &size);
        size.targets = SHOWN;
        assert_int_equal(size.symmetric, 1);
        strcpy(settings.method, k == 2 ? "sfgp-scalar" : "auto");
        settings.symmetry = 1;
        sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &with));
        settings.symmetry = 0;
        sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &without));
        const int64_t square = 8 * size.rank_scalar * size.rank_scalar;
        assert_true(k == 2 ? with.fit == without.fit : with.fit - without.fit > (8 + 4 * 3) * square);
    }
    half_free(&h);
}

/* Of the side that the scan does not show, and of the other one. */
static void the_other_side_is_told(void **state)
{
    double error[2][2];
    for (int symmetry = 0; symmetry <= 1; symmetry++) {
        half h;
        half_new(*state, symmetry, &h);
        sfgp_result *r = test_run(*state, h.solver, h.scan);
        assert_int_equal(r->symmetric, symmetry);
        for (int side = 0; side < 2; side++)
            error[symmetry][side] =
                test_mean_distance(SHOWN, D, r->points + side * SHOWN * D, h.truth + side * SHOWN * D);
        print_message("symmetry %d: %s, seen %g, hidden %g\n", symmetry, sfgp_outcome_name(r->outcome),
                      error[symmetry][0], error[symmetry][1]);
        sfgp_result_free(r);
        half_free(&h);
    }
    assert_true(error[1][1] < 0.8 * error[0][1] && error[1][0] < 1e-3 && error[0][0] < 1e-3);
}

static double version_of(sfgp_context *context, const char *path)
{
    sfgp_hdf5 *file;
    double version;
    sfgp_assert_ok(context, sfgp_hdf5_open(context, path, &file));
    sfgp_assert_ok(context, sfgp_hdf5_read_number(file, "/fit/version", 0, 100, &version));
    sfgp_hdf5_free(file);
    return version;
}

static void the_report_says_so(void **state)
{
    half h;
    const char *folder = sfgp_test_folder(),
               *paths[] = {"reference.ply", "scan.ply", "fit.ply", "report.json"};
    half_new(*state, 1, &h);
    for (int k = 0; k < 4; k++)
        paths[k] = sfgp_test_path(folder, paths[k]);
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, paths[0], h.reference, NULL, 0));
    sfgp_assert_ok(*state, sfgp_mesh_write(*state, paths[1], h.scan, NULL, 0));
    for (int symmetry = 0; symmetry <= 1; symmetry++) {
        sfgp_run run = sfgp_run_program("register", paths[0], paths[1], "-o", paths[2], "--report", paths[3],
                                        "--symmetry", symmetry ? "1" : "0", NULL);
        char *report = sfgp_test_read(paths[3], NULL);
        assert_int_equal(run.exit_code, 0);
        sfgp_assert_has(report, symmetry ? "\"symmetric\": true" : "\"symmetric\": false");
        free(report);
        sfgp_run_free(&run);
    }
    half_free(&h);
}

/* Points and deviations of the reference by the map are those of the fit, also from its file, which readers of version 1 refuse. */
static void a_saved_fit_has_both_sides(void **state)
{
    half h;
    sfgp_deformation *maps[2];
    static double points[2][MANY * D], sd[2][MANY];
    const char *path = test_path("half.h5");
    half_new(*state, 1, &h);
    sfgp_result *r = test_run(*state, h.solver, h.scan);
    sfgp_assert_ok(*state, sfgp_solver_deformation(h.solver, r, &maps[0]));
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, maps[0], path));
    sfgp_assert_ok(*state, sfgp_deformation_read(*state, path, &maps[1]));
    assert_true(maps[0]->basis.across == 2 && maps[1]->basis.across == 2);
    assert_true(version_of(*state, path) == 2 && maps[1]->model->across == 2);
    for (int k = 0; k < 2; k++)
        sfgp_assert_ok(
            *state, sfgp_deformation_apply(*state, maps[k], MANY, h.reference->points, 1, points[k], sd[k]));
    assert_memory_equal(points[0], points[1], sizeof points[0]);
    assert_memory_equal(sd[0], sd[1], sizeof sd[0]);
    for (int k = 0; k < MANY * D; k++)
        assert_true(fabs(points[0][k] - r->points[k]) < 1e-9);
    for (int i = 0; i < MANY; i++)
        assert_true(fabs(sd[0][i] - r->sd[i]) < 1e-6 * r->sd[i]);
    sfgp_deformation_free(maps[0]);
    sfgp_deformation_free(maps[1]);
    sfgp_result_free(r);
    half_free(&h);
}

/* Whole files, checksum and all, whose second factor has a zero on its diagonal, and whose axis there is not. */
static void a_damaged_factor_or_axis_is_refused(void **state)
{
    half h;
    sfgp_deformation *map, *read;
    const char *path = test_path("damaged.h5");
    half_new(*state, 1, &h);
    sfgp_result *r = test_run(*state, h.solver, h.scan);
    sfgp_assert_ok(*state, sfgp_solver_deformation(h.solver, r, &map));
    map->basis.across = 4;
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, map, path));
    sfgp_assert_error(*state, sfgp_deformation_read(*state, path, &read), SFGP_ERROR_FORMAT, "/fit/symmetry");
    map->basis.across = 2;
    sfgp_normal_parts(&map->basis, map->block).across[0] = 0;
    sfgp_assert_ok(*state, sfgp_deformation_write(*state, map, path));
    sfgp_assert_error(*state, sfgp_deformation_read(*state, path, &read), SFGP_ERROR_FORMAT,
                      "/fit/posterior/across");
    sfgp_deformation_free(map);
    sfgp_result_free(r);
    half_free(&h);
}

/* |L \ b_i|^2 of an axis, by its factor. */
static double variance_of(const sfgp_deformation *map, int64_t i, int axis)
{
    const sfgp_basis *basis = &map->basis;
    const int64_t m = basis->scalar.rank;
    const sfgp_normal normal = sfgp_normal_parts(basis, map->block);
    double *row = calloc((size_t)m, sizeof *row), sum = 0;
    memcpy(row, basis->scalar.values + i * m, (size_t)m * sizeof *row);
    solve((int)m, sfgp_normal_of(basis, &normal, axis), row);
    for (int64_t k = 0; k < m; k++)
        sum += row[k] * row[k];
    free(row);
    return sum;
}

/* The variance of point i in a model along an axis of the frame before the pose turns it. */
static double turned_back(const sfgp_model *model, const double *rotation, int64_t i, int axis)
{
    const int64_t modes = model->basis.pca.modes;
    double sum = 0;
    for (int64_t k = 0; k < modes; k++) {
        double x = 0;
        for (int a = 0; a < D; a++)
            x += rotation[a * D + axis] * model->basis.pca.factor[(i * D + a) * modes + k];
        sum += x * x;
    }
    return sum;
}

/* Its deviations are those of the fit, and as large along each axis as the factor of that axis says. */
static void its_posterior_has_both_factors(void **state)
{
    half h;
    sfgp_deformation *map;
    sfgp_model *posterior;
    half_new(*state, 1, &h);
    sfgp_result *r = test_run(*state, h.solver, h.scan);
    sfgp_assert_ok(*state, sfgp_solver_deformation(h.solver, r, &map));
    sfgp_assert_ok(*state, sfgp_deformation_posterior(*state, map, &posterior));
    for (int i = 0; i < MANY; i++)
        assert_true(fabs(posterior->frame.scale * sqrt(sfgp_basis_variance(&posterior->basis, i)) -
                         r->sd[i]) < 1e-6 * r->sd[i]);
    for (int i = SHOWN; i < MANY; i += 97) {
        const double along = variance_of(map, i, 0), across = variance_of(map, i, 1),
                     told = turned_back(posterior, map->pose.rotation, i, 1) /
                            turned_back(posterior, map->pose.rotation, i, 0);
        assert_true(fabs(told / (across / along) - 1) < 1e-9 && fabs(across / along - 1) > 1e-3);
    }
    sfgp_model_free(posterior);
    sfgp_deformation_free(map);
    sfgp_result_free(r);
    half_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_plane_is_found),
        sfgp_unit_test(all_of_the_shape_is_compared),
        sfgp_unit_test(other_shapes_have_none),
        sfgp_unit_test(the_plane_of_few_points_is_found),
        sfgp_unit_test(a_flat_shape_is_compared_along_itself),
        sfgp_unit_test(an_update_is_that_of_the_dense_process),
        sfgp_unit_test(a_step_is_the_update),
        sfgp_unit_test(an_anisotropic_step_is_that_of_the_dense_process),
        sfgp_unit_test(the_information_is_that_of_known_labels),
        sfgp_unit_test(the_evidence_is_that_of_the_dense_process),
        sfgp_unit_test(parts_of_the_prior_keep_its_axis),
        sfgp_unit_test(landmarks_without_weight_change_no_start),
        sfgp_unit_test(memory_runs_out_cleanly),
        sfgp_unit_test(memory_is_predicted),
        sfgp_unit_test(the_other_side_is_told),
        sfgp_unit_test(the_report_says_so),
        sfgp_unit_test(a_saved_fit_has_both_sides),
        sfgp_unit_test(a_damaged_factor_or_axis_is_refused),
        sfgp_unit_test(its_posterior_has_both_factors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
