/* The part of a fit that is squeezed onto a surface of another shape (outcome/squeezed.h, ADR 0124), of a flat sheet whose points are placed by hand. */
#include "fit/solver.h"
#include "outcome/squeezed.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { LONG = 60, WIDE = 20, POINTS = LONG * WIDE };

/* Columns before `left` and behind `right` are squeezed along the sheet; the scan lies where the fit does, but is inclined there. wavy: behind `right` rows
 * are squeezed, too, and half of the points of every other three columns are lifted. */
typedef struct ends {
    int left, right;
    double factor; /* on their distances */
    double left_slope, right_slope;
    bool half; /* all lengths of both shapes are half of those of the reference */
    bool wavy;
} ends;

#define LIFT 1.87 /* spacings */
#define ROWS 0.4  /* factor on the distances of rows */

static ends left_and_right(int left, int right, double factor, double left_slope, double right_slope)
{
    return (ends){left, right, factor, left_slope, right_slope, false, false};
}

static ends right_end(int right, double factor, double slope)
{
    return left_and_right(0, right, factor, 0, slope);
}

static double column_of(const ends *e, int column)
{
    if (column < e->left)
        return e->left - e->factor * (e->left - column);
    return column > e->right ? e->right + e->factor * (column - e->right) : column;
}

/* Of an inclined end: 0 in its middle. */
static double height_of_scan(const ends *e, int column)
{
    const double middle = column < e->left    ? (column_of(e, 0) + e->left) / 2
                          : column > e->right ? (column_of(e, LONG - 1) + e->right) / 2
                                              : 0;
    const double slope = column < e->left ? e->left_slope : column > e->right ? e->right_slope : 0;
    return slope * (column_of(e, column) - middle);
}

/* Where a place of the sheet is in the frame, which may be turned; lengths are spacings. */
static void place(const double *mean, double column, double row, double height, double x[3])
{
    double along[3], across[3], up[3], size = 0;
    for (int a = 0; a < 3; a++) {
        along[a] = mean[3 * WIDE + a] - mean[a];
        across[a] = mean[3 + a] - mean[a];
        size += along[a] * along[a];
    }
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        up[a] = (along[b] * across[c] - along[c] * across[b]) / sqrt(size);
    }
    for (int a = 0; a < 3; a++)
        x[a] = mean[a] + column * along[a] + row * across[a] + height * up[a];
}

static void place_fit(const ends *e, const double *mean, int i, double x[3])
{
    const int column = i / WIDE, row = i % WIDE;
    const bool waves = e->wavy && column > e->right, high = waves && column / 3 % 2 && (column + row) % 2;
    const double middle = 0.5 * (WIDE - 1), factor = waves ? ROWS : 1;
    place(mean, column_of(e, column), middle + factor * (row - middle), high ? LIFT : 0, x);
}

static sfgp_solver *solver_new(sfgp_context *context, sfgp_model **model)
{
    static double points[3 * POINTS];
    sfgp_settings settings = test_settings();
    settings.planes = 0;
    for (int i = 0; i < POINTS; i++)
        points[3 * i] = i / WIDE, points[3 * i + 1] = i % WIDE;
    sfgp_mesh *sheet = test_mesh(context, POINTS, 3, points);
    sfgp_assert_ok(context, sfgp_model_new(context, sheet, NULL, 0, &settings, model));
    sfgp_solver *solver = test_solver(context, *model, &settings);
    sfgp_assert_ok(context, sfgp_solver_load(solver, sheet));
    assert_int_equal(solver->scan.points->count, POINTS);
    sfgp_mesh_free(sheet);
    return solver;
}

/* Whether a part is found; part[k]: how many of the points of column k are in it. */
static bool find(sfgp_solver *solver, ends e, int part[LONG])
{
    double *fit = solver->em->state.points, *scan = solver->scan.points->points;
    const double *mean = solver->problem.basis->mean;
    sfgp_squeezed s;
    memset(part, 0, LONG * sizeof *part);
    for (int i = 0; i < POINTS; i++) {
        place_fit(&e, mean, i, fit + 3 * i);
        place(mean, column_of(&e, i / WIDE), i % WIDE, height_of_scan(&e, i / WIDE), scan + 3 * i);
    }
    for (int k = 0; e.half && k < 3 * POINTS; k++)
        fit[k] /= 2, scan[k] /= 2;
    sfgp_assert_ok(solver->context, sfgp_squeezed_find(solver->em, &s));
    assert_int_equal(s.count, POINTS);
    for (int i = 0; s.found && i < POINTS; i++)
        part[i / WIDE] += s.part[i];
    const bool found = s.found;
    sfgp_squeezed_clear(&s);
    return found;
}

