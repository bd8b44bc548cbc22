/* Distances to surfaces and point sets against loops over all triangles and points, and against numbers by hand. */
#include "support/corrupt.h"

#include "base/platform_cores.h"
#include "base/random.h"
#include "geom/surface.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static sfgp_mesh *make_soup(sfgp_context *context, int64_t count, int64_t faces, uint64_t seed)
{
    sfgp_mesh *mesh = NULL;
    sfgp_random random = sfgp_random_of(seed);
    sfgp_assert_ok(context, sfgp_mesh_new(context, count, 3, faces, 3 * faces, &mesh));
    for (int64_t k = 0; k < 3 * count; k++)
        mesh->points[k] = sfgp_random_normal(&random);
    for (int64_t k = 0; k < 3 * faces; k++)
        mesh->face_points[k] = sfgp_random_below(&random, count);
    for (int64_t f = 0; f <= faces; f++)
        mesh->face_start[f] = 3 * f;
    return mesh;
}

/* ---- a triangle -------------------------------------------------------------------------------------- */

/* Corners (0,0,0), (4,0,0), (0,3,0): above the inside, beyond each edge, beyond each corner. */
static void triangle_distances_are_as_computed_by_hand(void **state)
{
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {4, 0, 0}, c[3] = {0, 3, 0};
    const struct {
        double p[3], expected;
    } rows[] = {{{1, 1, 2}, 4},  {{1, 1, 0}, 0},  {{2, -3, 0}, 9},     {{-2, 1, 1}, 5},
                {{7, 0, 0}, 9},  {{0, 5, 0}, 4},  {{-1, -1, 1}, 3},    {{4, 3, 0}, 5.76},
                {{4, 0, 7}, 49}, {{-1, 3, 0}, 1}, {{4.6, 0.8, 0}, 1.0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        assert_true(fabs(sfgp_triangle_distance2(rows[k].p, a, b, c) - rows[k].expected) < 1e-14);
}

/* A triangle with two equal corners is a segment, with three a point. */
static void flat_triangles_are_segments_and_points(void **state)
{
    (void)state;
    const double a[3] = {0, 0, 0}, b[3] = {2, 0, 0}, middle[3] = {1, 0, 0}, p[3] = {1, 3, 0},
                 q[3] = {5, 0, 4};
    assert_true(sfgp_triangle_distance2(p, a, b, b) == 9);
    assert_true(sfgp_triangle_distance2(q, a, middle, b) == 25);
    assert_true(sfgp_triangle_distance2(p, a, a, a) == 10);
}

/* Distance and weights of a point whose nearest point on the triangle is known. */
static void expect_nearest(const double p[3], double *const x[3], double distance, double tolerance)
{
    for (int turn = 0; turn < 6; turn++) { /* whichever corner comes first */
        const double *a = x[turn % 3], *b = x[(turn + 1 + turn / 3) % 3], *c = x[(turn + 2 - turn / 3) % 3];
        double weights[3], off2 = 0;
        assert_true(fabs(sqrt(sfgp_triangle_distance2(p, a, b, c)) - distance) < tolerance);
        sfgp_triangle_weights(p, a, b, c, weights);
        for (int k = 0; k < 3; k++) {
            const double off = weights[0] * a[k] + weights[1] * b[k] + weights[2] * c[k] - p[k];
            assert_true(weights[k] >= 0);
            off2 += off * off;
        }
        assert_true(fabs(sqrt(off2) - distance) < tolerance);
    }
}

/* Turned, so that no coordinate is 0. Height 0 above a point of the triangle, and 0.5; its apex above the middle, a corner and
 * beyond. Rounding of a few sums of numbers below 2 is less than 1e-14. */
static void slivers_have_distances_to_rounding(void **state)
{
    (void)state;
    const double u[3] = {0.36, 0.48, 0.8}, v[3] = {0.8, -0.6, 0}, n[3] = {0.48, 0.64, -0.6}; /* orthonormal */
    const double apexes[] = {0.3, 0, 1}, heights[] = {0, 0.5};
    for (double width = 0.1; width > 1e-18; width /= 3)
        for (int at = 0; at < 3; at++)
            for (int k = 0; k < 2 * 7 * 7; k++) {
                const double s = (k / 14) / 6.0, t = (k / 2 % 7) / 6.0 * (1 - s), h = heights[k % 2];
                double corners[3][3] = {{0.1, 0.2, 0.3}}, p[3];
                double *const x[3] = {corners[0], corners[1], corners[2]};
                for (int a = 0; a < 3; a++) {
                    x[1][a] = x[0][a] + u[a];
                    x[2][a] = x[0][a] + apexes[at] * u[a] + width * v[a];
                    p[a] = x[0][a] + s * (x[1][a] - x[0][a]) + t * (x[2][a] - x[0][a]) + h * n[a];
                }
                expect_nearest(p, x, h, width < 2e-3 ? 1e-14 : 1e-11);
            }
}

/* The smallest distance to a fine grid of points of the triangle bounds the distance from above, within the spacing. */
static void triangle_distances_are_those_of_many_points(void **state)
{
    enum { STEPS = 60 };
    sfgp_mesh *mesh = make_soup(*state, 4, 1, 3);
    const double *p = mesh->points, *a = p + 3, *b = p + 6, *c = p + 9;
    double least = HUGE_VAL, longest = 0;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; i + j <= STEPS; j++) {
            double sum = 0;
            for (int k = 0; k < 3; k++) {
                const double v = (double)i / STEPS, w = (double)j / STEPS;
                const double x = a[k] + v * (b[k] - a[k]) + w * (c[k] - a[k]) - p[k];
                sum += x * x;
            }
            least = fmin(least, sqrt(sum));
        }
    for (int k = 0; k < 3; k++)
        longest += fabs(b[k] - a[k]) + fabs(c[k] - a[k]);
    const double exact = sqrt(sfgp_triangle_distance2(p, a, b, c));
    assert_true(exact <= least + 1e-12 && exact >= least - longest / STEPS);
    sfgp_mesh_free(mesh);
}

/* ---- the tree ---------------------------------------------------------------------------------------- */

static double try_all(const sfgp_mesh *mesh, const double *p)
{
    double best = HUGE_VAL;
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *corner = mesh->face_points + 3 * f;
        best =
            fmin(best, sfgp_triangle_distance2(p, mesh->points + 3 * corner[0], mesh->points + 3 * corner[1],
                                               mesh->points + 3 * corner[2]));
    }
    return best;
}

