/* Thumbnail: some hundred points of a fit as SVG, seen along a coordinate axis. One path for each colour keeps it to
 * some kilobytes. Blue: observed points, darker for a larger sd. Red: missing points, which are drawn last. */
#include "report/chart_text.h"
#include "report/fitted.h"

#include "batch/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIDE = 100, EDGE = 4, MOST_POINTS = 500, SHADES = 4 };
static const char *const COLOURS[SHADES + 1] = {"#9ecae1", "#4292c6", "#2171b5", "#08306b", "#d55e00"};

/* The projection of a point: x -> EDGE + (x - low) scale, for each of the two axes that are shown. */
typedef struct view {
    int axes[2]; /* coordinates that are shown */
    double low[2];
    double scale;
} view;

static void find_range(const sfgp_mesh *mesh, int axis, double range[2])
{
    range[0] = HUGE_VAL;
    range[1] = -HUGE_VAL;
    for (int64_t i = 0; i < mesh->count; i++) {
        const double x = mesh->points[i * mesh->dimension + axis];
        range[0] = fmin(range[0], x);
        range[1] = fmax(range[1], x);
    }
}

int batch_thumbnail_axis(const report_fitted *fitted)
{
    const sfgp_mesh *mesh = fitted->mesh;
    double range[2], least = HUGE_VAL;
    int thin = 2;
    for (int axis = 0; axis < mesh->dimension && mesh->dimension == 3; axis++) {
        find_range(mesh, axis, range);
        if (range[1] - range[0] < least) {
            least = range[1] - range[0];
            thin = axis;
        }
    }
    return thin;
}

static view find_view(const sfgp_mesh *mesh, int along)
{
    double range[2], largest = 0;
    view v = {.scale = 1};
    for (int axis = 0, k = 0; axis < mesh->dimension && k < 2; axis++)
        if (axis != along) {
            find_range(mesh, axis, range);
            v.axes[k] = axis;
            v.low[k++] = range[0];
            largest = fmax(largest, range[1] - range[0]);
        }
    if (largest > 0)
        v.scale = (SIDE - 2 * EDGE) / largest;
    return v;
}

static int shade(const report_fitted *fitted, int64_t i, double top)
{
    const double share = top > 0 ? fitted->sd[i] / top : 0;
    return fitted->missing[i] ? SHADES : share > 0 ? (int)fmin(share * SHADES, SHADES - 1) : 0;
}

/* Draws a dot, as a line of length 0 with round ends. The second axis points up. */
static void draw_point(FILE *out, const view *v, const double *point)
{
    char x[CHART_NUMBER_SIZE], y[CHART_NUMBER_SIZE];
    fprintf(out, "M%s %sh0",
            chart_coordinate(round(10 * (EDGE + (point[v->axes[0]] - v->low[0]) * v->scale)) / 10, x),
            chart_coordinate(round(10 * (SIDE - EDGE - (point[v->axes[1]] - v->low[1]) * v->scale)) / 10, y));
}

char *batch_thumbnail(const report_fitted *fitted, int along, double top)
{
    char *text = NULL;
    size_t size;
    const sfgp_mesh *mesh = fitted->mesh;
    const int64_t step = (mesh->count + MOST_POINTS - 1) / MOST_POINTS;
    const view v = find_view(mesh, along);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "fill=\"none\" stroke-width=\"3\" stroke-linecap=\"round\">",
            SIDE, SIDE, SIDE, SIDE);
    for (int colour = 0; colour <= SHADES; colour++) {
        fprintf(out, "<path stroke=\"%s\" d=\"", COLOURS[colour]);
        for (int64_t i = 0; i < mesh->count; i += step)
            if (shade(fitted, i, top) == colour)
                draw_point(out, &v, mesh->points + i * mesh->dimension);
        fputs("\"/>", out);
    }
    fputs("</svg>", out);
    return fclose(out) == 0 ? text : (free(text), NULL);
}
