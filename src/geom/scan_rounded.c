/* Rounds the points of a scan, sorts them, leaves out what is there already, and makes what is very uneven even. */
#include "base/extremes.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/even.h"
#include "geom/scan.h"

#include <math.h>

#define STEP 0x1p-13 /* RMS radii: 0.002 mm on an ear (ADR 0083) */
#define GRAIN 4096   /* points that a thread takes at a time */

/* Points of the target, from the centre of the frame. */
typedef struct places {
    int64_t count;
    double step;
    sfgp_place *each;
} places;

/* In RMS radii of the reference: by the longest side of the box, which is mostly two to four of them. */
static double step_for(int d, const places *all)
{
    double longest = 0;
    int exponent;
    for (int k = 0; k < d; k++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (int64_t j = 0; j < all->count; j++) {
            low = sfgp_smaller(all->each[j].at[k], low);
            high = sfgp_larger(all->each[j].at[k], high);
        }
        longest = fmax(longest, high - low);
    }
    frexp(fmin(1, longest), &exponent);
    return ldexp(STEP, exponent - 1);
}

typedef struct rounding {
    const sfgp_frame *frame;
    const sfgp_mesh *target;
    const places *all;
} rounding;

static void enter_some(const void *data, int64_t first, int64_t end)
{
    const rounding *r = data;
    for (int64_t j = first; j < end; j++) {
        sfgp_place *place = &r->all->each[j];
        *place = (sfgp_place){.index = j};
        sfgp_frame_enter(r->frame, 1, r->target->points + j * r->target->dimension, place->at);
    }
}

static void round_some(const void *data, int64_t first, int64_t end)
{
    const rounding *r = data;
    for (int64_t j = first; j < end; j++)
        for (int k = 0; k < r->target->dimension; k++)
            r->all->each[j].at[k] = nearbyint(r->all->each[j].at[k] / r->all->step);
}

static void round_points(const sfgp_frame *frame, const sfgp_mesh *target, places *all)
{
    const rounding both = {frame, target, all};
    sfgp_parallel_for(all->count, GRAIN, enter_some, &both);
    all->step = step_for(target->dimension, all);
    sfgp_parallel_for(all->count, GRAIN, round_some, &both);
}

static bool are_equal(const sfgp_place *a, const sfgp_place *b)
{
    return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/* Those that differ from the one before them. */
static void keep_first(places *all)
{
    int64_t kept = 0;
    for (int64_t j = 0; j < all->count; j++)
        if (kept == 0 || !are_equal(&all->each[j], &all->each[kept - 1]))
            all->each[kept++] = all->each[j];
    all->count = kept;
}

static sfgp_status copy_places(sfgp_context *context, int d, const places *from, sfgp_scan *scan)
{
    sfgp_status status = sfgp_mesh_new(context, from->count, d, 0, 0, &scan->points);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, from->count, &scan->first);
    for (int64_t j = 0; status == SFGP_OK && j < from->count; j++) {
        const sfgp_place *at = &from->each[j];
        for (int k = 0; k < d; k++)
            scan->points->points[j * d + k] = at->at[k] * from->step;
        scan->first[j] = (int32_t)at->index;
    }
    return status;
}

sfgp_status sfgp_scan_enter_rounded(sfgp_context *context, const sfgp_frame *frame, const sfgp_mesh *target,
                                    sfgp_scan *scan)
{
    places made = {.count = target->count};
    *scan = (sfgp_scan){.frame = frame, .target = target};
    sfgp_status status = sfgp_allocate_raw(context, made.count, sizeof *made.each, (void **)&made.each);
    if (status != SFGP_OK)
        return status;
    round_points(frame, target, &made);
    status = sfgp_places_sort(context, made.count, made.each);
    keep_first(&made);
    if (status == SFGP_OK && target->dimension == 3)
        status = sfgp_places_even(context, &made.count, made.each);
    if (status == SFGP_OK)
        status = made.count > target->dimension ? copy_places(context, target->dimension, &made, scan)
                                                : sfgp_scan_enter(context, frame, target, scan);
    sfgp_free(made.each);
    return status;
}
