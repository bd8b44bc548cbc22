/* picture SCAN.ply FIT.ply TABLE.csv OUT.png - the picture of the README: what came in, what came out, and
 * how sure it is. TABLE.csv is what `sfgp register --table` writes; its columns sd and missing are used.
 *
 * Surfaces and points go through one software z-buffer (3 x 3 samples a pixel) that keeps depth, normal and
 * one value a sample; a second pass lights the samples and darkens hollows by their horizon in eight
 * directions. */
#include "sfgp/sfgp.h"

#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 2400 /* twice what a README shows */
#define HEIGHT 1010
#define PANEL_WIDTH 780
#define PANEL_HEIGHT 800
#define PANEL_TOP 24
#define SAMPLES 3 /* a pixel and axis */
#define YAW 0.24  /* radians the camera walks towards the face, */
#define PITCH 0.06
#define ROLL -0.06
#define STRAY 2.5   /* mm off the surface makes a point of the scan a stray */
#define PIECES 4    /* an edge of a triangle is cut into */
#define BALL 0.45   /* mm, radius of a point of the scan */
#define LAMP 0.30   /* radius of the lamp at distance 1: how soft shadows are */
#define SHADOW 30.0 /* mm, longest shadow */

typedef struct vec3 {
    double x, y, z;
} vec3;

struct sample {
    float depth; /* mm towards the eye, -INFINITY where there is nothing */
    float nx, ny, nz, value;
};

struct canvas {
    int width, height; /* samples */
    double scale;      /* samples a mm */
    vec3 centre;       /* of the world, mm, in view axes */
    struct sample *samples;
};

struct scene {
    sfgp_mesh *scan, *fit;
    double *sd, *missing, *stray; /* per point of fit, fit, scan */
    double worst;                 /* end of the colour bar, mm */
};

static void die(const char *what, const char *why)
{
    fprintf(stderr, "picture: %s: %s\n", what, why);
    exit(1);
}

static void *grab(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        die("memory", "there is none left");
    return block;
}

/* ---- vectors and view -------------------------------------------------------------------------------- */

