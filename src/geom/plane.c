/* Counts the points of every plane that a point proposes, and fits the best one. plane.h has the rule. */
#include "geom/plane.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/quantile.h"
#include "geom/principal.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

enum {
    FEWEST = 8, /* points of a plane that can be fitted to them */
    EACH = 4,   /* every so many points one proposes a plane: a quarter of 1000 is 60 of them */
    ROUNDS = 4, /* of fitting: the points change little after two */
    GRAIN = 16  /* proposals that a thread takes at a time */
};

#define AGREE 0.8          /* cosine of the angle between normals, 37 degrees: noise turns them */
#define DEVIATION 1.482602 /* of a normal distribution, over the median of the distances from its mean */

static double distance(const sfgp_plane *plane, const double point[3])
{
    return fabs(sfgp_dot3(plane->normal, point) - plane->offset);
}

bool sfgp_plane_has(const sfgp_plane *plane, const double point[3])
{
    return distance(plane, point) <= plane->within;
}

static bool has_oriented(const sfgp_plane *plane, const sfgp_oriented *some, int64_t j)
{
    return sfgp_plane_has(plane, some->points + 3 * j) &&
           fabs(sfgp_dot3(plane->normal, some->normals + 3 * j)) > AGREE;
}

static int64_t count_points(const sfgp_plane *plane, const sfgp_oriented *some)
{
    int64_t count = 0;
    for (int64_t j = 0; j < some->count; j++)
        count += has_oriented(plane, some, j);
    return count;
}

/* ---- proposals ------------------------------------------------------------------------------------------- */

typedef struct votes {
    const sfgp_oriented *some;
    double within;
    int64_t *count; /* of the points in each plane */
} votes;

static sfgp_plane proposal(const sfgp_oriented *some, int64_t i, double within)
{
    sfgp_plane plane = {.within = within};
    memcpy(plane.normal, some->normals + 3 * i, sizeof plane.normal);
    plane.offset = sfgp_dot3(plane.normal, some->points + 3 * i);
    return plane;
}

static void count_votes(const void *data, int64_t first, int64_t end)
{
    const votes *v = data;
    for (int64_t i = first; i < end; i++) {
        const sfgp_plane plane = proposal(v->some, i * EACH, v->within);
        v->count[i] = count_points(&plane, v->some);
    }
}

static int64_t find_largest(int64_t count, const int64_t *values)
{
    int64_t best = 0;
    for (int64_t i = 1; i < count; i++)
        best = values[i] > values[best] ? i : best;
    return best;
}

/* ---- fitting --------------------------------------------------------------------------------------------- */

/* Sets share. own: room for all points. Returns how many there are. */
static int64_t gather(const sfgp_oriented *some, sfgp_plane *plane, double *own)
{
    int64_t count = 0;
    for (int64_t j = 0; j < some->count; j++)
        if (has_oriented(plane, some, j))
            memcpy(own + 3 * count++, some->points + 3 * j, 3 * sizeof(double));
    plane->share = (double)count / (double)some->count;
    return count;
}

static sfgp_status fit(sfgp_context *context, const sfgp_oriented *some, sfgp_plane *plane, double *own)
{
    sfgp_principal axes;
    sfgp_status status = SFGP_OK;
    for (int round = 0; status == SFGP_OK && round < ROUNDS; round++) {
        const int64_t count = gather(some, plane, own);
        if (count < FEWEST)
            break;
        status = sfgp_principal_of(context, count, 3, own, &axes);
        memcpy(plane->normal, axes.axes + 6, sizeof plane->normal);
        plane->offset = sfgp_dot3(plane->normal, axes.centre);
    }
    gather(some, plane, own);
    return status;
}

