#include "support/corrupt.h"
#include "base/random.h"
#include "geom/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 600
#define DEGREE (3.14159265358979323846 / 180)

/* Random points of an ellipsoid-like cloud, far from the origin, in a unit that is not 1. */
static sfgp_mesh *cloud(sfgp_context *context, int dimension)
{
    sfgp_mesh *mesh;
    sfgp_random random = sfgp_random_of(5);
    sfgp_assert_ok(context, sfgp_mesh_new(context, COUNT, dimension, 0, 0, &mesh));
    for (int64_t k = 0; k < COUNT * dimension; k++)
        mesh->points[k] = 100 + 10.0 * (double)(1 + k % dimension) * sfgp_random_normal(&random);
    return mesh;
}

static double radius_of(sfgp_context *context, const sfgp_mesh *mesh)
{
    sfgp_frame frame;
    sfgp_assert_ok(context, sfgp_frame_of(context, "test", mesh, &frame));
    return frame.scale;
}

/* A scan of a copy of truth, which stays where it is. */
static sfgp_mesh *scan_of(sfgp_context *context, const sfgp_mesh *truth, sfgp_damage damage,
                          unsigned char *mask)
{
    sfgp_mesh *scan, *copy;
    sfgp_assert_ok(context,
                   sfgp_mesh_from_points(context, truth->count, truth->dimension, truth->points, &copy));
    sfgp_assert_ok(context, sfgp_simulate_scan(context, copy, &damage, &scan, mask));
    assert_int_equal(scan->dimension, truth->dimension);
    sfgp_mesh_free(copy);
    return scan;
}

static double distance(const sfgp_mesh *a, int64_t i, const sfgp_mesh *b, int64_t k)
{
    double sum = 0;
    for (int axis = 0; axis < a->dimension; axis++) {
        double step = a->points[i * a->dimension + axis] - b->points[k * a->dimension + axis];
        sum += step * step;
    }
    return sqrt(sum);
}

/* Index of the point of scan that is nearest to point k of truth. */
static int64_t nearest(const sfgp_mesh *scan, const sfgp_mesh *truth, int64_t k, double *least)
{
    int64_t best = 0;
    *least = INFINITY;
    for (int64_t i = 0; i < scan->count; i++)
        if (distance(scan, i, truth, k) < *least)
            *least = distance(scan, best = i, truth, k);
    return best;
}

static void no_damage_only_shuffles(void **state)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        sfgp_mesh *truth = cloud(*state, dimension),
                  *scan = scan_of(*state, truth, (sfgp_damage){.seed = 1}, NULL);
        unsigned char taken[COUNT] = {0};
        int64_t in_place = 0;
        assert_int_equal(scan->count, COUNT);
        for (int64_t k = 0; k < COUNT; k++) {
            double least;
            int64_t i = nearest(scan, truth, k, &least);
            assert_true(least < 1e-11);
            assert_int_equal(taken[i]++, 0);
            in_place += i == k;
        }
        assert_true(in_place < 10); /* expected 1 of a random order */
        sfgp_mesh_free(truth), sfgp_mesh_free(scan);
    }
}

static void the_mask_is_what_the_balls_took(void **state)
{
    const sfgp_damage damage = {.holes = 3, .hole_radius = 0.4, .seed = 2};
    for (int dimension = 2; dimension <= 3; dimension++) {
        sfgp_mesh *truth = cloud(*state, dimension);
        unsigned char mask[COUNT];
        sfgp_mesh *scan = scan_of(*state, truth, damage, mask);
        int64_t missing = 0, full_balls = 0;
        double hole = 0.4 * radius_of(*state, truth);
        for (int64_t k = 0; k < COUNT; k++) {
            double least;
            nearest(scan, truth, k, &least);
            assert_int_equal(mask[k], least > 1e-9);
            missing += mask[k];
        }
        for (int64_t k = 0; k < COUNT; k++) { /* the middles: points around which all is gone */
            int whole = mask[k];
            for (int64_t i = 0; i < COUNT && whole; i++)
                whole = mask[i] || distance(truth, i, truth, k) > hole * (1 + 1e-12);
            full_balls += whole;
        }
        assert_true(full_balls >= 1);
        assert_true(missing >= 1 && scan->count == COUNT - missing);
        sfgp_mesh_free(truth), sfgp_mesh_free(scan);
    }
}

