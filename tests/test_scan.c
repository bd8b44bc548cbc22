/* The frame of a surface and the scan in it: a fit depends neither on how the shapes lie in their files, nor on the order of the points,
 * nor on their last digits (ADR 0083). */
#include "geom/places.h"
#include "geom/scan.h"
#include "base/random.h"
#include "fit/solver.h"
#include "support/ear.h"
#include "support/shapes.h"
#include "support/corrupt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, D = 3 };

/* Turned about (1, 1, 1) and moved. */
static void turn(int64_t count, double *points)
{
    const double c = (1 + 2 * cos(2)) / 3, p = (1 - cos(2)) / 3, q = sin(2) / sqrt(3);
    const sfgp_similarity motion = {3, 1, {c, p - q, p + q, p + q, c, p - q, p - q, p + q, c}, {300, -7, 20}};
    sfgp_similarity_apply(&motion, count, points, points);
}

static sfgp_frame frame_of(sfgp_context *context, const sfgp_mesh *mesh)
{
    sfgp_frame frame;
    sfgp_assert_ok(context, sfgp_frame_of(context, "reference", mesh, &frame));
    sfgp_assert_ok(context, sfgp_frame_turn(context, mesh, &frame));
    return frame;
}

/* ---- the frame ------------------------------------------------------------------------------------------ */

/* Covariances of different coordinates are 0, and the variances fall. */
static void the_axes_are_the_principal_ones(void **state)
{
    test_shapes *shapes = test_shapes_new(N, D, 0, 1);
    sfgp_mesh *mesh = test_mesh(*state, N, D, shapes->reference);
    const sfgp_frame frame = frame_of(*state, mesh);
    const double *a = frame.axes;
    double spread[9] = {0}, x[D];
    for (int i = 0; i < N; i++) {
        sfgp_frame_enter(&frame, 1, mesh->points + D * i, x);
        for (int k = 0; k < 9; k++)
            spread[k] += x[k / 3] * x[k % 3] / N;
    }
    for (int k = 0; k < 9; k++)
        assert_true(k % 4 == 0 || fabs(spread[k]) < 1e-9);
    assert_true(spread[0] >= spread[4] && spread[4] >= spread[8]);
    assert_true(fabs(spread[0] + spread[4] + spread[8] - 1) < 1e-9);
    const double volume = a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                          a[2] * (a[3] * a[7] - a[4] * a[6]);
    assert_true(fabs(volume - 1) < 1e-12);
    sfgp_mesh_free(mesh);
    test_shapes_free(shapes);
}

/* Eigenvectors may have either sign, so that there are several turns. */
static void a_turned_reference_has_the_same_bits_in_its_frame(void **state)
{
    test_shapes *shapes = test_shapes_new(N, D, 0, 2);
    sfgp_mesh *mesh = test_mesh(*state, N, D, shapes->reference);
    double here[N * D], turned[N * D];
    const sfgp_frame before = frame_of(*state, mesh);
    sfgp_frame_enter(&before, N, mesh->points, here);
    for (int k = 0; k < 6; k++) {
        turn(N, mesh->points);
        for (int i = 0; i < N; i++) /* and by a right angle about the third axis */
            for (int a = 0; a < 2; a++)
                turned[D * i + a] = a == 0 ? -mesh->points[D * i + 1] : mesh->points[D * i];
        for (int i = 0; i < N; i++)
            memcpy(mesh->points + D * i, turned + D * i, 2 * sizeof *turned);
        const sfgp_frame after = frame_of(*state, mesh);
        sfgp_frame_enter(&after, N, mesh->points, turned);
        assert_memory_not_equal(before.axes, after.axes, sizeof before.axes);
        assert_memory_equal(here, turned, sizeof here);
    }
    sfgp_mesh_free(mesh);
    test_shapes_free(shapes);
}

