/* Sizes of meshes and the holes in their faces, against shapes whose answers are known; turned faces. */
#include "support/support.h"
#include "geom/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDING 1e-12 /* of sums over eight points, of a size of some units */

static const int64_t CUBE[6][4] = {{0, 1, 3, 2}, {4, 6, 7, 5}, {0, 4, 5, 1},
                                   {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 5, 7, 3}};

/* Corners of a box of sides 2, 4 and 4 about (1e6, 0, 0), with the first `faces` of its six faces. */
static sfgp_mesh *make_box(sfgp_context *context, int64_t faces)
{
    sfgp_mesh *mesh = NULL;
    sfgp_assert_ok(context, sfgp_mesh_new(context, 8, 3, faces, 4 * faces, &mesh));
    for (int64_t i = 0; i < 8; i++) {
        mesh->points[3 * i] = 1e6 + (i & 1 ? 1 : -1);
        mesh->points[3 * i + 1] = i & 2 ? 2 : -2;
        mesh->points[3 * i + 2] = i & 4 ? 2 : -2;
    }
    for (int64_t f = 0; f < faces; f++) {
        memcpy(mesh->face_points + 4 * f, CUBE[f], sizeof CUBE[f]);
        mesh->face_start[f + 1] = 4 * (f + 1);
    }
    return mesh;
}

static void sizes_are_those_of_the_box(void **state)
{
    sfgp_mesh *box = make_box(*state, 0);
    sfgp_mesh_info info;
    sfgp_assert_ok(*state, sfgp_mesh_describe(*state, box, &info));
    assert_true(info.low[0] == 1e6 - 1 && info.high[0] == 1e6 + 1 && info.low[2] == -2 && info.high[2] == 2);
    assert_true(info.diagonal == 6 && info.spacing == 2);
    assert_true(fabs(info.radius - 3) < ROUNDING);
    assert_true(info.holes == 0 && info.open_edges == 0 && info.knots == 0);
    box->count = 1;
    sfgp_assert_ok(*state, sfgp_mesh_describe(*state, box, &info));
    assert_true(info.spacing == 0 && info.radius == 0 && info.diagonal == 0);
    box->count = 0;
    sfgp_assert_status(*state, sfgp_mesh_describe(*state, box, &info), SFGP_ERROR_DATA);
    sfgp_mesh_free(box);
}

static void expect_rims(sfgp_context *context, sfgp_mesh *mesh, int64_t holes, int64_t edges, int64_t knots)
{
    sfgp_mesh_info info;
    sfgp_assert_ok(context, sfgp_mesh_describe(context, mesh, &info));
    assert_int_equal(info.holes, holes);
    assert_int_equal(info.open_edges, edges);
    assert_int_equal(info.knots, knots);
    sfgp_mesh_free(mesh);
}

/* The first two faces of the list lie opposite: without both there are two rims. */
static void holes_are_counted(void **state)
{
    expect_rims(*state, make_box(*state, 6), 0, 0, 0);
    expect_rims(*state, make_box(*state, 5), 1, 4, 0);
    expect_rims(*state, make_box(*state, 2), 2, 8, 0);
    sfgp_mesh *box = make_box(*state, 6);
    memcpy(box->face_points + 4, CUBE[0], sizeof CUBE[0]); /* face 0 twice, face 1 not at all */
    expect_rims(*state, box, 1, 4, 4);
}

/* A tetrahedron, whose last face may be another one: a face that goes there and back has no border, and a repeated corner
 * changes nothing. */
static void repeated_corners_are_no_holes(void **state)
{
    static const int64_t FACES[][4] = {{0, 1, 2, 2}, {0, 3, 1, 1}, {1, 3, 2, 1}, {2, 3, 0, 0}};
    static const int64_t LAST[][4] = {{0, 0, 1, 1}, {0, 0, 1, 0}, {2, 2, 2, 2}, {0, 1, 2, 1}};
    for (int last = 0; last < 4; last++) {
        sfgp_mesh *mesh = make_box(*state, 5);
        memcpy(mesh->face_points, FACES, sizeof FACES);
        memcpy(mesh->face_points + 16, LAST[last], sizeof LAST[last]);
        expect_rims(*state, mesh, 0, 0, 0);
    }
}

