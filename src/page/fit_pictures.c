/* Scan and fit as shaded images, all from the same side and at the same scale. */
#include "page/fit_page_parts.h"
#include "page/picture.h"
#include "page/surface.h"
#include "page/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 480, HEIGHT = 360, NARROW = 240, SMOOTH = 3 };

#define ROUNDING 1e-9 /* share of the size of the picture: what is smaller is no difference */

/* The colours of palette.c for CSS. */
#define MISSING_COLOURS "#e8c9b1 50%, #5fa8b5 50%"

/* As wide as the shape needs. */
static int find_width(const canvas_camera *camera, const sfgp_mesh *mesh)
{
    const canvas c = {.camera = *camera};
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (int64_t i = 0; i < mesh->count; i++) {
        const vec3 p = canvas_look(&c, mesh, i);
        low[0] = fmin(low[0], p.x), high[0] = fmax(high[0], p.x);
        low[1] = fmin(low[1], p.y), high[1] = fmax(high[1], p.y);
    }
    const double share = high[1] > low[1] ? (high[0] - low[0]) / (high[1] - low[1]) : 2;
    return (int)fmin(WIDTH, fmax(NARROW, 1.1 * HEIGHT * share));
}

/* Adds an image to the page, and frees the texts png and alt. */
static void add_picture(const fit_page *f, const picture *shown, char *png, char *alt, page_picture *texts)
{
    texts->png = png;
    texts->width = shown->frame->width;
    texts->height = shown->frame->height;
    texts->alt = alt;
    if (png)
        page_picture_add(f->p, texts);
    free(png);
    free(alt);
}

static void draw_scan(const fit_page *f, const picture_frame *frame)
{
    page_picture texts = {.caption = "The scan."};
    picture scan;
    if (picture_open(&scan, frame, f->scan.mesh))
        add_picture(f, &scan, picture_make(&scan, NULL, palette_points),
                    report_format("The scan: %lld points%s.", (long long)f->in->scan->count,
                                  f->in->scan->face_count > 0 ? " with faces" : ""),
                    &texts);
    picture_close(&scan);
}

static void draw_missing(const fit_page *f, picture *fit)
{
    page_picture texts = {.caption = "The fit, and what of it is missing from the scan.",
                          .colours = MISSING_COLOURS,
                          .ticks = {"observed", NULL, "missing"}};
    double *smooth = malloc(((size_t)fit->mesh->count + 1) * sizeof *smooth);
    if (smooth)
        memcpy(smooth, f->missing, (size_t)fit->mesh->count * sizeof *smooth);
    if (smooth && surface_smooth(fit->mesh, smooth, SMOOTH))
        add_picture(f, fit, picture_make(fit, smooth, palette_missing),
                    report_format("The fit: %lld of its %lld points are missing from the scan.",
                                  (long long)f->result->missing_count, (long long)f->result->count),
                    &texts);
    free(smooth);
}

static void draw_quantity(const fit_page *f, int which, picture *fit)
{
    static const struct {
        palette colours;
        const char *css;
    } LOOKS[FIT_QUANTITIES] = {
        [FIT_SD] = {palette_uncertainty, "#efdfd0,#b4d0c9,#5fa3b5,#2f6b9a,#30387a"},
        [FIT_DEVIATION] = {palette_deviation, "#f3ece2,#d9c3d6,#b088bd,#7f4f9e,#472063"},
        [FIT_DISTANCE] = {palette_distance, "#f4efe4,#f8c77c,#ec7a3c,#b52a2a,#6d0f35"}};
    const fit_quantity *q = &f->values.quantities[which];
    char half[32], top[64], *caption = report_format("%s, %.2g%s in the mean.", q->name, q->mean, f->unit);
    double *share = malloc(((size_t)fit->mesh->count + 1) * sizeof *share);
    for (int64_t i = 0; share && i < fit->mesh->count; i++)
        share[i] = f->quantities[which][i] / q->top;
    snprintf(half, sizeof half, "%.3g", q->top / 2);
    snprintf(top, sizeof top, "≥ %.3g%.20s", q->top, f->unit);
    page_picture texts = {.caption = caption, .colours = LOOKS[which].css, .ticks = {"0", half, top}};
    if (share)
        add_picture(f, fit, picture_make(fit, share, LOOKS[which].colours),
                    report_format("The fit coloured by its %s: %.2g%s in the mean, %.2g%s at most.", q->name,
                                  q->mean, f->unit, q->largest, f->unit),
                    &texts);
    free(share);
    free(caption);
}

void fit_page_write_pictures(const fit_page *f)
{
    sfgp_mesh fitted = *f->shape.mesh;
    fitted.points = f->fitted;
    picture_frame frame = {0, HEIGHT, 6, canvas_find_camera(&fitted), {&fitted, NULL, NULL}};
    frame.width = find_width(&frame.camera, &fitted);
    page_heading(f->p, "Pictures");
    draw_scan(f, &frame);
    picture fit;
    if (picture_open(&fit, &frame, &fitted)) {
        draw_missing(f, &fit);
        for (int q = 0; q < FIT_QUANTITIES; q++)
            if (f->values.quantities[q].largest > ROUNDING * fit.canvas.extent)
                draw_quantity(f, q, &fit);
    }
    picture_close(&fit);
}
