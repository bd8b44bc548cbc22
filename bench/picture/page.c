#include "page.h"

#include "page/light.h"
#include "page/surface.h"

#include <cairo.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 2400 /* twice what a README shows */
#define HEIGHT 1010
#define PANEL_TOP 24
#define PANEL_WIDTH 780
#define PANEL_HEIGHT 800
#define SAMPLES 3 /* a pixel and axis */
#define YAW 0.24  /* radians that the camera walks towards the face, */
#define PITCH 0.06
#define ROLL -0.06
#define BALL 0.45  /* mm, radius of a point of the scan */
#define REACH 0.15 /* share of the height of a panel within which hollows are dark */

static void set_colour(cairo_t *page, unsigned hex)
{
    cairo_set_source_rgb(page, (hex >> 16) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0);
}

/* White with round corners: fine on a light and on a dark page. */
static cairo_t *new_page(cairo_surface_t *image)
{
    const double radius = 36, quarter = PI / 2;
    cairo_t *page = cairo_create(image);
    cairo_arc(page, WIDTH - radius, radius, radius, -quarter, 0);
    cairo_arc(page, WIDTH - radius, HEIGHT - radius, radius, 0, quarter);
    cairo_arc(page, radius, HEIGHT - radius, radius, quarter, 2 * quarter);
    cairo_arc(page, radius, radius, radius, 2 * quarter, 3 * quarter);
    cairo_close_path(page);
    cairo_clip(page);
    set_colour(page, 0xffffff);
    cairo_paint(page);
    return page;
}

/* Text at x: its left end (align 0), middle (0.5) or right end (1). */
static void write_text(cairo_t *page, double x, double y, double align, double size, unsigned hex,
                       const char *text)
{
    cairo_text_extents_t extents;
    cairo_select_font_face(page, "Inter", CAIRO_FONT_SLANT_NORMAL,
                           size > 40 ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(page, size);
    cairo_text_extents(page, text, &extents);
    cairo_move_to(page, x - align * extents.x_advance, y);
    set_colour(page, hex);
    cairo_show_text(page, text);
}

static void write_label(cairo_t *page, double middle, const char *title, const char *subtitle)
{
    write_text(page, middle, PANEL_TOP + PANEL_HEIGHT + 70, 0.5, 44, 0x2b2f36, title);
    write_text(page, middle, PANEL_TOP + PANEL_HEIGHT + 122, 0.5, 32, 0x6b7280, subtitle);
}

static void draw_bar(cairo_t *page, double middle, double worst)
{
    const double width = 330, height = 20, left = middle - width / 2, top = PANEL_TOP + PANEL_HEIGHT + 98;
    char text[32];
    for (int k = 0; k < (int)width; k++) {
        vec3 colour = palette_uncertainty((k + 0.5) / width);
        cairo_set_source_rgb(page, palette_encode(colour.x) / 255.0, palette_encode(colour.y) / 255.0,
                             palette_encode(colour.z) / 255.0);
        cairo_rectangle(page, left + k, top, 1, height);
        cairo_fill(page);
    }
    write_text(page, left - 16, top + 22, 1, 32, 0x6b7280, "0");
    snprintf(text, sizeof text, "%.2g mm", worst);
    write_text(page, left + width + 16, top + 22, 0, 32, 0x6b7280, text);
}

/* Over white paper, as blue, green, red. */
static void write_pixel(light_pixel pixel, unsigned char *out)
{
    const vec3 white = {1, 1, 1}, colour = mix(white, pixel.colour, pixel.cover);
    out[0] = palette_encode(colour.z);
    out[1] = palette_encode(colour.y);
    out[2] = palette_encode(colour.x);
}

static void paint_canvas(cairo_t *page, const canvas *c, double left, palette colours, double reach)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PANEL_WIDTH, PANEL_HEIGHT);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    light_sample *lights = light_measure(c, reach);
    if (!lights)
        die("memory", "there is none left");
    const palette_table table = palette_tabulate(colours);
    cairo_surface_flush(image);
    for (int y = 0; y < PANEL_HEIGHT; y++)
        for (int x = 0; x < PANEL_WIDTH; x++)
            write_pixel(light_develop(c, lights, x, y, &table), pixels + (int64_t)y * stride + 4 * x);
    free(lights);
    cairo_surface_mark_dirty(image);
    cairo_set_source_surface(page, image, left, PANEL_TOP);
    cairo_paint(page);
    cairo_surface_destroy(image);
}

