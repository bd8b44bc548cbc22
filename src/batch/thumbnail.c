/* Thumbnails: the scan and its fit as small shaded images, from the same side. Skin: observed points; blue-green: missing
 * points, which the model predicts. */
#include "batch/parts.h"
#include "page/sink.h"
#include "page/markup.h"
#include "report/fitted.h"
#include "page/picture.h"
#include "page/surface.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 84, HEIGHT = 100, BITS = 5, SMOOTH = 2 };

static void write_image(FILE *out, const char *png, const char *what, const char *id)
{
    fprintf(out, "<img class=\"thumbnail\" width=\"%d\" height=\"%d\" alt=\"%s ", WIDTH, HEIGHT, what);
    markup_write(out, id);
    fprintf(out, "\" src=\"data:image/png;base64,%s\">", png);
}

static char *draw_scan(const picture_frame *frame, const sfgp_mesh *scan)
{
    picture drawn;
    char *png = picture_open(&drawn, frame, scan) ? picture_make(&drawn, NULL, palette_points) : NULL;
    picture_close(&drawn);
    return png;
}

static char *draw_fit(const picture_frame *frame, const report_fitted *fitted)
{
    picture drawn;
    char *png = NULL;
    double *missing = malloc(((size_t)fitted->mesh->count + 1) * sizeof *missing);
    if (missing)
        memcpy(missing, fitted->missing, (size_t)fitted->mesh->count * sizeof *missing);
    if (picture_open(&drawn, frame, fitted->mesh) && missing && surface_smooth(fitted->mesh, missing, SMOOTH))
        png = picture_make(&drawn, missing, palette_missing);
    picture_close(&drawn);
    free(missing);
    return png;
}

char *batch_thumbnails(const report_fitted *fitted, const sfgp_mesh *scan, const canvas_camera *camera,
                       const char *id)
{
    const picture_frame frame = {WIDTH, HEIGHT, BITS, *camera, {fitted->mesh, NULL, NULL}};
    char *first = scan ? draw_scan(&frame, scan) : NULL, *second = draw_fit(&frame, fitted), *text = NULL;
    page_sink sink;
    if (page_sink_open(&sink)) {
        fputs("<div class=\"thumbnails\">", sink.out);
        if (first)
            write_image(sink.out, first, "Scan of", id);
        if (second)
            write_image(sink.out, second, "Fit of", id);
        fputs("</div>", sink.out);
        text = page_sink_text(&sink);
    }
    free(first);
    free(second);
    return text;
}
