/* Both back ends of the kd-tree against a loop over all points: same sets, same bits. */
#include "support/corrupt.h"
#include "base/parallel.h"
#include "base/random.h"
#include "geom/kdtree.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define LARGEST 5000
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MANY 200000
#else
#define MANY 1000000
#endif

typedef struct cloud {
    int64_t count;
    int dimension;
    double x[3 * LARGEST];
} cloud;

typedef double coordinate_function(sfgp_random *random, int64_t point, int axis);

static double anywhere(sfgp_random *random, int64_t point, int axis)
{
    (void)point, (void)axis;
    return sfgp_random_uniform(random);
}

static double on_a_grid(sfgp_random *random, int64_t point, int axis)
{
    (void)point, (void)axis;
    return (double)sfgp_random_below(random, 8);
}

static double at_one_place(sfgp_random *random, int64_t point, int axis)
{
    (void)random, (void)point;
    return 0.1 * (axis + 1);
}

static double on_a_line(sfgp_random *random, int64_t point, int axis)
{
    (void)random;
    return (double)(point * 7919 % 1000) * (axis + 1) / 3;
}

static double in_order(sfgp_random *random, int64_t point, int axis)
{
    (void)random;
    return axis == 0 ? (double)point : 0;
}

static double in_two_clusters(sfgp_random *random, int64_t point, int axis)
{
    (void)axis;
    return (point % 2 ? 1000 : 0) + 1e-3 * sfgp_random_normal(random);
}

static double far_from_the_origin(sfgp_random *random, int64_t point, int axis)
{
    (void)point;
    return (axis == 1 ? -1e9 : 1e9) + sfgp_random_uniform(random);
}

static double tiny(sfgp_random *random, int64_t point, int axis)
{
    (void)point, (void)axis;
    return 1e-12 * sfgp_random_normal(random);
}

static double underflowing(sfgp_random *random, int64_t point, int axis)
{
    (void)point, (void)axis;
    return 1e-162 * sfgp_random_normal(random); /* squares are denormal or 0 */
}

static double overflowing(sfgp_random *random, int64_t point, int axis)
{
    (void)point, (void)axis;
    return 1e154 * sfgp_random_normal(random); /* squares are near DBL_MAX or infinite */
}

static void fill(cloud *points, int64_t count, int dimension, coordinate_function *coordinate, uint64_t seed)
{
    sfgp_random random = sfgp_random_of(seed);
    points->count = count;
    points->dimension = dimension;
    for (int64_t i = 0; i < count; i++)
        for (int a = 0; a < dimension; a++)
            points->x[i * dimension + a] = coordinate(&random, i, a);
}

static double distance2_to(const cloud *points, int64_t i, const double *centre)
{
    double sum = 0;
    for (int a = 0; a < points->dimension; a++) {
        double difference = points->x[i * points->dimension + a] - centre[a];
        sum += difference * difference;
    }
    return sum;
}

/* within writes exactly count() elements: the points of the loop, each once, with its bits. */
static void check_within(const sfgp_kdtree *tree, const cloud *points, const double *centre, double radius2)
{
    static int32_t index[LARGEST + 1];
    static double distance2[LARGEST + 1];
    static bool seen[LARGEST];
    int64_t expected = 0;
    for (int64_t i = 0; i < points->count; i++)
        expected += distance2_to(points, i, centre) <= radius2;
    assert_int_equal(sfgp_kdtree_count(tree, centre, radius2), expected);
    index[expected] = -7;
    distance2[expected] = -7;
    assert_int_equal(sfgp_kdtree_within(tree, centre, radius2, index, distance2), expected);
    assert_true(index[expected] == -7 && distance2[expected] == -7);
    memset(seen, 0, sizeof seen);
    for (int64_t k = 0; k < expected; k++) {
        assert_true(index[k] >= 0 && index[k] < points->count && !seen[index[k]]);
        seen[index[k]] = true;
        double direct = distance2_to(points, index[k], centre);
        assert_true(direct <= radius2);
        assert_memory_equal(&direct, &distance2[k], sizeof direct);
    }
}