/* The soups hold flat triangles and equal points, too. */
static void trees_find_what_a_loop_finds(void **state)
{
    const int64_t sizes[] = {1, 2, 3, 4, 5, 8, 9, 17, 100, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        sfgp_mesh *mesh = make_soup(*state, sizes[k] / 2 + 3, sizes[k], k),
                  *queries = make_soup(*state, 200, 1, 99);
        sfgp_surface *surface = NULL;
        sfgp_assert_ok(*state, sfgp_surface_new(*state, mesh, &surface));
        for (int64_t i = 0; i < queries->count; i++) {
            const double *p = queries->points + 3 * i;
            assert_true(sfgp_surface_distance2(surface, p) == try_all(mesh, p));
        }
        sfgp_surface_free(surface);
        sfgp_mesh_free(mesh);
        sfgp_mesh_free(queries);
    }
}

/* ---- the public function ----------------------------------------------------------------------------- */

/* A square of side 2 as one polygon: the distance is to its inside, not to its corners. */
static void distances_are_to_surfaces_where_there_are_faces(void **state)
{
    double corners[] = {0, 0, 0, 2, 0, 0, 2, 2, 0, 0, 2, 0}, points[] = {1, 1, 3, 5, 6, 0}, found[2];
    int64_t start[] = {0, 4}, face[] = {0, 1, 2, 3};
    const sfgp_mesh from = {.count = 2, .dimension = 3, .points = points};
    sfgp_mesh to = {4, 3, corners, 1, start, face, "memory", NULL};
    sfgp_assert_ok(*state, sfgp_distances(*state, &from, &to, found));
    assert_true(found[0] == 3 && found[1] == 5);
    to.face_count = 0;
    sfgp_assert_ok(*state, sfgp_distances(*state, &from, &to, found));
    assert_true(fabs(found[0] - sqrt(11)) < 1e-15 && found[1] == 5);
}

static int started; /* threads */

/* The one of the system, counted. */
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    void *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&create, &found, sizeof create);
    started++;
    return create(thread, attributes, run, user);
}

static int threads_started_by_distances(sfgp_context *context, int64_t threads, const sfgp_mesh *points,
                                        double *found)
{
    started = 0;
    sfgp_context_set_threads(context, threads);
    sfgp_assert_ok(context, sfgp_distances(context, points, points, found));
    return started;
}