static void points_and_displacements_come_back(void **state)
{
    test_shapes *shapes = test_shapes_new(N, D, 0, 3);
    sfgp_mesh *mesh = test_mesh(*state, N, D, shapes->reference);
    const sfgp_frame frame = frame_of(*state, mesh);
    double inside[N * D], moved[N * D];
    sfgp_frame_enter_exactly(&frame, N, mesh->points, inside);
    sfgp_frame_leave(&frame, N, inside, moved);
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(moved[k] - mesh->points[k]) < 1e-12 * frame.scale);
    sfgp_frame_enter(&frame, N, mesh->points, moved);
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(moved[k] - inside[k]) <= frame.step / 2);
    memcpy(moved, mesh->points, sizeof moved);
    sfgp_frame_enter_columns(&frame, N / 2, 2, moved); /* two columns: point 0 has 0, 2, 4 and 1, 3, 5 */
    for (int a = 0; a < D; a++) {
        double expected = 0;
        for (int b = 0; b < D; b++)
            expected += frame.axes[a * D + b] * mesh->points[2 * b + 1];
        assert_true(fabs(moved[2 * a + 1] - expected) < 1e-12 * frame.scale);
    }
    sfgp_frame_leave_columns(&frame, N / 2, 2, moved);
    for (int k = 0; k < N * D; k++)
        assert_true(fabs(moved[k] - mesh->points[k]) < 1e-12 * frame.scale);
    sfgp_mesh_free(mesh);
    test_shapes_free(shapes);
}

/* ---- the scan -------------------------------------------------------------------------------------------- */

static sfgp_scan scan_of(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *mesh)
{
    sfgp_scan scan;
    sfgp_assert_ok(context, sfgp_scan_enter_rounded(context, frame, mesh, &scan));
    return scan;
}

static int compare(const void *a, const void *b)
{
    const sfgp_place *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->at[k] != y->at[k])
            return x->at[k] < y->at[k] ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* As by qsort: of both signs, from 2^-40 to 2^600, halves of them equal to others, and zeros of both signs. */
static void places_are_sorted(void **state)
{
    enum { PLACES = 3000 };
    static sfgp_place places[PLACES], expected[PLACES];
    static const double SCALE[] = {1, 0x1p-40, 0x1p20, 0x1p600};
    sfgp_random random = sfgp_random_of(7);
    for (int scale = 0; scale < 4; scale++) {
        for (int i = 0; i < PLACES; i++) {
            for (int a = 0; a < 3; a++)
                places[i].at[a] =
                    SCALE[scale] * nearbyint((a == 0 ? 5 : 1e5) * (sfgp_random_uniform(&random) - 0.5));
            places[i].index = i;
            if (i % 2)
                memcpy(places[i].at, places[(i * 37) % (i + 1)].at, sizeof places[i].at);
        }
        memcpy(expected, places, sizeof places);
        qsort(expected, PLACES, sizeof *expected, compare);
        sfgp_assert_ok(*state, sfgp_places_sort(*state, PLACES, places));
        assert_memory_equal(places, expected, sizeof places);
    }
    sfgp_assert_ok(*state, sfgp_places_sort(*state, 0, places));
    sfgp_assert_ok(*state, sfgp_places_sort(*state, 1, places));
    assert_memory_equal(places, expected, sizeof places);
}

/* Each place is a whole number of steps, within half a step of the point of the file that it names, and after the one before. */
static void points_are_rounded_and_sorted(void **state)
{
    const double step = 0x1p-13;
    const sfgp_frame frame = sfgp_frame_plain(D);
    double points[N * D];
    for (int k = 0; k < N * D; k++)
        points[k] = 2 * sin(1 + 7.3 * k);
    const sfgp_mesh mesh = {.count = N, .dimension = D, .points = points};
    sfgp_scan scan = scan_of(*state, &frame, &mesh);
    const double *x = scan.points->points;
    assert_int_equal(scan.points->count, N);
    for (int j = 0; j < N; j++) {
        double exact[D];
        sfgp_scan_exact(&scan, j, exact);
        for (int a = 0; a < D; a++) {
            const double given = points[D * scan.first[j] + a];
            assert_true(x[D * j + a] == nearbyint(given / step) * step && exact[a] == given);
        }
    }
    for (int j = 1; j < N; j++)
        assert_true(x[D * j] >= x[D * (j - 1)]);
    sfgp_scan_clear(&scan);
}

/* Points in another order, some of them twice, all a millionth of a step away: the same bits, and the labels of the file. */
static void order_copies_and_last_digits_do_not_matter(void **state)
{
    const sfgp_frame frame = sfgp_frame_plain(D);
    double points[N * D], other[(N + 9) * D];
    int64_t order[N];
    for (int k = 0; k < N * D; k++)
        points[k] = 2 * sin(1 + 7.3 * k);
    for (int i = 0; i < N; i++)
        order[i] = i;
    sfgp_random_shuffle(5, N, order);
    for (int j = 0; j < N + 9; j++)
        for (int a = 0; a < D; a++)
            other[D * j + a] = points[D * order[j % N] + a] + 0x1p-33;
    const sfgp_mesh meshes[2] = {{.count = N, .dimension = D, .points = points},
                                 {.count = N + 9, .dimension = D, .points = other}};
    sfgp_scan plain = scan_of(*state, &frame, &meshes[0]), changed = scan_of(*state, &frame, &meshes[1]);
    assert_int_equal(changed.points->count, N);
    assert_memory_equal(plain.points->points, changed.points->points, sizeof points);
    for (int j = 0; j < N; j++)
        assert_int_equal(order[changed.first[j]], plain.first[j]);
    sfgp_scan_clear(&plain);
    sfgp_scan_clear(&changed);
}

