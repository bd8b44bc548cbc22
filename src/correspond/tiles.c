/* Memory of the tiles. */
#include "base/memory.h"
#include "correspond/tiles.h"

sfgp_status sfgp_tiles_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                           sfgp_tiles **tiles)
{
    sfgp_tiles *made = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &made);
    *tiles = made;
    if (status != SFGP_OK)
        return status;
    status = sfgp_blocks_new(context, count, dimension, &made->reference);
    if (status == SFGP_OK)
        status = sfgp_blocks_sort(context, points, &made->reference);
    const int64_t places = made->reference.blocks * SFGP_BLOCK;
    if (status == SFGP_OK && (status = sfgp_allocate(context, places, &made->phi0)) == SFGP_OK &&
        (status = sfgp_allocate(context, places, &made->slope)) == SFGP_OK)
        status = sfgp_allocate(context, places, &made->radius2);
    return status;
}

void sfgp_tiles_free(sfgp_tiles *tiles)
{
    if (!tiles)
        return;
    sfgp_blocks_clear(&tiles->reference);
    sfgp_blocks_clear(&tiles->target);
    sfgp_free(tiles->phi0);
    sfgp_free(tiles->slope);
    sfgp_free(tiles->radius2);
    sfgp_free(tiles->inverse);
    sfgp_free(tiles);
}

sfgp_status sfgp_tiles_set_target(sfgp_context *context, int64_t count, const double *target,
                                  sfgp_tiles *tiles)
{
    sfgp_free(tiles->inverse);
    tiles->inverse = NULL;
    sfgp_blocks_clear(&tiles->target);
    sfgp_status status = sfgp_blocks_new(context, count, tiles->reference.dimension, &tiles->target);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, tiles->target.blocks * SFGP_BLOCK, &tiles->inverse);
    if (status == SFGP_OK)
        sfgp_blocks_move(target, NULL, &tiles->target);
    return status;
}