/* Everything missing is within the radius of one of at most `holes` missing points. */
static void holes_are_no_larger_than_asked(void **state)
{
    sfgp_mesh *truth = cloud(*state, 3);
    unsigned char mask[COUNT];
    sfgp_mesh *scan = scan_of(*state, truth, (sfgp_damage){.holes = 1, .hole_radius = 0.5, .seed = 3}, mask);
    double hole = 0.5 * radius_of(*state, truth);
    int64_t middles = 0;
    for (int64_t k = 0; k < COUNT; k++) {
        int64_t wrong = 0;
        for (int64_t i = 0; i < COUNT; i++)
            wrong += mask[i] != (distance(truth, i, truth, k) <= hole);
        middles += wrong == 0;
    }
    assert_true(middles >= 1);
    sfgp_mesh_free(scan);
    scan = scan_of(*state, truth, (sfgp_damage){.holes = 1, .hole_radius = 0, .seed = 3}, mask);
    assert_int_equal(scan->count, COUNT - 1); /* the ball is closed: its middle goes */
    sfgp_mesh_free(truth), sfgp_mesh_free(scan);
}

static void noise_has_the_deviation_asked_for(void **state)
{
    const double deviation = 1e-3; /* far below the spacing, so that the nearest point is the same point */
    sfgp_mesh *truth = cloud(*state, 3),
              *scan = scan_of(*state, truth, (sfgp_damage){.noise = deviation, .seed = 4}, NULL);
    double square = 0, least;
    for (int64_t k = 0; k < COUNT; k++) {
        nearest(scan, truth, k, &least);
        square += least * least;
    }
    double measured = sqrt(square / (3 * COUNT)) / radius_of(*state, truth);
    assert_true(fabs(measured / deviation - 1) < 4 / sqrt(2 * 3 * COUNT)); /* 4 standard errors */
    sfgp_mesh_free(truth), sfgp_mesh_free(scan);
}

static void outliers_are_counted_and_fill_the_box(void **state)
{
    sfgp_mesh *truth = cloud(*state, 3),
              *scan = scan_of(*state, truth, (sfgp_damage){.outliers = 0.5, .seed = 6}, NULL);
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY},
           mean[3] = {0};
    int64_t outliers = 0;
    for (int64_t k = 0; k < 3 * COUNT; k++) {
        low[k % 3] = fmin(low[k % 3], truth->points[k]);
        high[k % 3] = fmax(high[k % 3], truth->points[k]);
    }
    assert_int_equal(scan->count, COUNT + COUNT / 2);
    for (int64_t i = 0; i < scan->count; i++) {
        double least;
        nearest(truth, scan, i, &least);
        outliers += least > 1e-9;
        for (int axis = 0; axis < 3 && least > 1e-9; axis++) {
            double share = (scan->points[3 * i + axis] - low[axis]) / (high[axis] - low[axis]);
            assert_true(share >= -1e-9 && share <= 1 + 1e-9);
            mean[axis] += share / (COUNT / 2);
        }
    }
    assert_int_equal(outliers, COUNT / 2);
    for (int axis = 0; axis < 3; axis++) /* uniform: mean 1/2, 4 standard errors; the truth is normal */
        assert_true(fabs(mean[axis] - 0.5) < 4 * sqrt(1.0 / 12 / (COUNT / 2)));
    sfgp_mesh_free(truth), sfgp_mesh_free(scan);
}

/* Sum over the points of (scan - its mean) . (truth - its mean), for points in the same order. */
static void measure_similarity(const sfgp_mesh *a, const sfgp_mesh *b, double shift[3], double *dot,
                               double *square)
{
    double mean_a[3] = {0}, mean_b[3] = {0};
    int d = a->dimension;
    *dot = *square = 0;
    for (int64_t k = 0; k < a->count * d; k++) {
        mean_a[k % d] += a->points[k] / (double)a->count;
        mean_b[k % d] += b->points[k] / (double)a->count;
    }
    for (int64_t k = 0; k < a->count * d; k++) {
        *dot += (a->points[k] - mean_a[k % d]) * (b->points[k] - mean_b[k % d]);
        *square += (b->points[k] - mean_b[k % d]) * (b->points[k] - mean_b[k % d]);
    }
    for (int axis = 0; axis < 3; axis++)
        shift[axis] = mean_a[axis] - mean_b[axis];
}