static vec3 subtract(vec3 a, vec3 b)
{
    return (vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static vec3 cross(vec3 a, vec3 b)
{
    return (vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(vec3 a, vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec3 unit(vec3 a)
{
    double length = sqrt(dot(a, a)) + 1e-300;
    return (vec3){a.x / length, a.y / length, a.z / length};
}

static vec3 mix(vec3 a, vec3 b, double t)
{
    return (vec3){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), a.z + t * (b.z - a.z)};
}

/* World to view axes: x right, y up, z towards the eye. */
static vec3 look(const sfgp_mesh *mesh, int64_t index)
{
    const double *p = mesh->points + 3 * index;
    double x = cos(YAW) * p[0] + sin(YAW) * p[2], z = cos(YAW) * p[2] - sin(YAW) * p[0];
    double y = cos(PITCH) * p[1] - sin(PITCH) * z, depth = cos(PITCH) * z + sin(PITCH) * p[1];
    return (vec3){cos(ROLL) * x - sin(ROLL) * y, cos(ROLL) * y + sin(ROLL) * x, depth};
}

static vec3 project(const struct canvas *canvas, vec3 p)
{
    return (vec3){canvas->width / 2.0 + canvas->scale * (p.x - canvas->centre.x),
                  canvas->height / 2.0 - canvas->scale * (p.y - canvas->centre.y), p.z - canvas->centre.z};
}

/* ---- input ------------------------------------------------------------------------------------------- */

static sfgp_mesh *read_mesh(sfgp_context *context, const char *path)
{
    sfgp_mesh *mesh;
    if (sfgp_mesh_read(context, path, &mesh) != SFGP_OK)
        die(path, sfgp_context_error(context));
    if (mesh->dimension != 3 || mesh->count == 0)
        die(path, "points in 3D are needed");
    return mesh;
}

/* Index of the column in a header line, or die. */
static int find_column(const char *path, const char *header, const char *name)
{
    size_t length = strlen(name);
    int column = 0;
    for (const char *at = header; at; at = strchr(at, ','), at = at ? at + 1 : NULL, column++)
        if (strncmp(at, name, length) == 0 && strchr(",\r\n", at[length]))
            return column;
    die(path, "columns sd and missing are needed");
    return -1;
}

static double field(const char *line, int column)
{
    for (; line && column > 0; column--)
        line = (line = strchr(line, ',')) ? line + 1 : NULL;
    return line ? strtod(line, NULL) : 0;
}

static void read_table(const char *path, struct scene *scene)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        die(path, "cannot read");
    int sd = find_column(path, line, "sd"), missing = find_column(path, line, "missing");
    scene->sd = grab((size_t)scene->fit->count, sizeof *scene->sd);
    scene->missing = grab((size_t)scene->fit->count, sizeof *scene->missing);
    for (int64_t k = 0; k < scene->fit->count; k++) {
        if (!fgets(line, sizeof line, file))
            die(path, "has fewer rows than the fit has points");
        scene->sd[k] = field(line, sd);
        scene->missing[k] = field(line, missing);
        scene->worst = fmax(scene->worst, scene->sd[k]);
    }
    fclose(file);
}

static void find_strays(struct scene *scene)
{
    const double *fit = scene->fit->points, *scan = scene->scan->points;
    scene->stray = grab((size_t)scene->scan->count, sizeof *scene->stray);
    for (int64_t i = 0; i < scene->scan->count; i++) {
        double least = INFINITY;
        for (int64_t k = 0; k < scene->fit->count; k++) {
            double dx = fit[3 * k] - scan[3 * i], dy = fit[3 * k + 1] - scan[3 * i + 1],
                   dz = fit[3 * k + 2] - scan[3 * i + 2];
            least = fmin(least, dx * dx + dy * dy + dz * dz);
        }
        scene->stray[i] = least > STRAY * STRAY;
    }
}

/* ---- z-buffer ---------------------------------------------------------------------------------------- */

static struct canvas canvas_new(const sfgp_mesh *fit)
{
    struct canvas canvas = {.width = PANEL_WIDTH * SAMPLES, .height = PANEL_HEIGHT * SAMPLES};
    vec3 least = {INFINITY, INFINITY, INFINITY}, most = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t k = 0; k < fit->count; k++) {
        vec3 p = look(fit, k);
        least = (vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    canvas.centre = (vec3){(least.x + most.x) / 2, (least.y + most.y) / 2, (least.z + most.z) / 2};
    canvas.scale = fmin(0.88 * canvas.height / (most.y - least.y), 0.8 * canvas.width / (most.x - least.x));
    canvas.samples = grab((size_t)canvas.width * (size_t)canvas.height, sizeof *canvas.samples);
    return canvas;
}

static void clear(struct canvas *canvas)
{
    for (int64_t k = 0; k < (int64_t)canvas->width * canvas->height; k++)
        canvas->samples[k].depth = -INFINITY;
}

static void put(struct canvas *canvas, int x, int y, double depth, vec3 normal, double value)
{
    if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height)
        return;
    struct sample *sample = &canvas->samples[(int64_t)y * canvas->width + x];
    if (depth <= (double)sample->depth)
        return;
    *sample = (struct sample){(float)depth, (float)normal.x, (float)normal.y, (float)normal.z, (float)value};
}

/* One triangle: p on the canvas, n and v at its corners. */
static void draw_triangle(struct canvas *canvas, const vec3 p[3], const vec3 n[3], const double v[3])
{
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    int left = (int)floor(fmin(p[0].x, fmin(p[1].x, p[2].x))),
        top = (int)floor(fmin(p[0].y, fmin(p[1].y, p[2].y)));
    int right = (int)ceil(fmax(p[0].x, fmax(p[1].x, p[2].x))),
        low = (int)ceil(fmax(p[0].y, fmax(p[1].y, p[2].y)));
    if (fabs(area) < 1e-9)
        return;
    for (int y = top; y <= low; y++)
        for (int x = left; x <= right; x++) {
            double b = ((x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (y - p[0].y)) / area;
            double c = ((p[1].x - p[0].x) * (y - p[0].y) - (x - p[0].x) * (p[1].y - p[0].y)) / area;
            double a = 1 - b - c;
            if (a < 0 || b < 0 || c < 0)
                continue;
            vec3 normal =
                unit((vec3){a * n[0].x + b * n[1].x + c * n[2].x, a * n[0].y + b * n[1].y + c * n[2].y,
                            a * n[0].z + b * n[1].z + c * n[2].z});
            if (normal.z < 0) /* the back of the sheet is lit like its front */
                normal = (vec3){-normal.x, -normal.y, -normal.z};
            put(canvas, x, y, a * p[0].z + b * p[1].z + c * p[2].z, normal, a * v[0] + b * v[1] + c * v[2]);
        }
}

/* Sum of the normals of the faces around every point, weighted by area, in view axes. */
static vec3 *point_normals(const sfgp_mesh *mesh)
{
    vec3 *normals = grab((size_t)mesh->count, sizeof *normals);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *corner = mesh->face_points + mesh->face_start[f];
        vec3 a = look(mesh, corner[0]);
        vec3 n = cross(subtract(look(mesh, corner[1]), a), subtract(look(mesh, corner[2]), a));
        for (int k = 0; k < 3; k++)
            normals[corner[k]] =
                (vec3){normals[corner[k]].x + n.x, normals[corner[k]].y + n.y, normals[corner[k]].z + n.z};
    }
    for (int64_t k = 0; k < mesh->count; k++)
        normals[k] = unit(normals[k]);
    return normals;
}

/* Averages values over neighbours, so that the border of a mask is a line and not a staircase of triangles.
 */
static void smooth_values(const sfgp_mesh *mesh, double *values, int passes)
{
    double *sum = grab((size_t)mesh->count, sizeof *sum), *weight = grab((size_t)mesh->count, sizeof *weight);
    for (int pass = 0; pass < passes; pass++) {
        memset(sum, 0, (size_t)mesh->count * sizeof *sum);
        memset(weight, 0, (size_t)mesh->count * sizeof *weight);
        for (int64_t f = 0; f < mesh->face_count; f++) {
            const int64_t *corner = mesh->face_points + mesh->face_start[f];
            double all = values[corner[0]] + values[corner[1]] + values[corner[2]];
            for (int k = 0; k < 3; k++)
                sum[corner[k]] += all, weight[corner[k]] += 3;
        }
        for (int64_t k = 0; k < mesh->count; k++)
            values[k] = weight[k] > 0 ? sum[k] / weight[k] : values[k];
    }
    free(sum), free(weight);
}

struct corner {
    vec3 point, normal; /* view axes */
    double value;
};

static vec3 blend(vec3 a, vec3 b, vec3 c, const double w[3])
{
    return (vec3){w[0] * a.x + w[1] * b.x + w[2] * c.x, w[0] * a.y + w[1] * b.y + w[2] * c.y,
                  w[0] * a.z + w[1] * b.z + w[2] * c.z};
}

/* The point with the weights w of a triangle that is bent to its normals: Phong tessellation (Boubekeur,
 * Alexa 2008), three quarters of the way from the flat point to the mean of its feet on the corners' tangent
 * planes. */
static struct corner bent_point(const struct corner t[3], const double w[3])
{
    vec3 flat = blend(t[0].point, t[1].point, t[2].point, w), foot[3];
    for (int k = 0; k < 3; k++) {
        double height = dot(subtract(flat, t[k].point), t[k].normal);
        foot[k] =
            subtract(flat, (vec3){height * t[k].normal.x, height * t[k].normal.y, height * t[k].normal.z});
    }
    vec3 round = blend(foot[0], foot[1], foot[2], w);
    return (struct corner){mix(flat, round, 0.75), unit(blend(t[0].normal, t[1].normal, t[2].normal, w)),
                           w[0] * t[0].value + w[1] * t[1].value + w[2] * t[2].value};
}

/* The small triangle whose corners have the given steps (i, j) of PIECES along the edges of t. */
static void draw_piece(struct canvas *canvas, const struct corner t[3], const int steps[3][2])
{
    vec3 p[3], n[3];
    double v[3];
    for (int k = 0; k < 3; k++) {
        double b = steps[k][0] / (double)PIECES, c = steps[k][1] / (double)PIECES;
        struct corner corner = bent_point(t, (const double[3]){1 - b - c, b, c});
        p[k] = project(canvas, corner.point);
        n[k] = corner.normal;
        v[k] = corner.value;
    }
    draw_triangle(canvas, p, n, v);
}

static void draw_surface(struct canvas *canvas, const sfgp_mesh *mesh, const double *values)
{
    vec3 *normals = point_normals(mesh);
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *index = mesh->face_points + mesh->face_start[f];
        struct corner t[3];
        for (int k = 0; k < 3; k++)
            t[k] = (struct corner){look(mesh, index[k]), normals[index[k]], values[index[k]]};
        for (int i = 0; i < PIECES; i++)
            for (int j = 0; i + j < PIECES; j++) {
                draw_piece(canvas, t, (const int[3][2]){{i, j}, {i + 1, j}, {i, j + 1}});
                if (i + j < PIECES - 1)
                    draw_piece(canvas, t, (const int[3][2]){{i + 1, j}, {i + 1, j + 1}, {i, j + 1}});
            }
    }
    free(normals);
}

static void draw_balls(struct canvas *canvas, const sfgp_mesh *mesh, const double *values)
{
    double radius = BALL * canvas->scale;
    for (int64_t i = 0; i < mesh->count; i++) {
        vec3 p = project(canvas, look(mesh, i));
        for (int y = (int)floor(p.y - radius); y <= p.y + radius; y++)
            for (int x = (int)floor(p.x - radius); x <= p.x + radius; x++) {
                double u = (x - p.x) / radius, v = (p.y - y) / radius, height = 1 - u * u - v * v;
                if (height > 0)
                    put(canvas, x, y, p.z + BALL * sqrt(height), (vec3){u, v, sqrt(height)}, values[i]);
            }
    }
}

/* ---- light ------------------------------------------------------------------------------------------- */

/* Colours of a value from 0 to 1, linear light. */
typedef vec3 (*palette_function)(double value);

static vec3 srgb(unsigned hex)
{
    return (vec3){pow((hex >> 16) / 255.0, 2.2), pow((hex >> 8 & 255) / 255.0, 2.2),
                  pow((hex & 255) / 255.0, 2.2)};
}

static double smooth(double from, double to, double x)
{
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

static vec3 palette_missing(double value)
{
    return mix(srgb(0xe8c9b1), srgb(0x5fa8b5), smooth(0.44, 0.56, value));
}

static vec3 palette_points(double value)
{
    return value > 0.5 ? srgb(0xe07a4f) : srgb(0x8f9fb3);
}

static vec3 palette_uncertainty(double value)
{
    static const unsigned stops[] = {0xefdfd0, 0xb4d0c9, 0x5fa3b5, 0x2f6b9a, 0x30387a};
    double at = 4 * fmin(fmax(value, 0), 1);
    int k = at < 3 ? (int)at : 3;
    return mix(srgb(stops[k]), srgb(stops[k + 1]), at - k);
}

/* Share of the sky that the surroundings of a sample hide: in each direction the highest horizon above the
 * tangent plane, fading with distance. The first direction differs from sample to sample; the average over a
 * pixel is smooth. */
static double hidden(const struct canvas *canvas, int x, int y, double reach)
{
    enum { DIRECTIONS = 8, STEPS = 8 };
    const struct sample *here = &canvas->samples[(int64_t)y * canvas->width + x];
    double start = (x % SAMPLES + SAMPLES * (y % SAMPLES)) / (double)(SAMPLES * SAMPLES), sum = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        double turn = 2 * 3.14159265358979 * (k + start) / DIRECTIONS, ux = cos(turn), uy = sin(turn),
               most = 0;
        double slope = -((double)here->nx * ux - (double)here->ny * uy) / fmax((double)here->nz, 0.15);
        for (int step = 1; step <= STEPS; step++) {
            double away = reach * step * step / (STEPS * STEPS);
            int sx = (int)(x + ux * away * canvas->scale), sy = (int)(y + uy * away * canvas->scale);
            if (sx < 0 || sy < 0 || sx >= canvas->width || sy >= canvas->height)
                break;
            double rise = (double)(canvas->samples[(int64_t)sy * canvas->width + sx].depth - here->depth);
            double above = rise / sqrt(rise * rise + away * away) - slope / sqrt(1 + slope * slope);
            if (isfinite(rise))
                most = fmax(most, above * (1 - away * away / (reach * reach)));
        }
        sum += fmin(most, 1);
    }
    return sum / DIRECTIONS;
}

/* Share of four rays to a lamp of some size that reach it; the lamp is in the direction key. */
static double lamp_seen(const struct canvas *canvas, int x, int y, vec3 key)
{
    enum { RAYS = 4, STEPS = 28 };
    const struct sample *here = &canvas->samples[(int64_t)y * canvas->width + x];
    int seen = 0;
    for (int ray = 0; ray < RAYS; ray++) {
        double turn = 2.4 * (ray + RAYS * (x % SAMPLES + SAMPLES * (y % SAMPLES)));
        double spread = LAMP * sqrt((ray + 0.5) / RAYS), away = 0;
        vec3 to = unit((vec3){key.x + spread * cos(turn), key.y + spread * sin(turn), key.z});
        int blocked = 0;
        for (int step = 1; step <= STEPS && !blocked; step++) {
            away = 0.5 + SHADOW * step * step / (STEPS * STEPS);
            int sx = (int)(x + to.x * away * canvas->scale), sy = (int)(y - to.y * away * canvas->scale);
            if (sx < 0 || sy < 0 || sx >= canvas->width || sy >= canvas->height)
                break;
            double above = (double)(canvas->samples[(int64_t)sy * canvas->width + sx].depth - here->depth);
            blocked = above > to.z * away + 0.15;
        }
        seen += !blocked;
    }
    return seen / (double)RAYS;
}

/* Colour of a sample: lamp from the upper left, weak light from the right, sky, a little gloss. */
static vec3 light(const struct canvas *canvas, int x, int y, palette_function palette, double reach)
{
    const struct sample *sample = &canvas->samples[(int64_t)y * canvas->width + x];
    vec3 n = {(double)sample->nx, (double)sample->ny, (double)sample->nz};
    vec3 key = unit((vec3){-0.62, 0.66, 0.62}), fill = unit((vec3){0.8, -0.15, 0.55});
    vec3 half = unit((vec3){key.x, key.y, key.z + 1}), colour = palette((double)sample->value);
    double open = 1 - fmin(1.35 * hidden(canvas, x, y, reach), 0.92),
           lamp = 0.3 + 0.7 * lamp_seen(canvas, x, y, key);
    double diffuse = lamp * fmax(0.1 + 0.9 * dot(n, key), 0);
    double strength =
        open * (0.27 + 0.13 * n.y + 0.16 * fmax(dot(n, fill), 0)) + (0.4 + 0.6 * open) * 0.80 * diffuse;
    double shine = 0.06 * open * lamp * pow(fmax(dot(n, half), 0), 24);
    double warm = 0.10 * (1 - open); /* light that comes back out of hollows is tinted by them */
    return (vec3){colour.x * (strength + warm * colour.x) + shine,
                  colour.y * (strength + warm * colour.y) + shine,
                  colour.z * (strength + warm * colour.z) + shine};
}

static unsigned char encode(double linear)
{
    return (unsigned char)lround(255 * pow(fmin(fmax(linear, 0), 1), 1 / 2.2));
}

/* Averages the samples of pixel (x, y) over white paper. */
static void develop(const struct canvas *canvas, int x, int y, palette_function palette, double reach,
                    unsigned char *pixel)
{
    vec3 sum = {0, 0, 0};
    for (int sy = y * SAMPLES; sy < (y + 1) * SAMPLES; sy++)
        for (int sx = x * SAMPLES; sx < (x + 1) * SAMPLES; sx++) {
            const struct sample *sample = &canvas->samples[(int64_t)sy * canvas->width + sx];
            vec3 colour = {1, 1, 1};
            if (isfinite(sample->depth))
                colour = light(canvas, sx, sy, palette, reach);
            sum = (vec3){sum.x + colour.x, sum.y + colour.y, sum.z + colour.z};
        }
    pixel[0] = encode(sum.z / (SAMPLES * SAMPLES));
    pixel[1] = encode(sum.y / (SAMPLES * SAMPLES));
    pixel[2] = encode(sum.x / (SAMPLES * SAMPLES));
}

static void paint_canvas(cairo_t *page, const struct canvas *canvas, double left, palette_function palette,
                         double reach)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, PANEL_WIDTH, PANEL_HEIGHT);
    unsigned char *pixels = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    cairo_surface_flush(image);
    for (int y = 0; y < PANEL_HEIGHT; y++)
        for (int x = 0; x < PANEL_WIDTH; x++)
            develop(canvas, x, y, palette, reach, pixels + (int64_t)y * stride + 4 * x);
    cairo_surface_mark_dirty(image);
    cairo_set_source_surface(page, image, left, PANEL_TOP);
    cairo_paint(page);
    cairo_surface_destroy(image);
}

