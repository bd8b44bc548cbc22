/* Very uneven scans are made even, and all others are left as they are (ADR 0116). */
#include "base/random.h"
#include "geom/scan.h"
#include "support/corrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1000, D = 3, CELLS = 30 };

/* On a wave over the square from -1 to 1. */
static void put(double u, double v, double *x)
{
    x[0] = u;
    x[1] = v;
    x[2] = 0.2 * sin(2 * u) * cos(v);
}

static double side(sfgp_random *random)
{
    return 2 * sfgp_random_uniform(random) - 1;
}

/* At random, of which some are strays in the box. */
static void put_random(int64_t count, int64_t strays, uint64_t seed, double *points)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int64_t i = 0; i < count; i++) {
        put(side(&random), side(&random), points + D * i);
        if (i < strays)
            points[D * i + 2] = side(&random);
    }
}

/* A grid of 2 CELLS^2 triangles; its lines lie at f(-1) .. f(1). */
static sfgp_mesh *grid(sfgp_context *context, int cells, double f(double))
{
    sfgp_mesh *mesh;
    const int64_t row = cells + 1, count = row * row, faces = 2 * (int64_t)cells * cells;
    sfgp_assert_ok(context, sfgp_mesh_new(context, count, D, faces, 3 * faces, &mesh));
    for (int64_t i = 0; i < count; i++)
        put(f(2. * (double)(i % row) / cells - 1), f(2. * (double)(i / row) / cells - 1),
            mesh->points + D * i);
    for (int64_t k = 0; k <= faces; k++)
        mesh->face_start[k] = 3 * k;
    for (int64_t k = 0; k < faces / 2; k++) {
        const int64_t a = k / cells * row + k % cells,
                      corners[] = {a, a + 1, a + row, a + 1, a + row + 1, a + row};
        memcpy(mesh->face_points + 6 * k, corners, sizeof corners);
    }
    return mesh;
}

static double as_it_is(double x)
{
    return x;
}

static double stretched(double x)
{
    return (x + 5 * pow(x, 5)) / 6;
}

static sfgp_scan scan_of(sfgp_context *context, const sfgp_mesh *mesh)
{
    static sfgp_frame frame;
    sfgp_scan scan;
    frame = sfgp_frame_plain(D);
    sfgp_assert_ok(context, sfgp_scan_enter_rounded(context, &frame, mesh, &scan));
    return scan;
}

static sfgp_scan scan_of_points(sfgp_context *context, int64_t count, double *points, sfgp_mesh *mesh)
{
    *mesh = (sfgp_mesh){.count = count, .dimension = D, .points = points};
    return scan_of(context, mesh);
}

/* Squared distance of a point from the nearest other one, or from all of them. */
static double nearest2(const sfgp_mesh *mesh, const double *x, int64_t but)
{
    double least = HUGE_VAL;
    for (int64_t j = 0; j < mesh->count; j++) {
        const double *y = mesh->points + D * j;
        if (j != but)
            least = fmin(least, pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2));
    }
    return least;
}

static bool has_warned(const char *word)
{
    return strstr(sfgp_test_warning(), word) != NULL;
}

/* ---- even scans --------------------------------------------------------------------------------------------- */

/* At random, with strays, in a grid, a mesh, and twice as dense on one side. */
static void even_scans_keep_all_of_their_points(void **state)
{
    double points[D * N];
    sfgp_mesh mesh;
    for (int k = 0; k < 12; k++) {
        put_random(N, k % 3 * N / 8, (uint64_t)k, points);
        for (int i = 0; k % 2 && i < N; i++)
            points[D * i] = 0.5 * points[D * i] * (points[D * i] > 0 ? 2 : 1);
        sfgp_scan scan = scan_of_points(*state, N, points, &mesh);
        assert_int_equal(scan.points->count, N);
        sfgp_scan_clear(&scan);
    }
    sfgp_mesh *even = grid(*state, CELLS, as_it_is);
    sfgp_scan scan = scan_of(*state, even);
    assert_int_equal(scan.points->count, even->count);
    for (int64_t j = 0; j < scan.points->count; j++)
        assert_true(scan.first[j] >= 0);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_scan_clear(&scan);
    sfgp_mesh_free(even);
}

/* ---- copies and spots --------------------------------------------------------------------------------------- */

/* Half of the points at random, and a copy of each, a thousandth beside it. */
static void put_twice(double *points)
{
    put_random(N / 2, 0, 3, points);
    sfgp_random random = sfgp_random_of(4);
    for (int k = 0; k < D * N / 2; k++)
        points[D * N / 2 + k] = points[k] + 1e-3 * sfgp_random_normal(&random);
}

