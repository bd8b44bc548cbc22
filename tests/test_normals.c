/* Normals of point clouds: neighbourhoods against a sort of all distances, directions against surfaces whose
 * normals are known, and clouds that have none. */
#include "support/corrupt.h"
#include "base/random.h"
#include "geom/normals.h"
#include "geom/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double *random_points(int count, int d, uint64_t seed)
{
    double *x = calloc((size_t)(count * d), sizeof *x);
    sfgp_random random = sfgp_random_of(seed);
    for (int k = 0; k < count * d; k++)
        x[k] = sfgp_random_normal(&random);
    return x;
}

static double distance2(int d, const double *x, int i, int j)
{
    return sfgp_square_between(d, x + i * d, x + j * d);
}

/* How many points are nearer to i than j is, or as near with a smaller index: the place of j in the order. */
static int place_of(int count, int d, const double *x, int i, int j)
{
    int place = 0;
    double own = distance2(d, x, i, j);
    for (int k = 0; k < count; k++)
        place += distance2(d, x, i, k) < own || (distance2(d, x, i, k) == own && k < j);
    return place;
}

static void assert_nearest(sfgp_context *context, int count, int d, int size, const double *x)
{
    sfgp_neighbours neighbours;
    sfgp_assert_ok(context, sfgp_neighbours_new(context, count, d, x, size, &neighbours));
    assert_int_equal(neighbours.size, size < count ? size : count);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < neighbours.size; k++)
            assert_int_equal(place_of(count, d, x, i, neighbours.index[i * neighbours.size + k]), k);
    sfgp_neighbours_clear(&neighbours);
}

static void neighbours_are_the_nearest_in_order(void **state)
{
    for (int d = 2; d <= 3; d++) {
        double *x = random_points(300, d, 70);
        x[7] += 1e6; /* a point far away */
        assert_nearest(*state, 300, d, 12, x);
        assert_nearest(*state, 300, d, 1, x);
        assert_nearest(*state, 5, d, 12, x); /* fewer than asked for */
        for (int k = 0; k < 300 * d; k++)
            x[k] = floor(2 * x[k]); /* many ties and coincident points */
        x[7] = 1;
        assert_nearest(*state, 300, d, 12, x);
        free(x);
    }
}

/* Thousands of coincident points, where a ball of any size holds enough, and then one far away. */
static void coincident_points_have_neighbours_and_some_unit_normal(void **state)
{
    enum { N = 2500 };
    double *x = calloc(3 * N, sizeof *x), *normals = calloc(3 * N, sizeof *normals);
    sfgp_neighbours neighbours;
    x[3 * N - 1] = 1;
    sfgp_assert_ok(*state, sfgp_neighbours_new(*state, N, 3, x, 12, &neighbours));
    for (int k = 0; k < 12; k++) {
        assert_int_equal(neighbours.index[k], k);
        assert_int_equal(neighbours.index[12 * (N - 1) + k], k == 0 ? N - 1 : k - 1);
    }
    sfgp_normals_estimate(&neighbours, x, normals);
    for (int i = 0; i < N; i++)
        assert_true(fabs(hypot(hypot(normals[3 * i], normals[3 * i + 1]), normals[3 * i + 2]) - 1) < 1e-14);
    sfgp_neighbours_clear(&neighbours);
    free(x), free(normals);
}

/* Points z = 0.4 x - 0.3 y of a plane, at any place and of any size: the normal is exact up to rounding,
 * which is 1e-16 of the distance from the origin, over the spacing of the points. */
static void planes_and_lines_have_their_normal(void **state)
{
    const double sizes[] = {1, 1e-6, 1e6}, exact[][3] = {{0.4, -1, 0}, {0.4, -0.3, -1}};
    for (int d = 2; d <= 3; d++)
        for (int size = 0; size < 3; size++) {
            double *x = random_points(200, d, 71), normals[600];
            const double *n = exact[d - 2], length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
            sfgp_neighbours neighbours;
            for (int i = 0; i < 200; i++) {
                for (int a = 0; a < d - 1; a++)
                    x[i * d + a] *= sizes[size];
                x[i * d + d - 1] = d == 2 ? 0.4 * x[2 * i] : 0.4 * x[3 * i] - 0.3 * x[3 * i + 1];
            }
            sfgp_assert_ok(*state, sfgp_neighbours_new(*state, 200, d, x, 12, &neighbours));
            sfgp_normals_estimate(&neighbours, x, normals);
            for (int i = 0; i < 200; i++) {
                double dot = 0;
                for (int a = 0; a < d; a++)
                    dot += n[a] * normals[i * d + a] / length;
                assert_true(fabs(fabs(dot) - 1) < 1e-12);
            }
            sfgp_neighbours_clear(&neighbours);
            free(x);
        }
}

/* On a line in space two directions have no scatter: the normal is one of them, of any line, at any place and of any size. */
static void lines_in_space_have_a_normal_across_them(void **state)
{
    enum { N = 40 };
    const double along[][3] = {{1, 0, 0}, {0.6, 0, -0.8}, {0.48, 0.6, 0.64}}, sizes[] = {1, 1e-6, 1e6};
    for (int line = 0; line < 3; line++)
        for (int size = 0; size < 3; size++) {
            double x[3 * N], normals[3 * N];
            sfgp_neighbours neighbours;
            for (int i = 0; i < 3 * N; i++)
                x[i] = sizes[size] * (3 + (i / 3 + 0.1 * (i / 3 % 3)) * along[line][i % 3]);
            sfgp_assert_ok(*state, sfgp_neighbours_new(*state, N, 3, x, 12, &neighbours));
            sfgp_normals_estimate(&neighbours, x, normals);
            for (int i = 0; i < N; i++) {
                double dot = 0, square = 0;
                for (int a = 0; a < 3; a++) {
                    dot += normals[3 * i + a] * along[line][a];
                    square += normals[3 * i + a] * normals[3 * i + a];
                }
                assert_true(fabs(dot) < 1e-4 && fabs(square - 1) < 1e-14);
            }
            sfgp_neighbours_clear(&neighbours);
        }
}

