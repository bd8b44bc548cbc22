#include "base/exponential.h"
#include "base/lanes.h"
#include "correspond/tiles.h"

#include <math.h>
#include <string.h>

#define N SFGP_BLOCK
#define LOG2_E 1.44269504088896340736
#define LEAST_MASS 1e-30 /* what single precision still holds, */
#define LEAST_POWER 60   /* and 2^-87, of its peak: e^-60 */

/* ---- the reference as it is --------------------------------------------------------------------------- */

static void set_block(const sfgp_soft *s, int64_t block, sfgp_tiles *tiles)
{
    double peak[N] = {0};
    for (int k = 0; k < N; k++) {
        const int64_t place = block * N + k, i = tiles->reference.order[place];
        tiles->radius2[place] = -1;
        if (i < 0)
            continue;
        sfgp_soft_set_radius(s, i);
        peak[k] = s->labels->peak[i];
        tiles->slope[place] = (float)(-0.5 * LOG2_E / s->state.noise[i]);
        tiles->radius2[place] = (float)fmin(s->labels->radius2[i], 2 * LEAST_POWER * s->state.noise[i]);
    }
    sfgp_exponential(N, 1, 1, peak, peak);
    for (int k = 0; k < N; k++)
        tiles->peak[block * N + k] = (float)peak[k];
}

static void set_reference(const sfgp_soft *s, sfgp_tiles *tiles)
{
#pragma omp parallel for schedule(static)
    for (int64_t block = 0; block < tiles->reference.blocks; block++)
        set_block(s, block, tiles);
    sfgp_blocks_move(s->state.fitted, s->labels->radius2, &tiles->reference);
}

/* A block about the middle of its box. */
static void set_side(const sfgp_blocks *blocks, int64_t block, const sfgp_box *box, sfgp_tile_side *side)
{
    for (int a = 0; a < 3; a++)
        side->middle[a] = 0.5 * (box->low[a] + box->high[a]);
    sfgp_tile_about(blocks, block, side->middle, side->x);
    for (int a = 0; a < 3; a++) {
        side->low[a] = (float)(box->low[a] - side->middle[a]);
        side->high[a] = (float)(box->high[a] - side->middle[a]);
    }
}

/* ---- sums over the reference -------------------------------------------------------------------------- */

/* Leaves 1 / (c + sum) and sum_i P_ij of a block of targets; returns its share of the evidence. */
static double invert(const sfgp_soft *s, int64_t block, const double *sum, sfgp_tiles *tiles)
{
    double evidence = 0;
    for (int k = 0; k < N; k++) {
        const int64_t place = block * N + k, j = tiles->target.order[place];
        tiles->inverse[place] = 0;
        if (j < 0)
            continue;
        tiles->inverse[place] = (float)(1 / (s->stray + sum[k]));
        s->labels->explained[j] = sum[k] / (s->stray + sum[k]);
        evidence += log(s->stray + sum[k]);
    }
    return evidence;
}

static double weigh_lane(const sfgp_soft *s, int lane, sfgp_tiles *tiles)
{
    const int64_t blocks = tiles->target.blocks;
    double evidence = 0;
    for (int64_t block = sfgp_lane_start(blocks, lane); block < sfgp_lane_start(blocks, lane + 1); block++) {
        const sfgp_box box = sfgp_blocks_box(&tiles->target, block);
        sfgp_tile_side side;
        sfgp_walk walk;
        double sum[N] = {0};
        int64_t near;
        set_side(&tiles->target, block, &box, &side);
        sfgp_walk_begin(&tiles->reference, &box, &walk);
        while ((near = sfgp_walk_next(&walk)) >= 0)
            sfgp_tile_weigh(tiles, near, &side, sum);
        evidence += invert(s, block, sum, tiles);
    }
    return evidence;
}

static void weigh(const sfgp_soft *s, sfgp_tiles *tiles)
{
    sfgp_labels *labels = s->labels;
    double share[SFGP_LANES], evidence = 0;
#pragma omp parallel for schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        share[lane] = weigh_lane(s, lane, tiles);
    for (int lane = 0; lane < SFGP_LANES; lane++)
        evidence += share[lane];
    labels->evidence = evidence + (double)labels->targets * log((1 - s->rule->omega) / (double)labels->count);
}

