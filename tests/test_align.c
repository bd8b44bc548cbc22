/* Alignment: the closed form against the map that made the pairs and against every map near it; generalised
 * Procrustes against what it promises. */
#include "model/procrustes.h"
#include "base/random.h"
#include "support/corrupt.h"
#include "support/shapes.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static const sfgp_align_kind KINDS[] = {SFGP_ALIGN_RIGID, SFGP_ALIGN_SIMILARITY};

static void random_points(sfgp_random *random, int count, double size, double *points)
{
    for (int k = 0; k < count; k++)
        points[k] = size * sfgp_random_normal(random);
}

/* A rotation by the angles about z and, in 3D, about x. */
static sfgp_similarity made_of(int d, double about_z, double about_x, double scale, double shift)
{
    const double c = cos(about_z), s = sin(about_z), e = cos(about_x), t = sin(about_x);
    const double plane[4] = {c, -s, s, c}, space[9] = {c, -s * e, s * t, s, c * e, -c * t, 0, t, e};
    sfgp_similarity map = {.dimension = d, .scale = scale, .shift = {shift, -2 * shift, 0.5 * shift}};
    memcpy(map.rotation, d == 2 ? plane : space, (size_t)(d * d) * sizeof(double));
    return map;
}

static double squares(int count, int d, const double *weights, const sfgp_similarity *map,
                      const double *moving, const double *fixed)
{
    double moved[MOST], sum = 0;
    sfgp_similarity_apply(map, count, moving, moved);
    for (int k = 0; k < count * d; k++)
        sum += (weights ? weights[k / d] : 1) * (moved[k] - fixed[k]) * (moved[k] - fixed[k]);
    return sum;
}

static void assert_is_a_rotation(int d, const double *r)
{
    double determinant = d == 2 ? r[0] * r[3] - r[1] * r[2]
                                : r[0] * (r[4] * r[8] - r[5] * r[7]) - r[1] * (r[3] * r[8] - r[5] * r[6]) +
                                      r[2] * (r[3] * r[7] - r[4] * r[6]);
    assert_true(fabs(determinant - 1) < 1e-12);
    for (int a = 0; a < d; a++)
        for (int b = 0; b < d; b++) {
            double dot = 0;
            for (int k = 0; k < d; k++)
                dot += r[a * d + k] * r[b * d + k];
            assert_true(fabs(dot - (a == b)) < 1e-12);
        }
}

/* ---- pairs ------------------------------------------------------------------------------------------- */

/* Rounding: 40 sums of numbers up to 1e5 (the shift) in double precision. */
static void a_map_is_found_again(void **state)
{
    const double shifts[] = {0, 3, 1e5};
    sfgp_random random = sfgp_random_of(1);
    for (int d = 2; d <= 3; d++)
        for (int kind = 0; kind < 2; kind++)
            for (int trial = 0; trial < 9; trial++) {
                double moving[MOST], fixed[MOST];
                const double scale = kind == 0 ? 1 : 0.3 + trial, shift = shifts[trial % 3];
                sfgp_similarity map = made_of(d, 0.7 * trial, 2.5 - 0.3 * trial, scale, shift), found;
                random_points(&random, 40 * d, 10, moving);
                sfgp_similarity_apply(&map, 40, moving, fixed);
                sfgp_assert_ok(*state, sfgp_align(*state, KINDS[kind], 40, d, moving, fixed, NULL, &found));
                assert_is_a_rotation(d, found.rotation);
                const double tolerance = 40 * DBL_EPSILON * (10 + shift);
                assert_int_equal(found.dimension, d);
                assert_true(fabs(found.scale - scale) < tolerance);
                for (int k = 0; k < d * d; k++)
                    assert_true(fabs(found.rotation[k] - map.rotation[k]) < tolerance);
                assert_true(squares(40, d, NULL, &found, moving, fixed) < 40 * pow(100 * tolerance, 2));
            }
}