/* A program that runs one fit on each core asks for one thread everywhere. */
static void distances_run_on_as_many_threads_as_the_context_says(void **state)
{
    enum { COUNT = 5000 };
    static double points[3 * COUNT], found[COUNT];
    const sfgp_mesh mesh = {.count = COUNT, .dimension = 3, .points = points};
    for (int k = 0; k < 3 * COUNT; k++)
        points[k] = sin(7.3 * k);
    assert_int_equal(threads_started_by_distances(*state, 1, &mesh, found), 0);
    if (sfgp_platform_cores() > 1)
        assert_int_equal(threads_started_by_distances(*state, 2, &mesh, found), 1);
}

/* A unit square, and one of half its side 1 above its corner: each way the distances are those by hand. */
static void surfaces_are_compared_in_both_directions(void **state)
{
    double large[] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0},
           small[] = {0, 0, 1, 0.5, 0, 1, 0.5, 0.5, 1, 0, 0.5, 1};
    int64_t start[] = {0, 4}, face[] = {0, 1, 2, 3};
    const sfgp_mesh a = {4, 3, large, 1, start, face, "memory", NULL},
                    b = {4, 3, small, 1, start, face, "memory", NULL};
    sfgp_surface_evaluation e;
    const double far = sqrt(1.5),
                 side = sqrt(1.25); /* from the corner opposite to the common one, and beside it */
    sfgp_assert_ok(*state, sfgp_evaluate_surfaces(*state, &a, &b, &e));
    assert_int_equal(e.fitted_to_truth.count, 4);
    assert_true(fabs(e.fitted_to_truth.mean - (1 + 2 * side + far) / 4) < 1e-15);
    assert_true(fabs(e.fitted_to_truth.rms - sqrt((1 + 2 * 1.25 + 1.5) / 4)) < 1e-15);
    assert_true(fabs(e.fitted_to_truth.largest - far) < 1e-15);
    assert_true(fabs(e.fitted_to_truth.p95 - (0.15 * side + 0.85 * far)) < 1e-15); /* index 2.85 of 0 .. 3 */
    assert_true(e.truth_to_fitted.mean == 1 && e.truth_to_fitted.rms == 1 && e.truth_to_fitted.largest == 1);
    assert_int_equal(e.symmetric.count, 8);
    assert_true(fabs(e.symmetric.mean - (5 + 2 * side + far) / 8) < 1e-15);
    assert_true(e.symmetric.largest == e.fitted_to_truth.largest);
}

static void shapes_that_cannot_be_measured_are_refused(void **state)
{
    double points[] = {0, 0, 0, 1, 1, 1}, broken[] = {0, (double)NAN, 0}, found[3];
    int64_t start[] = {0, 3}, beyond[] = {0, 1, 7};
    const sfgp_mesh good = {.count = 2, .dimension = 3, .points = points}, none = {.dimension = 3},
                    flat = {.count = 3, .dimension = 2, .points = points},
                    nan = {.count = 1, .dimension = 3, .points = broken},
                    torn = {2, 3, points, 1, start, beyond, "memory", NULL};
    sfgp_assert_status(*state, sfgp_distances(*state, &good, &none, found), SFGP_ERROR_DATA);
    sfgp_assert_status(*state, sfgp_distances(*state, &good, &flat, found), SFGP_ERROR_DATA);
    sfgp_assert_status(*state, sfgp_distances(*state, &nan, &good, found), SFGP_ERROR_DATA);
    sfgp_assert_status(*state, sfgp_distances(*state, &good, &nan, found), SFGP_ERROR_DATA);
    sfgp_assert_status(*state, sfgp_distances(*state, &good, &torn, found), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_distances(*state, NULL, &good, found), SFGP_ERROR_PARAMETER);
}

static sfgp_status measure_itself(sfgp_context *context, void *mesh)
{
    double found[50];
    return sfgp_distances(context, mesh, mesh, found);
}

static void no_memory_is_said(void **state)
{
    sfgp_mesh *mesh = make_soup(*state, 50, 60, 1);
    assert_in_range(sfgp_sweep_allocations(*state, measure_itself, mesh), 1, 9);
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_distances_are_as_computed_by_hand),
        sfgp_unit_test(flat_triangles_are_segments_and_points),
        sfgp_unit_test(slivers_have_distances_to_rounding),
        sfgp_unit_test(triangle_distances_are_those_of_many_points),
        sfgp_unit_test(trees_find_what_a_loop_finds),
        sfgp_unit_test(distances_are_to_surfaces_where_there_are_faces),
        sfgp_unit_test(distances_run_on_as_many_threads_as_the_context_says),
        sfgp_unit_test(surfaces_are_compared_in_both_directions),
        sfgp_unit_test(shapes_that_cannot_be_measured_are_refused),
        sfgp_unit_test(no_memory_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
