/* The grid on the disk: rings of equal surface length on the mean ear, and the triangles between them
 * (ear_grid.h). */
#include "simulate/ear_grid.h"

#include "base/memory.h"

#include <math.h>

#define TWO_PI 6.28318530717958647692
#define RAYS 160
#define STEPS 160

/* Of the mean ear: radius[r][s] where the surface along ray r has the share s / STEPS of its length, and
 * turn[t] where the outline has the share t / RAYS of its length. Ray r has the direction 2 pi r / RAYS. */
typedef struct length_table {
    double radius[RAYS][STEPS + 1];
    double turn[RAYS + 1];
} length_table;

/* Inverts a growing table: out[k] = where along[] (steps + 1 values, ends 0 and total) has the share k /
 * steps, in shares of its index. */
static void invert(const double *along, int steps, double *out)
{
    for (int k = 0, j = 0; k <= steps; k++) {
        double wanted = along[steps] * k / steps;
        while (j < steps - 1 && along[j + 1] < wanted)
            j++;
        out[k] = (j + (wanted - along[j]) / (along[j + 1] - along[j])) / steps;
    }
}

static double distance(const double a[3], const double b[3])
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

/* Surface from place to place, and the place reached. */
static double stride(const sfgp_ear_chart *chart, double radius, double turn, double last[3])
{
    double next[3], by_u[3], by_v[3];
    sfgp_ear_chart_at(chart, radius * cos(turn), radius * sin(turn), next, by_u, by_v);
    double length = distance(last, next);
    for (int axis = 0; axis < 3; axis++)
        last[axis] = next[axis];
    return length;
}

static void measure_ray(const sfgp_ear_chart *chart, double turn, double radius[STEPS + 1])
{
    double along[STEPS + 1] = {0}, last[3] = {0};
    stride(chart, 0, turn, last);
    for (int k = 1; k <= STEPS; k++)
        along[k] = along[k - 1] + stride(chart, k / (double)STEPS, turn, last);
    invert(along, STEPS, radius);
}

static void measure_outline(const sfgp_ear_chart *chart, double turn[RAYS + 1])
{
    double along[RAYS + 1] = {0}, last[3] = {0};
    stride(chart, 1, 0, last);
    for (int k = 1; k <= RAYS; k++)
        along[k] = along[k - 1] + stride(chart, 1, TWO_PI * k / RAYS, last);
    invert(along, RAYS, turn);
    for (int k = 0; k <= RAYS; k++)
        turn[k] *= TWO_PI;
}

static double interpolate(const double *values, int steps, double share)
{
    int k = (int)(share * steps);
    k = k < steps ? k : steps - 1;
    return values[k] + (share * steps - k) * (values[k + 1] - values[k]);
}

static sfgp_ear_place find_place(const length_table *table, double ring_share, double turn_share)
{
    double turn = interpolate(table->turn, RAYS, turn_share), ray = turn / TWO_PI * RAYS;
    int k = (int)ray % RAYS;
    double near = interpolate(table->radius[k], STEPS, ring_share);
    double far = interpolate(table->radius[(k + 1) % RAYS], STEPS, ring_share);
    return (sfgp_ear_place){near + (ray - floor(ray)) * (far - near), turn};
}

int64_t sfgp_ear_point_count(int64_t rings)
{
    return 1 + 2 * rings * (rings + 1);
}

int64_t sfgp_ear_triangle_count(int64_t rings)
{
    return 4 * rings * rings;
}

sfgp_status sfgp_ear_places(sfgp_context *context, int64_t rings, const sfgp_ear_chart *chart,
                            sfgp_ear_place *places)
{
    length_table *table = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &table);
    if (status != SFGP_OK)
        return status;
    for (int ray = 0; ray < RAYS; ray++)
        measure_ray(chart, TWO_PI * ray / RAYS, table->radius[ray]);
    measure_outline(chart, table->turn);
    *places++ = (sfgp_ear_place){0, 0};
    for (int64_t ring = 1; ring <= rings; ring++)
        for (int64_t k = 0; k < 4 * ring; k++)
            *places++ = find_place(table, (double)ring / (double)rings, (double)k / (double)(4 * ring));
    sfgp_free(table);
    return SFGP_OK;
}

/* Point k of a ring, counted around. */
static int64_t ring_point(int64_t ring, int64_t k)
{
    return ring == 0 ? 0 : 1 + 2 * ring * (ring - 1) + k % (4 * ring);
}

void sfgp_ear_triangles(int64_t rings, int64_t (*triangles)[3])
{
    for (int64_t ring = 1; ring <= rings; ring++)
        for (int64_t k = 0; k < 4 * ring; k++) {
            int64_t inner =
                k / ring * (ring - 1) + k % ring; /* a quarter has ring points outside, ring - 1 inside */
            int64_t *corner = *triangles++;
            corner[0] = ring_point(ring, k);
            corner[1] = ring_point(ring, k + 1);
            corner[2] = ring_point(ring - 1, inner);
            if (k % ring == ring - 1)
                continue;
            corner = *triangles++;
            corner[0] = ring_point(ring - 1, inner);
            corner[1] = ring_point(ring, k + 1);
            corner[2] = ring_point(ring - 1, inner + 1);
        }
}