/* Every face with points of its own, as in flat-shaded files: holes are those of the joined mesh. */
static void copies_are_joined_for_the_holes(void **state)
{
    for (int64_t faces = 5; faces <= 6; faces++) {
        sfgp_mesh *box = make_box(*state, faces), *split = NULL;
        sfgp_mesh_info info;
        sfgp_assert_ok(*state, sfgp_mesh_new(*state, 4 * faces, 3, faces, 4 * faces, &split));
        memcpy(split->face_start, box->face_start, ((size_t)faces + 1) * sizeof *box->face_start);
        for (int64_t k = 0; k < 4 * faces; k++) {
            memcpy(split->points + 3 * k, box->points + 3 * box->face_points[k], 3 * sizeof *box->points);
            split->face_points[k] = k;
        }
        sfgp_assert_ok(*state, sfgp_mesh_describe(*state, split, &info));
        assert_int_equal(info.copies, 4 * faces - 8);
        assert_int_equal(info.holes, 6 - faces);
        assert_int_equal(info.open_edges, 4 * (6 - faces));
        sfgp_assert_ok(*state, sfgp_mesh_describe(*state, box, &info));
        assert_int_equal(info.copies, 0);
        sfgp_mesh_free(box);
        sfgp_mesh_free(split);
    }
}

/* Before anything is read by them. */
static void wrong_faces_are_refused(void **state)
{
    sfgp_mesh_info info;
    sfgp_mesh *box = make_box(*state, 6);
    box->face_points[5] = 1000;
    sfgp_assert_error(*state, sfgp_mesh_describe(*state, box, &info), SFGP_ERROR_PARAMETER,
                      "face 1 has the point 1000 of 8");
    box->face_points[5] = CUBE[1][1];
    box->face_start[1] = 2;
    sfgp_assert_status(*state, sfgp_mesh_describe(*state, box, &info), SFGP_ERROR_PARAMETER);
    sfgp_mesh_free(box);
}

static void faces_begin_at_the_first_corner(void **state)
{
    int64_t corners[] = {0, 1, 2, 0, 1, 2}, start[] = {0, 3};
    double points[9] = {0};
    sfgp_mesh mesh = {.count = 3,
                      .dimension = 3,
                      .points = points,
                      .face_count = 1,
                      .face_start = start,
                      .face_points = corners + 3};
    sfgp_assert_ok(*state, sfgp_mesh_check_faces(*state, &mesh));
    for (start[0] = -3; start[0] <= 3; start[0] += 6) {
        start[1] = start[0] + 3;
        sfgp_assert_error(*state, sfgp_mesh_check_faces(*state, &mesh), SFGP_ERROR_PARAMETER,
                          "the corners of face 0 begin at");
    }
}

static void turned_faces_are_in_the_other_order(void **state)
{
    sfgp_mesh *box = make_box(*state, 6);
    sfgp_mesh_turn_faces(box);
    for (int64_t f = 0; f < 6; f++)
        for (int64_t k = 0; k < 4; k++)
            assert_int_equal(box->face_points[4 * f + k], CUBE[f][3 - k]);
    sfgp_mesh_free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(sizes_are_those_of_the_box),          sfgp_unit_test(holes_are_counted),
        sfgp_unit_test(repeated_corners_are_no_holes),       sfgp_unit_test(wrong_faces_are_refused),
        sfgp_unit_test(copies_are_joined_for_the_holes),     sfgp_unit_test(faces_begin_at_the_first_corner),
        sfgp_unit_test(turned_faces_are_in_the_other_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
