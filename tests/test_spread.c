/* Points that lie evenly among many: cells, their middles, and that they neither cluster nor leave gaps; the
 * order in which they are near each other; and the mesh of some points of another. */
#include "support/corrupt.h"
#include "base/random.h"
#include "geom/halves.h"
#include "geom/mesh.h"
#include "geom/spread.h"
#include "geom/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Some points, those that were chosen, and the cells. */
typedef struct sample {
    int count, d, wanted;
    double *x;
    int64_t *index;
    int32_t *cell;
} sample;

/* Evenly random in a box whose sides are 1, 2 and 3. */
static sample sample_new(int count, int d, int wanted, uint64_t seed)
{
    sample s = {count, d, wanted, NULL, NULL, NULL};
    sfgp_random random = sfgp_random_of(seed);
    s.x = calloc((size_t)(count * d), sizeof *s.x);
    s.index = calloc((size_t)wanted, sizeof *s.index);
    s.cell = calloc((size_t)count, sizeof *s.cell);
    for (int k = 0; k < count * d; k++)
        s.x[k] = (1 + k % d) * sfgp_random_uniform(&random);
    return s;
}

static void sample_free(sample *s)
{
    free(s->x), free(s->index), free(s->cell);
}

static void spread(sfgp_context *context, sample *s)
{
    memset(s->index, 0xff, (size_t)s->wanted * sizeof *s->index); /* -1: not yet written */
    memset(s->cell, 0xff, (size_t)s->count * sizeof *s->cell);
    sfgp_assert_ok(context, sfgp_points_spread(context, s->count, s->d, s->x, s->wanted, s->index, s->cell));
}

/* Points of each cell; asserts that it is one of those wanted. */
static int *sizes_of(const sample *s)
{
    int *size = calloc((size_t)s->wanted, sizeof *size);
    for (int i = 0; i < s->count; i++) {
        assert_in_range(s->cell[i], 0, s->wanted - 1);
        size[s->cell[i]]++;
    }
    return size;
}

/* The chosen points are distinct, one in each cell. A part of c points that are to give w cells is cut into
 * [c l / w] for l = [w / 2] of them and the rest for the others: where s <= c / w <= s + 1 with a whole
 * number s, both parts have from s to s + 1 points a cell too. So every cell has count / wanted points,
 * rounded down or up. */
static void assert_even_cells(const sample *s)
{
    const int least = s->count / s->wanted, most = (s->count + s->wanted - 1) / s->wanted;
    int *size = sizes_of(s);
    for (int c = 0; c < s->wanted; c++) {
        assert_in_range(s->index[c], 0, s->count - 1);
        assert_int_equal(s->cell[s->index[c]], c); /* in cells of their own, so distinct */
        assert_in_range(size[c], least, most);
    }
    free(size);
}

/* Where coordinates and their means are exact, so are the distances, and of those that are least the one with
 * the smallest index is chosen. Otherwise a mean is off by its rounding, and nothing but the distance counts:
 * 1e-12 is far above the rounding of coordinates up to 3, and far below what tells random points apart. */
static void assert_middles(const sample *s, bool exact)
{
    int *size = sizes_of(s);
    double *mean = calloc((size_t)(s->wanted * s->d), sizeof *mean);
    for (int k = 0; k < s->count * s->d; k++)
        mean[s->cell[k / s->d] * s->d + k % s->d] += s->x[k];
    for (int k = 0; k < s->wanted * s->d; k++)
        mean[k] /= size[k / s->d];
    for (int i = 0; i < s->count; i++) {
        const int64_t chosen = s->index[s->cell[i]];
        const double *middle = mean + s->cell[i] * s->d,
                     own = sfgp_square_between(s->d, s->x + i * s->d, middle),
                     least = sfgp_square_between(s->d, s->x + chosen * s->d, middle);
        assert_true(exact ? least < own || (least == own && chosen <= i) : least <= own + 1e-12);
    }
    free(mean);
    free(size);
}