/* The points of the scan in the order of the same scan without similarity: one seed shuffles alike. */
static void similarity_is_applied_as_asked(void **state)
{
    const double angle = 0.3, growth = 0.1, way = 0.2;
    sfgp_mesh *truth = cloud(*state, 2), *still = scan_of(*state, truth, (sfgp_damage){.seed = 7}, NULL);
    sfgp_mesh *moved = scan_of(
        *state, truth,
        (sfgp_damage){.rotation = angle / DEGREE, .translation = way, .scale = growth, .seed = 7}, NULL);
    double shift[3], dot, square;
    measure_similarity(moved, still, shift, &dot, &square);
    assert_true(fabs(dot / square - (1 + growth) * cos(angle)) < 1e-12); /* in the plane, for any points */
    assert_true(fabs(hypot(shift[0], shift[1]) / radius_of(*state, truth) - way) < 1e-12);
    for (int64_t k = 1; k < COUNT; k++)
        assert_true(fabs(distance(moved, 0, moved, k) - (1 + growth) * distance(still, 0, still, k)) < 1e-10);
    sfgp_mesh_free(truth), sfgp_mesh_free(still), sfgp_mesh_free(moved);
}

static void the_truth_moves_with_the_scan(void **state)
{
    const sfgp_damage damage = {
        .holes = 1, .hole_radius = 0.3, .rotation = 12, .translation = 0.1, .scale = 0.05, .seed = 9};
    sfgp_mesh *truth = cloud(*state, 3), *scan;
    double first = truth->points[0], least;
    sfgp_assert_ok(*state, sfgp_simulate_scan(*state, truth, &damage, &scan, NULL));
    assert_true(truth->points[0] != first && scan->count < truth->count);
    for (int64_t k = 0; k < scan->count; k++) {
        nearest(truth, scan, k, &least);
        assert_true(least < 1e-12); /* rounding: every scan point is a point of the moved truth */
    }
    sfgp_mesh_free(truth), sfgp_mesh_free(scan);
}

/* Signed volume of the tetrahedron of the first four points: a rotation keeps it, a reflection does not. */
static double volume(const sfgp_mesh *mesh)
{
    double m[3][3];
    for (int k = 0; k < 9; k++)
        m[k / 3][k % 3] = mesh->points[3 + k] - mesh->points[k % 3];
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

static void rotation_in_space_is_rigid_and_of_the_angle(void **state)
{
    const double angle = 0.3;
    sfgp_mesh *truth = cloud(*state, 3), *still = scan_of(*state, truth, (sfgp_damage){.seed = 8}, NULL);
    sfgp_mesh *moved = scan_of(*state, truth, (sfgp_damage){.rotation = angle / DEGREE, .seed = 8}, NULL);
    double shift[3], dot, square, most = 0;
    measure_similarity(moved, still, shift, &dot, &square);
    assert_true(hypot(hypot(shift[0], shift[1]), shift[2]) < 1e-11);
    assert_true(fabs(volume(moved) / volume(still) - 1) < 1e-9);
    for (int64_t k = 0; k < COUNT; k++) { /* no point turns by more than the angle, some by nearly as much */
        double length = 0, chord = distance(moved, k, still, k);
        for (int axis = 0; axis < 3; axis++) {
            double mean = 0;
            for (int64_t i = 0; i < COUNT; i++)
                mean += still->points[3 * i + axis] / COUNT;
            length += (still->points[3 * k + axis] - mean) * (still->points[3 * k + axis] - mean);
        }
        most = fmax(most, 2 * asin(fmin(chord / (2 * sqrt(length)), 1)));
    }
    assert_true(most < angle * (1 + 1e-9) && most > 0.95 * angle);
    sfgp_mesh_free(truth), sfgp_mesh_free(still), sfgp_mesh_free(moved);
}

/* Everything at once; box and random points about 30 % of the cloud. */
static const sfgp_damage EVERYTHING = {.deformation = 0.1,
                                       .affine = 0.05,
                                       .rotation = 6,
                                       .translation = 0.1,
                                       .scale = 0.05,
                                       .holes = 2,
                                       .hole_radius = 0.4,
                                       .box_width = 0.8,
                                       .box_point = -1,
                                       .missing_share = 0.1,
                                       .noise = 0.01,
                                       .outliers = 0.1,
                                       .seed = 9};

static void mask_of(sfgp_context *context, const sfgp_mesh *truth, sfgp_damage damage, unsigned char *mask)
{
    sfgp_mesh_free(scan_of(context, truth, damage, mask));
}

static void a_seed_gives_the_same_scan_and_another_gives_another(void **state)
{
    sfgp_damage other = EVERYTHING;
    sfgp_mesh *truth = cloud(*state, 3);
    unsigned char mask[3][COUNT];
    other.seed = 10;
    sfgp_mesh *a = scan_of(*state, truth, EVERYTHING, mask[0]),
              *b = scan_of(*state, truth, EVERYTHING, mask[1]);
    mask_of(*state, truth, other, mask[2]);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->points, b->points, 3 * (size_t)a->count * sizeof *a->points);
    assert_memory_equal(mask[0], mask[1], COUNT);
    assert_memory_not_equal(mask[0], mask[2], COUNT);
    sfgp_mesh_free(truth), sfgp_mesh_free(a), sfgp_mesh_free(b);
}