sfgp_status sfgp_plane_largest(sfgp_context *context, const sfgp_oriented *some, double within,
                               sfgp_plane *plane)
{
    votes v = {.some = some, .within = within};
    double *own = NULL;
    *plane = (sfgp_plane){.within = within};
    const int64_t proposals = (some->count + EACH - 1) / EACH;
    if (some->count < FEWEST)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(context, proposals, &v.count);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * some->count, &own);
    if (status == SFGP_OK) {
        sfgp_parallel_for(proposals, GRAIN, count_votes, &v);
        *plane = proposal(some, EACH * find_largest(proposals, v.count), within);
        status = fit(context, some, plane, own);
    }
    sfgp_free(v.count);
    sfgp_free(own);
    return status;
}

/* Median distance of the points from their plane. distances: overwritten. */
static double median_distance(int64_t count, const double *own, const sfgp_plane *plane, double *distances)
{
    for (int64_t j = 0; j < count; j++)
        distances[j] = distance(plane, own + 3 * j);
    sfgp_sort(count, distances);
    return sfgp_quantile(count, distances, 0.5);
}

sfgp_status sfgp_plane_narrow(sfgp_context *context, const sfgp_oriented *some, double least, double most,
                              sfgp_plane *plane)
{
    double *own = NULL, *distances = NULL;
    sfgp_status status = sfgp_allocate(context, 3 * some->count, &own);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, some->count, &distances);
    const int64_t count = status == SFGP_OK ? gather(some, plane, own) : 0;
    if (count >= FEWEST) {
        plane->within = fmax(3 * DEVIATION * median_distance(count, own, plane, distances), least);
        status = fit(context, some, plane, own);
        plane->share = plane->within <= most ? plane->share : 0;
    }
    sfgp_free(distances);
    sfgp_free(own);
    return status;
}

/* ---- ends ------------------------------------------------------------------------------------------------ */

/* Share of the points that lie on the side of the plane with fewer of them, farther from it than `margin`. */
static double share_beyond(const sfgp_oriented *some, const sfgp_plane *plane, double margin)
{
    int64_t above = 0, below = 0;
    for (int64_t j = 0; j < some->count; j++) {
        const double height = sfgp_dot3(plane->normal, some->points + 3 * j) - plane->offset;
        above += height > margin;
        below += height < -margin;
    }
    return fmin((double)above, (double)below) / (double)some->count;
}

static double share_within(const sfgp_oriented *some, const sfgp_plane *plane, double within)
{
    sfgp_plane thick = *plane;
    thick.within = within;
    return (double)count_points(&thick, some) / (double)some->count;
}

/* Whether the plane that point i proposes may be an end: its normal may be turned, so twice as much may lie beyond. */
static bool may_end(const sfgp_oriented *some, int64_t i, const sfgp_plane_limits *limits)
{
    const sfgp_plane plane = proposal(some, i, limits->within);
    return share_beyond(some, &plane, 2 * limits->within) <= 2 * limits->beyond &&
           count_points(&plane, some) >= FEWEST;
}

static sfgp_status fit_end(sfgp_context *context, const sfgp_oriented *some, int64_t i,
                           const sfgp_plane_limits *limits, double *own, sfgp_plane *plane)
{
    *plane = proposal(some, i, limits->within);
    sfgp_status status = fit(context, some, plane, own);
    if (status == SFGP_OK)
        status = sfgp_plane_narrow(context, some, limits->least, limits->most, plane);
    if (share_beyond(some, plane, plane->within + limits->within) > limits->beyond ||
        share_within(some, plane, 2 * plane->within) > limits->growth * plane->share)
        plane->share = 0;
    return status;
}

sfgp_status sfgp_plane_end(sfgp_context *context, const sfgp_oriented *some, const sfgp_plane_limits *limits,
                           sfgp_plane *plane)
{
    double *own = NULL;
    sfgp_status status = sfgp_allocate(context, 3 * some->count, &own);
    *plane = (sfgp_plane){.within = limits->within};
    for (int64_t i = 0; status == SFGP_OK && i < some->count; i += EACH) {
        sfgp_plane other;
        if (!may_end(some, i, limits))
            continue;
        status = fit_end(context, some, i, limits, own, &other);
        if (other.share > plane->share)
            *plane = other;
    }
    sfgp_free(own);
    return status;
}
