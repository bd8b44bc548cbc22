/* Fuzzy layers: how rough points are (geom/roughness.h), and which are left out of a scan (fit/fuzzy.h, ADR 0122). */
#include "base/random.h"
#include "fit/follow_ups.h"
#include "fit/one_search.h"
#include "geom/roughness.h"
#include "geom/similarity.h"
#include "support/ear.h"
#include "support/shapes.h"
#include "support/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- how rough points are --------------------------------------------------------------------------------- */

enum { COUNT = 900, NEAR = 17 };

/* Points of a bent surface, moved along z. */
static void make_surface(double noise, double points[3 * COUNT])
{
    sfgp_random random = sfgp_random_of(5);
    for (double *x = points; x < points + 3 * COUNT; x += 3) {
        x[0] = sfgp_random_uniform(&random), x[1] = sfgp_random_uniform(&random);
        x[2] = 0.1 * x[0] * x[0] - 0.1 * x[0] * x[1] + noise * sfgp_random_normal(&random);
    }
}

static double mean_of(const double values[COUNT])
{
    double sum = 0;
    for (int i = 0; i < COUNT; i++)
        sum += values[i];
    return sum / COUNT;
}

/* A quadric leaves nothing of a surface that is one, but for the normals of its neighbourhoods, and of noise its deviation: the mean of the root of a mean
 * square with 11 degrees of freedom is 0.977 of that of the square, and the surface is inclined by up to 0.2. */
static void a_smooth_surface_is_as_rough_as_its_noise(void **state)
{
    static double points[3 * COUNT], rough[COUNT];
    static const double NOISE[] = {0, 0.001, 0.01};
    for (int k = 0; k < 3; k++) {
        sfgp_neighbours near;
        make_surface(NOISE[k], points);
        sfgp_assert_ok(*state, sfgp_neighbours_new(*state, COUNT, 3, points, NEAR, &near));
        sfgp_assert_ok(*state, sfgp_roughness_of(*state, &near, points, rough));
        if (NOISE[k] > 0)
            assert_true(fabs(mean_of(rough) / (0.977 * NOISE[k]) - 1) < 0.05);
        else
            assert_true(mean_of(rough) < 1e-5);
        sfgp_neighbours_clear(&near);
    }
}

/* A unit of length is one, and points that coincide, or lie on a line, have a roughness of 0. */
static void roughness_is_a_length(void **state)
{
    static double points[3 * COUNT], rough[COUNT], larger[COUNT];
    sfgp_neighbours near;
    make_surface(0.01, points);
    sfgp_assert_ok(*state, sfgp_neighbours_new(*state, COUNT, 3, points, NEAR, &near));
    sfgp_assert_ok(*state, sfgp_roughness_of(*state, &near, points, rough));
    for (int k = 0; k < 3 * COUNT; k++)
        points[k] *= 8;
    sfgp_assert_ok(*state, sfgp_roughness_of(*state, &near, points, larger));
    for (int i = 0; i < COUNT; i++)
        assert_true(fabs(larger[i] / (8 * rough[i]) - 1) < 1e-9);
    for (int k = 0; k < 3 * COUNT; k++)
        points[k] = k % 3 == 0 ? k : 1;
    sfgp_assert_ok(*state, sfgp_roughness_of(*state, &near, points, rough));
    assert_true(mean_of(rough) < 1e-9);
    memset(points, 0, sizeof points);
    sfgp_assert_ok(*state, sfgp_roughness_of(*state, &near, points, rough));
    assert_true(mean_of(rough) == 0);
    sfgp_neighbours_clear(&near);
}

enum { FEW = 9 };

/* Each of nine points has all others as neighbours. */
static sfgp_neighbours all_of(int32_t index[FEW * FEW])
{
    for (int i = 0; i < FEW; i++)
        for (int k = 0; k < FEW; k++)
            index[i * FEW + k] = (i + k) % FEW;
    return (sfgp_neighbours){FEW, 3, FEW, index};
}

/* The sign of a normal is that of the height. Of the neighbours of point 0 heights differ by 1, 2, 3, 4 and three by 9, whose median is 4 without the last point, which
 * is behind a fold. */
