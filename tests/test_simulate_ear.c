#include "support/shapes.h"
#include "support/corrupt.h"
#include "simulate/ear_family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 8

static sfgp_mesh *make(sfgp_context *context, int64_t rings, uint64_t seed)
{
    sfgp_mesh *ear;
    sfgp_assert_ok(context, sfgp_simulate_ear(context, rings, seed, &ear));
    return ear;
}

static double distance(const double *a, const double *b)
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

static void a_seed_gives_the_same_ear(void **state)
{
    sfgp_mesh *a = make(*state, 12, 3), *b = make(*state, 12, 3), *c = make(*state, 12, 4);
    assert_int_equal(a->count, 1 + 2 * 12 * 13);
    assert_int_equal(a->face_count, 4 * 12 * 12);
    assert_memory_equal(a->points, b->points, 3 * (size_t)a->count * sizeof *a->points);
    assert_true(test_mean_distance(a->count, 3, a->points, c->points) > 0.5);
    sfgp_mesh_free(a), sfgp_mesh_free(b), sfgp_mesh_free(c);
}

static void all_seeds_have_the_same_triangles(void **state)
{
    sfgp_mesh *mean = make(*state, 10, 0);
    for (uint64_t seed = 1; seed < SEEDS; seed++) {
        sfgp_mesh *ear = make(*state, 10, seed);
        assert_int_equal(ear->count, mean->count);
        assert_int_equal(ear->face_count, mean->face_count);
        assert_memory_equal(ear->face_points, mean->face_points,
                            3 * (size_t)mean->face_count * sizeof(int64_t));
        sfgp_mesh_free(ear);
    }
    sfgp_mesh_free(mean);
}

/* Every edge within is used once each way, every edge of the outline once: a surface with one side up. */
static void triangles_are_one_oriented_sheet(void **state)
{
    enum { RINGS = 7 };
    sfgp_mesh *ear = make(*state, RINGS, 0);
    unsigned char *used = calloc((size_t)(ear->count * ear->count), 1);
    int64_t outline = 0;
    assert_non_null(used);
    for (int64_t f = 0; f < ear->face_count; f++) {
        assert_int_equal(ear->face_start[f + 1] - ear->face_start[f], 3);
        for (int k = 0; k < 3; k++) {
            int64_t from = ear->face_points[3 * f + k], to = ear->face_points[3 * f + (k + 1) % 3];
            assert_true(from >= 0 && from < ear->count && from != to);
            assert_int_equal(used[from * ear->count + to]++, 0);
        }
    }
    for (int64_t a = 0; a < ear->count; a++)
        for (int64_t b = 0; b < ear->count; b++)
            outline += used[a * ear->count + b] && !used[b * ear->count + a];
    assert_int_equal(outline, 4 * RINGS);
    free(used);
    sfgp_mesh_free(ear);
}

/* z of twice the area of a triangle, and the area. */
static double measure_triangle(const sfgp_mesh *ear, int64_t face, double *area)
{
    const int64_t *corner = ear->face_points + 3 * face;
    const double *a = ear->points + 3 * corner[0], *b = ear->points + 3 * corner[1],
                 *c = ear->points + 3 * corner[2];
    double u[3], v[3];
    for (int k = 0; k < 3; k++)
        u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    *area = hypot(hypot(x, y), z) / 2;
    return z;
}

static void no_triangle_is_flat_and_most_face_outwards(void **state)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        sfgp_mesh *ear = make(*state, 38, seed);
        int64_t outwards = 0;
        for (int64_t f = 0; f < ear->face_count; f++) {
            double area;
            outwards += measure_triangle(ear, f, &area) > 0;
            assert_true(area > 0.005); /* mm^2; a triangle of the mean spacing has 0.6 */
        }
        assert_true(outwards >
                    0.85 * (double)ear->face_count); /* the others are behind the rim or overhang */
        sfgp_mesh_free(ear);
    }
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void points_are_evenly_spaced(void **state)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        sfgp_mesh *ear = make(*state, 38, seed);
        int64_t count = 3 * ear->face_count;
        double *edges = malloc((size_t)count * sizeof *edges);
        assert_non_null(edges);
        for (int64_t k = 0; k < count; k++) {
            int64_t next = k % 3 == 2 ? k - 2 : k + 1;
            edges[k] =
                distance(ear->points + 3 * ear->face_points[k], ear->points + 3 * ear->face_points[next]);
        }
        qsort(edges, (size_t)count, sizeof *edges, compare);
        assert_true(edges[count * 95 / 100] < 3 * edges[count * 5 / 100]);
        assert_true(edges[count / 2] > 1 && edges[count / 2] < 1.6);
        assert_true(edges[count - 1] < 3.5);
        free(edges);
        sfgp_mesh_free(ear);
    }
}

static double extent(const sfgp_mesh *mesh, int axis)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < mesh->count; k++) {
        low = fmin(low, mesh->points[3 * k + axis]);
        high = fmax(high, mesh->points[3 * k + axis]);
    }
    return high - low;
}

