/* A scan: similarity, holes, noise, outliers, order - in this order. The similarity has a random stream of
 * its own, and the truth takes it too: one seed gives the same holes whatever else is asked for, and the
 * truth stays exact. */
#include "base/memory.h"
#include "geom/frame.h"
#include "geom/mesh.h"
#include "simulate/damage.h"

#include <math.h>
#include <string.h>

#define MOST_HOLES 1000000

static sfgp_status check_damage(sfgp_context *context, const sfgp_damage *damage)
{
    const struct {
        const char *name;
        double value, least, most;
    } limits[] = {
        {"hole_radius", damage->hole_radius, 0, 1e6}, {"noise", damage->noise, 0, 1e6},
        {"outliers", damage->outliers, 0, 1000},      {"rotation", damage->rotation, -1e6, 1e6},
        {"translation", damage->translation, 0, 1e6}, {"scale", damage->scale, -0.999, 1e6},
    };
    if (damage->holes < 0 || damage->holes > MOST_HOLES)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "holes: %lld is outside 0 .. %d",
                         (long long)damage->holes, MOST_HOLES);
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
        if (!(limits[k].value >= limits[k].least && limits[k].value <= limits[k].most)) /* NaN too */
            return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: %g is outside %g .. %g", limits[k].name,
                             limits[k].value, limits[k].least, limits[k].most);
    return SFGP_OK;
}

static void measure_box(const sfgp_cloud *cloud, double low[3], double high[3])
{
    for (int axis = 0; axis < cloud->dimension; axis++) {
        low[axis] = INFINITY, high[axis] = -INFINITY;
        for (int64_t k = axis; k < cloud->count * cloud->dimension; k += cloud->dimension) {
            low[axis] = fmin(low[axis], cloud->points[k]);
            high[axis] = fmax(high[axis], cloud->points[k]);
        }
    }
}

/* The whole cloud takes the similarity; what is left of it after the holes becomes the scan. */
static void damage_cloud(const sfgp_damage *damage, int64_t outliers, sfgp_cloud *cloud, unsigned char *mask,
                         double *moved)
{
    sfgp_random random, similarity;
    double low[3], high[3];
    sfgp_random_seed(&random, damage->seed);
    sfgp_random_seed(&similarity, ~damage->seed);
    sfgp_damage_holes(cloud, damage->holes, damage->hole_radius, &random, mask);
    sfgp_damage_similarity(damage->rotation, damage->translation, damage->scale, &similarity, cloud);
    memcpy(moved, cloud->points, (size_t)(cloud->count * cloud->dimension) * sizeof *moved);
    measure_box(cloud, low, high);
    sfgp_damage_remove(mask, cloud);
    sfgp_damage_noise(damage->noise, &random, cloud);
    sfgp_damage_outliers(outliers, low, high, &random, cloud);
    sfgp_damage_shuffle(&random, cloud);
}

/* The damaged points as a mesh in the unit of the truth. */
static sfgp_status make_scan(sfgp_context *context, const sfgp_frame *frame, const sfgp_cloud *cloud,
                             sfgp_mesh **scan)
{
    if (cloud->count == 0)
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "the holes took every point of the truth: ask for fewer or smaller ones");
    sfgp_status status = sfgp_mesh_new(context, cloud->count, cloud->dimension, 0, 0, scan);
    if (status == SFGP_OK)
        sfgp_frame_leave(frame, cloud->count, cloud->points, (*scan)->points);
    return status;
}

static sfgp_status damage_truth(sfgp_context *context, sfgp_mesh *truth, const sfgp_damage *damage,
                                sfgp_mesh **scan, unsigned char *mask)
{
    int64_t outliers = llround(damage->outliers * (double)truth->count);
    sfgp_cloud cloud = {truth->count, truth->dimension, NULL};
    unsigned char *gone = NULL;
    double *moved = NULL;
    sfgp_frame frame;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_frame_of(context, "truth", truth, &frame)) != SFGP_OK ||
        (status = sfgp_allocate(context, truth->count, &gone)) != SFGP_OK ||
        (status = sfgp_allocate(context, truth->count * truth->dimension, &moved)) != SFGP_OK ||
        (status = sfgp_allocate_bytes(context, truth->count + outliers,
                                      truth->dimension * (int64_t)sizeof(double), (void **)&cloud.points)) !=
            SFGP_OK)
        goto cleanup;
    sfgp_frame_enter(&frame, truth->count, truth->points, cloud.points);
    damage_cloud(damage, outliers, &cloud, gone, moved);
    status = make_scan(context, &frame, &cloud, scan);
    if (status == SFGP_OK && mask)
        memcpy(mask, gone, (size_t)truth->count);
    if (status == SFGP_OK)
        sfgp_frame_leave(&frame, truth->count, moved, truth->points);
cleanup:
    sfgp_free(moved);
    sfgp_free(gone);
    sfgp_free(cloud.points);
    return status;
}

sfgp_status sfgp_simulate_scan(sfgp_context *context, sfgp_mesh *truth, const sfgp_damage *damage,
                               sfgp_mesh **scan, unsigned char *mask)
{
    if (!context || !truth || !damage || !scan)
        return SFGP_ERROR_PARAMETER;
    *scan = NULL;
    sfgp_status status = check_damage(context, damage);
    if (status == SFGP_OK && truth->count == 0)
        status = sfgp_fail(context, SFGP_ERROR_DATA, "truth: has no points");
    if (status == SFGP_OK)
        status = sfgp_mesh_check_finite(context, "truth", truth);
    return status == SFGP_OK ? damage_truth(context, truth, damage, scan, mask) : status;
}
