/* The warp against its law: an independent loop, and least squares on what a scan's truth became. */
#include "support/support.h"
#include "simulate/warp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define COUNT 200
#define BUMPS 12

static sfgp_cloud cloud_of(int dimension, double *points)
{
    sfgp_random random = sfgp_random_of(21);
    for (int64_t k = 0; k < COUNT * dimension; k++)
        points[k] = 0.7 * sfgp_random_normal(&random);
    return (sfgp_cloud){COUNT, dimension, points};
}

static sfgp_warp warp_of(const sfgp_cloud *cloud, sfgp_warp_size size)
{
    double work[COUNT];
    sfgp_warp warp;
    sfgp_random random = sfgp_random_of(5);
    sfgp_warp_draw(cloud, &size, &random, work, &warp);
    return warp;
}

static long double square_of(const double *a, const double *b, int dimension)
{
    long double sum = 0;
    for (int axis = 0; axis < dimension; axis++)
        sum += ((long double)a[axis] - b[axis]) * ((long double)a[axis] - b[axis]);
    return sum;
}

/* Rounding: about 40 operations on numbers of size 1. */
static void points_move_by_the_law(void **state)
{
    (void)state;
    for (int d = 2; d <= 3; d++) {
        double points[3 * COUNT], moved[3 * COUNT];
        sfgp_cloud cloud = cloud_of(d, points), copy = {COUNT, d, moved};
        const sfgp_warp warp = warp_of(&cloud, (sfgp_warp_size){0.3, 0.1, 0.2, 1.1});
        double most = 0;
        memcpy(moved, points, sizeof moved);
        sfgp_warp_apply(&warp, &copy);
        for (int64_t i = 0; i < COUNT; i++)
            for (int axis = 0; axis < d; axis++) {
                long double y = points[i * d + axis] + warp.affine[3][axis];
                for (int from = 0; from < d; from++)
                    y += (long double)points[i * d + from] * warp.affine[from][axis];
                for (int k = 0; k < BUMPS; k++)
                    y += expl(-square_of(points + i * d, warp.centre[k], d) / (1.1L * 1.1L)) *
                         warp.weight[k][axis];
                assert_true(fabsl(moved[i * d + axis] - y) < 60 * DBL_EPSILON);
                most = fmax(most, fabs(moved[i * d + axis] - points[i * d + axis]));
            }
        assert_true(most > 0.1);
    }
}

/* From the definition: of all points, the next centre has the largest distance to the nearest centre so far.
 */
static void centres_are_points_far_from_each_other(void **state)
{
    double points[3 * COUNT];
    const double zero[3] = {0};
    (void)state;
    for (int d = 2; d <= 3; d++) {
        sfgp_cloud cloud = cloud_of(d, points);
        const sfgp_warp warp = warp_of(&cloud, (sfgp_warp_size){1, 0, 0, 1});
        assert_int_equal(warp.bumps, BUMPS);
        for (int bump = 0; bump < BUMPS; bump++) {
            long double most = -1;
            int64_t best = 0;
            for (int64_t i = 0; i < COUNT; i++) {
                long double least = square_of(points + i * d, bump ? warp.centre[0] : zero, d);
                for (int k = 1; k < bump; k++)
                    least = fminl(least, square_of(points + i * d, warp.centre[k], d));
                if (least > most)
                    most = least, best = i;
            }
            assert_memory_equal(warp.centre[bump], points + best * d, (size_t)d * sizeof *points);
        }
    }
}

static void few_points_have_few_bumps(void **state)
{
    double points[] = {1, 0, 0, 1, -1, -1}, work[3];
    sfgp_cloud cloud = {3, 2, points};
    sfgp_warp warp;
    (void)state;
    sfgp_random random = sfgp_random_of(1);
    sfgp_warp_draw(&cloud, &(sfgp_warp_size){1, 1, 1, 1}, &random, work, &warp);
    assert_int_equal(warp.bumps, 3);
    sfgp_warp_apply(&warp, &cloud);
    for (int k = 0; k < 6; k++)
        assert_true(isfinite(points[k]));
}

static void sizes_scale_the_same_draw(void **state)
{
    double points[3 * COUNT];
    sfgp_cloud cloud = cloud_of(3, points);
    const sfgp_warp one = warp_of(&cloud, (sfgp_warp_size){1, 1, 1, 1}),
                    other = warp_of(&cloud, (sfgp_warp_size){0.5, 0, 4, 1});
    (void)state;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < BUMPS; k++)
            assert_true(other.weight[k][axis] == 0.5 * one.weight[k][axis]);
        assert_true(other.affine[3][axis] == 4 * one.affine[3][axis]);
        assert_true(one.affine[axis][0] != 0 && other.affine[axis][0] == 0);
    }
}

/* ---- through the public function --------------------------------------------------------------------- */

#define FISH 98
#define TERMS (BUMPS + 3)

/* Columns exp(-|x - z_k|^2 / L^2), x, y, 1 of the fish, coordinates from the centroid. */
static void make_columns(const sfgp_mesh *fish, double length, double columns[TERMS][FISH])
{
    double mean[2] = {0}, points[2 * FISH];
    sfgp_cloud cloud = {FISH, 2, points};
    for (int k = 0; k < 2 * FISH; k++)
        mean[k % 2] += fish->points[k] / FISH;
    for (int k = 0; k < 2 * FISH; k++)
        points[k] = fish->points[k] - mean[k % 2];
    const sfgp_warp warp = warp_of(&cloud, (sfgp_warp_size){1, 1, 1, 1}); /* for its centres, checked above */
    for (int i = 0; i < FISH; i++) {
        for (int k = 0; k < BUMPS; k++)
            columns[k][i] = (double)expl(-square_of(points + 2 * i, warp.centre[k], 2) / (length * length));
        columns[BUMPS][i] = points[2 * i], columns[BUMPS + 1][i] = points[2 * i + 1];
        columns[BUMPS + 2][i] = 1;
    }
}