static void steps_beside_a_surface_are_medians(void **state)
{
    (void)state;
    int32_t index[FEW * FEW];
    const sfgp_neighbours near = all_of(index);
    const double height[FEW] = {10, -11, 8, -13, 6, 1, -1, 1, 10};
    double normal[3 * FEW] = {0}, rough[FEW];
    for (int i = 0; i < FEW; i++)
        normal[3 * i + 2] = height[i] < 0 ? -1 : 1;
    normal[3 * 8 + 2] = 0, normal[3 * 8] = 1;
    sfgp_roughness_beside(&near, &(sfgp_heights){height, normal}, rough);
    assert_true(rough[0] == 4);
    assert_true(rough[8] == 0);
    normal[3 * 8 + 2] = 1, normal[3 * 8] = 0; /* 0, 1, 2, 3, 4, 9, 9, 9 */
    sfgp_roughness_beside(&near, &(sfgp_heights){height, normal}, rough);
    assert_true(rough[0] == 3.5);
}

static void a_point_is_as_rough_as_those_around_it(void **state)
{
    (void)state;
    int32_t index[FEW * FEW];
    const sfgp_neighbours near = all_of(index);
    const double rough[FEW] = {100, 1, 2, 3, 4, 5, 6, 7, 8};
    double smooth[FEW];
    sfgp_roughness_smooth(&near, rough, smooth);
    for (int i = 0; i < FEW; i++)
        assert_true(smooth[i] == 5);
}

/* ---- which are left out ----------------------------------------------------------------------------------- */

#define HEIGHT 8.0 /* mm; the ear is 60 mm long */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool is_hair[4000]; /* of a scan */

/* Hair on the upper `share` of the points of a scan, along its normals; returns how many have some. */
static int64_t grow_hair(sfgp_context *context, double share, sfgp_mesh *scan)
{
    sfgp_neighbours near;
    int64_t count = 0;
    double *normals = calloc(3 * (size_t)scan->count, sizeof *normals),
           *sorted = calloc((size_t)scan->count, sizeof *sorted);
    sfgp_random random = sfgp_random_of(6);
    sfgp_assert_ok(context, sfgp_neighbours_new(context, scan->count, 3, scan->points, 12, &near));
    sfgp_normals_estimate(&near, scan->points, normals);
    for (int64_t j = 0; j < scan->count; j++)
        sorted[j] = scan->points[3 * j + 1];
    qsort(sorted, (size_t)scan->count, sizeof *sorted, compare);
    const double level = sorted[(int64_t)((1 - share) * (double)scan->count)];
    assert_true(scan->count <= 4000);
    for (int64_t j = 0; j < scan->count; j++) {
        is_hair[j] = scan->points[3 * j + 1] >= level;
        if (is_hair[j]) {
            const double height = HEIGHT * sfgp_random_uniform(&random);
            for (int a = 0; a < 3; a++)
                scan->points[3 * j + a] += height * normals[3 * j + a];
            count++;
        }
    }
    sfgp_neighbours_clear(&near);
    free(normals);
    free(sorted);
    return count;
}

static sfgp_result *fit(sfgp_context *context, const test_ear *ear, int fuzzy)
{
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    settings.fuzzy = fuzzy;
    return test_fit_of(context, ear->reference, ear->target, &settings);
}

static bool is_told(void)
{
    return strstr(sfgp_test_warning(),
                  "are a fuzzy layer, as hair, and no surface; they are left out (--fuzzy 0 keeps them)") !=
           NULL;
}

static void a_fit_without_hair_says_so(void **state)
{
    test_ear ear = test_ear_new(*state, 24, 3, (test_ear_damage){7, 5, 0.005});
    assert_int_equal(grow_hair(*state, 0.25, ear.target), 257);
    sfgp_result *kept = fit(*state, &ear, 0);
    assert_string_equal(sfgp_test_warning(), "");
    sfgp_result *without = fit(*state, &ear, 1);
    assert_true(is_told());
    assert_true(without->missing_count > kept->missing_count);
    assert_true(without->iterations > kept->iterations); /* of both searches */
    for (int64_t i = 0; i < without->count; i++)
        if (without->target[i] >= 0)
            assert_true(without->target[i] < ear.target->count);
    sfgp_result_free(kept);
    sfgp_result_free(without);
    test_ear_free(&ear);
}

