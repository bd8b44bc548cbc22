/* The deformation law of the 2D Fish benchmark; the equation stands in warp.h. */
#include "simulate/warp.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

/* Updates least, the squared distances to the centres so far, with the centre `place`. Returns the farthest
 * point, the first of equals. */
static int64_t find_farthest(const sfgp_cloud *cloud, const double *place, double *least)
{
    const int d = cloud->dimension == 2 ? 2 : 3;
    int64_t farthest = 0;
    for (int64_t k = 0; k < cloud->count; k++) {
        least[k] = fmin(least[k], sfgp_square_between(d, cloud->points + k * d, place));
        if (least[k] > least[farthest])
            farthest = k;
    }
    return farthest;
}

static void place_centres(const sfgp_cloud *cloud, double *least, sfgp_warp *warp)
{
    const double zero[3] = {0};
    const double *place = zero;
    warp->bumps = cloud->count < SFGP_WARP_BUMPS ? (int)cloud->count : SFGP_WARP_BUMPS;
    for (int bump = 0; bump < warp->bumps; bump++) {
        for (int64_t k = 0; k < cloud->count && bump < 2; k++)
            least[k] = HUGE_VAL; /* distances count from the first centre on; 0 is not a centre */
        place = cloud->points + find_farthest(cloud, place, least) * cloud->dimension;
        memcpy(warp->centre[bump], place, (size_t)cloud->dimension * sizeof *place);
    }
}

void sfgp_warp_draw(const sfgp_cloud *cloud, const sfgp_warp_size *size, sfgp_random *random, double *work,
                    sfgp_warp *warp)
{
    *warp = (sfgp_warp){.dimension = cloud->dimension, .length = size->length};
    place_centres(cloud, work, warp);
    for (int bump = 0; bump < SFGP_WARP_BUMPS; bump++)
        for (int axis = 0; axis < cloud->dimension; axis++)
            warp->weight[bump][axis] = size->weight * sfgp_random_normal(random);
    for (int axis = 0; axis < cloud->dimension; axis++) {
        for (int from = 0; from < cloud->dimension; from++)
            warp->affine[from][axis] = size->affine * sfgp_random_normal(random);
        warp->affine[3][axis] = size->translation * sfgp_random_normal(random);
    }
}

static void warp_point(const sfgp_warp *warp, double *point)
{
    const int d = warp->dimension == 2 ? 2 : 3;
    double move[3];
    memcpy(move, warp->affine[3], sizeof move);
    for (int from = 0; from < d; from++)
        for (int axis = 0; axis < d; axis++)
            move[axis] += point[from] * warp->affine[from][axis];
    for (int bump = 0; bump < warp->bumps; bump++) {
        double square = sfgp_square_between(d, point, warp->centre[bump]);
        double height = exp(-square / (warp->length * warp->length));
        for (int axis = 0; axis < d; axis++)
            move[axis] += height * warp->weight[bump][axis];
    }
    for (int axis = 0; axis < d; axis++)
        point[axis] += move[axis];
}

void sfgp_warp_apply(const sfgp_warp *warp, sfgp_cloud *cloud)
{
    for (int64_t k = 0; k < cloud->count; k++)
        warp_point(warp, cloud->points + k * cloud->dimension);
}