/* From a point that is known: one that is far, one that ties, or the nearest one. */
static void check_nearer(const sfgp_kdtree *tree, const cloud *points, const double *centre, int64_t known,
                         int64_t best)
{
    double distance2 = -1;
    assert_int_equal(
        sfgp_kdtree_nearer(tree, centre, known, points->x + points->dimension * known, &distance2), best);
    assert_true(distance2 == distance2_to(points, best, centre));
}

static void check_nearest(const sfgp_kdtree *tree, const cloud *points, const double *centre)
{
    int64_t best = 0;
    double distance2 = -1;
    for (int64_t i = 1; i < points->count; i++)
        best = distance2_to(points, i, centre) < distance2_to(points, best, centre) ? i : best;
    assert_int_equal(sfgp_kdtree_nearest(tree, centre, &distance2), best);
    assert_true(distance2 == distance2_to(points, best, centre));
    check_nearer(tree, points, centre, best, best);
    assert_int_equal(sfgp_kdtree_follow(tree, points->x, points->dimension, -1, centre, &distance2), best);
    assert_int_equal(
        sfgp_kdtree_follow(tree, points->x, points->dimension, points->count - 1, centre, &distance2), best);
    for (int64_t known = 0; known < points->count; known += 1 + points->count / 16)
        check_nearer(tree, points, centre, known, best);
}

/* Radii: none, tiny, exactly the distance of a point and the double below, everything. */
static void check_centre(const sfgp_kdtree *tree, const cloud *points, const double *centre, int64_t some)
{
    double boundary = distance2_to(points, some, centre), all = 0;
    for (int64_t i = 0; i < points->count; i++)
        all = fmax(all, distance2_to(points, i, centre));
    const double radii2[] = {0,
                             -0.0,
                             -1,
                             -INFINITY,
                             NAN,
                             DBL_TRUE_MIN,
                             DBL_MIN,
                             1e-300,
                             boundary,
                             all,
                             DBL_MAX,
                             INFINITY,
                             nextafter(boundary, 0),
                             all / 4,
                             boundary / 16,
                             1};
    for (size_t k = 0; k < sizeof radii2 / sizeof *radii2; k++)
        check_within(tree, points, centre, radii2[k]);
    check_nearest(tree, points, centre);
}

/* Centres: points of the cloud, half-way between two of them (ties on grids), outside. */
static void check_cloud(sfgp_context *context, const cloud *points)
{
    sfgp_kdtree *tree = NULL;
    sfgp_random random = sfgp_random_of(7);
    sfgp_assert_ok(context, sfgp_kdtree_new(context, points->count, points->dimension, points->x, &tree));
    for (int trial = 0; trial < 6; trial++) {
        int64_t i = sfgp_random_below(&random, points->count), j = sfgp_random_below(&random, points->count);
        const double *p = points->x + i * points->dimension, *q = points->x + j * points->dimension;
        double centre[3] = {0};
        for (int a = 0; a < points->dimension; a++)
            centre[a] = trial < 2 ? p[a] : trial < 5 ? p[a] / 2 + q[a] / 2 : 3 * p[a] - 2 * q[a] + 0.25;
        check_centre(tree, points, centre, sfgp_random_below(&random, points->count));
    }
    sfgp_kdtree_free(tree);
}

static void queries_are_those_of_a_loop(void **state)
{
    static cloud points;
    coordinate_function *const kinds[] = {anywhere,     on_a_grid,       at_one_place,        on_a_line,
                                          in_order,     in_two_clusters, far_from_the_origin, tiny,
                                          underflowing, overflowing};
    /* around the sizes where a leaf is full and a level is added, for leaves of 8 to 64 points */
    const int64_t counts[] = {1, 2, 3, 15, 16, 17, 63, 64, 65, 127, 128, 129, 200, 511, 512, 513, 1025, 5000};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t size = 0; size < sizeof counts / sizeof *counts; size++)
            for (int dimension = 2; dimension <= 3; dimension++) {
                fill(&points, counts[size], dimension, kinds[kind], 10 * kind + size);
                check_cloud(*state, &points);
            }
}

