/* Puts places on the triangles of a mesh with few points in flat parts. even.h has the rules. */
#include "base/memory.h"
#include "geom/even.h"
#include "geom/mesh.h"

#include <math.h>
#include <string.h>

#define WIDE 2     /* spacings: the least height of a wide triangle, so that no place is near its middle */
#define SHARE 0.03 /* of the area of the mesh in wide triangles, from which on it is filled (ADR 0116) */
#define SLIVER                                                                                               \
    64 /* times as long as high: no part of a sampled surface; places are at most 11 times those that are kept */
#define APART 0.7 /* spacings: so near are two places at most; those on a triangle lie at most one apart */

enum { ENOUGH = 6000 /* places, for a mesh of fewer points */ };

typedef struct triangles {
    const sfgp_mesh *mesh;
    double *points; /* of the mesh, in steps */
    double spacing; /* of the places, in steps */
} triangles;

typedef struct triangle {
    const double *corner[3]; /* the first two are the ends of the longest side */
    int64_t index[3];
    double area, longest, height;
} triangle;

static double distance2(const double *a, const double *b)
{
    const double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z;
}

/* Half of |(b - a) x (c - a)|. */
static double area_of(const double *a, const double *b, const double *c)
{
    double u[3], v[3];
    for (int k = 0; k < 3; k++)
        u[k] = b[k] - a[k], v[k] = c[k] - a[k];
    const double x = u[1] * v[2] - u[2] * v[1], y = u[2] * v[0] - u[0] * v[2], z = u[0] * v[1] - u[1] * v[0];
    return sqrt(x * x + y * y + z * z) / 2;
}

/* The first corner of a polygon, corner k and the one before it, from the longest side on. */
static triangle triangle_of(const triangles *all, const int64_t *corners, int64_t k)
{
    const int64_t index[3] = {corners[0], corners[k - 1], corners[k]};
    triangle t = {.longest = 0};
    int first = 0;
    for (int a = 0; a < 3; a++) {
        const double side = sqrt(distance2(all->points + 3 * index[a], all->points + 3 * index[(a + 1) % 3]));
        if (side > t.longest)
            t.longest = side, first = a;
    }
    for (int a = 0; a < 3; a++) {
        t.index[a] = index[(first + a) % 3];
        t.corner[a] = all->points + 3 * t.index[a];
    }
    t.area = area_of(t.corner[0], t.corner[1], t.corner[2]);
    t.height = t.longest > 0 ? 2 * t.area / t.longest : 0;
    return t;
}

/* What is done with each triangle. */
typedef void visit(const triangles *all, const triangle *t, void *user);

static void visit_all(const triangles *all, visit *each, void *user)
{
    const sfgp_mesh *mesh = all->mesh;
    for (int64_t f = 0; f < mesh->face_count; f++) {
        const int64_t *corners = mesh->face_points + mesh->face_start[f];
        for (int64_t k = 2; k < mesh->face_start[f + 1] - mesh->face_start[f]; k++) {
            const triangle t = triangle_of(all, corners, k);
            if (t.longest <= SLIVER * t.height)
                each(all, &t, user);
        }
    }
}

typedef struct areas {
    double all, wide;
} areas;

static void add_area(const triangles *all, const triangle *t, void *user)
{
    areas *sum = user;
    sum->all += t->area;
    if (t->height > WIDE * all->spacing)
        sum->wide += t->area;
}

/* ---- places on a triangle ---------------------------------------------------------------------------------- */

/* Row `row` of `rows` along the longest side, from it to the opposite corner: how many places it has. */
static int64_t places_in(const triangle *t, int64_t row, int64_t rows, double spacing, double *share)
{
    *share = ((double)row + 0.5) / (double)rows;
    return (int64_t)ceil((1 - *share) * t->longest / spacing);
}