/* No map that is turned, moved or scaled a little is better, with noise and weights. */
static void no_neighbour_is_better(void **state)
{
    sfgp_random random = sfgp_random_of(2);
    for (int d = 2; d <= 3; d++)
        for (int kind = 0; kind < 2; kind++) {
            double moving[MOST], fixed[MOST], noise[MOST], weights[30];
            sfgp_similarity map = made_of(d, 1, 2, 1.4, 5), found;
            random_points(&random, 30 * d, 10, moving);
            random_points(&random, 30 * d, 2, noise);
            sfgp_similarity_apply(&map, 30, moving, fixed);
            for (int k = 0; k < 30 * d; k++)
                fixed[k] += noise[k];
            for (int i = 0; i < 30; i++)
                weights[i] = i == 7 ? 0 : sfgp_random_uniform(&random);
            sfgp_assert_ok(*state, sfgp_align(*state, KINDS[kind], 30, d, moving, fixed, weights, &found));
            assert_is_a_rotation(d, found.rotation);
            assert_true(kind == 1 || found.scale == 1);
            const double best = squares(30, d, weights, &found, moving, fixed);
            for (int trial = 0; trial < 300; trial++) {
                sfgp_similarity near = found,
                                turn = made_of(d, 1e-3 * sfgp_random_normal(&random),
                                               d == 3 ? 1e-3 * sfgp_random_normal(&random) : 0, 1, 0);
                for (int a = 0; a < d; a++)
                    for (int b = 0; b < d; b++) {
                        near.rotation[a * d + b] = 0;
                        for (int k = 0; k < d; k++)
                            near.rotation[a * d + b] += turn.rotation[a * d + k] * found.rotation[k * d + b];
                    }
                for (int a = 0; a < d; a++)
                    near.shift[a] += 1e-3 * sfgp_random_normal(&random);
                near.scale *= kind == 1 ? 1 + 1e-3 * sfgp_random_normal(&random) : 1;
                assert_true(squares(30, d, weights, &near, moving, fixed) > best);
            }
        }
}

/* A mirrored shape is not mirrored back. */
static void a_mirror_image_keeps_its_hand(void **state)
{
    double moving[MOST], fixed[MOST];
    sfgp_similarity found;
    sfgp_random random = sfgp_random_of(3);
    random_points(&random, 60, 5, moving);
    for (int k = 0; k < 60; k++)
        fixed[k] = k % 3 == 2 ? -moving[k] : moving[k];
    sfgp_assert_ok(*state, sfgp_align(*state, SFGP_ALIGN_RIGID, 20, 3, moving, fixed, NULL, &found));
    assert_is_a_rotation(3, found.rotation);
}