/* All of the columns from `first` to `last`, and at most three next to them. */
static void assert_part(const int part[LONG], int first, int last)
{
    for (int k = 0; k < LONG; k++) {
        if (k >= first && k <= last)
            assert_int_equal(part[k], WIDE);
        if (k < first - 3 || k > last + 3)
            assert_int_equal(part[k], 0);
    }
}

/* A factor of f on the distances along the sheet is one of (1 + f^2) / 2 on the squared ones of neighbours: 0.68 and 0.82, where 0.75 is the limit. */
static void a_part_is_squeezed_by_a_quarter(void **state)
{
    sfgp_model *model;
    sfgp_solver *solver = solver_new(*state, &model);
    int part[LONG];
    assert_false(find(solver, right_end(LONG, 1, 0), part));
    assert_true(find(solver, right_end(45, 0.6, 0.8), part));
    assert_part(part, 46, LONG - 1);
    assert_false(find(solver, right_end(45, 0.8, 0.8), part));
    assert_true(find(solver, (ends){.right = 45, .factor = 0.6, .right_slope = 0.8, .half = true}, part));
    assert_part(part, 46, LONG - 1);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

/* Along the sheet 0.2 and across it 0.4 are 0.1. Where every other point is lifted, the 4 next neighbours of each are 1.87 lower or higher: 1.3. With what
 * is between, 0.5 and 1.4, the geometric mean is 0.6 and the arithmetic one 0.9. */
static void sizes_are_compared_by_their_geometric_mean(void **state)
{
    ends wavy = right_end(45, 0.2, 0.8);
    wavy.wavy = true;
    sfgp_model *model;
    sfgp_solver *solver = solver_new(*state, &model);
    int part[LONG];
    assert_true(find(solver, wavy, part));
    assert_part(part, 48, LONG - 1);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

/* Of 60 columns 37 are squeezed, and the others are stretched beside them. */
static void what_most_of_the_shape_has_is_its_size(void **state)
{
    sfgp_model *model;
    sfgp_solver *solver = solver_new(*state, &model);
    int part[LONG];
    assert_false(find(solver, left_and_right(19, 41, 0.6, 0.8, 0.8), part));
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

/* Of 60 columns 4 are less than 8 %, and 8 are more. */
static void a_small_part_is_none(void **state)
{
    sfgp_model *model;
    sfgp_solver *solver = solver_new(*state, &model);
    int part[LONG];
    assert_false(find(solver, right_end(55, 0.5, 0.8), part));
    assert_true(find(solver, right_end(51, 0.5, 0.8), part));
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

/* The scan is inclined by 11 and by 39 degrees, of which the cosines are 0.98 and 0.78. */
static void a_part_with_the_normals_of_the_scan_is_none(void **state)
{
    sfgp_model *model;
    sfgp_solver *solver = solver_new(*state, &model);
    int part[LONG];
    assert_false(find(solver, right_end(45, 0.6, 0), part));
    assert_false(find(solver, right_end(45, 0.6, 0.2), part));
    assert_true(find(solver, right_end(45, 0.6, 0.8), part));
    assert_true(find(solver, right_end(45, 0.6, -0.8), part));
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

/* Both ends are squeezed. The smaller one is not asked for its normals, and no part of what is found. */
static void the_largest_part_is_taken(void **state)
{
    sfgp_model *model;
    sfgp_solver *solver = solver_new(*state, &model);
    int part[LONG];
    assert_false(find(solver, left_and_right(9, 45, 0.6, 0.8, 0), part));
    assert_true(find(solver, left_and_right(9, 45, 0.6, 0.8, 0.8), part));
    assert_part(part, 46, LONG - 1);
    assert_true(find(solver, left_and_right(14, 50, 0.6, 0.8, 0.8), part));
    assert_part(part, 0, 13);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_part_is_squeezed_by_a_quarter),
        sfgp_unit_test(sizes_are_compared_by_their_geometric_mean),
        sfgp_unit_test(what_most_of_the_shape_has_is_its_size),
        sfgp_unit_test(a_small_part_is_none),
        sfgp_unit_test(a_part_with_the_normals_of_the_scan_is_none),
        sfgp_unit_test(the_largest_part_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