static double panel_left(int panel)
{
    double gap = (WIDTH - 3 * PANEL_WIDTH) / 2.0;
    return gap + panel * PANEL_WIDTH;
}

static double panel_middle(int panel)
{
    return panel_left(panel) + PANEL_WIDTH / 2.0;
}

/* The number of missing points is counted before their mask is smoothed. */
static void write_words(cairo_t *page, const struct scene *scene)
{
    char points[64], fit[64], predicted[64];
    int64_t missing = 0;
    for (int64_t k = 0; k < scene->fit->count; k++)
        missing += scene->missing[k] > 0.5;
    snprintf(points, sizeof points, "%lld points, holes and outliers", (long long)scene->scan->count);
    snprintf(fit, sizeof fit, "fit: %lld points", (long long)scene->fit->count);
    snprintf(predicted, sizeof predicted, "%lld of them predicted", (long long)missing);
    write_label(page, panel_middle(0), "damaged scan", points);
    write_label(page, panel_middle(1), fit, predicted);
    write_label(page, panel_middle(2), "uncertainty", "");
    draw_bar(page, panel_middle(2), scene->worst);
}

static void draw_scan(cairo_t *page, canvas *c, const struct scene *scene)
{
    canvas_wipe(c);
    canvas_draw_balls(c, scene->scan, scene->outlier, BALL);
    paint_canvas(page, c, panel_left(0), palette_points, REACH / 4);
}

static void draw_fit(canvas *c, const struct scene *scene, const double *values)
{
    canvas_wipe(c);
    if (!surface_draw(c, scene->fit, values))
        die("memory", "there is none left");
}

static void draw_missing(cairo_t *page, canvas *c, struct scene *scene)
{
    if (!surface_smooth(scene->fit, scene->missing, 5))
        die("memory", "there is none left");
    draw_fit(c, scene, scene->missing);
    paint_canvas(page, c, panel_left(1), palette_missing, REACH);
}

static void draw_uncertainty(cairo_t *page, canvas *c, const struct scene *scene)
{
    double *share = grab((size_t)scene->fit->count, sizeof *share);
    for (int64_t k = 0; k < scene->fit->count; k++)
        share[k] = scene->sd[k] / scene->worst;
    draw_fit(c, scene, share);
    paint_canvas(page, c, panel_left(2), palette_uncertainty, REACH);
    free(share);
}

/* Turned by YAW about the vertical axis, then by PITCH and ROLL. */
static canvas_camera turn_camera(void)
{
    const vec3 x = {cos(YAW), 0, sin(YAW)}, z = {-sin(YAW), 0, cos(YAW)}, y = {0, 1, 0};
    const vec3 up = subtract(scale(cos(PITCH), y), scale(sin(PITCH), z)),
               eye = add(scale(cos(PITCH), z), scale(sin(PITCH), y));
    return (canvas_camera){subtract(scale(cos(ROLL), x), scale(sin(ROLL), up)),
                           add(scale(cos(ROLL), up), scale(sin(ROLL), x)), eye};
}

void page_write(struct scene *scene, const char *path)
{
    canvas c;
    const canvas_camera camera = turn_camera();
    const sfgp_mesh *const shapes[] = {scene->fit};
    if (!canvas_open(&c, PANEL_WIDTH, PANEL_HEIGHT, SAMPLES, &camera))
        die("memory", "there is none left");
    canvas_frame(&c, shapes, 1);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
    cairo_t *page = new_page(image);
    write_words(page, scene);
    draw_scan(page, &c, scene);
    draw_missing(page, &c, scene);
    draw_uncertainty(page, &c, scene);
    cairo_destroy(page);
    if (cairo_surface_write_to_png(image, path) != CAIRO_STATUS_SUCCESS)
        die(path, "cannot write");
    cairo_surface_destroy(image);
    canvas_close(&c);
}