static void what_does_not_determine_a_map_is_refused(void **state)
{
    const double line[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 5, 5, 5}, spot[12] = {0};
    const double square[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
    const double nan[] = {0, 0, 0, 1, (double)NAN, 0, 1, 1, 0, 0, 1, 0}, none[4] = {0};
    const double negative[] = {1, 1, -1, 1};
    sfgp_similarity found;
    for (int kind = 0; kind < 2; kind++) {
        const struct {
            const double *moving, *fixed, *weights;
            int64_t count;
            int d;
            sfgp_status status;
        } wrong[] = {{line, square, NULL, 4, 3, SFGP_ERROR_DATA},
                     {square, line, NULL, 4, 3, SFGP_ERROR_DATA},
                     {spot, square, NULL, 4, 3, SFGP_ERROR_DATA},
                     {spot, spot, NULL, 4, 2, SFGP_ERROR_DATA},
                     {square, square, NULL, 2, 3, SFGP_ERROR_DATA},
                     {nan, square, NULL, 4, 3, SFGP_ERROR_DATA},
                     {square, nan, NULL, 4, 3, SFGP_ERROR_DATA},
                     {square, square, none, 4, 3, SFGP_ERROR_PARAMETER},
                     {square, square, negative, 4, 3, SFGP_ERROR_PARAMETER},
                     {square, square, NULL, 0, 3, SFGP_ERROR_PARAMETER},
                     {square, square, NULL, 3, 4, SFGP_ERROR_PARAMETER}};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
            sfgp_assert_status(*state,
                               sfgp_align(*state, KINDS[kind], wrong[k].count, wrong[k].d, wrong[k].moving,
                                          wrong[k].fixed, wrong[k].weights, &found),
                               wrong[k].status);
        sfgp_assert_ok(*state, sfgp_align(*state, KINDS[kind], 3, 3, square, square, NULL, &found));
        sfgp_assert_ok(*state, sfgp_align(*state, KINDS[kind], 2, 2, square, square, NULL, &found));
    }
}

/* ---- Procrustes -------------------------------------------------------------------------------------- */

enum { SHAPES = 6, N = 30 };

/* Training shapes of the family, each moved by a map of the kind. */
static void moved_training(const test_shapes *shapes, sfgp_align_kind kind, double *moved)
{
    const int size = shapes->n * shapes->d;
    for (int s = 0; s < SHAPES; s++) {
        sfgp_similarity map =
            made_of(shapes->d, 0.4 * s, 0.2 * s, kind == SFGP_ALIGN_RIGID ? 1 : 1 + 0.1 * s, 7.0 * s);
        sfgp_similarity_apply(&map, shapes->n, shapes->training[s], moved + s * size);
    }
}

static double distance2(int size, const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < size; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

static void average_of(int size, const double *shapes, double *mean)
{
    for (int k = 0; k < size; k++) {
        mean[k] = 0;
        for (int s = 0; s < SHAPES; s++)
            mean[k] += shapes[s * size + k] / SHAPES;
    }
}

/* Where the shapes came from does not matter: the same shapes, moved, end in the same places. */
static void poses_are_taken_out(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int kind = 0; kind < 2; kind++) {
            const int size = N * d;
            test_shapes *shapes = test_shapes_new(N, d, SHAPES, 5);
            double *plain = malloc((size_t)(SHAPES * size) * sizeof *plain),
                   *moved = malloc((size_t)(SHAPES * size) * 8);
            for (int s = 0; s < SHAPES; s++)
                memcpy(plain + s * size, shapes->training[s], (size_t)size * sizeof *plain);
            moved_training(shapes, KINDS[kind], moved);
            assert_true(distance2(size, plain + 3 * size, moved + 3 * size) > 1e3);
            sfgp_assert_ok(*state,
                           sfgp_procrustes(*state, KINDS[kind], N, d, shapes->reference, SHAPES, plain));
            sfgp_assert_ok(*state,
                           sfgp_procrustes(*state, KINDS[kind], N, d, shapes->reference, SHAPES, moved));
            double extent = distance2(size, shapes->reference, shapes->truth) + 1e4; /* mm^2 */
            for (int s = 0; s < SHAPES; s++) /* both means rest to 1e-12 of the extent, squared */
                assert_true(distance2(size, plain + s * size, moved + s * size) < 1e-8 * extent);
            free(plain);
            free(moved);
            test_shapes_free(shapes);
        }
}

/* Every shape is turned and placed best on the mean, and the mean on the reference, with its size. A shape of
 * another form is best on the mean a little smaller: of the shapes the scale is not 1. */
static void the_mean_rests_on_the_reference(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        const int d = 3, size = N * d;
        double shapes_[SHAPES * N * 3], mean[N * 3];
        test_shapes *shapes = test_shapes_new(N, d, SHAPES, 6);
        sfgp_similarity map;
        moved_training(shapes, KINDS[kind], shapes_);
        sfgp_assert_ok(*state,
                       sfgp_procrustes(*state, KINDS[kind], N, d, shapes->reference, SHAPES, shapes_));
        average_of(size, shapes_, mean);
        for (int s = -1; s < SHAPES; s++) {
            const double *moving = s < 0 ? mean : shapes_ + s * size,
                         *fixed = s < 0 ? shapes->reference : mean;
            sfgp_assert_ok(*state, sfgp_align(*state, KINDS[kind], N, d, moving, fixed, NULL, &map));
            assert_true(s >= 0 || fabs(map.scale - 1) < 1e-12);
            double centre[3] = {0}, moved[3];
            for (int k = 0; k < size; k++)
                centre[k % 3] += moving[k] / N;
            sfgp_similarity_apply(&map, 1, centre, moved);
            for (int a = 0; a < 3; a++) {
                assert_true(fabs(moved[a] - centre[a]) < 1e-3); /* mm, of 60 */
                assert_true(fabs(map.rotation[4 * a] - 1) < 1e-6);
            }
        }
        test_shapes_free(shapes);
    }
}

static sfgp_status build(sfgp_context *context, const test_shapes *shapes, const double *training,
                         const char *alignment, sfgp_model **model)
{
    sfgp_mesh *reference = test_mesh(context, N, 3, shapes->reference), *learned[SHAPES];
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, "se:length=4,variance=0.02"); /* beside it the variance of the shapes is seen */
    sfgp_status status = sfgp_settings_set(context, &settings, "align_training", alignment);
    for (int s = 0; s < SHAPES; s++)
        learned[s] = test_mesh(context, N, 3, training + s * N * 3);
    if (status == SFGP_OK)
        status =
            sfgp_model_new(context, reference, (const sfgp_mesh *const *)learned, SHAPES, &settings, model);
    for (int s = 0; s < SHAPES; s++)
        sfgp_mesh_free(learned[s]);
    sfgp_mesh_free(reference);
    return status;
}

