/* Memory: what every owner allocates. n, targets: points; d: dimension; s, p: columns; m = d s + p. */
#include "base/lanes.h"
#include "fit/memory.h"
#include "geom/blocks.h"
#include "lowrank/two_stage.h"
#include "search/levels.h"
#include "search/trials.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum { REAL = sizeof(double), INDEX = sizeof(int32_t), COUNT = sizeof(int64_t) };

/* ---- kd-tree ----------------------------------------------------------------------------------------- */

/* geom/kdtree_builtin.h: 2^depth leaves of at most so many points, and seven times fewer blocks of boxes */
#define LEAF 64

static double leaves_of(double count)
{
    double leaves = 2;
    while (count > LEAF * leaves)
        leaves *= 2;
    return leaves;
}

static double tree_of(double count)
{
    const double leaves = leaves_of(count), blocks = 1 + leaves / 7;
    return leaves * LEAF * (3 * REAL + INDEX) + blocks * 8 * 6 * REAL + (leaves + blocks) * INDEX;
}

/* While it is built. */
static double items_of(double count)
{
    return count * (3 * REAL + COUNT);
}

/* ---- model ------------------------------------------------------------------------------------------- */

/* pivots of a cholesky factor: room for all that it might take */
static double pivots_of(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double most =
        settings->rank > 0 && settings->rank < size->count ? (double)settings->rank : (double)size->count;
    return strcmp(settings->lowrank, "cholesky") == 0 ? most * COUNT : 0;
}

static double faces_of(const sfgp_run_size *size)
{
    return size->face_count > 0 ? (double)(size->face_count + 1 + size->corner_count) * COUNT : 0;
}

double sfgp_memory_model(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca;
    const double points = 3 * n * d * REAL; /* original, frame, prior mean */
    const double scalar = n * s * REAL + pivots_of(size, settings);
    const double pca = p > 0 ? n * d * (p + 1) * REAL : 0; /* factor, mean */
    return points + scalar + pca + faces_of(size);
}

/* Columns by doubling, an old and a new block of them at once, then the same by rows; residuals, radii. */
static double cholesky_work(const sfgp_run_size *size, double most)
{
    const double n = (double)size->count, s = (double)size->rank_scalar;
    double capacity = 64;
    while (capacity < s)
        capacity *= 2;
    return n * fmin(capacity, most) * REAL + 2 * n * REAL + most * REAL;
}

/* ARPACK's basis of 2 r + 20 vectors, its work, and the pairs. */
static double spectral_work(const sfgp_run_size *size, double pairs)
{
    const double n = (double)size->count, basis = fmin(2 * pairs + 20, n);
    return n * (basis + pairs + 5) * REAL + basis * (basis + 8) * REAL;
}

/* Two stages: what chooses the spread points, then their factor, both gone before the rows are made, or the
 * factor beside the rows. */
static double two_stage_work(const sfgp_run_size *size)
{
    const double n = (double)size->count, s = (double)size->rank_scalar, d = size->dimension;
    const double chooser = n * (d * REAL + 32), spread = SFGP_TWO_STAGE_SPREAD * s * REAL;
    sfgp_run_size part = *size;
    part.count = SFGP_TWO_STAGE_SPREAD;
    return fmax(spread, fmax(chooser, spread + cholesky_work(&part, SFGP_TWO_STAGE_SPREAD)) - n * s * REAL) +
           SFGP_TWO_STAGE_SPREAD * (d + 1) * REAL;
}

/* What is gone when the factor is there. */
static double factor_work(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double n = (double)size->count, s = (double)size->rank_scalar, axes = n * size->dimension * REAL;
    const double most = settings->rank > 0 ? fmin((double)settings->rank, n) : n,
                 pivoted = size->count > SFGP_TWO_STAGE_POINTS && size->rank_scalar <= SFGP_TWO_STAGE_RANK
                               ? two_stage_work(size)
                               : cholesky_work(size, most);
    if (s == 0)
        return 0;
    if (strcmp(settings->lowrank, "cholesky") == 0)
        return axes + pivoted;
    const double kept = strcmp(settings->lowrank, "nystrom") == 0 ? n * (s + 1) * REAL : 0;
    return axes + fmax(pivoted + n * COUNT, kept + spectral_work(size, s));
}