/* Balls, box and random points are the same alone and together, and whatever moves the points. */
static void what_is_missing_depends_on_nothing_else(void **state)
{
    const sfgp_damage balls = {.holes = 2, .hole_radius = 0.4, .seed = 9},
                      box = {.box_width = 0.8, .box_point = -1, .seed = 9},
                      points = {.missing_share = 0.1, .seed = 9};
    sfgp_mesh *truth = cloud(*state, 3);
    unsigned char all[COUNT], mask[3][COUNT];
    int64_t own[3] = {0};
    mask_of(*state, truth, EVERYTHING, all);
    mask_of(*state, truth, balls, mask[0]);
    mask_of(*state, truth, box, mask[1]);
    mask_of(*state, truth, points, mask[2]);
    for (int64_t k = 0; k < COUNT; k++) {
        assert_int_equal(all[k], mask[0][k] | mask[1][k] | mask[2][k]);
        for (int m = 0; m < 3; m++)
            own[m] += mask[m][k] && !mask[(m + 1) % 3][k] && !mask[(m + 2) % 3][k];
    }
    assert_true(own[0] > 0 && own[1] > 0 && own[2] > 0);
    sfgp_mesh_free(truth);
}

/* No damage of one kind changes what another draws: the same truth, to the bit. */
static void the_truth_depends_on_what_moves_it_only(void **state)
{
    sfgp_mesh *truth[2] = {cloud(*state, 3), cloud(*state, 3)}, *scan;
    sfgp_damage less = EVERYTHING;
    less.holes = 0, less.box_width = 0, less.missing_share = 0, less.noise = 0, less.outliers = 0;
    sfgp_assert_ok(*state, sfgp_simulate_scan(*state, truth[0], &EVERYTHING, &scan, NULL));
    sfgp_mesh_free(scan);
    sfgp_assert_ok(*state, sfgp_simulate_scan(*state, truth[1], &less, &scan, NULL));
    sfgp_mesh_free(scan);
    assert_memory_equal(truth[0]->points, truth[1]->points, 3 * COUNT * sizeof(double));
    sfgp_mesh_free(truth[0]), sfgp_mesh_free(truth[1]);
}

/* Largest distance of a point to the middle along an axis. */
static double box_distance(const sfgp_mesh *mesh, int64_t k, int64_t middle)
{
    double most = 0;
    for (int axis = 0; axis < mesh->dimension; axis++)
        most = fmax(most, fabs(mesh->points[k * mesh->dimension + axis] -
                               mesh->points[middle * mesh->dimension + axis]));
    return most;
}

static int64_t box_errors(const sfgp_mesh *truth, int64_t middle, double width, const unsigned char *mask)
{
    int64_t errors = 0;
    for (int64_t k = 0; k < COUNT; k++)
        errors += mask[k] != (box_distance(truth, k, middle) <= width / 2);
    return errors;
}