static void ears_have_the_size_of_ears(void **state)
{
    for (uint64_t seed = 0; seed < 4 * SEEDS; seed++) {
        sfgp_mesh *ear = make(*state, 12, seed);
        double width = extent(ear, 0), height = extent(ear, 1), depth = extent(ear, 2);
        assert_true(height > 52 && height < 76);
        assert_true(width > 26 && width < 48);
        assert_true(depth > 14 && depth < 36);
        sfgp_mesh_free(ear);
    }
}

static void two_ears_differ_by_some_millimetres(void **state)
{
    sfgp_mesh *ears[SEEDS];
    double sum = 0;
    int pairs = 0;
    for (int k = 0; k < SEEDS; k++)
        ears[k] = make(*state, 12, 100 + (uint64_t)k);
    for (int a = 0; a < SEEDS; a++)
        for (int b = 0; b < a; b++, pairs++) {
            double difference = test_mean_distance(ears[a]->count, 3, ears[a]->points, ears[b]->points);
            assert_true(difference > 1 && difference < 8);
            sum += difference;
        }
    assert_true(sum / pairs > 2 && sum / pairs < 6);
    for (int k = 0; k < SEEDS; k++)
        sfgp_mesh_free(ears[k]);
}

/* The landmarks of an ear: the bowl is deep, the rim stands above what it encloses. */
static void the_mean_ear_has_a_bowl_and_a_rim(void **state)
{
    sfgp_mesh *ear = make(*state, 38, 0);
    double floor_z = INFINITY, rim_z = -INFINITY, scapha_z = INFINITY;
    for (int64_t k = 0; k < ear->count; k++) {
        const double *p = ear->points + 3 * k;
        if (hypot(p[0], p[1] + 5) < 6)
            floor_z = fmin(floor_z, p[2]);
        if (p[0] > 13 && fabs(p[1] - 10) < 2)
            rim_z = fmax(rim_z, p[2]);
        if (fabs(p[0] - 13) < 1.5 && fabs(p[1] - 10) < 2)
            scapha_z = fmin(scapha_z, p[2]);
    }
    assert_true(rim_z - floor_z > 12);
    assert_true(rim_z - scapha_z > 3);
    sfgp_mesh_free(ear);
}

/* data/README.md repeats the table of the family. */
static void the_document_has_the_parameters_of_the_code(void **state)
{
    const struct {
        const char *name;
        double mean, deviation;
    } rows[] = {
#define ROW(name, mean, deviation, meaning) {#name, mean, deviation},
        SFGP_EAR_PARAMETERS(ROW)
#undef ROW
            {"waves", 0, SFGP_EAR_WAVE_MM}};
    char *text = sfgp_test_read(SFGP_SOURCE_DIR "/data/README.md", NULL), expected[64];
    (void)state;
    assert_non_null(text);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        double deviation = 0;
        snprintf(expected, sizeof expected, "\n| %s | %g", rows[k].name, rows[k].mean);
        const char *row = strstr(text, expected);
        assert_non_null(row);
        row = strchr(row + strlen(expected), '|');
        assert_true(row && sscanf(row, "| %lf", &deviation) == 1 && deviation == rows[k].deviation);
    }
    free(text);
}

static void bad_resolutions_are_named(void **state)
{
    const int64_t bad[] = {INT64_MIN, -1, 0, 3, 4097, INT64_MAX};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        sfgp_mesh *ear = (sfgp_mesh *)state;
        sfgp_assert_error(*state, sfgp_simulate_ear(*state, bad[k], 0, &ear), SFGP_ERROR_PARAMETER,
                          "resolution");
        assert_null(ear);
    }
    assert_int_equal(sfgp_simulate_ear(*state, 12, 0, NULL), SFGP_ERROR_PARAMETER);
}

static sfgp_status simulate(sfgp_context *context, void *user)
{
    sfgp_mesh *ear;
    const sfgp_status status = sfgp_simulate_ear(context, 4, 1, &ear);
    (void)user;
    assert_true((status == SFGP_OK) == (ear != NULL));
    sfgp_mesh_free(ear);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    const int needed = sfgp_sweep_allocations(*state, simulate, NULL);
    assert_true(needed > 7); /* mesh, surface, places, chart, table, relaxation */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_seed_gives_the_same_ear),
        sfgp_unit_test(all_seeds_have_the_same_triangles),
        sfgp_unit_test(triangles_are_one_oriented_sheet),
        sfgp_unit_test(no_triangle_is_flat_and_most_face_outwards),
        sfgp_unit_test(points_are_evenly_spaced),
        sfgp_unit_test(ears_have_the_size_of_ears),
        sfgp_unit_test(two_ears_differ_by_some_millimetres),
        sfgp_unit_test(the_mean_ear_has_a_bowl_and_a_rim),
        sfgp_unit_test(the_document_has_the_parameters_of_the_code),
        sfgp_unit_test(bad_resolutions_are_named),
        sfgp_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