/* Noise of 3 % of the radius everywhere, none at all, and hair on few points: to the last bit the fit without the rule. */
static void noise_and_a_few_hairs_stay(void **state)
{
    static const double NOISE[] = {0.03, 0, 0.005};
    for (int k = 0; k < 3; k++) {
        test_ear ear = test_ear_new(*state, 18, 3, (test_ear_damage){7, 5, NOISE[k]});
        if (k == 2)
            grow_hair(*state, 0.06, ear.target);
        sfgp_result *kept = fit(*state, &ear, 0), *same = fit(*state, &ear, 1);
        assert_false(is_told());
        assert_memory_equal(kept->points, same->points, (size_t)kept->count * 3 * sizeof(double));
        sfgp_result_free(kept);
        sfgp_result_free(same);
        test_ear_free(&ear);
    }
}

/* ---- which fits are asked ---------------------------------------------------------------------------------- */

/* The ear with hair, fitted to all of its scan. */
typedef struct hairy {
    test_ear ear;
    sfgp_mesh *smooth; /* its scan without hair */
    sfgp_model *model;
    sfgp_solver *solver;
} hairy;

/* A fit to the scan, which has ended. */
static sfgp_solver *solver_of(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *scan)
{
    sfgp_settings settings;
    sfgp_outcome outcome;
    sfgp_settings_default(&settings);
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_assert_ok(context, sfgp_solver_load(solver, scan));
    sfgp_assert_ok(context, sfgp_one_search(solver, true, &outcome));
    assert_int_equal(outcome, SFGP_CONVERGED);
    return solver;
}

static hairy hairy_new(sfgp_context *context)
{
    hairy h = {.ear = test_ear_new(context, 24, 3, (test_ear_damage){7, 5, 0.005})};
    const sfgp_mesh *scan = h.ear.target;
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    h.smooth = test_mesh(context, scan->count, 3, scan->points);
    grow_hair(context, 0.25, h.ear.target);
    sfgp_assert_ok(context, sfgp_model_new(context, h.ear.reference, NULL, 0, &settings, &h.model));
    h.solver = solver_of(context, h.model, scan);
    return h;
}

static void hairy_free(hairy *h)
{
    sfgp_solver_free(h->solver);
    sfgp_model_free(h->model);
    sfgp_mesh_free(h->smooth);
    test_ear_free(&h->ear);
}

/* How many points of the scan are left out. */
static int64_t left_out(sfgp_context *context, sfgp_solver *solver, sfgp_outcome outcome)
{
    const int64_t before = solver->scan.points->count;
    sfgp_assert_ok(context, sfgp_follow_up_ask(SFGP_FOLLOW_UP_FUZZY, solver, &outcome));
    return before - solver->scan.points->count;
}

/* Of 257 hairs and 768 other points. */
static void hairs_are_left_out_and_little_else(void **state)
{
    hairy h = hairy_new(*state);
    int64_t kept = 0, others = 0;
    assert_true(left_out(*state, h.solver, SFGP_CONVERGED) > 0);
    for (int64_t j = 0; j < h.solver->scan.points->count; j++)
        *(is_hair[h.solver->scan.first[j]] ? &kept : &others) += 1;
    assert_true(kept < 257 / 5 && others > 768 * 9 / 10);
    hairy_free(&h);
}

/* Hair that a fit goes through, point by point, is not rough beside it; and a scan without hair is not rough by itself, even if a fit is. */
static void rough_is_what_is_so_in_both_ways(void **state)
{
    hairy h = hairy_new(*state);
    sfgp_em *em = h.solver->em;
    const sfgp_mesh *scan = h.solver->scan.points;
    assert_true(h.ear.truth->count > scan->count);
    for (int64_t i = 0; i < h.ear.truth->count; i++)
        sfgp_similarity_undo(&em->state.pose, 1, scan->points + 3 * (i % scan->count),
                             em->state.points + 3 * i);
    assert_int_equal(left_out(*state, h.solver, SFGP_CONVERGED), 0);
    sfgp_solver_free(h.solver);
    h.solver = solver_of(*state, h.model, h.smooth);
    em = h.solver->em;
    for (int64_t i = 0; i < h.ear.truth->count; i++)
        if (em->problem->basis->mean[3 * i] > 0.5)
            for (int a = 0; a < 3; a++)
                em->state.points[3 * i + a] += 0.1 * sin((double)(i * i + a));
    assert_int_equal(left_out(*state, h.solver, SFGP_CONVERGED), 0);
    hairy_free(&h);
}