/* The box lies along the axes of the shape as it was given, whatever turns it afterwards. */
static void a_box_is_cut_out_around_a_point(void **state)
{
    for (int dimension = 2; dimension <= 3; dimension++) {
        sfgp_mesh *truth = cloud(*state, dimension);
        const double radius = radius_of(*state, truth);
        const sfgp_damage here = {.box_width = 0.9, .box_point = 17, .rotation = 40, .seed = 1},
                          there = {.box_width = 0.9, .box_point = -1, .seed = 1},
                          file = {.box_width = 20, .box_point = 33, .file_unit = 1};
        unsigned char mask[COUNT];
        int64_t middles = 0, taken = 0;
        mask_of(*state, truth, here, mask);
        for (int64_t k = 0; k < COUNT; k++)
            taken += mask[k];
        assert_true(taken > 5 && taken < COUNT / 2);
        assert_int_equal(box_errors(truth, 17, 0.9 * radius, mask), 0);
        mask_of(*state, truth, there, mask);
        for (int64_t k = 0; k < COUNT; k++)
            middles += box_errors(truth, k, 0.9 * radius, mask) == 0;
        assert_true(middles >= 1 && box_errors(truth, 17, 0.9 * radius, mask) > 0);
        mask_of(*state, truth, file, mask);
        assert_int_equal(box_errors(truth, 33, 20, mask), 0);
        sfgp_mesh_free(truth);
    }
}

static void a_share_of_the_points_is_left_out(void **state)
{
    const double shares[] = {0, 0.001, 0.25, 0.999};
    sfgp_mesh *truth = cloud(*state, 2);
    int64_t times[COUNT] = {0}, least = COUNT, most = 0;
    unsigned char mask[COUNT];
    for (int s = 0; s < 4; s++) {
        sfgp_mesh *scan = scan_of(*state, truth, (sfgp_damage){.missing_share = shares[s], .seed = 3}, mask);
        assert_int_equal(scan->count, COUNT - llround(shares[s] * COUNT));
        sfgp_mesh_free(scan);
    }
    for (uint64_t seed = 0; seed < 100; seed++) { /* all alike: binomial, mean 25, deviation 4.3 */
        mask_of(*state, truth, (sfgp_damage){.missing_share = 0.25, .seed = seed}, mask);
        for (int64_t k = 0; k < COUNT; k++)
            times[k] += mask[k];
    }
    for (int64_t k = 0; k < COUNT; k++) {
        least = times[k] < least ? times[k] : least;
        most = times[k] > most ? times[k] : most;
    }
    assert_true(least >= 25 - 5 * 4.4 && most <= 25 + 5 * 4.4);
    assert_true(least < 20 && most > 30); /* and random */
    sfgp_mesh_free(truth);
}

/* Lengths times the radius, in the unit of the file, are the same damage but for rounding. */
static void lengths_may_be_in_the_unit_of_the_file(void **state)
{
    sfgp_mesh *truth = cloud(*state, 3);
    const double radius = radius_of(*state, truth);
    sfgp_damage file = EVERYTHING, framed = EVERYTHING;
    file.file_unit = 1;
    file.deformation *= radius, file.translation *= radius, file.hole_radius *= radius;
    file.box_width *= radius, file.noise *= radius;
    file.affine = framed.affine = 0; /* its translation is in lengths too: see test_simulate_warp.c */
    sfgp_mesh *a = scan_of(*state, truth, framed, NULL), *b = scan_of(*state, truth, file, NULL);
    assert_int_equal(a->count, b->count);
    for (int64_t k = 0; k < 3 * a->count; k++)
        assert_true(fabs(a->points[k] - b->points[k]) < 1e-11 * radius); /* some 100 roundings of 100 */
    sfgp_mesh_free(truth), sfgp_mesh_free(a), sfgp_mesh_free(b);
}

/* ---- the table --------------------------------------------------------------------------------------- */

