/* Regions against brute force: every point its own cell up to `dense` points, and cells above. */
#include "support/corrupt.h"
#include "support/shapes.h"
#include "geom/regions.h"
#include "geom/vector.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MANY = 6500, DENSE = 6000, CELLS = 3000, SIZE = 12 };

static const sfgp_region_size REGION = {.dense = DENSE, .cells = CELLS, .neighbours = SIZE};

/* Mean of x over the `size` points nearest to point i, the smaller index first among equally near ones. */
static double mean_of_nearest(int count, int d, const double *points, int size, const double *x, int i)
{
    int nearest[SIZE], found = 0;
    double at[SIZE], sum = 0;
    for (int j = 0; j < count; j++) {
        const double own = sfgp_square_between(d, points + i * d, points + j * d);
        int place = found;
        while (place > 0 && at[place - 1] > own)
            place--;
        if (place == size)
            continue;
        found += found < size;
        memmove(at + place + 1, at + place, (size_t)(found - place - 1) * sizeof *at);
        memmove(nearest + place + 1, nearest + place, (size_t)(found - place - 1) * sizeof *nearest);
        at[place] = own, nearest[place] = j;
    }
    for (int k = 0; k < found; k++)
        sum += x[nearest[k]];
    return sum / found;
}

static double *waves(int count)
{
    double *x = calloc((size_t)count, sizeof *x);
    for (int i = 0; i < count; i++)
        x[i] = 1 + sin(0.37 * i * i);
    return x;
}

/* Sums of up to SIZE values of at most 2, in another order, and a division: SIZE roundings of 2 each. */
static void up_to_many_points_the_mean_is_over_the_nearest(void **state)
{
    const int sizes[] = {SIZE, 5, 1};
    for (int d = 2; d <= 3; d++) {
        test_shapes *shapes = test_shapes_new(300, d, 0, 12);
        double *x = waves(300), smooth[300];
        sfgp_regions regions;
        sfgp_assert_ok(*state, sfgp_regions_new(*state, 300, d, shapes->reference, &REGION, &regions));
        assert_true(regions.count == 300 && regions.neighbours.size == SIZE);
        for (int k = 0; k < 3; k++) {
            sfgp_regions_smooth(&regions, sizes[k], x, smooth);
            for (int i = 0; i < 300; i++)
                assert_true(fabs(smooth[i] - mean_of_nearest(300, d, shapes->reference, sizes[k], x, i)) <=
                            2 * SIZE * DBL_EPSILON);
        }
        sfgp_regions_clear(&regions);
        test_shapes_free(shapes);
        free(x);
    }
}

static void fewer_points_than_a_neighbourhood_are_all_of_it(void **state)
{
    const double points[] = {0, 0, 1, 0, 0, 3}, x[] = {1, 2, 6};
    double smooth[3];
    sfgp_regions regions;
    sfgp_assert_ok(*state, sfgp_regions_new(*state, 3, 2, points, &REGION, &regions));
    assert_int_equal(regions.neighbours.size, 3);
    sfgp_regions_smooth(&regions, regions.neighbours.size, x, smooth);
    for (int i = 0; i < 3; i++)
        assert_true(smooth[i] == 3);
    sfgp_regions_clear(&regions);
}

/* A sheet, or a curve, of `count` points, and its regions. */
typedef struct setting {
    int d;
    test_shapes *shapes;
    sfgp_regions regions;
} setting;

static setting setting_new(sfgp_context *context, int count, int d)
{
    setting s = {.d = d, .shapes = test_shapes_new(count, d, 0, 13)};
    sfgp_assert_ok(context, sfgp_regions_new(context, count, d, s.shapes->reference, &REGION, &s.regions));
    return s;
}

static void setting_free(setting *s)
{
    sfgp_regions_clear(&s->regions);
    test_shapes_free(s->shapes);
}

static void one_point_more_makes_cells(void **state)
{
    for (int more = 0; more < 2; more++) {
        setting s = setting_new(*state, DENSE + more, 2);
        assert_int_equal(s.regions.points, DENSE + more);
        assert_int_equal(s.regions.count, more ? CELLS : DENSE);
        assert_int_equal(s.regions.cell != NULL, more);
        setting_free(&s);
    }
}

/* Taken from the neighbourhoods, or searched for where they are too small or of cells. */
static void the_nearest_points_are_those_of_a_search(void **state)
{
    const int counts[] = {300, MANY}, sizes[] = {5, SIZE, SIZE + 8};
    for (int c = 0; c < 2; c++) {
        setting s = setting_new(*state, counts[c], 3);
        for (int k = 0; k < 3; k++) {
            const size_t bytes = (size_t)counts[c] * (size_t)sizes[k] * sizeof(int32_t);
            sfgp_neighbours nearest, found;
            sfgp_assert_ok(
                *state, sfgp_regions_nearest(*state, &s.regions, 3, s.shapes->reference, sizes[k], &nearest));
            sfgp_assert_ok(*state,
                           sfgp_neighbours_new(*state, counts[c], 3, s.shapes->reference, sizes[k], &found));
            assert_true(nearest.count == found.count && nearest.size == found.size);
            assert_memory_equal(nearest.index, found.index, bytes);
            sfgp_neighbours_clear(&nearest);
            sfgp_neighbours_clear(&found);
        }
        setting_free(&s);
    }
}