/* Shapes in the frame, their products and eigenvectors, and what Procrustes moves. */
static double training_work(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, shapes = (double)size->training;
    return (shapes + 2) * n * d * REAL + 2 * shapes * shapes * REAL;
}

double sfgp_memory_set_up(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double n = (double)size->count, s = (double)size->rank_scalar,
                 model = sfgp_memory_model(size, settings);
    const double scalar = n * s * REAL + pivots_of(size, settings);
    if (size->made)
        return 0;
    return size->training > 0
               ? fmax(model - scalar + training_work(size), model + factor_work(size, settings))
               : model + factor_work(size, settings);
}

/* ---- fit --------------------------------------------------------------------------------------------- */

/* None where there are levels. */
static double pairs_of(const sfgp_run_size *size, bool search)
{
    const double most = (double)size->count * (double)size->targets;
    return fmin(most, (double)sfgp_em_pairs_reserved(&sfgp_schedule_cold, search, size->count));
}

static bool learns(const sfgp_method *method)
{
    return method->variant->learns;
}

static bool is_dense(const sfgp_run_size *size)
{
    return size->count > sfgp_schedule_cold.dense;
}

static int64_t subset_points(const sfgp_run_size *size)
{
    return (int64_t)sfgp_tuning_for(size->dimension, size->rank_pca > 0)->subset_points;
}

double sfgp_memory_labels(const sfgp_run_size *size, const sfgp_method *method)
{
    return pairs_of(size, learns(method)) * (INDEX + REAL);
}

/* gpr/posterior: sums and rows of each lane, sums to go on with and their factors, mean and variance,
 * weights.
 */
static double posterior_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca;
    const double normal = s * s + p * p + d * s * p + s * d + p, rows = 128 * (s + d + d * p + d);
    return (SFGP_LANES * (normal + rows) + 1.5 * normal + n * d + 2 * n) * REAL;
}

/* correspond/labels but for P: what a point sees, sums over the lanes if there may be a P. */
static double label_sums_of(const sfgp_run_size *size, bool search)
{
    const double n = (double)size->count, d = size->dimension, targets = (double)size->targets,
                 lanes = pairs_of(size, search) > 0 ? SFGP_LANES : 0;
    return n * (6 * REAL + 2 * d * REAL + 2 * INDEX) + targets * (1 + lanes) * REAL;
}

/* em: points, variance, sigma2, weights, deltas; the target twice, its order, its tree if there may be a P.
 */
static double state_of(const sfgp_run_size *size, bool search)
{
    const double n = (double)size->count, d = size->dimension, targets = (double)size->targets;
    return n * (2 * d + 3) * REAL + targets * (2 * d * REAL + INDEX) +
           (pairs_of(size, search) > 0 ? tree_of(targets) : 0);
}

/* geom/blocks */
static double blocks_of(double count)
{
    const double blocks = ceil(count / SFGP_BLOCK), nodes = blocks / (SFGP_BLOCK - 1) + SFGP_BLOCK_LEVELS;
    return blocks * SFGP_BLOCK * (3 * REAL + INDEX) + nodes * (double)sizeof(sfgp_boxes);
}

/* correspond/tiles: blocks of both, and some floats a point. */
static double tiles_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, targets = (double)size->targets;
    return size->count < subset_points(size)
               ? 0
               : blocks_of(n) + blocks_of(targets) + (3 * n + targets) * (double)sizeof(float);
}

/* em/mixing and em/regions: mixing weights, densities, neighbourhoods of points or cells, cells; em/warm: a
 * variance. */