static void no_points_are_no_neighbours(void **state)
{
    const double centre[3] = {0, 0, 0};
    sfgp_kdtree *tree = NULL;
    sfgp_assert_ok(*state, sfgp_kdtree_new(*state, 0, 3, centre, &tree));
    assert_int_equal(sfgp_kdtree_count(tree, centre, INFINITY), 0);
    assert_int_equal(sfgp_kdtree_within(tree, centre, INFINITY, NULL, NULL), 0);
    sfgp_kdtree_free(tree);
    sfgp_kdtree_free(NULL);
}

static void nearest_takes_the_smallest_index_of_a_tie(void **state)
{
    static cloud points;
    double centre[3] = {3.5, 3.5, 3.5}, distance2 = 0;
    sfgp_kdtree *tree = NULL;
    fill(&points, LARGEST, 3, on_a_grid, 1); /* about ten points on each of 512 places, 8 places tie */
    sfgp_assert_ok(*state, sfgp_kdtree_new(*state, LARGEST, 3, points.x, &tree));
    check_nearest(tree, &points, centre);
    sfgp_kdtree_nearest(tree, centre, &distance2);
    assert_true(distance2 == 0.75 && sfgp_kdtree_count(tree, centre, distance2) > 16);
    sfgp_kdtree_free(tree);
}

static void two_trees_answer_in_the_same_order(void **state)
{
    static cloud points;
    static int32_t index[2][LARGEST];
    static double distance2[2][LARGEST];
    sfgp_kdtree *trees[2] = {NULL, NULL};
    int64_t found[2];
    fill(&points, LARGEST, 3, on_a_grid, 2);
    for (int k = 0; k < 2; k++) {
        sfgp_assert_ok(*state, sfgp_kdtree_new(*state, LARGEST, 3, points.x, &trees[k]));
        found[k] = sfgp_kdtree_within(trees[k], points.x, 9, index[k], distance2[k]);
    }
    assert_true(found[0] > 100 && found[0] == found[1]);
    assert_memory_equal(index[0], index[1], (size_t)found[0] * sizeof **index);
    assert_memory_equal(distance2[0], distance2[1], (size_t)found[0] * sizeof **distance2);
    sfgp_kdtree_free(trees[0]);
    sfgp_kdtree_free(trees[1]);
}

/* 20 000 points, which are enough for the ranges to be halved side by side. */
static void threads_build_the_same_tree(void **state)
{
    enum { COUNT = 20000 };
    double *points = malloc(sizeof(double) * 3 * COUNT), *distance2 = malloc(sizeof(double) * COUNT);
    int32_t *index[2] = {malloc(sizeof(int32_t) * COUNT), malloc(sizeof(int32_t) * COUNT)};
    assert_true(points && distance2 && index[0] && index[1]);
    sfgp_random random = sfgp_random_of(3);
    for (int k = 0; k < 3 * COUNT; k++)
        points[k] = (double)sfgp_random_below(&random, 100); /* with ties */
    for (int k = 0; k < 2; k++) {
        sfgp_kdtree *tree = NULL;
        const int before = sfgp_parallel_begin(k ? 3 : 1);
        sfgp_assert_ok(*state, sfgp_kdtree_new(*state, COUNT, 3, points, &tree));
        sfgp_parallel_end(before);
        assert_int_equal(sfgp_kdtree_within(tree, points, INFINITY, index[k], distance2), COUNT);
        sfgp_kdtree_free(tree);
    }
    assert_memory_equal(index[0], index[1], sizeof(int32_t) * COUNT);
    free(points);
    free(distance2);
    free(index[0]);
    free(index[1]);
}

/* All points come in the order of the leaves, and of a long box each leaf lies beside the one before: a jump along x is less than two of its
 * 128 parts. */