static void the_table_makes_struct_and_defaults(void **state)
{
    sfgp_damage damage, standard;
    const sfgp_setting *row;
    int rows = 0;
    sfgp_damage_default(&standard);
    assert_true(standard.box_point == -1 && standard.holes == 0 && standard.seed == 0 && standard.noise == 0);
    for (; (row = sfgp_damage_row(rows)); rows++) {
        const double values[] = {row->least, row->most};
        for (int v = 0; v < 2; v++) {
            double number;
            int64_t whole;
            memset(&damage, 0, sizeof damage);
            sfgp_assert_ok(*state, sfgp_damage_set(*state, &damage, row->name, values[v]));
            memcpy(&number, (char *)&damage + row->offset, sizeof number);
            memcpy(&whole, (char *)&damage + row->offset, sizeof whole);
            assert_true((row->kind == SFGP_SETTING_COUNT ? (double)whole : number) == values[v]);
        }
        assert_true(row->help[0] && atof(row->standard) >= (row->automatic ? 0 : row->least));
    }
    assert_int_equal(rows, (sizeof damage - sizeof damage.seed) / sizeof(double)); /* every field has one */
    assert_null(sfgp_damage_row(-1));
}

static void values_out_of_range_are_named(void **state)
{
    sfgp_damage damage, before;
    const sfgp_setting *row;
    sfgp_damage_default(&damage);
    before = damage;
    for (int k = 0; (row = sfgp_damage_row(k)); k++) {
        const double bad[] = {nextafter(row->least, -INFINITY), nextafter(row->most, INFINITY), NAN,
                              -INFINITY};
        for (int b = 0; b < 4; b++) {
            sfgp_assert_status(*state, sfgp_damage_set(*state, &damage, row->name, bad[b]),
                               SFGP_ERROR_PARAMETER);
            assert_memory_equal(sfgp_context_error(*state), row->name, strlen(row->name));
        }
    }
    sfgp_assert_status(*state, sfgp_damage_set(*state, &damage, "holes", 1.5), SFGP_ERROR_PARAMETER);
    sfgp_assert_error(*state, sfgp_damage_set(*state, &damage, "hole", 1), SFGP_ERROR_PARAMETER,
                      "hole: no such damage");
    sfgp_assert_ok(*state, sfgp_damage_set(*state, &damage, "deformation_length", 0)); /* auto */
    assert_int_equal(sfgp_damage_set(NULL, &damage, "noise", 0), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_damage_set(*state, NULL, "noise", 0), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_damage_set(*state, &damage, NULL, 0), SFGP_ERROR_PARAMETER);
    assert_memory_equal(&damage, &before, sizeof damage);
    /* a program that was compiled when there was no noise yet */
    sfgp_assert_error(*state,
                      sfgp_damage_set_sized(*state, &damage, offsetof(sfgp_damage, noise), "noise", 0.1),
                      SFGP_ERROR_PARAMETER, "noise: the program was compiled without");
}