static void cells_are_even_and_have_their_middle_chosen(void **state)
{
    const int counts[][2] = {{1, 1},    {2, 1},    {2, 2},     {5, 2},      {7, 3},     {100, 1},  {100, 2},
                             {100, 7},  {100, 50}, {100, 51},  {100, 99},   {101, 33},  {999, 64}, {1000, 64},
                             {1023, 5}, {997, 13}, {997, 996}, {1000, 333}, {1000, 500}};
    for (int d = 2; d <= 3; d++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            sample s = sample_new(counts[k][0], d, counts[k][1], 80 + k);
            spread(*state, &s);
            assert_even_cells(&s);
            assert_middles(&s, false);
            sample_free(&s);
        }
}

/* Every number of cells, so that no split leaves a part with fewer points than cells. */
static void as_many_as_there_are_are_all_of_them(void **state)
{
    for (int count = 1; count <= 70; count++)
        for (int coincident = 0; coincident < 2; coincident++) {
            sample s = sample_new(count, 3, count, 81);
            for (int k = 0; k < 3 * count && coincident; k++)
                s.x[k] = 0.1;
            spread(*state, &s);
            assert_even_cells(&s);
            sample_free(&s);
        }
}

/* A lattice with four points a cell: means are quarters, and most middles are shared by four. Squares of its
 * integers are exact, as are the sums. */
static void of_points_as_near_to_the_middle_the_first_is_chosen(void **state)
{
    for (int d = 2; d <= 3; d++) {
        sample s = sample_new(1024, d, 256, 82);
        for (int k = 0; k < s.count * d; k++)
            s.x[k] = floor(5 * s.x[k]);
        spread(*state, &s);
        assert_even_cells(&s);
        assert_middles(&s, true);
        sample_free(&s);
    }
}

/* 0.3 has no exact mean either: all are as near to it, and the first of the cell is chosen. */
static void coincident_points_are_cut_by_their_index(void **state)
{
    for (int d = 2; d <= 3; d++) {
        sample s = sample_new(300, d, 37, 83);
        for (int k = 0; k < s.count * d; k++)
            s.x[k] = 0.3;
        spread(*state, &s);
        assert_even_cells(&s);
        for (int i = 0; i < s.count; i++) {
            assert_true(i == 0 || s.cell[i] >= s.cell[i - 1]);
            assert_true(s.index[s.cell[i]] <= i);
        }
        sample_free(&s);
    }
}

/* Points 0 .. count - 1 of a line, shuffled: cells are ranges of the line, and the middle of each is chosen.
 */
static void points_on_a_line_are_cut_into_ranges(void **state)
{
    for (int d = 2; d <= 3; d++) {
        sample s = sample_new(700, d, 100, 84);
        int at[100][2] = {{0}};
        for (int i = 0; i < s.count; i++)
            for (int a = 0; a < d; a++)
                s.x[i * d + a] =
                    (a == 1 ? -2 : 1) * (double)(i * 303 % 700); /* 303 and 700: no common factor */
        spread(*state, &s);
        assert_even_cells(&s);
        for (int c = 0; c < s.wanted; c++)
            at[c][0] = at[c][1] = (int)s.x[s.index[c] * d];
        for (int i = 0; i < s.count; i++) {
            int *range = at[s.cell[i]], place = (int)s.x[i * d];
            range[0] = place < range[0] ? place : range[0];
            range[1] = place > range[1] ? place : range[1];
        }
        for (int c = 0; c < s.wanted; c++) { /* seven each: three to either side of the chosen one */
            assert_int_equal(at[c][1] - at[c][0], 6);
            assert_int_equal((int)s.x[s.index[c] * d], at[c][0] + 3);
        }
        sample_free(&s);
    }
}