/* The step of a scan in metres, of a reference in millimetres: 2^-10 of that of a scan in its unit. */
static void a_small_scan_has_a_small_step(void **state)
{
    const sfgp_frame frame = sfgp_frame_plain(D);
    double points[N * D];
    for (int k = 0; k < N * D; k++)
        points[k] = 1e-3 * (2 * (k % 2) - 1 + 1e-4 * sin(7.3 * k));
    const sfgp_mesh mesh = {.count = N, .dimension = D, .points = points};
    sfgp_scan scan = scan_of(*state, &frame, &mesh);
    double most = 0;
    for (int j = 0; j < scan.points->count * D; j++)
        most = fmax(most, fabs(scan.points->points[j] - points[scan.first[j / D] * D + j % D]));
    assert_true(most <= 0x1p-22 && most > 0x1p-24);
    sfgp_scan_clear(&scan);
}

/* Rounding leaves three places of these: they are taken as they are. */
static void too_few_places_are_not_rounded(void **state)
{
    double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1e-9, 0, 0, 1, 1e-9, 0};
    const sfgp_frame frame = sfgp_frame_plain(D);
    const sfgp_mesh mesh = {.count = 5, .dimension = D, .points = points};
    sfgp_scan scan = scan_of(*state, &frame, &mesh);
    assert_int_equal(scan.points->count, 5);
    assert_true(!scan.first && !scan.target);
    assert_memory_equal(scan.points->points, points, sizeof points);
    sfgp_scan_clear(&scan);
}

typedef sfgp_status enter(sfgp_context *, const sfgp_frame *, const sfgp_mesh *, sfgp_scan *);

typedef struct entering {
    enter *way;
    const sfgp_mesh *mesh;
} entering;

static sfgp_status enter_and_clear(sfgp_context *context, void *user)
{
    const sfgp_frame frame = sfgp_frame_plain(D);
    const entering *e = user;
    sfgp_scan scan;
    const sfgp_status status = e->way(context, &frame, e->mesh, &scan);
    sfgp_scan_clear(&scan);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    const double points[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0};
    sfgp_mesh *mesh = test_mesh(*state, 6, D, points);
    static enter *const ways[] = {sfgp_scan_enter, sfgp_scan_enter_once, sfgp_scan_enter_rounded};
    for (int way = 0; way < 3; way++)
        assert_in_range(sfgp_sweep_allocations(*state, enter_and_clear, &(entering){ways[way], mesh}), 1, 20);
    sfgp_frame turned = sfgp_frame_plain(D);
    sfgp_memory_counters.fail_at = 0;
    sfgp_assert_status(*state, sfgp_frame_turn(*state, mesh, &turned), SFGP_ERROR_MEMORY);
    sfgp_memory_counters.fail_at = -1;
    sfgp_mesh_free(mesh);
}

/* ---- fits -------------------------------------------------------------------------------------------------- */

static sfgp_result *fit(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *target)
{
    sfgp_settings settings = test_settings();
    settings.threads = 2;
    return test_fit_of(context, reference, target, &settings);
}

/* Points in another order and a picometre away: the same way to the same place. The last iterations see the picometres. */
static void a_fit_depends_neither_on_order_nor_on_digits(void **state)
{
    const test_ear ear = test_ear_new(*state, 20, 4, (test_ear_damage){3, 2, 0.01});
    const int64_t m = ear.target->count, n = ear.reference->count;
    int64_t *order = malloc((size_t)m * sizeof *order);
    double *points = malloc((size_t)(m * D) * sizeof *points);
    memcpy(points, ear.target->points, (size_t)(m * D) * sizeof *points);
    sfgp_result *plain = fit(*state, ear.reference, ear.target);
    for (int64_t j = 0; j < m; j++)
        order[j] = j;
    sfgp_random_shuffle(5, m, order);
    for (int64_t k = 0; k < m * D; k++)
        ear.target->points[k] = points[order[k / D] * D + k % D] + 1e-9 * sin((double)k);
    sfgp_result *other = fit(*state, ear.reference, ear.target);
    for (int64_t k = 0; k < n * D; k++)
        assert_true(fabs(plain->points[k] - other->points[k]) < 1e-6);
    for (int64_t i = 0; i < n; i++)
        assert_true(other->target[i] >= 0 ? order[other->target[i]] == plain->target[i]
                                          : plain->target[i] < 0);
    sfgp_result_free(plain);
    sfgp_result_free(other);
    free(order), free(points);
    test_ear_free((test_ear *)&ear);
}