static void what_is_missing_is_refused(void **state)
{
    double points[] = {0, 0, 1, 0, 0, 1};
    sfgp_mesh truth = {.count = 3, .dimension = 2, .points = points}, *scan = NULL;
    sfgp_damage damage;
    sfgp_damage_default(&damage);
    assert_int_equal(sfgp_simulate_scan(NULL, &truth, &damage, &scan, NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_scan(*state, NULL, &damage, &scan, NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_scan(*state, &truth, NULL, &scan, NULL), SFGP_ERROR_PARAMETER);
    assert_int_equal(sfgp_simulate_scan(*state, &truth, &damage, NULL, NULL), SFGP_ERROR_PARAMETER);
    assert_null(scan);
}

static void bad_parameters_are_named(void **state)
{
    const struct {
        const char *name;
        sfgp_damage damage;
    } bad[] = {
        {"holes", {.holes = -1}},
        {"holes", {.holes = INT64_MAX}},
        {"hole_radius", {.hole_radius = -0.1}},
        {"hole_radius", {.hole_radius = NAN}},
        {"noise", {.noise = -1e-9}},
        {"noise", {.noise = INFINITY}},
        {"outliers", {.outliers = -1}},
        {"outliers", {.outliers = NAN}},
        {"outliers", {.outliers = 1e300}},
        {"rotation", {.rotation = NAN}},
        {"translation", {.translation = -1}},
        {"translation", {.translation = NAN}},
        {"scale", {.scale = -1}},
        {"scale", {.scale = NAN}},
        {"deformation", {.deformation = -0.1}},
        {"deformation_length", {.deformation_length = -1}},
        {"affine", {.affine = INFINITY}},
        {"box_width", {.box_width = -1}},
        {"box_point", {.box_point = -2}},
        {"box_point", {.box_width = 1, .box_point = COUNT}},
        {"missing_share", {.missing_share = 1.01}},
        {"file_unit", {.file_unit = 2}},
    };
    sfgp_mesh *truth = cloud(*state, 2);
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sfgp_mesh *scan = truth;
        sfgp_assert_status(*state, sfgp_simulate_scan(*state, truth, &bad[k].damage, &scan, NULL),
                           SFGP_ERROR_PARAMETER);
        assert_null(scan);
        assert_memory_equal(sfgp_context_error(*state), bad[k].name, strlen(bad[k].name));
    }
    sfgp_mesh_free(truth);
}

static void truths_that_cannot_be_scanned_are_refused(void **state)
{
    const sfgp_damage all = {.holes = 1, .hole_radius = 100}, nothing = {.seed = 1};
    const double same[] = {1, 1, 1, 1};
    sfgp_mesh *truth = cloud(*state, 3), *none, *point, *scan;
    unsigned char mask[COUNT] = {7};
    sfgp_assert_status(*state, sfgp_simulate_scan(*state, truth, &all, &scan, mask), SFGP_ERROR_DATA);
    assert_true(scan == NULL && mask[0] == 7);
    sfgp_assert_status(*state,
                       sfgp_simulate_scan(*state, truth, &(sfgp_damage){.missing_share = 1}, &scan, mask),
                       SFGP_ERROR_DATA);
    truth->points[4] = NAN;
    sfgp_assert_status(*state, sfgp_simulate_scan(*state, truth, &nothing, &scan, NULL), SFGP_ERROR_DATA);
    sfgp_assert_ok(*state, sfgp_mesh_new(*state, 0, 2, 0, 0, &none));
    sfgp_assert_status(*state, sfgp_simulate_scan(*state, none, &nothing, &scan, NULL), SFGP_ERROR_DATA);
    sfgp_assert_ok(*state, sfgp_mesh_from_points(*state, 2, 2, same, &point));
    sfgp_assert_status(*state, sfgp_simulate_scan(*state, point, &nothing, &scan, NULL), SFGP_ERROR_DATA);
    assert_int_equal(sfgp_simulate_scan(*state, NULL, &nothing, &scan, NULL), SFGP_ERROR_PARAMETER);
    sfgp_mesh_free(truth), sfgp_mesh_free(none), sfgp_mesh_free(point);
}

static sfgp_status simulate(sfgp_context *context, void *truth)
{
    const sfgp_damage damage = EVERYTHING;
    sfgp_mesh *scan;
    const sfgp_status status = sfgp_simulate_scan(context, truth, &damage, &scan, NULL);
    assert_true((status == SFGP_OK) == (scan != NULL));
    sfgp_mesh_free(scan);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    sfgp_mesh *truth = cloud(*state, 3);
    assert_int_equal(sfgp_sweep_allocations(*state, simulate, truth),
                     5); /* mask, moved truth, points, mesh (2) */
    sfgp_mesh_free(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(no_damage_only_shuffles),
        sfgp_unit_test(the_mask_is_what_the_balls_took),
        sfgp_unit_test(holes_are_no_larger_than_asked),
        sfgp_unit_test(noise_has_the_deviation_asked_for),
        sfgp_unit_test(outliers_are_counted_and_fill_the_box),
        sfgp_unit_test(similarity_is_applied_as_asked),
        sfgp_unit_test(the_truth_moves_with_the_scan),
        sfgp_unit_test(rotation_in_space_is_rigid_and_of_the_angle),
        sfgp_unit_test(a_seed_gives_the_same_scan_and_another_gives_another),
        sfgp_unit_test(what_is_missing_depends_on_nothing_else),
        sfgp_unit_test(the_truth_depends_on_what_moves_it_only),
        sfgp_unit_test(a_box_is_cut_out_around_a_point),
        sfgp_unit_test(a_share_of_the_points_is_left_out),
        sfgp_unit_test(lengths_may_be_in_the_unit_of_the_file),
        sfgp_unit_test(the_table_makes_struct_and_defaults),
        sfgp_unit_test(values_out_of_range_are_named),
        sfgp_unit_test(what_is_missing_is_refused),
        sfgp_unit_test(bad_parameters_are_named),
        sfgp_unit_test(truths_that_cannot_be_scanned_are_refused),
        sfgp_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