/* A box eight times as long as wide, whichever its long axis: eight cells are eight pieces of its length. */
static void the_longest_side_is_cut(void **state)
{
    for (int d = 2; d <= 3; d++)
        for (int along = 0; along < d; along++) {
            sample s = sample_new(800, d, 8, 85);
            double low[8], high[8];
            for (int k = 0; k < s.count * d; k++)
                s.x[k] *= (k % d == along ? 8.0 : 1.0) / (1 + k % d);
            spread(*state, &s);
            for (int c = 0; c < 8; c++)
                low[c] = INFINITY, high[c] = -INFINITY;
            for (int i = 0; i < s.count; i++) {
                low[s.cell[i]] = fmin(low[s.cell[i]], s.x[i * d + along]);
                high[s.cell[i]] = fmax(high[s.cell[i]], s.x[i * d + along]);
            }
            for (int c = 0; c < 64; c++)
                assert_true(c / 8 == c % 8 || low[c / 8] > high[c % 8] || high[c / 8] < low[c % 8]);
            sample_free(&s);
        }
}

/* Smallest distance between chosen points. */
static double closest_pair(const sample *s, const int64_t *index)
{
    double least = INFINITY;
    for (int a = 0; a < s->wanted; a++)
        for (int b = 0; b < a; b++)
            least = fmin(least, sfgp_square_between(s->d, s->x + index[a] * s->d, s->x + index[b] * s->d));
    return sqrt(least);
}

/* Largest distance of a point from the chosen one next to it. */
static double widest_gap(const sample *s, const int64_t *index)
{
    double most = 0;
    for (int i = 0; i < s->count; i++) {
        double least = INFINITY;
        for (int c = 0; c < s->wanted; c++)
            least = fmin(least, sfgp_square_between(s->d, s->x + i * s->d, s->x + index[c] * s->d));
        most = fmax(most, least);
    }
    return sqrt(most);
}

/* Of n random points on an area (in a volume) of n units, the chance that all keep r from each other is
 * exp(-n pi r^2 / 2), or exp(-n 2 pi r^3 / 3): of 250, half keep no more than 0.042, or 0.11. Middles of
 * cells keep about half a cell's width. Measured over these seeds: 0.44 and 0.05, 0.45 and 0.15; gaps of 0.91
 * and 1.7, 1.02 and 1.6. */
static void chosen_points_neither_cluster_nor_leave_gaps(void **state)
{
    for (int d = 2; d <= 3; d++) {
        const double width = pow((d == 2 ? 2 : 6) / 250.0, 1.0 / d); /* of a cell as wide as long */
        double apart = 0, apart_random = 0, gap = 0, gap_random = 0;
        for (uint64_t seed = 0; seed < 8; seed++) {
            sample s = sample_new(8000, d, 250, 86 + seed);
            int64_t some[250];
            spread(*state, &s);
            assert_int_equal(sfgp_random_some(seed, s.count, s.wanted, some), s.wanted);
            assert_true(closest_pair(&s, s.index) > 0.25 * width && widest_gap(&s, s.index) < 1.25 * width);
            apart += closest_pair(&s, s.index), apart_random += closest_pair(&s, some);
            gap += widest_gap(&s, s.index), gap_random += widest_gap(&s, some);
            sample_free(&s);
        }
        assert_true(apart > (d == 2 ? 4 : 2) * apart_random);
        assert_true(gap < 0.75 * gap_random);
    }
}

/* Points in general position: ties, which their indices settle, have probability 0. */
static void the_order_of_the_points_does_not_matter(void **state)
{
    for (int d = 2; d <= 3; d++) {
        sample s = sample_new(1000, d, 97, 87), t = sample_new(1000, d, 97, 87);
        unsigned char chosen[1000] = {0};
        for (int i = 0; i < s.count; i++) /* 387 and 1000: no common factor */
            memcpy(t.x + i * 387 % 1000 * d, s.x + i * d, (size_t)d * sizeof(double));
        spread(*state, &s);
        spread(*state, &t);
        for (int c = 0; c < s.wanted; c++)
            chosen[s.index[c] * 387 % 1000] = 1;
        for (int c = 0; c < s.wanted; c++)
            assert_true(chosen[t.index[c]]);
        sample_free(&s);
        sample_free(&t);
    }
}

static void cells_need_not_be_asked_for(void **state)
{
    sample s = sample_new(500, 3, 41, 88);
    int64_t index[41];
    spread(*state, &s);
    sfgp_assert_ok(*state, sfgp_points_spread(*state, s.count, s.d, s.x, s.wanted, index, NULL));
    assert_memory_equal(index, s.index, sizeof index);
    sample_free(&s);
}