/* Place k of `count` in a row at this share of the height. */
static void put_place(const triangle *t, double share, int64_t k, int64_t count, sfgp_place *place)
{
    const double along = ((double)k + 0.5) / (double)count,
                 weight[3] = {(1 - share) * (1 - along), (1 - share) * along, share};
    double least = HUGE_VAL;
    for (int a = 0; a < 3; a++)
        place->at[a] = nearbyint(weight[0] * t->corner[0][a] + weight[1] * t->corner[1][a] +
                                 weight[2] * t->corner[2][a]);
    for (int c = 0; c < 3; c++) {
        const double square = distance2(place->at, t->corner[c]);
        if (square < least)
            least = square, place->index = -1 - t->index[c];
    }
}

typedef struct put {
    int64_t count;
    sfgp_place *places; /* NULL: they are counted */
} put;

static void put_on(const triangles *all, const triangle *t, void *user)
{
    put *to = user;
    const int64_t rows = (int64_t)ceil(t->height / all->spacing);
    if (t->longest <= all->spacing)
        return;
    for (int64_t row = 0; row < rows; row++) {
        double share;
        const int64_t count = places_in(t, row, rows, all->spacing, &share);
        for (int64_t k = 0; to->places && k < count; k++)
            put_place(t, share, k, count, to->places + to->count + k);
        to->count += count;
    }
}

/* ---- the mesh ---------------------------------------------------------------------------------------------- */

static sfgp_status enter(sfgp_context *context, const sfgp_frame *frame, double step, triangles *all)
{
    const sfgp_mesh *mesh = all->mesh;
    sfgp_status status = sfgp_mesh_check_faces(context, mesh);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * mesh->count, &all->points);
    if (status != SFGP_OK)
        return status;
    sfgp_frame_enter(frame, mesh->count, mesh->points, all->points);
    for (int64_t k = 0; k < 3 * mesh->count; k++)
        all->points[k] /= step;
    return SFGP_OK;
}

/* No more places than the mesh has points, or enough. */
static void widen(int64_t count, double area, triangles *all)
{
    const double most = (double)(count > ENOUGH ? count : ENOUGH);
    all->spacing = fmax(all->spacing, sqrt(area / most));
}

/* The places, and behind them those on the triangles: thinned, the first ones win. */
static sfgp_status fill(sfgp_context *context, const triangles *all, int64_t *count, sfgp_place **places)
{
    sfgp_place *both = NULL;
    put counted = {0};
    visit_all(all, put_on, &counted);
    sfgp_status status = sfgp_allocate_raw(context, *count + counted.count, sizeof *both, (void **)&both);
    if (status != SFGP_OK)
        return status;
    memcpy(both, *places, (size_t)*count * sizeof *both);
    put made = {*count, both};
    visit_all(all, put_on, &made);
    sfgp_free(*places);
    *places = both;
    *count = made.count;
    status = sfgp_places_thin(context, APART * all->spacing, count, both);
    return status == SFGP_OK ? sfgp_places_sort(context, *count, both) : status;
}

static void warn(sfgp_context *context, int64_t before, int64_t count, const sfgp_place *places)
{
    int64_t added = 0;
    for (int64_t j = 0; j < count; j++)
        added += places[j].index < 0;
    sfgp_warn(
        context,
        "target: its triangles are large beside the distances of most points; %lld points on them are used, "
        "and %lld of %lld points of the file",
        (long long)added, (long long)(count - added), (long long)before);
}

sfgp_status sfgp_places_on_triangles(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                                     double step, double area, int64_t *count, sfgp_place **places,
                                     bool *filled)
{
    const int64_t before = *count;
    triangles all = {.mesh = target, .spacing = sqrt(area)};
    areas sum = {0};
    sfgp_status status = enter(context, frame, step, &all);
    if (status == SFGP_OK)
        visit_all(&all, add_area, &sum);
    *filled = area > 0 && sum.wide > SHARE * sum.all;
    if (*filled) {
        widen(*count, sum.all, &all);
        status = fill(context, &all, count, places);
    }
    if (*filled && status == SFGP_OK)
        warn(context, before, *count, *places);
    sfgp_free(all.points);
    return status;
}
