/* Some points of a dense surface with the surface between them: cells, triangles, and fields that are carried to all points. */
#include "support/corrupt.h"
#include "support/sheet.h"
#include "support/support.h"
#include "geom/coarse_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 65, MOST = 500 }; /* of a sheet of side 1: cells of some 0.045 */

static sfgp_coarse_surface coarse_of(sfgp_context *context, const sfgp_mesh *mesh, int64_t most)
{
    sfgp_coarse_surface coarse;
    sfgp_assert_ok(context, sfgp_coarse_surface_new(context, mesh, most, &coarse));
    sfgp_assert_ok(context, sfgp_coarse_surface_connect(context, mesh, &coarse));
    return coarse;
}

static double total_mass(const sfgp_laplacian *l)
{
    double sum = 0;
    for (int64_t k = 0; k < l->count; k++)
        sum += l->mass[k];
    return sum;
}

static void a_small_shape_has_all_of_its_points(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, 9, 7, 0.5, 1, 0);
    sfgp_coarse_surface coarse = coarse_of(*state, mesh, mesh->count);
    double *to = calloc((size_t)(3 * mesh->count), sizeof *to);
    assert_true(coarse.count == mesh->count && !coarse.index && !coarse.cell && !coarse.centres);
    assert_int_equal(sfgp_coarse_surface_cell(&coarse, 5), 5);
    assert_int_equal(coarse.laplacian.count, mesh->count);
    sfgp_assert_ok(*state, sfgp_coarse_surface_carry(*state, &coarse, mesh, mesh->points, to));
    assert_memory_equal(to, mesh->points, (size_t)(3 * mesh->count) * sizeof *to);
    sfgp_coarse_surface_clear(&coarse);
    sfgp_mesh_free(mesh);
    free(to);
}

static void each_cell_holds_its_point(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, SIDE, SIDE, 0.5, 1, 0);
    sfgp_coarse_surface coarse = coarse_of(*state, mesh, MOST);
    assert_true(coarse.points == mesh->count && coarse.count == MOST);
    for (int64_t k = 0; k < MOST; k++) {
        const int64_t i = coarse.index[k];
        assert_int_equal(sfgp_coarse_surface_cell(&coarse, i), k);
        assert_memory_equal(coarse.centres + 3 * k, mesh->points + 3 * i, 3 * sizeof(double));
    }
    sfgp_coarse_surface_clear(&coarse);
    sfgp_mesh_free(mesh);
}

/* The sheet ends half a cell beyond its last coarse points: 4 0.022 of its area. The triangles of a cloud overlap a little. */
static void the_coarse_sheet_is_a_sheet(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, SIDE, SIDE, 0.5, 1, 0);
    sfgp_coarse_surface coarse = coarse_of(*state, mesh, MOST);
    print_message("area %.3f\n", total_mass(&coarse.laplacian));
    assert_int_equal(coarse.laplacian.piece_count, 1);
    assert_true(fabs(total_mass(&coarse.laplacian) - 0.91) < 0.02);
    sfgp_coarse_surface_clear(&coarse);
    mesh->face_count = 0; /* a cloud */
    coarse = coarse_of(*state, mesh, MOST);
    print_message("of a cloud %.3f\n", total_mass(&coarse.laplacian));
    assert_int_equal(coarse.laplacian.piece_count, 1);
    assert_true(fabs(total_mass(&coarse.laplacian) - 0.91) < 0.06);
    sfgp_coarse_surface_clear(&coarse);
    sfgp_mesh_free(mesh);
}

/* Faces in the middle: those of a square of side 0.3 are taken away. */
static void holes_stay_holes(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, SIDE, SIDE, 0.2, 1, 0);
    int64_t used = 0;
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const double *x = mesh->points + 3 * mesh->face_points[3 * f];
        if (fmax(fabs(x[0] - 0.5), fabs(x[1] - 0.5)) < 0.15)
            continue;
        memmove(mesh->face_points + 3 * used, mesh->face_points + 3 * f, 3 * sizeof(int64_t));
        used++;
    }
    mesh->face_count = used;
    sfgp_coarse_surface coarse = coarse_of(*state, mesh, MOST);
    const double area = total_mass(&coarse.laplacian);
    print_message("area %.3f of %d points without elements\n", area, (int)coarse.laplacian.piece_count - 1);
    /* Points in the hole have no faces, and the mean mass each. */
    assert_true(coarse.laplacian.piece_count > 10);
    double whole = 0;
    for (int64_t p = 0; p < coarse.laplacian.piece_count; p++)
        whole += coarse.laplacian.area[p];
    assert_true(whole < 0.91 - 0.06 && whole > 0.91 - 0.16);
    sfgp_coarse_surface_clear(&coarse);
    sfgp_mesh_free(mesh);
}