static double total_variance(sfgp_context *context, const sfgp_model *model)
{
    sfgp_array *variances;
    double sum = 0;
    sfgp_assert_ok(context, sfgp_model_variances(context, model, &variances));
    for (int64_t k = 0; k < variances->shape[0]; k++)
        sum += variances->values[k];
    sfgp_array_free(variances);
    return sum;
}

/* Shapes that lie on the reference, or are laid there, have none. */
static void poses_that_are_left_are_told(void **state)
{
    double training[SHAPES * N * 3];
    test_shapes *shapes = test_shapes_new(N, 3, SHAPES, 8);
    sfgp_model *model;
    for (int s = 0; s < SHAPES; s++)
        memcpy(training + s * N * 3, shapes->training[s], sizeof(double) * N * 3);
    sfgp_assert_ok(*state, build(*state, shapes, training, "none", &model));
    sfgp_model_free(model);
    assert_string_equal(sfgp_test_warning(), "");
    moved_training(shapes, SFGP_ALIGN_RIGID, training);
    sfgp_assert_ok(*state, build(*state, shapes, training, "rigid", &model));
    sfgp_model_free(model);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_assert_ok(*state, build(*state, shapes, training, "none", &model));
    sfgp_model_free(model);
    sfgp_assert_has(sfgp_test_warning(), "--align-training rigid");
    test_shapes_free(shapes);
}

/* A copy counts twice. */
static void equal_training_shapes_are_told(void **state)
{
    double training[SHAPES * N * 3];
    test_shapes *shapes = test_shapes_new(N, 3, SHAPES, 8);
    sfgp_model *model;
    for (int s = 0; s < SHAPES; s++)
        memcpy(training + s * N * 3, shapes->training[s == 2 ? 1 : s], sizeof(double) * N * 3);
    sfgp_assert_ok(*state, build(*state, shapes, training, "none", &model));
    sfgp_assert_has(sfgp_test_warning(), "shape 2 those of shape 1");
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

/* The setting: poses of the training shapes are no variation of the model. */
static void a_model_learns_shapes_without_their_pose(void **state)
{
    double training[SHAPES * N * 3];
    test_shapes *shapes = test_shapes_new(N, 3, SHAPES, 8);
    sfgp_model *plain, *rigid, *model = NULL;
    moved_training(shapes, SFGP_ALIGN_RIGID, training);
    sfgp_assert_ok(*state, build(*state, shapes, training, "none", &plain));
    sfgp_assert_ok(*state, build(*state, shapes, training, "rigid", &rigid));
    assert_true(total_variance(*state, rigid) < 0.2 * total_variance(*state, plain));
    sfgp_assert_error(*state, build(*state, shapes, training, "affine", &model), SFGP_ERROR_PARAMETER,
                      "align_training");
    for (int k = 0; k < N * 3; k++)
        training[2 * N * 3 + k] = 1;
    sfgp_assert_error(*state, build(*state, shapes, training, "rigid", &model), SFGP_ERROR_DATA,
                      "training shape 2");
    sfgp_model_free(plain);
    sfgp_model_free(rigid);
    test_shapes_free(shapes);
}

static sfgp_status align_and_build(sfgp_context *context, void *user)
{
    const test_shapes *shapes = user;
    double training[SHAPES * N * 3];
    sfgp_similarity map;
    moved_training(shapes, SFGP_ALIGN_SIMILARITY, training);
    sfgp_status status = sfgp_align(context, SFGP_ALIGN_RIGID, N, 3, training, shapes->reference, NULL, &map);
    if (status == SFGP_OK)
        status = sfgp_procrustes(context, SFGP_ALIGN_SIMILARITY, N, 3, shapes->reference, SHAPES, training);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    test_shapes *shapes = test_shapes_new(N, 3, SHAPES, 8);
    assert_true(sfgp_sweep_allocations(*state, align_and_build, shapes) >= 2);
    test_shapes_free(shapes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_map_is_found_again),
        sfgp_unit_test(no_neighbour_is_better),
        sfgp_unit_test(a_mirror_image_keeps_its_hand),
        sfgp_unit_test(what_does_not_determine_a_map_is_refused),
        sfgp_unit_test(poses_are_taken_out),
        sfgp_unit_test(the_mean_rests_on_the_reference),
        sfgp_unit_test(a_model_learns_shapes_without_their_pose),
        sfgp_unit_test(poses_that_are_left_are_told),
        sfgp_unit_test(equal_training_shapes_are_told),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