/* On a sphere (circle) of radius 1 a neighbourhood of diameter h is bent by less than h: 2000 points on a
 * sphere are 0.08 apart, 12 of them span 0.25. */
static void spheres_and_circles_have_radial_normals(void **state)
{
    enum { N = 2000 };
    for (int d = 2; d <= 3; d++) {
        double *x = calloc((size_t)(N * d), sizeof *x), *normals = calloc((size_t)(N * d), sizeof *normals);
        sfgp_neighbours neighbours;
        for (int i = 0; i < N; i++) {
            double z = d == 2 ? 0 : (2.0 * i + 1) / N - 1,
                   turn = d == 2 ? 0.00314159 * i : 2.399963229728653 * i;
            x[i * d] = sqrt(1 - z * z) * cos(turn);
            x[i * d + 1] = sqrt(1 - z * z) * sin(turn);
            if (d == 3)
                x[i * d + 2] = z;
        }
        sfgp_assert_ok(*state, sfgp_neighbours_new(*state, N, d, x, 12, &neighbours));
        for (int i = 0; i < N; i++) /* moved since: normals are those of the points as they lie now */
            x[i * d] = 5 + 2 * x[i * d], x[i * d + 1] *= 2, x[i * d + d - 1] *= d == 3 ? 2 : 1;
        sfgp_normals_estimate(&neighbours, x, normals);
        for (int i = 0; i < N; i++) {
            double dot = normals[i * d] * (x[i * d] - 5), largest = 0;
            for (int a = 1; a < d; a++)
                dot += normals[i * d + a] * x[i * d + a];
            for (int a = 0; a < d; a++)
                largest = fabs(normals[i * d + a]) > fabs(largest) ? normals[i * d + a] : largest;
            assert_true(fabs(dot) / 2 > cos(0.25) && largest > 0);
        }
        sfgp_neighbours_clear(&neighbours);
        free(x), free(normals);
    }
}

/* Smallest eigenvalue of the scatter, by trying directions: none on a fine grid spreads less than the normal.
 */
static void no_direction_spreads_less(void **state)
{
    for (int d = 2; d <= 3; d++) {
        double *x = random_points(12, d, 72), normals[36], mean[3] = {0, 0, 0};
        sfgp_neighbours neighbours;
        sfgp_assert_ok(*state, sfgp_neighbours_new(*state, 12, d, x, 12, &neighbours));
        sfgp_normals_estimate(&neighbours, x, normals);
        for (int k = 0; k < 12 * d; k++)
            mean[k % d] += x[k] / 12;
        double least = 1e300, own = 0;
        for (int step = -1; step < 200 * (d == 3 ? 100 : 1); step++) {
            double up = d == 3 ? (step / 200 + 0.5) / 100 : 0, turn = 0.0314159265 * (step % 200), spread = 0;
            double n[3] = {sqrt(1 - up * up) * cos(turn), sqrt(1 - up * up) * sin(turn), up};
            if (step < 0)
                memcpy(n, normals, (size_t)d * sizeof *n);
            for (int i = 0; i < 12; i++) {
                double height = 0;
                for (int a = 0; a < d; a++)
                    height += n[a] * (x[i * d + a] - mean[a]);
                spread += height * height;
            }
            own = step < 0 ? spread : own;
            least = step >= 0 && spread < least ? spread : least;
        }
        assert_true(own <= least * (1 + 1e-12) && own > 0.98 * least); /* the grid is 0.03 fine */
        sfgp_neighbours_clear(&neighbours);
        free(x);
    }
}

static void threads_do_not_change_a_bit(void **state)
{
    double *x = random_points(3000, 3, 73), *one = calloc(9000, sizeof *one),
           *two = calloc(9000, sizeof *two);
    sfgp_neighbours neighbours;
    sfgp_assert_ok(*state, sfgp_neighbours_new(*state, 3000, 3, x, 12, &neighbours));
    sfgp_test_threads(1);
    sfgp_normals_estimate(&neighbours, x, one);
    sfgp_test_threads(4);
    sfgp_normals_estimate(&neighbours, x, two);
    assert_memory_equal(one, two, 9000 * sizeof *one);
    sfgp_neighbours_clear(&neighbours);
    free(x), free(one), free(two);
}

static sfgp_status find_and_clear(sfgp_context *context, void *user)
{
    sfgp_neighbours neighbours;
    sfgp_status status = sfgp_neighbours_new(context, 50, 3, user, 12, &neighbours);
    sfgp_neighbours_clear(&neighbours);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    double *x = random_points(50, 3, 74);
    assert_true(sfgp_sweep_allocations(*state, find_and_clear, x) >= 5);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(neighbours_are_the_nearest_in_order),
        sfgp_unit_test(coincident_points_have_neighbours_and_some_unit_normal),
        sfgp_unit_test(planes_and_lines_have_their_normal),
        sfgp_unit_test(lines_in_space_have_a_normal_across_them),
        sfgp_unit_test(spheres_and_circles_have_radial_normals),
        sfgp_unit_test(no_direction_spreads_less),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
