/* A grid of w n n' about the whole, and sums of it at the points of the part for all shifts at once. */
#include "geom/rigid_search.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/simd.h"
#include "geom/rotations.h"

#include <math.h>
#include <string.h>

enum {
    HALF = 24,                             /* cells of the grid on either side of its middle */
    REACH = 8,                             /* shifts on either side of none, in cells */
    CELLS = 2 * HALF,                      /* each way */
    SHIFTS = 2 * REACH,                    /* each way */
    LAST = CELLS - SHIFTS,                 /* cell from which all shifts stay on the grid */
    PARTS = 6,                             /* different entries of n n' */
    VOLUME = CELLS * CELLS * CELLS,        /* cells */
    ALL_SHIFTS = SHIFTS * SHIFTS * SHIFTS, /* shifts */
    GRAIN = 4                              /* rotations that a thread takes at a time */
};

#define SEEN 3 /* deviations of w: beyond, it is below 0.012 */

/* w n n' at the middle of each cell. */
typedef struct field {
    double middle[3]; /* of the whole, and of the grid */
    double cell, width;
    float *nearest2; /* VOLUME: squared distance to the nearest point of the whole */
    float *parts;    /* PARTS x VOLUME: xx, 2 xy, 2 xz, yy, 2 yz, zz of w n n' */
} field;

static void middle_of(const sfgp_oriented *points, double middle[3])
{
    middle[0] = middle[1] = middle[2] = 0;
    for (int64_t i = 0; i < points->count; i++)
        for (int a = 0; a < 3; a++)
            middle[a] += points->points[3 * i + a] / (double)points->count;
}

/* n n', as products with another such matrix need it: off the diagonal twice. */
static void products_of(const double *n, double twice, float products[PARTS])
{
    products[0] = (float)(n[0] * n[0]), products[3] = (float)(n[1] * n[1]),
    products[5] = (float)(n[2] * n[2]);
    products[1] = (float)(twice * n[0] * n[1]), products[2] = (float)(twice * n[0] * n[2]);
    products[4] = (float)(twice * n[1] * n[2]);
}

/* ---- the field ------------------------------------------------------------------------------------------- */

/* A cell at a squared distance of a point of the whole, if no other point is nearer. */
static void enter_cell(const field *f, int64_t cell, double distance2, const float products[PARTS])
{
    const float w = (float)exp(-distance2 / (2 * f->width * f->width));
    if (!((float)distance2 < f->nearest2[cell]))
        return;
    f->nearest2[cell] = (float)distance2;
    for (int p = 0; p < PARTS; p++)
        f->parts[(int64_t)p * VOLUME + cell] = w * products[p];
}

static int first_cell(const field *f, double x)
{
    return (int)fmax(0, ceil((x - SEEN * f->width) / f->cell + HALF - 0.5));
}

static int last_cell(const field *f, double x)
{
    return (int)fmin(CELLS - 1, floor((x + SEEN * f->width) / f->cell + HALF - 0.5));
}

static double distance_to(const field *f, int cell, double x)
{
    return (cell - HALF + 0.5) * f->cell - x;
}

/* The cells around a point of the whole. */
static void enter_point(const field *f, const double *point, const double *normal)
{
    float products[PARTS];
    double x[3], limit = SEEN * f->width;
    products_of(normal, 2, products);
    for (int a = 0; a < 3; a++)
        x[a] = point[a] - f->middle[a];
    for (int i = first_cell(f, x[0]); i <= last_cell(f, x[0]); i++)
        for (int j = first_cell(f, x[1]); j <= last_cell(f, x[1]); j++)
            for (int k = first_cell(f, x[2]); k <= last_cell(f, x[2]); k++) {
                const double u = distance_to(f, i, x[0]), v = distance_to(f, j, x[1]),
                             w = distance_to(f, k, x[2]);
                if (u * u + v * v + w * w < limit * limit)
                    enter_cell(f, ((int64_t)i * CELLS + j) * CELLS + k, u * u + v * v + w * w, products);
            }
}

static sfgp_status field_new(sfgp_context *context, const sfgp_oriented *whole, double cell, double width,
                             field *f)
{
    *f = (field){.cell = cell, .width = width};
    sfgp_status status = sfgp_allocate(context, VOLUME, &f->nearest2);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, (int64_t)PARTS * VOLUME, &f->parts);
    if (status != SFGP_OK)
        return status;
    middle_of(whole, f->middle);
    for (int64_t k = 0; k < VOLUME; k++)
        f->nearest2[k] = HUGE_VALF;
    for (int64_t i = 0; i < whole->count; i++)
        enter_point(f, whole->points + 3 * i, whole->normals + 3 * i);
    return SFGP_OK;
}

