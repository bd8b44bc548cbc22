/* Blocks of points: their boxes, and walks over those that are near, against brute force. Coordinates and
 * reaches are integers, so that distances are exact and some equal the reach. */
#include "support/corrupt.h"
#include "base/random.h"
#include "geom/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int COUNTS[] = {1, 2, 3, 15, 16, 17, 32, 33, 100, 256, 257, 1000, 1025, 4096, 4097};
enum { TRIALS = sizeof COUNTS / sizeof *COUNTS };

/* Points, how far they reach, and their blocks. */
typedef struct cloud {
    int count, d;
    double *x, *reach2;
    sfgp_random random;
    sfgp_blocks blocks;
} cloud;

static double integer(sfgp_random *random, int below)
{
    return (double)sfgp_random_below(random, below);
}

/* Other places, in a box of 20, 40 and 60. Most reach nowhere, not even each other, few reach far. */
static void scatter(cloud *c)
{
    for (int k = 0; k < c->count * c->d; k++)
        c->x[k] = integer(&c->random, 20 * (1 + k % c->d));
    for (int i = 0; i < c->count; i++)
        c->reach2[i] =
            sfgp_random_below(&c->random, 40) == 0 ? integer(&c->random, 1500) : integer(&c->random, 10) - 9;
}

static cloud cloud_new(sfgp_context *context, int count, int d, uint64_t seed)
{
    cloud c = {.count = count, .d = d};
    c.random = sfgp_random_of(seed);
    c.x = calloc((size_t)(count * d), sizeof *c.x);
    c.reach2 = calloc((size_t)count, sizeof *c.reach2);
    scatter(&c);
    sfgp_assert_ok(context, sfgp_blocks_new(context, count, d, &c.blocks));
    return c;
}

static cloud cloud_sorted(sfgp_context *context, int count, int d, uint64_t seed)
{
    cloud c = cloud_new(context, count, d, seed);
    sfgp_assert_ok(context, sfgp_blocks_sort(context, c.x, &c.blocks));
    return c;
}

static void cloud_free(cloud *c)
{
    free(c->x), free(c->reach2);
    sfgp_blocks_clear(&c->blocks);
}

/* The box of the points that the order gives to a block. */
static sfgp_box box_of(const cloud *c, const double *reach2, int64_t block)
{
    sfgp_box box = {{0}, {0}, -INFINITY};
    for (int a = 0; a < c->d; a++)
        box.low[a] = INFINITY, box.high[a] = -INFINITY;
    for (int64_t place = block * SFGP_BLOCK; place < (block + 1) * SFGP_BLOCK; place++) {
        const int32_t i = c->blocks.order[place];
        if (i < 0)
            continue;
        box.reach2 = fmax(box.reach2, reach2 ? reach2[i] : 0);
        for (int a = 0; a < c->d; a++) {
            box.low[a] = fmin(box.low[a], c->x[i * c->d + a]);
            box.high[a] = fmax(box.high[a], c->x[i * c->d + a]);
        }
    }
    return box;
}

static void assert_boxes(const cloud *c, const double *reach2)
{
    for (int64_t block = 0; block < c->blocks.blocks; block++) {
        const sfgp_box box = box_of(c, reach2, block), found = sfgp_blocks_box(&c->blocks, block);
        for (int a = 0; a < 3; a++) {
            assert_true(found.low[a] == box.low[a]);
            assert_true(found.high[a] == box.high[a]);
        }
        assert_true(found.reach2 == box.reach2);
    }
}

/* Every point has a place, and what is behind the last is far from all. */
static void assert_places(const cloud *c)
{
    unsigned char *seen = calloc((size_t)c->count, 1);
    assert_int_equal(c->blocks.blocks, (c->count + SFGP_BLOCK - 1) / SFGP_BLOCK);
    for (int64_t place = 0; place < c->blocks.blocks * SFGP_BLOCK; place++) {
        const int32_t i = c->blocks.order[place];
        assert_int_equal(i < 0, place >= c->count);
        if (i >= 0)
            assert_int_equal(seen[i]++, 0);
        for (int a = 0; a < 3; a++)
            assert_true(i < 0 ? c->blocks.x[a][place] > 1e12
                              : c->blocks.x[a][place] == (a < c->d ? c->x[i * c->d + a] : 0));
    }
    free(seen);
}