/* Enough points for several threads to take their own ranges. */
static void threads_do_not_change_a_bit(void **state)
{
    sample s = sample_new(30000, 3, 2500, 90);
    int64_t *index = calloc(2500, sizeof *index);
    int32_t *cell = calloc(30000, sizeof *cell);
    spread(*state, &s);
    for (int threads = 1; threads <= 3; threads += 2) {
        sfgp_test_threads(threads);
        sfgp_assert_ok(*state, sfgp_points_spread(*state, s.count, s.d, s.x, s.wanted, index, cell));
        assert_memory_equal(index, s.index, 2500 * sizeof *index);
        assert_memory_equal(cell, s.cell, 30000 * sizeof *cell);
    }
    free(index), free(cell);
    sample_free(&s);
}

/* ---- the order ---------------------------------------------------------------------------------------- */

/* Which point comes where; asserts that each does once. free() it. */
static int32_t *order_of(sfgp_context *context, const sample *s, int block, int threads)
{
    int32_t *order = malloc((size_t)s->count * sizeof *order);
    unsigned char *seen = calloc((size_t)s->count, 1);
    sfgp_test_threads(threads);
    memset(order, 0xff, (size_t)s->count * sizeof *order);
    sfgp_assert_ok(context, sfgp_points_order(context, s->count, s->d, s->x, block, order));
    for (int k = 0; k < s->count; k++) {
        assert_in_range(order[k], 0, s->count - 1);
        assert_int_equal(seen[order[k]]++, 0);
    }
    free(seen);
    return order;
}

/* Of places first .. end - 1, along an axis. */
static void range_of(const sample *s, const int32_t *order, int first, int end, int axis, double range[2])
{
    range[0] = INFINITY, range[1] = -INFINITY;
    for (int k = first; k < end; k++) {
        range[0] = fmin(range[0], s->x[order[k] * s->d + axis]);
        range[1] = fmax(range[1], s->x[order[k] * s->d + axis]);
    }
}

/* The left of them are the largest power of two of blocks that leaves something, and lie below the others
 * along the longest side; so it goes on in both. */
static void assert_halved(const sample *s, int block, const int32_t *order, int first, int end)
{
    double range[2], left[2], right[2], longest = -1;
    int half = block, axis = 0;
    if (end - first <= block)
        return;
    while (2 * half < end - first)
        half *= 2;
    for (int a = 0; a < s->d; a++) {
        range_of(s, order, first, end, a, range);
        if (range[1] - range[0] > longest)
            longest = range[1] - range[0], axis = a;
    }
    range_of(s, order, first, first + half, axis, left);
    range_of(s, order, first + half, end, axis, right);
    assert_true(left[1] <= right[0]);
    assert_halved(s, block, order, first, first + half);
    assert_halved(s, block, order, first + half, end);
}

