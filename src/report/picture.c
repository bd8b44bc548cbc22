/* Draws a shape on a canvas, lights it, and writes the pixels as PNG. */
#include "report/picture.h"
#include "report/light.h"
#include "report/page_data.h"
#include "report/png.h"
#include "report/surface.h"

#include <stdlib.h>

enum { SAMPLES = 2 };

static unsigned char round_byte(unsigned char byte, int bits)
{
    const int levels = (1 << bits) - 1;
    return (unsigned char)((byte * levels + 127) / 255 * 255 / levels);
}

/* Pixels of red, green, blue and cover. NULL: out of memory. */
static unsigned char *develop(const canvas *c, const picture_frame *frame, const picture *shown)
{
    const double reach = shown->mesh->face_count > 0 ? 0.15 : 0.04;
    unsigned char *pixels = malloc((size_t)frame->width * (size_t)frame->height * 4);
    for (int y = 0; pixels && y < frame->height; y++)
        for (int x = 0; x < frame->width; x++) {
            const light_pixel pixel = light_develop(c, x, y, shown->colours, reach);
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
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    page_base64 b = {.out = out};
    for (size_t k = 0; out && k < size; k++)
        page_base64_byte(&b, bytes[k]);
    if (!out)
        return NULL;
    page_base64_end(&b);
    const int failed = ferror(out);
    if (fclose(out) == 0 && !failed)
        return text;
    free(text);
    return NULL;
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

char *picture_make(const picture_frame *frame, const picture *shown)
{
    canvas c;
    char *text = NULL;
    bool good = canvas_open(&c, frame->width, frame->height, SAMPLES, &frame->camera);
    if (good) {
        canvas_frame(&c, frame->shapes, sizeof frame->shapes / sizeof *frame->shapes);
        if (shown->mesh->face_count > 0 && shown->mesh->dimension == 3)
            good = surface_draw(&c, shown->mesh, shown->values);
        else
            canvas_draw_balls(&c, shown->mesh, shown->values, find_radius(&c, shown->mesh));
    }
    unsigned char *pixels = good ? develop(&c, frame, shown) : NULL;
    if (pixels)
        text = encode_png(frame, pixels);
    free(pixels);
    canvas_close(&c);
    return text;
}