/* Every point is in one cell, whose centre is one of its points; sizes differ by at most one. */
static void cells_part_the_points_evenly(void **state)
{
    for (int d = 2; d <= 3; d++) {
        setting s = setting_new(*state, MANY, d);
        int *size = calloc(CELLS, sizeof *size);
        for (int i = 0; i < MANY; i++) {
            assert_in_range(s.regions.cell[i], 0, CELLS - 1);
            size[s.regions.cell[i]]++;
        }
        for (int c = 0; c < CELLS; c++) {
            assert_in_range(s.regions.centre[c], 0, MANY - 1);
            assert_int_equal(s.regions.cell[s.regions.centre[c]], c);
            assert_true(s.regions.size[c] == size[c]);
            assert_in_range(size[c], MANY / CELLS, MANY / CELLS + 1);
        }
        free(size);
        setting_free(&s);
    }
}

/* Means over the cells, and the places of their centres. */
static void gather(const setting *s, const double *x, double *mean, double *centres)
{
    double *size = calloc(CELLS, sizeof *size);
    memset(mean, 0, CELLS * sizeof *mean);
    for (int i = 0; i < MANY; i++) {
        mean[s->regions.cell[i]] += x[i];
        size[s->regions.cell[i]]++;
    }
    for (int c = 0; c < CELLS; c++) {
        mean[c] /= size[c];
        memcpy(centres + c * s->d, s->shapes->reference + s->regions.centre[c] * s->d,
               (size_t)s->d * sizeof *centres);
    }
    free(size);
}

/* Means of up to three values of at most 2, then as above: SIZE + 4 roundings. The second call finds the
 * first one's means in the way. */
static void many_points_have_the_mean_of_the_nearest_cells(void **state)
{
    double *x = waves(MANY), *smooth = calloc(MANY, sizeof *smooth), *mean = calloc(CELLS, sizeof *mean),
           *centres = calloc(3 * CELLS, sizeof *centres);
    for (int d = 2; d <= 3; d++) {
        setting s = setting_new(*state, MANY, d);
        gather(&s, x, mean, centres);
        for (int size = SIZE; size >= 5; size -= 7) {
            sfgp_regions_smooth(&s.regions, size, x, smooth);
            for (int c = 0; c < CELLS; c++)
                assert_true(
                    fabs(smooth[s.regions.centre[c]] - mean_of_nearest(CELLS, d, centres, size, mean, c)) <=
                    2 * (SIZE + 4) * DBL_EPSILON);
            for (int i = 0; i < MANY; i++)
                assert_true(smooth[i] == smooth[s.regions.centre[s.regions.cell[i]]]);
        }
        setting_free(&s);
    }
    free(x), free(smooth), free(mean), free(centres);
}

/* Sums of up to 12 small integers are exact, and so are their means. The mean of k values c is rounded k
 * times, by no more than half an epsilon of c each: with 3 in a cell and 12 cells, by 7.5. */
static void a_constant_stays(void **state)
{
    const int counts[] = {300, MANY};
    const double constants[] = {0, 1, 3, 0.1};
    for (int k = 0; k < 8; k++) {
        const int count = counts[k / 4];
        const double constant = constants[k % 4], slack = k % 4 == 3 ? 7.5 * DBL_EPSILON * constant : 0;
        setting s = setting_new(*state, count, 3);
        double *x = calloc((size_t)count, sizeof *x), *smooth = calloc((size_t)count, sizeof *smooth);
        for (int i = 0; i < count; i++)
            x[i] = constant;
        sfgp_regions_smooth(&s.regions, SIZE, x, smooth);
        for (int i = 0; i < count; i++)
            assert_true(fabs(smooth[i] - constant) <= slack);
        free(x), free(smooth);
        setting_free(&s);
    }
}

/* As a fit that fails halfway does: cleared after an error too, and once more. */
static sfgp_status make_and_clear(sfgp_context *context, void *user)
{
    const test_shapes *shapes = user;
    sfgp_regions regions;
    const sfgp_status status =
        sfgp_regions_new(context, shapes->n, shapes->d, shapes->reference, &REGION, &regions);
    sfgp_regions_clear(&regions);
    assert_true(!regions.cell && !regions.centre && !regions.size && !regions.mean);
    sfgp_regions_clear(&regions);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    const int counts[] = {100, MANY}, least[] = {5, 11}; /* neighbours; cells and their centres as well */
    for (int k = 0; k < 2; k++) {
        test_shapes *shapes = test_shapes_new(counts[k], 3, 0, 13);
        assert_true(sfgp_sweep_allocations(*state, make_and_clear, shapes) >= least[k]);
        test_shapes_free(shapes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(up_to_many_points_the_mean_is_over_the_nearest),
        sfgp_unit_test(fewer_points_than_a_neighbourhood_are_all_of_it),
        sfgp_unit_test(one_point_more_makes_cells),
        sfgp_unit_test(the_nearest_points_are_those_of_a_search),
        sfgp_unit_test(cells_part_the_points_evenly),
        sfgp_unit_test(many_points_have_the_mean_of_the_nearest_cells),
        sfgp_unit_test(a_constant_stays),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
