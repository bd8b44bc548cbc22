/* Draws a shape on a canvas, lights it, and writes the pixels as PNG. */
#include "page/picture.h"
#include "page/light.h"
#include "page/page_data.h"
#include "page/png.h"
#include "page/sink.h"
#include "page/surface.h"

#include <stdlib.h>

enum { SAMPLES = 2 };

static unsigned char round_byte(unsigned char byte, int bits)
{
    const int levels = (1 << bits) - 1;
    return (unsigned char)((byte * levels + 127) / 255 * 255 / levels);
}

/* Pixels of red, green, blue and cover. NULL: out of memory. */
static unsigned char *develop(const picture *p, palette colours)
{
    const picture_frame *frame = p->frame;
    const palette_table table = palette_tabulate(colours);
    unsigned char *pixels = malloc((size_t)frame->width * (size_t)frame->height * 4);
    for (int y = 0; pixels && y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const light_pixel pixel = light_develop(&p->canvas, p->lights, x, y, &table);
            const double parts[3] = {pixel.colour.x, pixel.colour.y, pixel.colour.z};
            unsigned char *out = pixels + 4 * ((int64_t)y * frame->width + x);
            for (int k = 0; k < 3; k++)
                out[k] = round_byte(palette_encode(parts[k]), frame->bits);
            out[3] = round_byte((unsigned char)(255 * pixel.cover), frame->bits);
        }
    return pixels;
}

/* Balls that nearly touch each other where the points lie on a disc of the size of the picture; not too small or large. */
static double find_radius(const canvas *c, const sfgp_mesh *mesh)
{
    const double least = 1.2 * c->samples / c->scale, most = 0.02 * c->extent;
    return fmin(most, fmax(least, 0.42 * c->extent / sqrt((double)mesh->count + 1)));
}

static char *encode_base64(const unsigned char *bytes, size_t size)
{
    page_sink sink;
    char *text = NULL;
    if (!page_sink_open(&sink))
        return NULL;
    page_base64 b = {.out = sink.out};
    for (size_t k = 0; k < size; k++)
        page_base64_byte(&b, bytes[k]);
    page_base64_end(&b);
    return page_sink_close(&sink, &text) == SFGP_OK ? text : NULL;
}

static char *encode_png(const picture_frame *frame, const unsigned char *pixels)
{
    unsigned char *bytes = NULL;
    size_t size = 0;
    char *text = png_make(frame->width, frame->height, pixels, &bytes, &size) == SFGP_OK
                     ? encode_base64(bytes, size)
                     : NULL;
    free(bytes);
    return text;
}

static bool has_surface(const sfgp_mesh *mesh)
{
    return mesh->face_count > 0 && mesh->dimension == 3;
}

static bool draw(picture *p, const double *values)
{
    canvas_wipe(&p->canvas);
    if (has_surface(p->mesh))
        return surface_draw(&p->canvas, p->mesh, values);
    canvas_draw_balls(&p->canvas, p->mesh, values, find_radius(&p->canvas, p->mesh));
    return true;
}

bool picture_open(picture *p, const picture_frame *frame, const sfgp_mesh *mesh)
{
    *p = (picture){.frame = frame, .mesh = mesh};
    if (!canvas_open(&p->canvas, frame->width, frame->height, SAMPLES, &frame->camera))
        return false;
    canvas_frame(&p->canvas, frame->shapes, sizeof frame->shapes / sizeof *frame->shapes);
    if (draw(p, NULL))
        p->lights = light_measure(&p->canvas, has_surface(mesh) ? 0.15 : 0.04);
    return p->lights != NULL;
}

char *picture_make(picture *p, const double *values, palette colours)
{
    unsigned char *pixels = p->lights && draw(p, values) ? develop(p, colours) : NULL;
    char *text = pixels ? encode_png(p->frame, pixels) : NULL;
    free(pixels);
    return text;
}

void picture_close(picture *p)
{
    canvas_close(&p->canvas);
    free(p->lights);
}