static void an_order_halves_the_points_at_powers_of_two_of_blocks(void **state)
{
    const int counts[] = {1, 2, 5, 15, 16, 17, 31, 32, 33, 48, 49, 100, 255, 256, 257, 1000, 9001},
              blocks[] = {16, 1, 7};
    for (int d = 2; d <= 3; d++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
            for (int b = 0; b < 3; b++) {
                sample s = sample_new(counts[k], d, 1, 120 + k);
                int32_t *order = order_of(*state, &s, blocks[b], 1);
                assert_halved(&s, blocks[b], order, 0, s.count);
                free(order);
                sample_free(&s);
            }
}

/* Below a block there is nothing to halve, but all are there. Coincident points are cut by their index. */
static void coincident_points_share_a_block_with_their_neighbours_in_the_index(void **state)
{
    const int counts[] = {5, 16, 100, 1000};
    for (int k = 0; k < 4; k++) {
        sample s = sample_new(counts[k], 3, 1, 121);
        for (int i = 0; i < 3 * s.count; i++)
            s.x[i] = 0.3;
        int32_t *order = order_of(*state, &s, 16, 2);
        for (int place = 0; place < s.count; place++)
            assert_int_equal(order[place] / 16, place / 16);
        free(order);
        sample_free(&s);
    }
}

/* Mean diagonal of the boxes of every sixteen, in the plane; the largest of them. */
static double mean_diagonal(const sample *s, const int32_t *order, double *most)
{
    double sum = 0, range[2][2];
    *most = 0;
    for (int first = 0; first < s->count; first += 16) {
        for (int a = 0; a < 2; a++)
            range_of(s, order, first, first + 16, a, range[a]);
        const double own = hypot(range[0][1] - range[0][0], range[1][1] - range[1][0]);
        sum += own;
        *most = fmax(*most, own);
    }
    return sum * 16 / s->count;
}

/* One point in each square of 64 x 64. A column is halved from the next one at their common side, wherever
 * the points are within, and a side of 2 k squares is longer than one of k for k >= 2: 2 k - 2 >= k. So
 * blocks are 4 x 4 squares. Sixteen random points span 15 / 17 of each side: the diagonal is 80 on average.
 */
static void blocks_of_an_order_are_compact(void **state)
{
    sample s = sample_new(4096, 2, 1, 122);
    double most;
    int32_t shuffled[4096];
    for (int i = 0; i < 4096; i++) {
        const int square = i * 1365 % 4096; /* odd: each once */
        s.x[2 * i] = square % 64 + s.x[2 * i];
        s.x[2 * i + 1] = floor(square / 64.0) + 0.5 * s.x[2 * i + 1];
        shuffled[i] = (int32_t)(i * 2531 % 4096);
    }
    int32_t *order = order_of(*state, &s, 16, 2);
    assert_true(mean_diagonal(&s, order, &most) > 3 && most <= 4 * sqrt(2));
    assert_true(mean_diagonal(&s, shuffled, &most) > 40);
    free(order);
    sample_free(&s);
}

/* Enough points for several threads to take their own halves. */
static void threads_do_not_change_the_order(void **state)
{
    for (int d = 2; d <= 3; d++) {
        sample s = sample_new(30001, d, 1, 123);
        int32_t *one = order_of(*state, &s, 16, 1);
        for (int threads = 2; threads <= 3; threads++) {
            int32_t *several = order_of(*state, &s, 16, threads);
            assert_memory_equal(one, several, (size_t)s.count * sizeof *one);
            free(several);
        }
        free(one);
        sample_free(&s);
    }
}

/* ---- the items of a range ------------------------------------------------------------------------------ */

enum { ITEMS = 700 };

/* Along the second axis, whose places are few. */
static int compare_items(const void *a, const void *b)
{
    const sfgp_item *p = a, *q = b;
    return p->x[1] < q->x[1] ? -1 : p->x[1] > q->x[1] ? 1 : (p->index > q->index) - (p->index < q->index);
}

static void items_new(int count, int places, uint64_t seed, sfgp_item *items)
{
    sfgp_random random = sfgp_random_of(seed);
    for (int k = 0; k < count; k++)
        items[k] = (sfgp_item){{0, floor(places * sfgp_random_uniform(&random)), 0}, count - k};
}

/* Hoare's scan of all of them about the median of the first, the middle and the last item, again and again. */
static void partition_plainly(int count, int rank, sfgp_item *items)
{
    int first = 0, last = count - 1;
    while (first < last) {
        sfgp_item of[] = {items[first], items[(first + last) / 2], items[last]};
        int i = first, j = last;
        qsort(of, 3, sizeof *of, compare_items);
        while (i <= j) {
            while (compare_items(items + i, of + 1) < 0)
                i++;
            while (compare_items(of + 1, items + j) < 0)
                j--;
            if (i <= j) {
                const sfgp_item other = items[i];
                items[i++] = items[j], items[j--] = other;
            }
        }
        first = rank <= j ? first : rank >= i ? i : count;
        last = rank <= j ? j : last;
    }
}

/* Whether items are compared by blocks or one by one, each is where it is after Hoare's scan: a fit has the same bits. */
static void blocks_of_items_move_as_single_items_do(void **state)
{
    static sfgp_item items[ITEMS], plain[ITEMS];
    (void)state;
    for (int count = 1; count < ITEMS; count += count < 300 ? 1 : 37)
        for (int k = 0; k < 4; k++) {
            const int rank = k * count / 4;
            items_new(count, k % 2 ? 3 : 1000000, (uint64_t)(count + k), items);
            memcpy(plain, items, (size_t)count * sizeof *plain);
            partition_plainly(count, rank, plain);
            sfgp_halves_partition(count, rank, items);
            assert_memory_equal(items, plain, (size_t)count * sizeof *plain);
        }
}

/* ---- failures and meshes ------------------------------------------------------------------------------ */

static sfgp_status order_once(sfgp_context *context, void *user)
{
    const sample *s = user;
    return sfgp_points_order(context, s->count, s->d, s->x, 16, s->cell);
}

static sfgp_status spread_once(sfgp_context *context, void *user)
{
    const sample *s = user;
    return sfgp_points_spread(context, s->count, s->d, s->x, s->wanted, s->index, s->cell);
}

static sfgp_status select_once(sfgp_context *context, void *user)
{
    const int64_t index[] = {3, 0};
    sfgp_mesh *part = NULL;
    const sfgp_status status = sfgp_mesh_select(context, user, 2, index, &part);
    assert_int_equal(part != NULL, status == SFGP_OK);
    sfgp_mesh_free(part);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    sample s = sample_new(50, 2, 7, 89);
    sfgp_mesh *mesh = sfgp_sample_mesh(*state, 3);
    assert_true(sfgp_sweep_allocations(*state, spread_once, &s) >= 1);
    assert_true(sfgp_sweep_allocations(*state, order_once, &s) >= 1);
    assert_true(sfgp_sweep_allocations(*state, select_once, mesh) >= 2);
    sfgp_mesh_free(mesh);
    sample_free(&s);
}

/* In the order of the indices, which may come twice; the faces stay behind. */
static void selected_points_are_a_mesh_without_faces(void **state)
{
    const int64_t index[] = {2, 0, 3, 2};
    for (int d = 2; d <= 3; d++) {
        sfgp_mesh *mesh = sfgp_sample_mesh(*state, d), *part = NULL;
        sfgp_assert_ok(*state, sfgp_mesh_select(*state, mesh, 4, index, &part));
        assert_true(part->count == 4 && part->dimension == d && part->face_count == 0);
        for (int k = 0; k < 4; k++)
            assert_memory_equal(part->points + k * d, mesh->points + index[k] * d,
                                (size_t)d * sizeof(double));
        sfgp_mesh_free(part);
        sfgp_assert_ok(*state, sfgp_mesh_select(*state, mesh, 0, index, &part));
        assert_int_equal(part->count, 0);
        sfgp_mesh_free(part);
        sfgp_mesh_free(mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(cells_are_even_and_have_their_middle_chosen),
        sfgp_unit_test(as_many_as_there_are_are_all_of_them),
        sfgp_unit_test(of_points_as_near_to_the_middle_the_first_is_chosen),
        sfgp_unit_test(coincident_points_are_cut_by_their_index),
        sfgp_unit_test(points_on_a_line_are_cut_into_ranges),
        sfgp_unit_test(the_longest_side_is_cut),
        sfgp_unit_test(chosen_points_neither_cluster_nor_leave_gaps),
        sfgp_unit_test(the_order_of_the_points_does_not_matter),
        sfgp_unit_test(cells_need_not_be_asked_for),
        sfgp_unit_test(threads_do_not_change_a_bit),
        sfgp_unit_test(an_order_halves_the_points_at_powers_of_two_of_blocks),
        sfgp_unit_test(coincident_points_share_a_block_with_their_neighbours_in_the_index),
        sfgp_unit_test(blocks_of_an_order_are_compact),
        sfgp_unit_test(threads_do_not_change_the_order),
        sfgp_unit_test(blocks_of_items_move_as_single_items_do),
        sfgp_unit_test(every_failing_allocation_is_reported),
        sfgp_unit_test(selected_points_are_a_mesh_without_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
