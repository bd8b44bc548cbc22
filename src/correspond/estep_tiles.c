/* The sums over P by tiles, in two passes. Design in tiles.h, equations in correspond.h. */
#include "base/exponential.h"
#include "base/lanes.h"
#include "base/parallel.h"
#include "correspond/tiles.h"

#include <math.h>
#include <string.h>

#define N SFGP_BLOCK
#define LOG2_E 1.44269504088896340736
#define LEAST_MASS 1e-30 /* smaller sums are set to 0, far above the smallest float */
#define LEAST_POWER 60   /* phi_ij below e^-60 phi_ij(0) = 2^-87 phi_ij(0) count as 0, for the same reason */

#define GRAIN 64 /* blocks that a thread takes at a time */

typedef struct tiled {
    const sfgp_estep *s;
    sfgp_tiles *tiles;
} tiled;

/* ---- the reference --------------------------------------------------------------------------- */

static void set_block(const sfgp_estep *s, int64_t block, sfgp_tiles *tiles)
{
    double phi0[N] = {0};
    for (int k = 0; k < N; k++) {
        const int64_t place = block * N + k, i = tiles->reference.order[place];
        tiles->radius2[place] = -1;
        if (i < 0)
            continue;
        sfgp_estep_set_radius(s, i);
        phi0[k] = s->r->log_phi0[i];
        tiles->slope[place] = (float)(-0.5 * LOG2_E / s->state.sigma2[i]);
        tiles->radius2[place] = (float)fmin(s->r->radius2[i], 2 * LEAST_POWER * s->state.sigma2[i]);
    }
    sfgp_exponential(N, 1, 1, phi0, phi0);
    for (int k = 0; k < N; k++)
        tiles->phi0[block * N + k] = (float)phi0[k];
}

static void set_blocks(const void *data, int64_t first, int64_t end)
{
    const tiled *t = data;
    for (int64_t block = first; block < end; block++)
        set_block(t->s, block, t->tiles);
}

static void set_reference(const sfgp_estep *s, sfgp_tiles *tiles)
{
    const tiled both = {s, tiles};
    sfgp_parallel_for(tiles->reference.blocks, GRAIN, set_blocks, &both);
    sfgp_blocks_move(s->state.points, s->r->radius2, &tiles->reference);
}

/* The points of a block and its box, relative to the middle of the box. */
static void set_side(const sfgp_blocks *blocks, int64_t block, const sfgp_box *box, sfgp_tile_side *side)
{
    for (int a = 0; a < 3; a++)
        side->middle[a] = 0.5 * (box->low[a] + box->high[a]);
    sfgp_tile_centre(blocks, block, side->middle, side->x);
    for (int a = 0; a < 3; a++) {
        side->low[a] = (float)(box->low[a] - side->middle[a]);
        side->high[a] = (float)(box->high[a] - side->middle[a]);
    }
}

/* ---- sums over the reference -------------------------------------------------------------------------- */

/* Sets 1 / (c + sum) and sum_i P_ij of a block of targets. Returns its part of the log-likelihood. */
static double normalise(const sfgp_estep *s, int64_t block, const double *sum, sfgp_tiles *tiles)
{
    double log_likelihood = 0;
    for (int k = 0; k < N; k++) {
        const int64_t place = block * N + k, j = tiles->target.order[place];
        tiles->inverse[place] = 0;
        if (j < 0)
            continue;
        const double all = sfgp_estep_outlier(s, j) + sum[k];
        tiles->inverse[place] = (float)(1 / all);
        s->r->explained[j] = sum[k] / all;
        log_likelihood += log(all);
    }
    return log_likelihood;
}

static double sum_reference_lane(const void *data, int64_t first, int64_t end)
{
    const tiled *t = data;
    sfgp_tiles *tiles = t->tiles;
    double log_likelihood = 0;
    for (int64_t block = first; block < end; block++) {
        const sfgp_box box = sfgp_blocks_box(&tiles->target, block);
        sfgp_tile_side side;
        sfgp_walk walk;
        double sum[N] = {0};
        int64_t near;
        set_side(&tiles->target, block, &box, &side);
        sfgp_walk_begin(&tiles->reference, &box, &walk);
        while ((near = sfgp_walk_next(&walk)) >= 0)
            sfgp_tile_sum_reference(tiles, near, &side, sum);
        log_likelihood += normalise(t->s, block, sum, tiles);
    }
    return log_likelihood;
}