/* A quarter of the points at random, and the others on a thousandth of the surface. */
static void put_spot(double *points)
{
    put_random(N / 4, 0, 5, points);
    sfgp_random random = sfgp_random_of(6);
    for (int i = N / 4; i < N; i++)
        put(0.2 + 0.03 * side(&random), 0.03 * side(&random), points + D * i);
}

static double least_distance(const sfgp_mesh *mesh)
{
    double least = HUGE_VAL;
    for (int64_t j = 0; j < mesh->count; j++)
        least = fmin(least, nearest2(mesh, mesh->points + D * j, j));
    return sqrt(least);
}

/* Some of N / 2 random points are as near as copies in a scan twice as dense. */
static void near_copies_are_used_once(void **state)
{
    double points[D * N];
    sfgp_mesh mesh;
    put_twice(points);
    sfgp_scan scan = scan_of_points(*state, N, points, &mesh);
    assert_in_range(scan.points->count, N / 4, N / 2);
    assert_true(least_distance(scan.points) > 0.02);
    for (int i = 0; i < N; i++)
        assert_true(nearest2(scan.points, points + D * i, -1) < 0.04 * 0.04);
    assert_true(has_warned("many points have another one next to them"));
    sfgp_scan_clear(&scan);
}

static void a_dense_spot_is_thinned(void **state)
{
    double points[D * N];
    sfgp_mesh mesh;
    put_spot(points);
    sfgp_scan scan = scan_of_points(*state, N, points, &mesh);
    assert_in_range(scan.points->count, N / 8, N / 4 + 10);
    for (int i = 0; i < N; i++)
        assert_true(nearest2(scan.points, points + D * i, -1) < 0.1 * 0.1);
    assert_true(has_warned("some parts have far more points than others"));
    sfgp_scan_clear(&scan);
}

/* In the opposite order: the same bits, and the same points of the file. */
static void the_order_of_the_points_does_not_matter(void **state)
{
    double points[D * N], other[D * N];
    for (int way = 0; way < 2; way++) {
        sfgp_mesh meshes[2];
        (way ? put_twice : put_spot)(points);
        for (int i = 0; i < N; i++)
            memcpy(other + D * (N - 1 - i), points + D * i, D * sizeof *points);
        sfgp_scan here = scan_of_points(*state, N, points, &meshes[0]),
                  there = scan_of_points(*state, N, other, &meshes[1]);
        const int64_t count = here.points->count;
        assert_int_equal(there.points->count, count);
        assert_memory_equal(here.points->points, there.points->points, (size_t)(D * count) * sizeof *points);
        for (int64_t j = 0; j < count; j++)
            assert_int_equal(here.first[j], N - 1 - there.first[j]);
        sfgp_scan_clear(&here);
        sfgp_scan_clear(&there);
    }
}

/* A plate across the first axis: all places lie within the reach of that coordinate, too many to look at. */
static void a_plate_of_very_many_points_is_taken_as_it_is(void **state)
{
    enum { MANY = 120000 };
    double *points = malloc(D * MANY * sizeof *points);
    sfgp_mesh mesh;
    sfgp_random random = sfgp_random_of(8);
    for (int i = 0; i < MANY; i++)
        points[D * i] = 0, points[D * i + 1] = side(&random), points[D * i + 2] = side(&random);
    sfgp_scan scan = scan_of_points(*state, MANY, points, &mesh);
    assert_true(scan.points->count > MANY - 100);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_scan_clear(&scan);
    free(points);
}

static sfgp_status enter_and_clear(sfgp_context *context, void *mesh)
{
    const sfgp_frame frame = sfgp_frame_plain(D);
    sfgp_scan scan;
    const sfgp_status status = sfgp_scan_enter_rounded(context, &frame, mesh, &scan);
    sfgp_scan_clear(&scan);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    double twice[D * N], spot[D * N];
    sfgp_mesh *filled = grid(*state, CELLS, stretched);
    put_twice(twice);
    put_spot(spot);
    sfgp_mesh meshes[] = {
        {.count = N, .dimension = D, .points = twice}, {.count = N, .dimension = D, .points = spot}, *filled};
    for (int way = 0; way < 3; way++)
        assert_in_range(sfgp_sweep_allocations(*state, enter_and_clear, &meshes[way]), 1, 60);
    sfgp_mesh_free(filled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(even_scans_keep_all_of_their_points),
        sfgp_unit_test(near_copies_are_used_once),
        sfgp_unit_test(a_dense_spot_is_thinned),
        sfgp_unit_test(the_order_of_the_points_does_not_matter),
        sfgp_unit_test(a_plate_of_very_many_points_is_taken_as_it_is),
        sfgp_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