static double mixing_of(const sfgp_run_size *size)
{
    const double n = (double)size->count;
    const sfgp_em_schedule *cold = &sfgp_schedule_cold;
    const double near = (double)cold->neighbours, share = ceil(n / (double)cold->neighbours_divisor);
    if (is_dense(size))
        return n * (3 * REAL + INDEX) + (double)cold->cells * (near * INDEX + COUNT + 2 * REAL);
    return n * 2 * REAL + n * fmin(near, share) * INDEX;
}

/* em/extrapolation: three states; search: a snapshot and a duplicate. */
static double states_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca, state = n * d + d * s + p + 1;
    return (3 * state + (is_dense(size) ? 0 : state + n * (3 + d))) * REAL;
}

static double result_of(const sfgp_run_size *size)
{
    return (double)size->count * (size->dimension * REAL + 2 * REAL + COUNT + 1);
}

/* gpr/information, after the last step: the sums and rows of each lane, and entries of P by rows, of which
 * there are few by then. */
static double information_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, m = (double)(size->dimension * size->rank_scalar + size->rank_pca),
                 p = (double)size->rank_pca;
    const double entries = fmin(fmin(pairs_of(size, true), 64 * n), (double)(1 << 22));
    return (SFGP_LANES * (m * m + 128 * (m + p)) + m) * REAL + (double)size->targets * 2 * COUNT +
           entries * (INDEX + REAL);
}

static double fit_of(const sfgp_run_size *size, bool search)
{
    return pairs_of(size, search) * (INDEX + REAL) + posterior_of(size) + label_sums_of(size, search) +
           state_of(size, search) + (search ? mixing_of(size) + states_of(size) + tiles_of(size) : 0);
}

/* search/halving: rows of the prior and fits, one a thread, of a subset of the points, and as many of the
 * target in proportion. Its prior is truncated, so that the subset of rung CHECK fits in as well. */
static double search_of(const sfgp_run_size *size, int trials)
{
    sfgp_run_size part = *size;
    const sfgp_tuning *tuning = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    const int64_t points = subset_points(size), least = (int64_t)tuning->subset_targets_least,
                  most = (int64_t)tuning->subset_targets_most;
    if (size->count > points) {
        const int64_t share = size->targets * points / size->count;
        part.count = points;
        part.targets = share < least ? least : share;
    }
    part.targets = part.targets < most ? part.targets : most;
    const double columns = (double)part.count * (double)(part.rank_scalar + part.dimension * part.rank_pca);
    return trials * fit_of(&part, true) + (3.0 * (double)part.count * part.dimension + columns) * REAL;
}

static double passing_of(const sfgp_run_size *size, bool search, int trials);

/* search/levels: rows of the prior, a target and a fit of a part of the points, and what passes while that
 * goes on; beside it what chooses them (geom/spread), 32 bytes a point. */
static double level_of(const sfgp_run_size *size, int trials)
{
    const double chooser = 32.0 * (double)(size->count > size->targets ? size->count : size->targets);
    sfgp_run_size part = *size;
    part.count = sfgp_levels_points(size->count);
    part.targets = sfgp_levels_targets(size->count, part.count, size->targets);
    part.face_count = part.corner_count = 0;
    const double columns = (double)part.count * (double)(part.rank_scalar + part.dimension * part.rank_pca),
                 points = 3.0 * (double)part.count * part.dimension + (double)(part.targets * part.dimension);
    return fmax(chooser, (columns + points) * REAL + fit_of(&part, true) + passing_of(&part, true, trials));
}

/* What a fit takes for a while. */
static double passing_of(const sfgp_run_size *size, bool search, int trials)
{
    const double tree = items_of((double)size->targets);
    if (!search)
        return tree;
    if (is_dense(size))
        return fmax(tree, level_of(size, trials));
    return fmax(tree, fmax(search_of(size, trials), information_of(size)));
}

double sfgp_memory_fit(const sfgp_run_size *size, const sfgp_method *method, int workers)
{
    const int trials = workers < SFGP_TRIALS ? workers : SFGP_TRIALS;
    return fit_of(size, learns(method)) + result_of(size) + passing_of(size, learns(method), trials);
}