static void boxes_hold_their_points_and_follow_them(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < TRIALS; k++) {
            cloud c = cloud_sorted(*state, COUNTS[k], d, 200 + (uint64_t)k);
            for (int move = 0; move < 4; move++) {
                const double *reach2 = move % 2 ? NULL : c.reach2;
                sfgp_blocks_move(c.x, reach2, &c.blocks);
                assert_places(&c);
                assert_boxes(&c, reach2);
                scatter(&c);
            }
            cloud_free(&c);
        }
}

/* Without sorting; they need not lie around 0 either. */
static void points_are_blocks_as_they_follow_each_other(void **state)
{
    cloud c = cloud_new(*state, 100, 3, 210);
    for (int k = 0; k < 300; k++)
        c.x[k] += k % 2 ? 1e6 : -1e6;
    sfgp_blocks_move(c.x, NULL, &c.blocks);
    for (int i = 0; i < 100; i++)
        assert_int_equal(c.blocks.order[i], i);
    assert_places(&c);
    assert_boxes(&c, NULL);
    cloud_free(&c);
}

/* 1024 points in a square of 32 x 32, each once: sorted, they are blocks of 4 x 4 (test_spread.c). */
static void sorted_blocks_are_compact(void **state)
{
    cloud c = cloud_new(*state, 1024, 2, 211);
    for (int i = 0; i < 1024; i++) {
        c.x[2 * i] = i * 405 % 1024 % 32; /* odd: each once */
        c.x[2 * i + 1] = floor(i * 405 % 1024 / 32.0);
    }
    sfgp_assert_ok(*state, sfgp_blocks_sort(*state, c.x, &c.blocks));
    sfgp_blocks_move(c.x, NULL, &c.blocks);
    for (int64_t block = 0; block < c.blocks.blocks; block++) {
        const sfgp_box box = sfgp_blocks_box(&c.blocks, block);
        for (int a = 0; a < 2; a++)
            assert_true(box.high[a] - box.low[a] == 3);
    }
    cloud_free(&c);
}

/* ---- walks -------------------------------------------------------------------------------------------- */

static double distance2(const sfgp_box *a, const sfgp_box *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += pow(fmax(fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]), 0), 2);
    return sum;
}

/* Walks; asserts that it comes by every block that is in reach once, and by no other. Returns how many, and
 * adds those that are just in reach. */
static int assert_walk(const cloud *c, const double *reach2, const sfgp_box *box, int *just)
{
    int *visits = calloc((size_t)c->blocks.blocks, sizeof *visits), met = 0;
    sfgp_walk walk;
    int64_t block;
    sfgp_walk_begin(&c->blocks, box, &walk);
    while ((block = sfgp_walk_next(&walk)) >= 0) {
        assert_in_range(block, 0, c->blocks.blocks - 1);
        visits[block]++;
    }
    assert_int_equal(sfgp_walk_next(&walk), -1);
    for (block = 0; block < c->blocks.blocks; block++) {
        const sfgp_box own = box_of(c, reach2, block);
        const double apart = distance2(&own, box), most = fmax(own.reach2, box->reach2);
        assert_int_equal(visits[block], apart <= most);
        met += visits[block];
        *just += apart == most && apart > 0;
    }
    free(visits);
    return met;
}

/* In and around the points: the box of a point up to that of a third of all. It touches what it meets, does
 * not even reach that, or reaches just one of the blocks, and those that are nearer. */
static sfgp_box random_box(cloud *c, const double *reach2, int kind)
{
    sfgp_box box = {{0}, {0}, -integer(&c->random, 50) * kind};
    for (int a = 0; a < c->d; a++) {
        box.low[a] = integer(&c->random, 40 * (1 + a)) - 10 * (1 + a);
        box.high[a] = box.low[a] + integer(&c->random, 7 * (1 + a));
    }
    if (kind == 2) {
        const sfgp_box other = box_of(c, reach2, sfgp_random_below(&c->random, c->blocks.blocks));
        box.reach2 = distance2(&other, &box);
    }
    return box;
}

/* Boxes and blocks with and without a reach; some look into a distance where others do not. */
static void a_walk_comes_once_by_the_blocks_in_reach_and_by_no_other(void **state)
{
    int just = 0, some = 0, none = 0;
    for (int d = 2; d <= 3; d++)
        for (int k = 0; k < TRIALS; k++) {
            cloud c = cloud_sorted(*state, COUNTS[k], d, 220 + (uint64_t)k);
            for (int trial = 0; trial < 60; trial++) {
                const double *reach2 = trial % 4 == 0 ? NULL : c.reach2;
                sfgp_blocks_move(c.x, reach2, &c.blocks);
                const sfgp_box box = random_box(&c, reach2, trial % 3);
                const int met = assert_walk(&c, reach2, &box, &just);
                some += met > 0 && met < c.blocks.blocks;
                none += met == 0;
                scatter(&c); /* the blocks are now worse, the walks no less right */
                if (trial % 2 == 0)
                    sfgp_assert_ok(*state, sfgp_blocks_sort(*state, c.x, &c.blocks));
            }
            cloud_free(&c);
        }
    assert_true(just > 300 && some > 300 && none > 300);
}