static void large_trees_are_halved(void **state)
{
    enum { COUNT = 20000 };
    static double points[3 * COUNT], distance2[COUNT];
    static int32_t index[COUNT];
    sfgp_kdtree *tree = NULL;
    int jumps = 0;
    if (strcmp(sfgp_kdtree_backend(), "builtin") != 0)
        skip(); /* it has its own order */
    sfgp_random random = sfgp_random_of(4);
    for (int k = 0; k < 3 * COUNT; k++)
        points[k] = (k % 3 == 0 ? 100 : 1) * sfgp_random_uniform(&random);
    sfgp_assert_ok(*state, sfgp_kdtree_new(*state, COUNT, 3, points, &tree));
    assert_int_equal(sfgp_kdtree_within(tree, points, INFINITY, index, distance2), COUNT);
    for (int k = 1; k < COUNT; k++)
        jumps += fabs(points[3 * index[k]] - points[3 * index[k - 1]]) > 2;
    assert_int_equal(jumps, 0);
    sfgp_kdtree_free(tree);
}

/* A smaller ball finds some of what a larger one does, in the same order: one block, so no stack is used. */
static void smaller_balls_keep_the_order(void **state)
{
    static cloud points;
    static int32_t all[LARGEST], some[LARGEST];
    static double distance2[LARGEST];
    sfgp_kdtree *tree = NULL;
    fill(&points, 500, 3, anywhere, 5);
    sfgp_assert_ok(*state, sfgp_kdtree_new(*state, 500, 3, points.x, &tree));
    for (int64_t i = 0; i < 500; i += 10) {
        const double *centre = points.x + 3 * i, radius2 = 1e-3 * (double)(i + 10);
        assert_int_equal(sfgp_kdtree_within(tree, centre, INFINITY, all, distance2), 500);
        const int64_t found = sfgp_kdtree_within(tree, centre, radius2, some, distance2);
        int64_t next = 0;
        for (int64_t k = 0; k < 500; k++)
            next += next < found && all[k] == some[next];
        assert_int_equal(next, found);
    }
    sfgp_kdtree_free(tree);
}

static void queries_allocate_nothing(void **state)
{
    static cloud points;
    static int32_t index[LARGEST];
    static double distance2[LARGEST];
    sfgp_kdtree *tree = NULL;
    fill(&points, LARGEST, 3, anywhere, 3);
    sfgp_assert_ok(*state, sfgp_kdtree_new(*state, LARGEST, 3, points.x, &tree));
    const long before = sfgp_memory_counters.allocations;
    for (int64_t i = 0; i < 100; i++) {
        sfgp_kdtree_count(tree, points.x + 3 * i, 0.1);
        sfgp_kdtree_within(tree, points.x + 3 * i, 0.1, index, distance2);
        sfgp_kdtree_nearest(tree, points.x + 3 * i, distance2);
    }
    assert_int_equal(sfgp_memory_counters.allocations, before);
    sfgp_kdtree_free(tree);
}

static sfgp_status make_and_free(sfgp_context *context, void *points)
{
    sfgp_kdtree *tree = NULL;
    const cloud *of = points;
    const sfgp_status status = sfgp_kdtree_new(context, of->count, 3, of->x, &tree);
    assert_true((status == SFGP_OK) == (tree != NULL));
    sfgp_kdtree_free(tree);
    return status;
}

static void every_failed_allocation_is_reported(void **state)
{
    static cloud points;
    fill(&points, 200, 3, anywhere, 4);
    assert_in_range(sfgp_sweep_allocations(*state, make_and_free, &points), 2, 20);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}
#endif

/* malloc and operator new of the process fail too, at whatever step the limit is met. */
static void a_full_process_is_reported(void **state)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)state;
    print_message("skipped: the sanitizer needs more address space than any limit\n");
    skip();