/* Two sheets, two cells apart. */
static void sheets_that_are_apart_stay_apart(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, SIDE, SIDE, 0.2, 2, 0);
    sfgp_coarse_surface coarse = coarse_of(*state, mesh, 2 * MOST);
    assert_int_equal(coarse.laplacian.piece_count, 2);
    sfgp_coarse_surface_clear(&coarse);
    sfgp_mesh_free(mesh);
}

/* Root mean square error at all points, of a field that is known at the coarse ones. */
static double error_of(sfgp_context *context, const sfgp_mesh *mesh,
                       double (*field)(const double *x, int axis))
{
    sfgp_coarse_surface coarse = coarse_of(context, mesh, MOST);
    double *values = malloc(sizeof(double) * 3 * MOST), *to = calloc((size_t)(3 * mesh->count), sizeof *to),
           sum = 0;
    for (int64_t k = 0; k < 3 * MOST; k++)
        values[k] = field(coarse.centres + k / 3 * 3, (int)(k % 3));
    sfgp_assert_ok(context, sfgp_coarse_surface_carry(context, &coarse, mesh, values, to));
    for (int64_t i = 0; i < 3 * mesh->count; i++)
        sum += pow(to[i] - field(mesh->points + i / 3 * 3, (int)(i % 3)), 2);
    sfgp_coarse_surface_clear(&coarse);
    free(values), free(to);
    return sqrt(sum / (double)(3 * mesh->count));
}

static double slanted(const double *x, int axis)
{
    return axis == 0 ? x[0] : axis == 1 ? 0.5 - x[1] : 0.5 * x[0] + 0.5 * x[1];
}

/* Six cells long. */
static double waves(const double *x, int axis)
{
    const double phase = 2 * 3.141592653589793 / (6 * 0.045);
    return sin(phase * x[0] + axis) * sin(phase * x[1]);
}

/* Without slopes the error of the first is that of a step of half a cell, 0.01. The waves have a mean square of 1/4. */
static void fields_are_carried(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, SIDE, SIDE, 0.2, 1, 0);
    const double linear = error_of(*state, mesh, slanted), wavy = error_of(*state, mesh, waves);
    print_message("linear %.2g, waves %.2g\n", linear, wavy);
    assert_true(linear < 1e-5); /* the ridge, 1e-4 of that */
    assert_true(wavy < 0.2 * 0.5);
    sfgp_mesh_free(mesh);
}

static sfgp_status carry(sfgp_context *context, void *user)
{
    const sfgp_mesh *mesh = user;
    sfgp_coarse_surface coarse;
    double *to = calloc((size_t)(3 * mesh->count), sizeof *to);
    sfgp_status status = sfgp_coarse_surface_new(context, mesh, MOST, &coarse);
    if (status == SFGP_OK)
        status = sfgp_coarse_surface_connect(context, mesh, &coarse);
    if (status == SFGP_OK)
        status = sfgp_coarse_surface_carry(context, &coarse, mesh, coarse.centres, to);
    for (int64_t k = 0; status != SFGP_OK && k < 3 * mesh->count; k++)
        assert_true(to[k] == 0);
    sfgp_coarse_surface_clear(&coarse);
    free(to);
    return status;
}

static void failing_allocations_are_survived(void **state)
{
    sfgp_mesh *mesh = test_sheet(*state, SIDE, SIDE, 0.2, 1, 0);
    assert_true(sfgp_sweep_allocations(*state, carry, mesh) >= 15);
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_small_shape_has_all_of_its_points), sfgp_unit_test(each_cell_holds_its_point),
        sfgp_unit_test(the_coarse_sheet_is_a_sheet),         sfgp_unit_test(holes_stay_holes),
        sfgp_unit_test(sheets_that_are_apart_stay_apart),    sfgp_unit_test(fields_are_carried),
        sfgp_unit_test(failing_allocations_are_survived)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
