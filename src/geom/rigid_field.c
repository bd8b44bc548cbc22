/* Every cell has the point of the whole that is nearest to its middle. */
#include "geom/rigid_field.h"
#include "base/memory.h"

#include <math.h>

#define SEEN 3 /* deviations of w: beyond, it is below 0.012 */

void sfgp_rigid_middle(const sfgp_oriented *points, double middle[3])
{
    middle[0] = middle[1] = middle[2] = 0;
    for (int64_t i = 0; i < points->count; i++)
        for (int a = 0; a < 3; a++)
            middle[a] += points->points[3 * i + a] / (double)points->count;
}

sfgp_rigid_range sfgp_rigid_both(sfgp_rigid_range a, sfgp_rigid_range b)
{
    return (sfgp_rigid_range){a.first > b.first ? a.first : b.first, a.end < b.end ? a.end : b.end};
}

/* A cell at a squared distance of a point of the whole, if no other point is nearer. */
static void enter_cell(const sfgp_rigid_field *f, const int cell[3], double distance2,
                       const double normal[SFGP_RIGID_PARTS])
{
    const int64_t row = sfgp_rigid_row(f, cell[f->across[0]], cell[f->across[1]]),
                  place = cell[f->along] - f->cells[f->along].first + SFGP_RIGID_SHIFTS;
    float *nearest2 = f->nearest2 + row * f->row + place,
          *parts = f->parts + SFGP_RIGID_PARTS * row * f->row + place;
    if (!((float)distance2 < *nearest2))
        return;
    const double root = exp(-distance2 / (4 * f->width * f->width)); /* of w */
    *nearest2 = (float)distance2;
    f->used[row] = true;
    for (int p = 0; p < SFGP_RIGID_PARTS; p++)
        parts[p * f->row] = (float)(root * normal[p]);
}

static int between(double low, double x, double high)
{
    return (int)fmin(fmax(x, low), high);
}

/* Cells whose middles are within the reach of w around low .. high, of those on the grid. */
static sfgp_rigid_range cells_near(const sfgp_rigid_field *f, double low, double high)
{
    const double reach = SEEN * f->width / f->cell, most = SFGP_RIGID_HALF;
    return (sfgp_rigid_range){between(-most, ceil(low / f->cell - reach - 0.5), most),
                              between(-most, floor(high / f->cell + reach - 0.5) + 1, most)};
}

static double distance_to(const sfgp_rigid_field *f, int cell, double x)
{
    return (cell + 0.5) * f->cell - x;
}

/* The cells around a point of the whole. */
static void enter_point(const sfgp_rigid_field *f, const double *point, const double *normal)
{
    double x[3], limit = SEEN * f->width;
    sfgp_rigid_range near[3];
    int c[3];
    for (int a = 0; a < 3; a++) {
        x[a] = point[a] - f->middle[a];
        near[a] = sfgp_rigid_both(cells_near(f, x[a], x[a]), f->cells[a]);
    }
    for (c[0] = near[0].first; c[0] < near[0].end; c[0]++)
        for (c[1] = near[1].first; c[1] < near[1].end; c[1]++)
            for (c[2] = near[2].first; c[2] < near[2].end; c[2]++) {
                const double u = distance_to(f, c[0], x[0]), v = distance_to(f, c[1], x[1]),
                             w = distance_to(f, c[2], x[2]);
                if (u * u + v * v + w * w < limit * limit)
                    enter_cell(f, c, u * u + v * v + w * w, normal);
            }
}

static int count_of(sfgp_rigid_range range)
{
    return range.end - range.first;
}

/* Rows along the last of the axes with the most shifts. */
static void set_rows(sfgp_rigid_field *f)
{
    f->along = 2;
    for (int a = 1; a >= 0; a--)
        f->along = count_of(f->shifts[a]) > count_of(f->shifts[f->along]) ? a : f->along;
    f->across[0] = f->along == 0 ? 1 : 0;
    f->across[1] = f->along == 2 ? 1 : 2;
    f->row = count_of(f->cells[f->along]) + 2 * SFGP_RIGID_SHIFTS;
}

/* The cells near the whole, and the shifts that put the middle of the part into its box or next to it. */
static void set_ranges(const sfgp_oriented *whole, sfgp_rigid_field *f)
{
    sfgp_rigid_middle(whole, f->middle);
    for (int a = 0; a < 3; a++) {
        double low = 0, high = 0;
        for (int64_t i = 0; i < whole->count; i++) {
            low = fmin(low, whole->points[3 * i + a] - f->middle[a]);
            high = fmax(high, whole->points[3 * i + a] - f->middle[a]);
        }
        f->cells[a] = cells_near(f, low, high);
        f->shifts[a] = (sfgp_rigid_range){between(-SFGP_RIGID_REACH, ceil(low / f->cell) - 1, 0),
                                          between(0, floor(high / f->cell) + 2, SFGP_RIGID_REACH)};
    }
    set_rows(f);
}

sfgp_status sfgp_rigid_field_new(sfgp_context *context, const sfgp_oriented *whole, double cell, double width,
                                 sfgp_rigid_field *f)
{
    *f = (sfgp_rigid_field){.cell = cell, .width = width};
    set_ranges(whole, f);
    const int64_t rows = (int64_t)count_of(f->cells[f->across[0]]) * count_of(f->cells[f->across[1]]),
                  size = rows * f->row;
    sfgp_status status = sfgp_allocate(context, size, &f->nearest2);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, rows, &f->used);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, SFGP_RIGID_PARTS * size, &f->parts);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < size; k++)
        f->nearest2[k] = HUGE_VALF;
    for (int64_t i = 0; i < whole->count; i++)
        enter_point(f, whole->points + 3 * i, whole->normals + 3 * i);
    return SFGP_OK;
}

void sfgp_rigid_field_clear(sfgp_rigid_field *f)
{
    sfgp_free(f->nearest2);
    sfgp_free(f->used);
    sfgp_free(f->parts);
}