#else
    if (getenv("SFGP_EMULATED")) {
        print_message("skipped: qemu does not limit the address space\n");
        skip();
    }
    int failures = 0;
    double *points = calloc(3 * (size_t)MANY, sizeof *points);
    assert_non_null(points);
    for (int mebibytes = 4; mebibytes <= 256; mebibytes += 12) {
        sfgp_kdtree *tree = NULL;
        struct rlimit old, limit;
        assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
        limit = old;
        limit.rlim_cur = address_space() + ((rlim_t)mebibytes << 20);
        assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
        sfgp_status status = sfgp_kdtree_new(*state, MANY, 3, points, &tree);
        assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
        assert_true(status == (tree ? SFGP_OK : SFGP_ERROR_MEMORY));
        failures += status != SFGP_OK;
        sfgp_kdtree_free(tree);
    }
    assert_in_range(failures, 3, 21);
    free(points);
#endif
}

static void too_many_points_are_refused(void **state)
{
    const double point[3] = {0, 0, 0};
    const int64_t counts[] = {INT32_MAX, (int64_t)1 << 40, INT64_MAX};
    for (int k = 0; k < 3; k++) {
        sfgp_kdtree *tree = (sfgp_kdtree *)(uintptr_t)1;
        sfgp_assert_status(*state, sfgp_kdtree_new(*state, counts[k], 3, point, &tree), SFGP_ERROR_MEMORY);
        assert_null(tree);
        sfgp_assert_has(sfgp_context_error(*state), "too large");
    }
}

/* What a thread with a small stack finds among MANY points. */
typedef struct deep {
    sfgp_context *context;
    double *points;
    bool ok;
} deep;

static void *build_and_query(void *argument)
{
    deep *work = argument;
    sfgp_kdtree *tree = NULL;
    double distance2 = -1;
    if (sfgp_kdtree_new(work->context, MANY, 3, work->points, &tree) != SFGP_OK)
        return NULL;
    const double *last = work->points + 3 * (MANY - 1);
    const bool identical = last[0] == work->points[0];
    work->ok = sfgp_kdtree_count(tree, last, INFINITY) == MANY &&
               sfgp_kdtree_count(tree, last, 4) == (identical ? MANY : 3) &&
               sfgp_kdtree_nearest(tree, last, &distance2) == (identical ? 0 : MANY - 1) && distance2 == 0;
    sfgp_kdtree_free(tree);
    return NULL;
}

static void a_small_stack_is_enough(void **state)
{
    deep work = {*state, malloc(sizeof(double) * 3 * MANY), false};
    coordinate_function *const kinds[] = {at_one_place, in_order};
    pthread_attr_t attributes;
    pthread_t thread;
    assert_non_null(work.points);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, 256 * 1024), 0);
    for (int kind = 0; kind < 2; kind++) {
        for (int64_t i = 0; i < 3 * (int64_t)MANY; i++)
            work.points[i] = kinds[kind](NULL, i / 3, (int)(i % 3));
        work.ok = false;
        assert_int_equal(pthread_create(&thread, &attributes, build_and_query, &work), 0);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(work.ok);
    }
    pthread_attr_destroy(&attributes);
    free(work.points);
}

static void the_back_end_has_a_name(void **state)
{
    (void)state;
    const char *name = sfgp_kdtree_backend();
    assert_true(strcmp(name, "builtin") == 0 || strcmp(name, "libkdtree++") == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(queries_are_those_of_a_loop),
        sfgp_unit_test(no_points_are_no_neighbours),
        sfgp_unit_test(nearest_takes_the_smallest_index_of_a_tie),
        sfgp_unit_test(two_trees_answer_in_the_same_order),
        sfgp_unit_test(threads_build_the_same_tree),
        sfgp_unit_test(large_trees_are_halved),
        sfgp_unit_test(smaller_balls_keep_the_order),
        sfgp_unit_test(queries_allocate_nothing),
        sfgp_unit_test(every_failed_allocation_is_reported),
        sfgp_unit_test(a_full_process_is_reported),
        sfgp_unit_test(too_many_points_are_refused),
        sfgp_unit_test(a_small_stack_is_enough),
        sfgp_unit_test(the_back_end_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