/* ---- sums over the target ------------------------------------------------------------------------------ */

/* What tile.c left out is the factor peak; what is next to nothing is nothing. */
static void scale_sums(const float *peak, sfgp_tile_sums *sums)
{
    double scale[N];
    for (int k = 0; k < N; k++)
        scale[k] = (double)peak[k] * sums->mass[k] > LEAST_MASS ? (double)peak[k] : 0;
    for (int k = 0; k < N; k++) {
        sums->mass[k] *= scale[k];
        sums->second[k] *= scale[k];
        for (int a = 0; a < 3; a++)
            sums->first[a][k] *= scale[k];
    }
}

/* What reference point k of a block, i of all, has added up. */
static void take_sums(const sfgp_tiles *tiles, int64_t i, double peak, int k, const sfgp_tile_sums *sums,
                      sfgp_labels *labels)
{
    const int64_t d = labels->dimension;
    const bool best = sums->mass[k] > 0 && sums->best[k] > 0;
    labels->mass[i] = labels->weight[i] = sums->mass[k];
    labels->second[i] = sums->second[k];
    labels->best[i] = best ? peak * (double)sums->best[k] : 0;
    labels->best_target[i] = best ? tiles->target.order[sums->best_at[k]] : -1;
    for (int64_t a = 0; a < d; a++)
        labels->first[i * d + a] = labels->shift[i * d + a] = sums->first[a][k];
}

static void set_labels(const sfgp_tiles *tiles, int64_t block, sfgp_tile_side *side)
{
    float most = -1;
    memcpy(side->slope, tiles->slope + block * N, sizeof side->slope);
    memcpy(side->radius2, tiles->radius2 + block * N, sizeof side->radius2);
    for (int k = 0; k < N; k++)
        most = side->radius2[k] > most ? side->radius2[k] : most;
    for (int k = 0; k < N; k++)
        side->reach2[k] = most;
}

static int64_t label_block(int64_t block, const sfgp_tiles *tiles, sfgp_labels *labels)
{
    const sfgp_box box = sfgp_blocks_box(&tiles->reference, block);
    sfgp_tile_side side;
    sfgp_tile_sums sums;
    sfgp_walk walk;
    int64_t near, found = 0;
    set_side(&tiles->reference, block, &box, &side);
    set_labels(tiles, block, &side);
    memset(&sums, 0, sizeof sums);
    sfgp_walk_begin(&tiles->target, &box, &walk);
    while ((near = sfgp_walk_next(&walk)) >= 0)
        sfgp_tile_label(tiles, near, &side, &sums);
    scale_sums(tiles->peak + block * N, &sums);
    for (int k = 0; k < N && tiles->reference.order[block * N + k] >= 0; k++) {
        const int64_t place = block * N + k;
        take_sums(tiles, tiles->reference.order[place], (double)tiles->peak[place], k, &sums, labels);
        found += sums.found[k];
    }
    return found;
}

static void label(const sfgp_soft *s, const sfgp_tiles *tiles)
{
    const int64_t blocks = tiles->reference.blocks;
    int64_t found[SFGP_LANES] = {0};
#pragma omp parallel for schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        for (int64_t block = sfgp_lane_start(blocks, lane); block < sfgp_lane_start(blocks, lane + 1);
             block++)
            found[lane] += label_block(block, tiles, s->labels);
    s->labels->pairs = 0;
    for (int lane = 0; lane < SFGP_LANES; lane++)
        s->labels->pairs += found[lane];
}

void sfgp_soft_tiles(const sfgp_soft *s, sfgp_tiles *tiles)
{
    set_reference(s, tiles);
    weigh(s, tiles);
    label(s, tiles);
    memset(sfgp_sparse_start(&s->labels->matrix), 0, (size_t)(s->labels->count + 1) * sizeof(int32_t));
}
