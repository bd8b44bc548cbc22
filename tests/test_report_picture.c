/* Pictures: PNG files are read back by zlib and the rules of the standard, what is drawn is where it has to be. */
#include "support/support.h"

#include "page/light.h"
#include "page/picture.h"
#include "page/png.h"
#include "page/surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* ---- PNG --------------------------------------------------------------------------------------------- */

static uint32_t number_at(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* The data of the chunk at *at, whose checksum has to be right; moves *at behind it. */
static const unsigned char *read_chunk(const unsigned char **at, const char *name, uint32_t *size)
{
    const unsigned char *data = *at + 8;
    *size = number_at(*at);
    assert_memory_equal(*at + 4, name, 4);
    assert_int_equal(number_at(data + *size), crc32(0, *at + 4, *size + 4));
    *at = data + *size + 4;
    return data;
}

static int paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = abs(p - a), pb = abs(p - b), pc = abs(p - c);
    return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/* Undoes the filter of each row, ISO/IEC 15948, section 9. The caller frees the pixels. */
static unsigned char *unfilter(const unsigned char *raw, int width, int height)
{
    const int length = 4 * width;
    unsigned char *pixels = malloc((size_t)(length * height));
    for (int y = 0; y < height; y++)
        for (int k = 0; k < length; k++) {
            unsigned char *x = pixels + y * length + k;
            const int a = k >= 4 ? x[-4] : 0, b = y > 0 ? x[-length] : 0,
                      c = k >= 4 && y > 0 ? x[-length - 4] : 0;
            const int type = raw[y * (length + 1)], guess[] = {0, a, b, (a + b) / 2, paeth(a, b, c)};
            assert_true(type <= 4);
            *x = (unsigned char)(raw[y * (length + 1) + 1 + k] + guess[type]);
        }
    return pixels;
}

static unsigned char *read_png(const unsigned char *bytes, size_t size, int *width, int *height)
{
    const unsigned char *at = bytes + 8;
    uint32_t length = 0;
    assert_memory_equal(bytes, "\x89PNG\r\n\x1a\n", 8);
    const unsigned char *head = read_chunk(&at, "IHDR", &length);
    assert_int_equal(length, 13);
    assert_memory_equal(head + 8, "\x08\x06\0\0\0", 5);
    *width = (int)number_at(head);
    *height = (int)number_at(head + 4);
    const unsigned char *packed = read_chunk(&at, "IDAT", &length);
    uLongf raw_size = (uLongf)(*height * (4 * *width + 1)), expected = raw_size;
    unsigned char *raw = malloc(raw_size);
    assert_int_equal(uncompress(raw, &raw_size, packed, length), Z_OK);
    assert_int_equal(raw_size, expected);
    read_chunk(&at, "IEND", &length);
    assert_ptr_equal(at, bytes + size);
    unsigned char *pixels = unfilter(raw, *width, *height);
    free(raw);
    return pixels;
}

/* Constant rows, ramps and noise, so that every filter is the best one somewhere. */
static void pngs_hold_their_pixels(void **state)
{
    enum { WIDTH = 23, HEIGHT = 40 };
    unsigned char pixels[WIDTH * HEIGHT * 4], *bytes = NULL;
    size_t size = 0;
    int width = 0, height = 0;
    uint32_t noise = 1;
    (void)state;
    for (int k = 0; k < WIDTH * HEIGHT * 4; k++) {
        const int x = k / 4 % WIDTH, y = k / 4 / WIDTH;
        noise = noise * 1664525u + 1013904223u;
        const int rows[] = {9, 7 * x, x * y, 3 * x + 5 * y, (int)(noise >> 24)};
        pixels[k] = (unsigned char)rows[y / 8];
    }
    assert_int_equal(png_make(WIDTH, HEIGHT, pixels, &bytes, &size), SFGP_OK);
    unsigned char *again = read_png(bytes, size, &width, &height);
    assert_int_equal(width, WIDTH);
    assert_int_equal(height, HEIGHT);
    assert_memory_equal(again, pixels, sizeof pixels);
    free(again);
    free(bytes);
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static double CORNERS[] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0};
static int64_t START[] = {0, 4}, FACE[] = {0, 1, 2, 3};
static const sfgp_mesh RECTANGLE = {4, 3, CORNERS, 1, START, FACE, "memory", NULL};

/* A rectangle of 2 x 1, framed by itself, fills 0.9 of the width and half as much of the height. */
static void surfaces_are_where_they_belong(void **state)
{
    const canvas_camera front = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const sfgp_mesh *const shapes[] = {&RECTANGLE, NULL};
    const double values[] = {0, 1, 1, 0};
    canvas c;
    (void)state;
    assert_true(canvas_open(&c, 100, 100, 2, &front));
    canvas_frame(&c, shapes, 2);
    assert_true(fabs(c.scale - 90) < 1e-12 && fabs(c.extent - 200.0 / 90) < 1e-12);
    assert_true(surface_draw(&c, &RECTANGLE, values));
    for (int y = 0; y < 200; y++)
        for (int x = 0; x < 200; x++) {
            const canvas_sample *cell = canvas_at(&c, x, y);
            const bool inside = x > 10 && x < 190 && y > 55 && y < 145,
                       outside = x < 9 || x > 191 || y < 54 || y > 146;
            assert_false(inside && !(fabs((double)cell->nz - 1) < 1e-6));
            assert_false(inside && fabs((double)cell->value - (x - 10) / 180.0) > 1e-3);
            assert_false(outside && isfinite(cell->depth));
        }
    const palette_table table = palette_tabulate(palette_missing);
    light_sample *lights = light_measure(&c, 0.15);
    const light_pixel full = light_develop(&c, lights, 50, 50, &table),
                      empty = light_develop(&c, lights, 50, 2, &table);
    free(lights);
    assert_true(full.cover == 1 && full.colour.x > 0 && empty.cover == 0);
    canvas_wipe(&c);
    assert_false(isfinite(canvas_at(&c, 100, 100)->depth));
    canvas_close(&c);
}

/* Where nothing is known the colour is grey, which no value has. */
static void unknown_values_are_grey(void **state)
{
    const palette_table table = palette_tabulate(palette_distance);
    const vec3 none = palette_find(&table, (double)NAN), least = palette_find(&table, 0);
    (void)state;
    assert_true(none.x == none.y && none.y == none.z);
    assert_false(least.x == least.y && least.y == least.z);
}

/* The nearer of two balls is seen. */
static void near_points_hide_far_ones(void **state)
{
    double points[] = {0, 0, 0, 0, 0, 5, 1, 0, 0};
    const double values[] = {0, 1, 0};
    const sfgp_mesh mesh = {.count = 3, .dimension = 3, .points = points}, *const shapes[] = {&mesh};
    const canvas_camera front = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    canvas c;
    (void)state;
    assert_true(canvas_open(&c, 50, 50, 1, &front));
    canvas_frame(&c, shapes, 1);
    canvas_draw_balls(&c, &mesh, values, 0.1);
    const vec3 at = canvas_project(&c, canvas_look(&c, &mesh, 0)),
               other = canvas_project(&c, canvas_look(&c, &mesh, 2));
    assert_true(canvas_at(&c, (int)at.x, (int)at.y)->value > 0.5f);
    assert_true(canvas_at(&c, (int)other.x, (int)other.y)->value < 0.5f);
    canvas_close(&c);
}

static void assert_axes(canvas_camera a, vec3 eye)
{
    const vec3 axes[] = {a.right, a.up, a.eye};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(fabs(dot(axes[i], axes[j]) - (i == j)) < 1e-12);
    assert_true(dot(cross(a.right, a.up), a.eye) > 0.99);
    assert_true(dot(unit(eye), a.eye) > 0.95); /* a little above, and no more */
}

static void cameras_look_at_the_widest_side(void **state)
{
    double cloud[] = {0, 0, 0, 1, 9, 0, 0, 9, 8, 1, 0, 8};
    sfgp_mesh points = {.count = 4, .dimension = 3, .points = cloud}, turned = RECTANGLE;
    double corners[12];
    (void)state;
    assert_axes(canvas_find_camera(&points), (vec3){1, 0, 0});
    assert_axes(canvas_find_camera(&RECTANGLE), (vec3){0, 0, 1});
    for (int k = 0; k < 12; k++) /* x y z becomes z x y: its normal is x */
        corners[k - k % 3 + (k + 1) % 3] = CORNERS[k];
    turned.points = corners;
    assert_axes(canvas_find_camera(&turned), (vec3){1, 0, 0});
    points.dimension = 2;
    assert_true(canvas_find_camera(&points).eye.z == 1);
}

/* A point between a marked and an unmarked one becomes their mean; a lone one stays. */
static void masks_are_smoothed_over_faces(void **state)
{
    double corners[12] = {0}, values[] = {1, 0, 0.5, 7};
    int64_t start[] = {0, 3}, face[] = {0, 1, 2};
    const sfgp_mesh mesh = {4, 3, corners, 1, start, face, "memory", NULL};
    (void)state;
    assert_true(surface_smooth(&mesh, values, 1));
    for (int k = 0; k < 3; k++)
        assert_true(fabs(values[k] - 0.5) < 1e-15);
    assert_true(values[3] == 7);
}

static int sextet(char c)
{
    static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    return (int)(strchr(ALPHABET, c) - ALPHABET);
}

static unsigned char *decode(const char *text, size_t *size)
{
    const size_t length = strcspn(text, "=");
    unsigned char *bytes = calloc(length + 1, 1);
    uint32_t bits = 0;
    *size = 0;
    for (size_t k = 0; k < length; k++) {
        bits = bits << 6 | (uint32_t)sextet(text[k]);
        if (k % 4 > 0)
            bytes[(*size)++] = (unsigned char)(bits >> (6 - 2 * (k % 4)) & 255);
    }
    return bytes;
}

/* A thing that is missing is drawn in another colour; around it nothing is. 3D and 2D, surfaces and points. */
static void pictures_show_what_is_missing(void **state)
{
    const double seen[] = {0, 0, 0, 0}, missing[] = {1, 1, 1, 1};
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        sfgp_mesh mesh = RECTANGLE;
        mesh.face_count = kind == 0;
        mesh.dimension = kind == 2 ? 2 : 3;
        unsigned char colour[2][3] = {{0}};
        for (int k = 0; k < 2; k++) {
            const picture_frame frame = {180, 120, 6, canvas_find_camera(&mesh), {&mesh, NULL}};
            picture shown;
            assert_true(picture_open(&shown, &frame, &mesh));
            char *text = picture_make(&shown, k ? missing : seen, palette_missing);
            picture_close(&shown);
            size_t size = 0;
            int width = 0, height = 0, covered = 0;
            unsigned char *bytes = decode(text, &size), *pixels = read_png(bytes, size, &width, &height);
            assert_true(width == 180 && height == 120 && pixels[3] == 0);
            for (int i = 0; i < 180 * 120; i++)
                if (pixels[4 * i + 3] == 255 && ++covered == 1)
                    memcpy(colour[k], pixels + 4 * i, 3);
            assert_true(kind == 0 ? covered > 5000 : covered > 4);
            free(text);
            free(bytes);
            free(pixels);
        }
        assert_true(colour[0][0] > colour[0][2] && colour[1][0] < colour[1][2]); /* skin, and blue */
    }
}