static void field_clear(field *f)
{
    sfgp_free(f->nearest2);
    sfgp_free(f->parts);
}

/* ---- sums over the part ---------------------------------------------------------------------------------- */

/* One point of the part at all shifts. corner: its cell at the first of them. */
SFGP_SIMD static void add_point(const float *parts, int64_t corner, const float products[PARTS],
                                float *scores)
{
    for (int i = 0; i < SHIFTS; i++)
        for (int j = 0; j < SHIFTS; j++) {
            const float *row = parts + corner + ((int64_t)i * CELLS + j) * CELLS;
            float *sum = scores + ((int64_t)i * SHIFTS + j) * SHIFTS;
            for (int k = 0; k < SHIFTS; k++)
                sum[k] += products[0] * row[k] + products[1] * row[VOLUME + k] +
                          products[2] * row[2 * VOLUME + k] + products[3] * row[3 * VOLUME + k] +
                          products[4] * row[4 * VOLUME + k] + products[5] * row[5 * VOLUME + k];
        }
}

/* The cell of a turned point at the first shift; negative: it would leave the grid. */
static int64_t corner_of(const field *f, const double y[3])
{
    int64_t corner = 0;
    for (int a = 0; a < 3; a++) {
        const double cell = floor(y[a] / f->cell) + HALF - REACH;
        if (!(cell >= 0 && cell <= LAST))
            return -1;
        corner = corner * CELLS + (int64_t)cell;
    }
    return corner;
}

/* Of one rotation. */
static void sum_shifts(const field *f, const sfgp_oriented *part, const double middle[3],
                       const double *rotation, float *scores)
{
    memset(scores, 0, ALL_SHIFTS * sizeof *scores);
    for (int64_t k = 0; k < part->count; k++) {
        double x[3], y[3], normal[3];
        float products[PARTS];
        for (int a = 0; a < 3; a++)
            x[a] = part->points[3 * k + a] - middle[a];
        sfgp_rotation_apply(rotation, x, y);
        sfgp_rotation_apply(rotation, part->normals + 3 * k, normal);
        products_of(normal, 1, products);
        const int64_t corner = corner_of(f, y);
        if (corner >= 0)
            add_point(f->parts, corner, products, scores);
    }
}

/* From q in the part to R (q - its middle) + (middle of the whole + shift), inverted. */
static sfgp_similarity pose_of(const field *f, const double middle[3], const double *rotation, int shift)
{
    sfgp_similarity pose = sfgp_similarity_identity(3);
    const int steps[3] = {shift / (SHIFTS * SHIFTS), shift / SHIFTS % SHIFTS, shift % SHIFTS};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            pose.rotation[3 * a + b] = rotation[3 * b + a];
    for (int a = 0; a < 3; a++) {
        pose.shift[a] = middle[a];
        for (int b = 0; b < 3; b++)
            pose.shift[a] -= pose.rotation[3 * a + b] * (f->middle[b] + (steps[b] - REACH) * f->cell);
    }
    return pose;
}

typedef struct task {
    const field *field;
    const sfgp_oriented *part;
    double middle[3]; /* of the part */
    int rotations;
    sfgp_rigid_pose *poses;
} task;

static void try_rotations(const void *data, int64_t first, int64_t end)
{
    const task *t = data;
    _Alignas(64) float scores[ALL_SHIFTS];
    for (int64_t r = first; r < end; r++) {
        double rotation[9];
        int best = 0;
        sfgp_rotation_spiral(t->rotations, (int)r, rotation);
        sum_shifts(t->field, t->part, t->middle, rotation, scores);
        for (int k = 1; k < ALL_SHIFTS; k++)
            best = scores[k] > scores[best] ? k : best;
        t->poses[r].score = (double)scores[best] / (double)t->part->count;
        t->poses[r].pose = pose_of(t->field, t->middle, rotation, best);
    }
}

sfgp_status sfgp_rigid_search(sfgp_context *context, const sfgp_oriented *whole, const sfgp_oriented *part,
                              int rotations, double cell, double width, sfgp_rigid_pose *poses)
{
    field f;
    sfgp_status status = field_new(context, whole, cell, width, &f);
    if (status == SFGP_OK) {
        task t = {.field = &f, .part = part, .rotations = rotations, .poses = poses};
        middle_of(part, t.middle);
        sfgp_parallel_for(rotations, GRAIN, try_rotations, &t);
    }
    field_clear(&f);
    return status;
}