/* ---- page -------------------------------------------------------------------------------------------- */

static void set_colour(cairo_t *page, unsigned hex)
{
    cairo_set_source_rgb(page, (hex >> 16) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0);
}

/* White with round corners: fine on a light and on a dark page. */
static cairo_t *new_page(cairo_surface_t *image)
{
    const double radius = 36, quarter = 3.14159265358979 / 2;
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
        cairo_set_source_rgb(page, encode(colour.x) / 255.0, encode(colour.y) / 255.0,
                             encode(colour.z) / 255.0);
        cairo_rectangle(page, left + k, top, 1, height);
        cairo_fill(page);
    }
    write_text(page, left - 16, top + 22, 1, 32, 0x6b7280, "0");
    snprintf(text, sizeof text, "%.2g mm", worst);
    write_text(page, left + width + 16, top + 22, 0, 32, 0x6b7280, text);
}

static void draw_panels(cairo_t *page, struct canvas *canvas, const struct scene *scene)
{
    double *share = grab((size_t)scene->fit->count, sizeof *share), left[3],
           gap = (WIDTH - 3 * PANEL_WIDTH) / 2.0;
    char text[3][64];
    int64_t missing = 0;
    for (int64_t k = 0; k < scene->fit->count; k++) {
        share[k] = scene->sd[k] / scene->worst;
        missing += scene->missing[k] > 0.5;
    }
    for (int k = 0; k < 3; k++)
        left[k] = gap + k * PANEL_WIDTH;
    clear(canvas);
    draw_balls(canvas, scene->scan, scene->stray);
    paint_canvas(page, canvas, left[0], palette_points, 3);
    smooth_values(scene->fit, scene->missing, 5);
    clear(canvas);
    draw_surface(canvas, scene->fit, scene->missing);
    paint_canvas(page, canvas, left[1], palette_missing, 11);
    clear(canvas);
    draw_surface(canvas, scene->fit, share);
    paint_canvas(page, canvas, left[2], palette_uncertainty, 11);
    snprintf(text[0], sizeof text[0], "%lld points, holes and strays", (long long)scene->scan->count);
    snprintf(text[1], sizeof text[1], "fit: %lld points", (long long)scene->fit->count);
    snprintf(text[2], sizeof text[2], "%lld of them predicted", (long long)missing);
    write_label(page, left[0] + PANEL_WIDTH / 2.0, "damaged scan", text[0]);
    write_label(page, left[1] + PANEL_WIDTH / 2.0, text[1], text[2]);
    write_label(page, left[2] + PANEL_WIDTH / 2.0, "uncertainty", "");
    draw_bar(page, left[2] + PANEL_WIDTH / 2.0, scene->worst);
    free(share);
}

int main(int count, char **arguments)
{
    struct scene scene = {0};
    sfgp_context *context = NULL;
    if (count != 5)
        die("usage", "picture SCAN.ply FIT.ply TABLE.csv OUT.png");
    if (sfgp_context_new(NULL, &context) != SFGP_OK)
        die("memory", "there is none left");
    scene.scan = read_mesh(context, arguments[1]);
    scene.fit = read_mesh(context, arguments[2]);
    read_table(arguments[3], &scene);
    find_strays(&scene);
    struct canvas canvas = canvas_new(scene.fit);
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, WIDTH, HEIGHT);
    cairo_t *page = new_page(image);
    draw_panels(page, &canvas, &scene);
    cairo_destroy(page);
    if (cairo_surface_write_to_png(image, arguments[4]) != CAIRO_STATUS_SUCCESS)
        die(arguments[4], "cannot write");
    cairo_surface_destroy(image);
    free(canvas.samples), free(scene.sd), free(scene.missing), free(scene.stray);
    sfgp_mesh_free(scene.scan), sfgp_mesh_free(scene.fit);
    sfgp_context_free(context);
    return 0;
}