/* The reach of one point brings its block to a box that is far from all, and no other block. */
static void one_point_that_reaches_far_is_not_lost(void **state)
{
    const sfgp_box box = {{1000, 1000, 1000}, {1000, 1000, 1000}, -1};
    for (int d = 2; d <= 3; d++) {
        cloud c = cloud_sorted(*state, 1000, d, 231);
        int just = 0;
        for (int i = 0; i < 1000; i++)
            c.reach2[i] = -1;
        for (int i = 0; i < 1000; i += 13) {
            c.reach2[i] = 1e7; /* about three times as far */
            sfgp_blocks_move(c.x, c.reach2, &c.blocks);
            assert_int_equal(assert_walk(&c, c.reach2, &box, &just), 1);
            c.reach2[i] = -1;
        }
        cloud_free(&c);
    }
}

static void boundless_reach_is_all_blocks_and_a_negative_one_none(void **state)
{
    cloud c = cloud_sorted(*state, 1000, 3, 232);
    const sfgp_box far = {{1e6, 0, 0}, {1e6, 0, 0}, INFINITY}, all = {{0}, {20, 40, 60}, -1};
    int just = 0;
    sfgp_blocks_move(c.x, NULL, &c.blocks);
    assert_int_equal(assert_walk(&c, NULL, &far, &just), 63);
    assert_int_equal(assert_walk(&c, NULL, &all, &just), 63);
    for (int i = 0; i < 1000; i++)
        c.reach2[i] = -1;
    sfgp_blocks_move(c.x, c.reach2, &c.blocks);
    assert_int_equal(assert_walk(&c, c.reach2, &all, &just), 0);
    cloud_free(&c);
}

/* ---- threads and failures ----------------------------------------------------------------------------- */

static void threads_do_not_change_a_bit(void **state)
{
    cloud one = cloud_new(*state, 9001, 3, 240);
    sfgp_test_threads(1);
    sfgp_assert_ok(*state, sfgp_blocks_sort(*state, one.x, &one.blocks));
    sfgp_blocks_move(one.x, one.reach2, &one.blocks);
    const size_t blocks = (size_t)one.blocks.blocks, places = blocks * SFGP_BLOCK;
    for (int threads = 2; threads <= 3; threads++) {
        cloud c = cloud_new(*state, 9001, 3, 240);
        sfgp_test_threads(threads);
        sfgp_assert_ok(*state, sfgp_blocks_sort(*state, c.x, &c.blocks));
        sfgp_blocks_move(c.x, c.reach2, &c.blocks);
        assert_memory_equal(c.blocks.order, one.blocks.order, places * sizeof *c.blocks.order);
        for (int level = 0; level < one.blocks.levels; level++)
            assert_memory_equal(c.blocks.node[level], one.blocks.node[level],
                                (size_t)(one.blocks.boxes[level] + 15) / 16 * sizeof(sfgp_boxes));
        for (int a = 0; a < 3; a++)
            assert_memory_equal(c.blocks.x[a], one.blocks.x[a], places * sizeof(double));
        cloud_free(&c);
    }
    cloud_free(&one);
}

static sfgp_status make_once(sfgp_context *context, void *user)
{
    const cloud *c = user;
    sfgp_blocks blocks;
    sfgp_status status = sfgp_blocks_new(context, c->count, c->d, &blocks);
    if (status == SFGP_OK)
        status = sfgp_blocks_sort(context, c->x, &blocks);
    sfgp_blocks_clear(&blocks);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    cloud c = cloud_new(*state, 300, 3, 241); /* a tree of two levels */
    assert_true(sfgp_sweep_allocations(*state, make_once, &c) >= 7);
    cloud_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(boxes_hold_their_points_and_follow_them),
        sfgp_unit_test(points_are_blocks_as_they_follow_each_other),
        sfgp_unit_test(sorted_blocks_are_compact),
        sfgp_unit_test(a_walk_comes_once_by_the_blocks_in_reach_and_by_no_other),
        sfgp_unit_test(one_point_that_reaches_far_is_not_lost),
        sfgp_unit_test(boundless_reach_is_all_blocks_and_a_negative_one_none),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
