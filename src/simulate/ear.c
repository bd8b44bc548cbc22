/* A simulated ear. The places of the grid on the disk come from the mean ear, the points from the surface of the seed.
 * data/README.md describes the family. */
#include "base/memory.h"
#include "simulate/ear_relax.h"
#include "simulate/ear_surface.h"

#define LEAST_RINGS 4

/* Where the points of the grid lie on the disk: the same for all ears with as many rings. */
static sfgp_status make_places(sfgp_context *context, int64_t rings, sfgp_ear_surface *work,
                               sfgp_ear_place *places)
{
    sfgp_ear_chart *chart = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &chart);
    if (status != SFGP_OK)
        return status;
    sfgp_ear_surface_prepare(0, work);
    sfgp_ear_chart_prepare(work, chart);
    if ((status = sfgp_ear_places(context, rings, chart, places)) == SFGP_OK)
        status = sfgp_ear_relax(context, rings, chart, places);
    sfgp_free(chart);
    return status;
}

static sfgp_status make_points(sfgp_context *context, int64_t rings, uint64_t seed, sfgp_mesh *ear)
{
    sfgp_ear_surface *surface = NULL;
    sfgp_ear_place *places = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, 1, &surface)) != SFGP_OK ||
        (status = sfgp_allocate(context, ear->count, &places)) != SFGP_OK ||
        (status = make_places(context, rings, surface, places)) != SFGP_OK)
        goto cleanup;
    sfgp_ear_surface_prepare(seed, surface);
    for (int64_t k = 0; k < ear->count; k++)
        sfgp_ear_surface_at(surface, places[k].radius, places[k].turn, ear->points + 3 * k);
cleanup:
    sfgp_free(surface);
    sfgp_free(places);
    return status;
}

sfgp_status sfgp_simulate_ear(sfgp_context *context, int64_t resolution, uint64_t seed, sfgp_mesh **ear)
{
    sfgp_mesh *made = NULL;
    if (!context || !ear)
        return SFGP_ERROR_PARAMETER;
    *ear = NULL;
    if (resolution < LEAST_RINGS || resolution > SFGP_EAR_RINGS_MOST)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "resolution %lld: an ear has %d to %d rings of points", (long long)resolution,
                         LEAST_RINGS, SFGP_EAR_RINGS_MOST);
    int64_t faces = sfgp_ear_triangle_count(resolution);
    sfgp_status status = sfgp_mesh_new(context, sfgp_ear_point_count(resolution), 3, faces, 3 * faces, &made);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k <= faces; k++)
        made->face_start[k] = 3 * k;
    sfgp_ear_triangles(resolution, (int64_t(*)[3])made->face_points);
    if ((status = make_points(context, resolution, seed, made)) == SFGP_OK)
        *ear = made;
    else
        sfgp_mesh_free(made);
    return status;
}