/* A shape fitted to itself is itself to a hundredth of the step of the scan, to which the search rounds it; and a fit whose last iterations see other points than the
 * others has come to rest, as its stated deviations ask. */
static void exact_data_are_met_exactly(void **state)
{
    static const int rings[] = {16, 28}; /* without and with labels along the normals */
    for (int k = 0; k < 2; k++) {
        sfgp_mesh *ear;
        sfgp_settings settings = test_settings();
        sfgp_assert_ok(*state, sfgp_simulate_ear(*state, rings[k], 0, &ear));
        sfgp_model *model = test_model(*state, ear, &settings);
        sfgp_solver *solver = test_solver(*state, model, &settings);
        sfgp_result *result = test_run(*state, solver, ear);
        assert_int_equal(result->outcome, SFGP_CONVERGED);
        assert_true(solver->em->settled && solver->em->view.exact);
        for (int64_t i = 0; i < ear->count * D; i++)
            assert_true(fabs(result->points[i] - ear->points[i]) < 1e-6 * model->frame.scale);
        sfgp_result_free(result);
        sfgp_solver_free(solver);
        sfgp_model_free(model);
        sfgp_mesh_free(ear);
    }
}

/* Where the pose of a result takes a mesh, in the coordinates of the files. */
static void pose(const sfgp_result *result, const sfgp_mesh *mesh, double *points)
{
    for (int64_t i = 0; i < mesh->count; i++)
        for (int a = 0; a < D; a++) {
            const double *row = result->pose + (int64_t)4 * a, *x = mesh->points + D * i;
            points[D * i + a] = row[0] * x[0] + row[1] * x[1] + row[2] * x[2] + row[3];
        }
}

/* Both turned and moved: the fit is turned and moved, and so is what its pose makes of the reference. */
static void a_fit_does_not_depend_on_how_both_lie(void **state)
{
    const test_ear ear = test_ear_new(*state, 20, 4, (test_ear_damage){3, 50, 0.01});
    const int64_t m = ear.target->count, n = ear.reference->count;
    double *posed = malloc((size_t)(n * D) * sizeof *posed);
    sfgp_result *plain = fit(*state, ear.reference, ear.target);
    pose(plain, ear.reference, posed);
    turn(n, ear.reference->points);
    turn(m, ear.target->points);
    sfgp_result *turned = fit(*state, ear.reference, ear.target);
    turn(n, plain->points);
    turn(n, posed);
    for (int64_t k = 0; k < n * D; k++)
        assert_true(fabs(plain->points[k] - turned->points[k]) < 1e-9);
    pose(turned, ear.reference, plain->points);
    for (int64_t k = 0; k < n * D; k++)
        assert_true(fabs(plain->points[k] - posed[k]) < 1e-9);
    assert_true(turned->pose[0] < 0.9); /* it turns */
    sfgp_result_free(plain);
    sfgp_result_free(turned);
    free(posed);
    test_ear_free((test_ear *)&ear);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(the_axes_are_the_principal_ones),
        sfgp_unit_test(a_turned_reference_has_the_same_bits_in_its_frame),
        sfgp_unit_test(points_and_displacements_come_back),
        sfgp_unit_test(places_are_sorted),
        sfgp_unit_test(points_are_rounded_and_sorted),
        sfgp_unit_test(order_copies_and_last_digits_do_not_matter),
        sfgp_unit_test(a_small_scan_has_a_small_step),
        sfgp_unit_test(too_few_places_are_not_rounded),
        sfgp_unit_test(every_allocation_may_fail),
        sfgp_unit_test(a_fit_depends_neither_on_order_nor_on_digits),
        sfgp_unit_test(exact_data_are_met_exactly),
        sfgp_unit_test(a_fit_does_not_depend_on_how_both_lie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