/* Least squares by modified Gram-Schmidt in long double; the largest residual is returned. */
static double solve_least_squares(double columns[TERMS][FISH], const double right[FISH],
                                  double solution[TERMS])
{
    static long double q[TERMS][FISH], r[TERMS][TERMS], rest[FISH];
    double worst = 0;
    for (int i = 0; i < FISH; i++)
        rest[i] = right[i];
    for (int c = 0; c < TERMS; c++) {
        for (int i = 0; i < FISH; i++)
            q[c][i] = columns[c][i];
        for (int b = 0; b <= c; b++) { /* b == c: length and direction of what is left */
            r[b][c] = 0;
            for (int i = 0; i < FISH; i++)
                r[b][c] += q[b][i] * q[c][i];
            r[b][c] = b == c ? sqrtl(r[b][c]) : r[b][c];
            for (int i = 0; i < FISH; i++)
                q[c][i] = b == c ? q[c][i] / r[b][c] : q[c][i] - r[b][c] * q[b][i];
        }
    }
    static long double dots[TERMS];
    for (int c = 0; c < TERMS; c++) {
        dots[c] = 0;
        for (int i = 0; i < FISH; i++)
            dots[c] += q[c][i] * rest[i];
        for (int i = 0; i < FISH; i++)
            rest[i] -= dots[c] * q[c][i];
    }
    for (int c = TERMS - 1; c >= 0; c--) {
        long double sum = dots[c];
        for (int b = c + 1; b < TERMS; b++)
            sum -= r[c][b] * solution[b];
        solution[c] = (double)(sum / r[c][c]);
    }
    for (int i = 0; i < FISH; i++)
        worst = fmax(worst, fabs((double)rest[i]));
    return worst;
}

/* In the unit of the file, as the benchmark: y - x is a combination of the columns to the last bits, and the
 * coefficients over many seeds have the deviations asked for (4 standard errors). */
static void truths_of_scans_follow_the_law(void **state)
{
    enum { SEEDS = 60 };
    const double deviation = 0.05, spread = 0.2;
    static double columns[TERMS][FISH];
    double weights = 0, affine = 0, shift = 0;
    sfgp_mesh *fish, *truth, *scan;
    sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &fish));
    make_columns(fish, 0.3, columns);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const sfgp_damage damage = {.deformation = deviation,
                                    .deformation_length = 0.3,
                                    .affine = spread,
                                    .noise = 0.01,
                                    .outliers = 0.5,
                                    .missing_share = 0.3,
                                    .file_unit = 1,
                                    .seed = seed};
        sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &truth));
        sfgp_assert_ok(*state, sfgp_simulate_scan(*state, truth, &damage, &scan, NULL));
        for (int axis = 0; axis < 2; axis++) {
            double right[FISH], solution[TERMS];
            for (int i = 0; i < FISH; i++)
                right[i] = truth->points[2 * i + axis] - fish->points[2 * i + axis];
            assert_true(solve_least_squares(columns, right, solution) < 1e-14);
            for (int k = 0; k < BUMPS; k++)
                weights += solution[k] * solution[k] / (SEEDS * 2 * BUMPS);
            affine += (pow(solution[BUMPS], 2) + pow(solution[BUMPS + 1], 2)) / (SEEDS * 4);
            shift += pow(solution[BUMPS + 2], 2) / (SEEDS * 2);
        }
        sfgp_mesh_free(truth), sfgp_mesh_free(scan);
    }
    assert_true(fabs(sqrt(weights) / deviation - 1) < 4 / sqrt(2 * SEEDS * 2 * BUMPS));
    assert_true(fabs(sqrt(affine) / spread - 1) < 4 / sqrt(2 * SEEDS * 4));
    assert_true(fabs(sqrt(shift) / spread - 1) < 4 / sqrt(2 * SEEDS * 2));
    sfgp_mesh_free(fish);
}

/* Auto is 1.28 RMS radii in either unit. */
static void the_length_of_the_bumps_is_chosen(void **state)
{
    const sfgp_damage chosen = {.deformation = 0.3, .seed = 2},
                      given = {.deformation = 0.3, .deformation_length = 1.28, .seed = 2},
                      other = {.deformation = 0.3, .deformation_length = 1, .seed = 2};
    const sfgp_damage *const damages[] = {&chosen, &given, &other};
    sfgp_mesh *truth[3], *scan;
    for (int k = 0; k < 3; k++) {
        sfgp_assert_ok(*state, sfgp_simulate_fish(*state, &truth[k]));
        sfgp_assert_ok(*state, sfgp_simulate_scan(*state, truth[k], damages[k], &scan, NULL));
        sfgp_mesh_free(scan);
    }
    assert_memory_equal(truth[0]->points, truth[1]->points, 2 * FISH * sizeof(double));
    assert_memory_not_equal(truth[0]->points, truth[2]->points, 2 * FISH * sizeof(double));
    for (int k = 0; k < 3; k++)
        sfgp_mesh_free(truth[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(points_move_by_the_law),
        sfgp_unit_test(centres_are_points_far_from_each_other),
        sfgp_unit_test(few_points_have_few_bumps),
        sfgp_unit_test(sizes_scale_the_same_draw),
        sfgp_unit_test(truths_of_scans_follow_the_law),
        sfgp_unit_test(the_length_of_the_bumps_is_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
