/* A scan: the damages in the order that sfgp.h documents. Missing points are chosen before anything moves,
 * and the steps that move the truth have random streams of their own. So a seed gives the same holes whatever
 * other damage is set. */
#include "base/memory.h"
#include "geom/frame.h"
#include "geom/mesh.h"
#include "simulate/damage.h"
#include "simulate/warp.h"

#include <math.h>
#include <string.h>

/* The seed of a stream is seed ^ STREAMS[stream]. Balls, noise, outliers and order use MAIN, in this order.
 */
enum stream { MAIN, WARP, BOX, POINTS, SIMILARITY };
static const uint64_t STREAMS[] = {
    [MAIN] = 0, [WARP] = 0x77617270, [BOX] = 0x626f78, [POINTS] = 0x706f696e7473, [SIMILARITY] = UINT64_MAX};

static sfgp_random open_stream(const sfgp_damage *damage, enum stream stream)
{
    sfgp_random random = sfgp_random_of(damage->seed ^ STREAMS[stream]);
    return random;
}

static void measure_box(const sfgp_cloud *cloud, double low[3], double high[3])
{
    for (int axis = 0; axis < cloud->dimension; axis++) {
        low[axis] = HUGE_VAL, high[axis] = -HUGE_VAL;
        for (int64_t k = axis; k < cloud->count * cloud->dimension; k += cloud->dimension) {
            low[axis] = fmin(low[axis], cloud->points[k]);
            high[axis] = fmax(high[axis], cloud->points[k]);
        }
    }
}

static void choose_missing(const sfgp_damage *damage, const sfgp_cloud *cloud, sfgp_random *random,
                           unsigned char *mask)
{
    sfgp_random box = open_stream(damage, BOX), points = open_stream(damage, POINTS);
    sfgp_damage_holes(cloud, damage->holes, damage->hole_radius, random, mask);
    if (damage->box_width > 0)
        sfgp_damage_box(cloud,
                        damage->box_point < 0 ? sfgp_random_below(&box, cloud->count) : damage->box_point,
                        damage->box_width, mask);
    sfgp_damage_points(cloud, llround(damage->missing_share * (double)cloud->count), &points, mask);
}

/* work: cloud->count doubles. */
static void move_cloud(const sfgp_damage *damage, double unit, sfgp_cloud *cloud, double *work)
{
    sfgp_random similarity = open_stream(damage, SIMILARITY), random = open_stream(damage, WARP);
    sfgp_warp warp;
    sfgp_warp_draw(cloud,
                   &(sfgp_warp_size){.weight = damage->deformation,
                                     .affine = damage->affine,
                                     .translation = damage->affine * unit,
                                     .length = damage->deformation_length},
                   &random, work, &warp);
    sfgp_warp_apply(&warp, cloud);
    sfgp_damage_similarity(damage->rotation, damage->translation, damage->scale, &similarity, cloud);
}

/* Moves the whole cloud, and copies it to moved. What is left of it after the holes becomes the scan. damage
 * is in the frame, and unit is the unit of its lengths. */
static void damage_cloud(const sfgp_damage *damage, double unit, int64_t outliers, sfgp_cloud *cloud,
                         unsigned char *mask, double *moved)
{
    sfgp_random random = open_stream(damage, MAIN);
    double low[3], high[3];
    choose_missing(damage, cloud, &random, mask);
    move_cloud(damage, unit, cloud, moved);
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
                         "holes, box_width and missing_share took every point of the truth: ask for less");
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
    const sfgp_damage framed = sfgp_damage_in_frame(damage, frame.scale);
    damage_cloud(&framed, damage->file_unit ? 1 / frame.scale : 1, outliers, &cloud, gone, moved);
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

static sfgp_status check(sfgp_context *context, const sfgp_mesh *truth, const sfgp_damage *damage)
{
    sfgp_status status = sfgp_damage_check(context, damage);
    if (status != SFGP_OK)
        return status;
    if (truth->count == 0)
        return sfgp_fail(context, SFGP_ERROR_DATA, "truth: has no points");
    if (damage->box_point >= truth->count)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "box_point: %lld is no point of a shape of %lld, counted from 0",
                         (long long)damage->box_point, (long long)truth->count);
    return sfgp_mesh_check_finite(context, "truth", truth);
}

sfgp_status sfgp_simulate_scan_sized(sfgp_context *context, sfgp_mesh *truth, const sfgp_damage *damage,
                                     size_t size, sfgp_mesh **scan, unsigned char *mask)
{
    sfgp_damage own;
    if (!context || !truth || !damage || !scan)
        return SFGP_ERROR_PARAMETER;
    *scan = NULL;
    sfgp_status status = sfgp_damage_complete(context, damage, size, &own);
    if (status == SFGP_OK)
        status = check(context, truth, &own);
    return status == SFGP_OK ? damage_truth(context, truth, &own, scan, mask) : status;
}
