#include "support/curve.h"
#include "base/random.h"
#include "em/loop.h"
#include "support/shapes.h"

#include <math.h>
#include <string.h>

enum { N = TEST_CURVE };

#define TWO_PI 6.283185307179586
#define DEGREE (TWO_PI / 360)

/* Points of uneven density, and no symmetry: no turn puts it on itself. */
static void uneven_curve(double *points)
{
    for (int i = 0; i < N; i++) {
        const double u = TWO_PI * i / N, angle = u + 0.25 * sin(u);
        const double radius =
            30 * (1 + 0.4 * cos(angle) + 0.25 * cos(2 * angle + 0.5) + 0.15 * sin(3 * angle));
        points[2 * i] = 100 + radius * cos(angle);
        points[2 * i + 1] = radius * sin(angle) - 50;
    }
}

/* The curve about its middle turned, then moved. */
static void turn_and_move(double angle, double shift, const double *in, double *out)
{
    double middle[2] = {0, 0};
    for (int k = 0; k < 2 * N; k++)
        middle[k % 2] += in[k] / N;
    for (int i = 0; i < N; i++) {
        const double x = in[2 * i] - middle[0], y = in[2 * i + 1] - middle[1];
        out[2 * i] = middle[0] + shift + cos(angle) * x - sin(angle) * y;
        out[2 * i + 1] = middle[1] - 0.5 * shift + sin(angle) * x + cos(angle) * y;
    }
}

static void scan(int outliers, test_curve *s)
{
    sfgp_random random = sfgp_random_of(3);
    for (int i = 0; i < N; i++)
        if (i < s->first || i >= s->end) {
            memcpy(s->target + 2 * s->targets, s->truth + 2 * i, 2 * sizeof(double));
            s->targets++;
        }
    for (int k = 0; k < outliers; k++, s->targets++)
        for (int a = 0; a < 2; a++)
            s->target[2 * s->targets + a] =
                s->truth[2 * (k * N / TEST_CURVE_OUTLIERS) + a] + 60 * (sfgp_random_uniform(&random) - 0.5);
}

test_curve test_curve_new(sfgp_context *context, test_curve_scan how)
{
    test_curve s = {.first = 10, .end = 10 + how.missing};
    sfgp_settings settings = test_settings();
    settings.threads = 1;
    settings.prune = 1e-14; /* next to nothing is left out of the bound */
    uneven_curve(s.reference);
    turn_and_move(how.degrees * DEGREE, how.shift, s.reference, s.truth);
    scan(how.outliers, &s);
    sfgp_mesh *reference = test_mesh(context, N, 2, s.reference);
    s.mesh = test_mesh(context, s.targets, 2, s.target);
    sfgp_assert_ok(context, sfgp_model_new(context, reference, NULL, 0, &settings, &s.model));
    sfgp_assert_ok(context, sfgp_solver_new(context, s.model, &settings, &s.solver));
    s.em = s.solver->em;
    sfgp_mesh_free(reference);
    return s;
}

void test_curve_free(test_curve *s)
{
    sfgp_solver_free(s->solver);
    sfgp_model_free(s->model);
    sfgp_mesh_free(s->mesh);
}

double test_curve_error(const test_curve *s, const double *points)
{
    double sum = 0;
    for (int k = 0; k < 2 * N; k++)
        sum += pow(points[k] - s->truth[k], 2);
    return sqrt(sum / N) / s->model->frame.scale;
}

double test_curve_total(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i];
    return sum;
}

test_curve test_curve_with_masses(sfgp_context *context, bool regional)
{
    test_curve s = test_curve_new(context, (test_curve_scan){.missing = 20, .outliers = TEST_CURVE_OUTLIERS});
    sfgp_assert_ok(context, sfgp_solver_load(s.solver, s.mesh));
    sfgp_em_start start = s.em->state.start;
    start.omega = 0.3, start.regional = regional;
    sfgp_assert_ok(context, sfgp_em_begin(s.em, &start));
    sfgp_assert_ok(context, sfgp_em_step(s.em)); /* gives the responsibilities their sizes */
    for (int i = 0; i < N; i++)
        s.em->responsibilities.mass[i] = i >= s.first && i < s.end ? 0 : 0.5 + 0.01 * i;
    assert_true(test_curve_total(s.em->responsibilities.mass) < s.targets);
    return s;
}

void test_curve_smooth(const test_curve *s, int size, const double *x, double *means)
{
    for (int i = 0; i < N; i++) {
        bool used[N] = {false};
        double sum = 0;
        for (int k = 0; k < size; k++) {
            int nearest = -1;
            double least = INFINITY;
            for (int j = 0; j < N; j++) {
                const double away = hypot(s->reference[2 * j] - s->reference[2 * i],
                                          s->reference[2 * j + 1] - s->reference[2 * i + 1]);
                if (!used[j] && away < least)
                    nearest = j, least = away;
            }
            used[nearest] = true;
            sum += x[nearest];
        }
        means[i] = sum / size;
    }
}