static void sum_reference(const sfgp_estep *s, sfgp_tiles *tiles)
{
    sfgp_responsibilities *r = s->r;
    const tiled both = {s, tiles};
    const double log_likelihood = sfgp_lanes_sum(tiles->target.blocks, sum_reference_lane, &both);
    r->log_likelihood = log_likelihood + (double)r->targets * log((1 - s->rule->omega) / (double)r->count);
}

/* ---- sums over the target ------------------------------------------------------------------------------ */

/* Multiplies the sums of tile.c by the factor phi0. Sums below LEAST_MASS become 0. */
static void scale_sums(const float *phi0, sfgp_tile_sums *sums)
{
    double scale[N];
    for (int k = 0; k < N; k++)
        scale[k] = (double)phi0[k] * sums->mass[k] > LEAST_MASS ? (double)phi0[k] : 0;
    for (int k = 0; k < N; k++) {
        sums->mass[k] *= scale[k];
        sums->second[k] *= scale[k];
        for (int a = 0; a < 3; a++)
            sums->first[a][k] *= scale[k];
    }
}

/* Stores the sums of point k of a block, which is reference point i. */
static void set_point(const sfgp_tiles *tiles, int64_t i, double phi0, int k, const sfgp_tile_sums *sums,
                      sfgp_responsibilities *r)
{
    const int64_t d = r->dimension;
    const bool best = sums->mass[k] > 0 && sums->best[k] > 0;
    r->mass[i] = r->weight[i] = sums->mass[k];
    r->second[i] = sums->second[k];
    r->best[i] = best ? phi0 * (double)sums->best[k] : 0;
    r->best_target[i] = best ? tiles->target.order[sums->best_at[k]] : -1;
    for (int64_t a = 0; a < d; a++)
        r->first[i * d + a] = r->shift[i * d + a] = sums->first[a][k];
}

static void load_side(const sfgp_tiles *tiles, int64_t block, sfgp_tile_side *side)
{
    float most = -1;
    memcpy(side->slope, tiles->slope + block * N, sizeof side->slope);
    memcpy(side->radius2, tiles->radius2 + block * N, sizeof side->radius2);
    for (int k = 0; k < N; k++)
        most = side->radius2[k] > most ? side->radius2[k] : most;
    for (int k = 0; k < N; k++)
        side->reach2[k] = most;
}

static int64_t sum_target_block(int64_t block, const sfgp_tiles *tiles, sfgp_responsibilities *r)
{
    const sfgp_box box = sfgp_blocks_box(&tiles->reference, block);
    sfgp_tile_side side;
    sfgp_tile_sums sums;
    sfgp_walk walk;
    int64_t near, found = 0;
    set_side(&tiles->reference, block, &box, &side);
    load_side(tiles, block, &side);
    memset(&sums, 0, sizeof sums);
    sfgp_walk_begin(&tiles->target, &box, &walk);
    while ((near = sfgp_walk_next(&walk)) >= 0)
        sfgp_tile_sum_target(tiles, near, &side, &sums);
    scale_sums(tiles->phi0 + block * N, &sums);
    for (int k = 0; k < N && tiles->reference.order[block * N + k] >= 0; k++) {
        const int64_t place = block * N + k;
        set_point(tiles, tiles->reference.order[place], (double)tiles->phi0[place], k, &sums, r);
        found += sums.found[k];
    }
    return found;
}

/* Number of pairs, which a double holds exactly. */
static double sum_target_lane(const void *data, int64_t first, int64_t end)
{
    const tiled *t = data;
    int64_t found = 0;
    for (int64_t block = first; block < end; block++)
        found += sum_target_block(block, t->tiles, t->s->r);
    return (double)found;
}

static void sum_target(const sfgp_estep *s, sfgp_tiles *tiles)
{
    const tiled both = {s, tiles};
    s->r->pairs = (int64_t)sfgp_lanes_sum(tiles->reference.blocks, sum_target_lane, &both);
}

void sfgp_estep_tiles(const sfgp_estep *s, sfgp_tiles *tiles)
{
    set_reference(s, tiles);
    sum_reference(s, tiles);
    sum_target(s, tiles);
    memset(sfgp_sparse_start(&s->r->matrix), 0, (size_t)(s->r->count + 1) * sizeof(int32_t));
}