/* The hair far above the ear is something else: it is as rough, but no layer in front of the shape. */
static void what_is_far_from_the_fit_is_not_asked(void **state)
{
    hairy h = hairy_new(*state);
    sfgp_mesh *scan = h.solver->scan.points;
    for (int64_t j = 0; j < scan->count; j++)
        if (is_hair[h.solver->scan.first[j]])
            scan->points[3 * j + 1] += 3; /* radii */
    assert_int_equal(left_out(*state, h.solver, SFGP_CONVERGED), 0);
    hairy_free(&h);
}

enum { WIDE = 12 };

/* The fit becomes a flat sheet, and the scan so many of its rows, of which the last half has hair. */
static void flatten(int rows, sfgp_solver *solver)
{
    sfgp_em *em = solver->em;
    sfgp_mesh *scan = solver->scan.points;
    sfgp_random random = sfgp_random_of(7);
    for (int64_t i = 0; i < em->problem->basis->count; i++) {
        const double sheet[3] = {0.05 * (double)(i % WIDE), 0.05 * (double)(i / WIDE), 0};
        sfgp_similarity_undo(&em->state.pose, 1, sheet, em->state.points + 3 * i);
        if (i >= WIDE * rows)
            continue;
        memcpy(scan->points + 3 * i, sheet, sizeof sheet);
        if (2 * i >= WIDE * rows)
            scan->points[3 * i + 2] = 0.1 * sfgp_random_uniform(&random);
    }
    scan->count = WIDE * rows;
}

/* Half of 96 points would leave 48, half of 120 leave 60. */
static void fewer_than_50_points_are_never_left(void **state)
{
    for (int rows = 8; rows <= 10; rows += 2) {
        hairy h = hairy_new(*state);
        flatten(rows, h.solver);
        assert_int_equal(left_out(*state, h.solver, SFGP_CONVERGED), rows == 8 ? 0 : 60);
        hairy_free(&h);
    }
}

static void what_is_not_asked(void **state)
{
    hairy h = hairy_new(*state);
    sfgp_solver *const solver = h.solver;
    sfgp_em_problem *problem = &solver->problem;
    sfgp_settings *settings = &solver->settings;
    const double area = problem->area;
    assert_int_equal(left_out(*state, solver, SFGP_MAX_ITERATIONS), 0);
    assert_int_equal(left_out(*state, solver, SFGP_NO_OVERLAP), 0);
    settings->fuzzy = 0;
    assert_int_equal(left_out(*state, solver, SFGP_CONVERGED), 0);
    settings->fuzzy = 1, settings->max_time = 1e6;
    assert_int_equal(left_out(*state, solver, SFGP_CONVERGED), 0);
    settings->max_time = 0, problem->area = 0;
    assert_int_equal(left_out(*state, solver, SFGP_CONVERGED), 0);
    problem->area = area, problem->clutter = 0.6;
    assert_int_equal(left_out(*state, solver, SFGP_CONVERGED), 0);
    problem->clutter = 0;
    assert_string_equal(sfgp_test_warning(), "");
    assert_true(left_out(*state, solver, SFGP_CONVERGED) > 0 && problem->area < area);
    assert_true(is_told());
    hairy_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_smooth_surface_is_as_rough_as_its_noise),
        sfgp_unit_test(roughness_is_a_length),
        sfgp_unit_test(steps_beside_a_surface_are_medians),
        sfgp_unit_test(a_point_is_as_rough_as_those_around_it),
        sfgp_unit_test(a_fit_without_hair_says_so),
        sfgp_unit_test(noise_and_a_few_hairs_stay),
        sfgp_unit_test(hairs_are_left_out_and_little_else),
        sfgp_unit_test(rough_is_what_is_so_in_both_ways),
        sfgp_unit_test(what_is_far_from_the_fit_is_not_asked),
        sfgp_unit_test(fewer_than_50_points_are_never_left),
        sfgp_unit_test(what_is_not_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