/* Writes the picture that a person looks at. */
static void the_demo_looks_like_an_ear(void **state)
{
    sfgp_mesh *mesh = NULL;
    char path[512];
    snprintf(path, sizeof path, "%s/data/demo/reference.ply", SFGP_SOURCE_DIR);
    sfgp_assert_ok(*state, sfgp_mesh_read(*state, path, &mesh));
    const picture_frame frame = {420, 360, 8, canvas_find_camera(mesh), {mesh, NULL}};
    picture shown;
    assert_true(picture_open(&shown, &frame, mesh));
    char *text = picture_make(&shown, NULL, palette_missing);
    picture_close(&shown);
    size_t size = 0;
    unsigned char *bytes = decode(text, &size);
    const char *kept = getenv("SFGP_PICTURE");
    sfgp_test_write(kept ? kept : test_path("ear.png"), bytes, size);
    assert_true(size > 20000 && size < 300000);
    free(bytes);
    free(text);
    sfgp_mesh_free(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_values_are_grey),         cmocka_unit_test(pngs_hold_their_pixels),
        cmocka_unit_test(surfaces_are_where_they_belong),  cmocka_unit_test(near_points_hide_far_ones),
        cmocka_unit_test(cameras_look_at_the_widest_side), cmocka_unit_test(masks_are_smoothed_over_faces),
        cmocka_unit_test(pictures_show_what_is_missing),   sfgp_unit_test(the_demo_looks_like_an_ear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
