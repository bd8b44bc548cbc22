#include "support/shapes.h"
#include "support/support.h"
#include "base/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 30.0 /* mm */

static void place(int n, int d, sfgp_random *random, double *x)
{
    for (int i = 0; i < n; i++) {
        double u = ((double)i + 0.4 * sfgp_random_uniform(random)) / n, angle = 6.283185307179586 * u;
        if (d == 2) {
            x[2 * i] = SIZE * cos(angle) * (1 + 0.3 * cos(3 * angle));
            x[2 * i + 1] = 0.7 * SIZE * sin(angle);
        } else { /* golden-angle spiral on a saddle: evenly spread */
            double radius = SIZE * sqrt(u), turn = 2.399963229728653 * i;
            x[3 * i] = radius * cos(turn);
            x[3 * i + 1] = 1.4 * radius * sin(turn);
            x[3 * i + 2] = 0.3 * SIZE * sin(x[3 * i] / SIZE * 2) * cos(x[3 * i + 1] / SIZE * 1.5);
        }
    }
}

/* Three smooth bumps move each axis. */
static void deform(int n, int d, double strength, sfgp_random *random, const double *x, double *y)
{
    memcpy(y, x, (size_t)(n * d) * sizeof *y);
    for (int bump = 0; bump < 3; bump++) {
        double centre[3], push[3], width = SIZE * (0.7 + 0.5 * sfgp_random_uniform(random));
        for (int a = 0; a < d; a++) {
            centre[a] = SIZE * (2 * sfgp_random_uniform(random) - 1);
            push[a] = strength * sfgp_random_normal(random);
        }
        for (int i = 0; i < n; i++) {
            double square = 0;
            for (int a = 0; a < d; a++)
                square += (x[i * d + a] - centre[a]) * (x[i * d + a] - centre[a]);
            for (int a = 0; a < d; a++)
                y[i * d + a] += push[a] * exp(-square / (2 * width * width));
        }
    }
}

static void scan(test_shapes *s, sfgp_random *random)
{
    const int d = s->d, hole = (int)sfgp_random_below(random, s->n);
    for (int i = 0; i < s->n; i++) {
        double square = 0;
        for (int a = 0; a < d; a++)
            square += pow(s->truth[i * d + a] - s->truth[hole * d + a], 2);
        s->missing[i] = square < 0.3 * SIZE * SIZE;
        for (int a = 0; a < d && !s->missing[i]; a++)
            s->target[s->m * d + a] = s->truth[i * d + a] + 0.005 * SIZE * sfgp_random_normal(random);
        s->m += !s->missing[i];
    }
    for (int outlier = 0; outlier < s->n / 20; outlier++, s->m++)
        for (int a = 0; a < d; a++)
            s->target[s->m * d + a] = 2.4 * SIZE * (sfgp_random_uniform(random) - 0.5);
    for (int j = s->m - 1; j > 0; j--)
        for (int a = 0, k = (int)sfgp_random_below(random, j + 1); a < d; a++) {
            double other = s->target[k * d + a];
            s->target[k * d + a] = s->target[j * d + a];
            s->target[j * d + a] = other;
        }
}

test_shapes *test_shapes_new(int n, int d, int training_count, uint64_t seed)
{
    const size_t bytes = (size_t)(n * d) * sizeof(double);
    test_shapes *s = calloc(1, sizeof *s);
    sfgp_random random = sfgp_random_of(seed);
    *s = (test_shapes){.n = n, .d = d, .training_count = training_count};
    s->reference = malloc(bytes);
    s->truth = malloc(bytes);
    s->target = malloc(2 * bytes);
    s->missing = calloc((size_t)n, 1);
    s->training = calloc((size_t)training_count + 1, sizeof *s->training);
    place(n, d, &random, s->reference);
    deform(n, d, 0.12 * SIZE, &random, s->reference, s->truth);
    for (int t = 0; t < training_count; t++) {
        s->training[t] = malloc(bytes);
        deform(n, d, 0.12 * SIZE, &random, s->reference, s->training[t]);
    }
    scan(s, &random);
    return s;
}

void test_shapes_free(test_shapes *s)
{
    for (int t = 0; t < s->training_count; t++)
        free(s->training[t]);
    free(s->training), free(s->reference), free(s->truth), free(s->target), free(s->missing);
    free(s);
}

sfgp_mesh *test_mesh(sfgp_context *context, int64_t n, int d, const double *points)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(context, sfgp_mesh_from_points(context, n, d, points, &mesh));
    return mesh;
}

sfgp_model *test_shapes_model(sfgp_context *context, const test_shapes *s, int training,
                              const sfgp_settings *settings)
{
    enum { MOST = 16 };
    sfgp_mesh *reference = test_mesh(context, s->n, s->d, s->reference), *learned[MOST];
    sfgp_model *model = NULL;
    assert_in_range(training, 0, s->training_count < MOST ? s->training_count : MOST);
    for (int t = 0; t < training; t++)
        learned[t] = test_mesh(context, s->n, s->d, s->training[t]);
    sfgp_assert_ok(context, sfgp_model_new(context, reference, (const sfgp_mesh *const *)learned, training,
                                           settings, &model));
    for (int t = 0; t < training; t++)
        sfgp_mesh_free(learned[t]);
    sfgp_mesh_free(reference);
    return model;
}

void test_mesh_mirror(sfgp_mesh *mesh)
{
    for (int64_t i = 0; i < mesh->count; i++)
        mesh->points[i * mesh->dimension] *= -1;
}

void test_mesh_scale(sfgp_mesh *mesh, const double *middle, double size)
{
    const int d = mesh->dimension;
    for (int64_t k = 0; k < mesh->count * d; k++)
        mesh->points[k] = middle[k % d] + size * (mesh->points[k] - middle[k % d]);
}

double test_mean_distance(int64_t n, int64_t d, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int64_t k = d * i; k < d * (i + 1); k++)
            square += pow(a[k] - b[k], 2);
        sum += sqrt(square) / (double)n;
    }
    return sum;
}

sfgp_mesh *test_data_mesh(sfgp_context *context, const char *format, int number)
{
    char name[64];
    sfgp_mesh *mesh;
    snprintf(name, sizeof name, format, number);
    sfgp_assert_ok(context, sfgp_mesh_read(context, sfgp_test_path(sfgp_test_data(), name), &mesh));
    return mesh;
}

sfgp_result *test_fit_of(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *target,
                         const sfgp_settings *settings)
{
    sfgp_model *model = test_model(context, reference, settings);
    sfgp_solver *solver = test_solver(context, model, settings);
    sfgp_result *result = test_run(context, solver, target);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    return result;
}

sfgp_result *test_fit_meshes(sfgp_context *context, sfgp_mesh *reference, sfgp_mesh *target,
                             const sfgp_settings *settings)
{
    sfgp_result *result = test_fit_of(context, reference, target, settings);
    sfgp_mesh_free(reference);
    sfgp_mesh_free(target);
    return result;
}

sfgp_result *test_shapes_fit(sfgp_context *context, const test_shapes *s, const sfgp_settings *settings)
{
    return test_fit_meshes(context, test_mesh(context, s->n, s->d, s->reference),
                           test_mesh(context, s->m, s->d, s->target), settings);
}
