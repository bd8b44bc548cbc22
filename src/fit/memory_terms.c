/* Memory of a fit: what every owner allocates. n, targets: points; d: dimension; s, p: columns; m = d s + p. */
#include "base/lanes.h"
#include "fit/memory.h"
#include "fit/sides.h"
#include "geom/halves.h"
#include "geom/memory.h"
#include "model/memory.h"
#include "search/effort.h"
#include "search/halving.h"
#include "search/levels.h"
#include "search/rough.h"
#include "search/trials.h"
#include "search/tuning.h"

#include <math.h>

enum { REAL = sizeof(double), INDEX = sizeof(int32_t), COUNT = sizeof(int64_t) };

/* None where there are levels. */
static double pairs_of(const sfgp_run_size *size, bool search)
{
    const double most = (double)size->count * (double)size->targets;
    return fmin(most, (double)sfgp_em_pairs_reserved(&sfgp_schedule_surface, search, size->count));
}

static bool learns(const sfgp_method *method)
{
    return method->variant->learns;
}

static bool is_dense(const sfgp_run_size *size)
{
    return size->count > sfgp_schedule_surface.dense;
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

/* correspond/responsibilities but for P: what a point sees, sums over the lanes if there may be a P. */
static double label_sums_of(const sfgp_run_size *size, bool search)
{
    const double n = (double)size->count, d = size->dimension, targets = (double)size->targets,
                 lanes = pairs_of(size, search) > 0 ? SFGP_LANES : 0, thresholds = search ? 0 : 1;
    return n * ((6 + d + thresholds * d) * REAL + 2 * INDEX) + targets * (1 + lanes) * REAL;
}

/* em: points, variance, sigma2, weights, deltas; the target twice, its order, its clutter, its tree if there may be a P.
 */
static double state_of(const sfgp_run_size *size, bool search)
{
    const double n = (double)size->count, d = size->dimension, targets = (double)size->targets;
    return n * (2 * d + 3) * REAL + targets * ((2 * d + 1) * REAL + INDEX) +
           (pairs_of(size, search) > 0 ? sfgp_kdtree_bytes(targets) : 0);
}

/* correspond/tiles: blocks of both, and some floats a point. */
static double tiles_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, targets = (double)size->targets;
    return size->count < subset_points(size) ? 0
                                             : sfgp_blocks_bytes(n) + sfgp_blocks_bytes(targets) +
                                                   (3 * n + targets) * (double)sizeof(float);
}

/* em/mixing and geom/regions: mixing weights, densities, neighbourhoods of points or cells, cells; em/warm: a
 * variance. */
static double mixing_of(const sfgp_run_size *size)
{
    const double n = (double)size->count;
    const sfgp_em_schedule *cold = &sfgp_schedule_surface;
    const double near = (double)cold->neighbours, share = ceil(n / (double)cold->neighbours_divisor);
    if (is_dense(size))
        return n * (3 * REAL + INDEX) + (double)cold->cells * (near * INDEX + COUNT + 2 * REAL);
    return n * 2 * REAL + n * fmin(near, share) * INDEX;
}

/* em/extrapolation: three states; search: a snapshot and a duplicate, of a curve another snapshot and the variance by it. */
static double states_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca, state = n * d + d * s + p + 1;
    const double apart =
        sfgp_tuning_for(size->dimension, size->rank_pca > 0)->prior_labels > 0 ? state + n : 0;
    return (3 * state + apart + (is_dense(size) ? 0 : state + n * (3 + d))) * REAL;
}

static double result_of(const sfgp_run_size *size)
{
    return (double)size->count * (size->dimension * REAL + 2 * REAL + COUNT + 1);
}

static double coefficients_of(const sfgp_run_size *size)
{
    return size->dimension * (double)size->rank_scalar + (double)size->rank_pca;
}

/* Entries of P at the end of a fit, when there are few. */
static double entries_of(const sfgp_run_size *size)
{
    return fmin(fmin(pairs_of(size, true), 64 * (double)size->count), (double)(1 << 22)) * (INDEX + REAL);
}

/* gpr/information, after the last step: the sums and rows of each lane, and entries of P by rows. */
static double information_of(const sfgp_run_size *size)
{
    const double m = coefficients_of(size), p = (double)size->rank_pca;
    return (SFGP_LANES * (m * m + 128 * (m + p)) + m) * REAL + (double)size->targets * 2 * COUNT +
           entries_of(size);
}

/* em/anisotropic, before that: rows and sums in single precision, a factor, normals and what they are made of. */
static double anisotropic_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, m = coefficients_of(size);
    const sfgp_tuning *tuning = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    if (!(tuning->anisotropic_iterations > 0))
        return 0;
    return (n + SFGP_LANES * m) * m * (double)sizeof(float) + m * m * REAL +
           n * ((4 + 2 * size->dimension) * REAL + tuning->anisotropic_neighbours * INDEX) +
           n * (double)sfgp_schedule_surface.neighbours * INDEX + entries_of(size);
}

/* em/detail, after the fit: neighbours, normals, labels, weights; elements, G and K of some 7 entries a point with their
 * copies, 23 to 40 entries of the factor (ADR 0053) of 10 bytes; mass, product and four vectors of the solver, columns and lists of the factor.
 * Of a dense shape that is of some points, with their cells, what chooses them, and slopes. */
double sfgp_memory_detail(const sfgp_run_size *size, const sfgp_effort *effort)
{
    const double n = (double)size->count, some = fmin(n, (double)effort->field_points),
                 each = 12 * INDEX + 7 * REAL + 4 * 7 * (INDEX + REAL) + 40 * 10 + 24 * REAL,
                 carried = n > some ? some * 15 * REAL + n * (INDEX + (double)sizeof(sfgp_item)) : 0;
    return size->dimension == 3 ? some * each + carried : 0;
}

/* gpr/prior: C of the stiff prior and the loose one, its inverse and the factor of that. */
static double rescaled_of(const sfgp_run_size *size)
{
    const sfgp_tuning *t = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    const double s = (double)size->rank_scalar;
    return ((t->stiff != 1) + (t->loose != 1)) * 3 * s * s * REAL;
}

/* gpr/markov: P, its factor and variances; Z, weights, variances, w, three columns. */
static double field_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca;
    if (size->field_entries == 0)
        return 0;
    return (double)size->field_entries * (REAL + INDEX) + sfgp_memory_field_factor(size) +
           sfgp_memory_field_work(size) + n * (s + d * p + 2 * d + 5) * REAL;
}

static double fit_of(const sfgp_run_size *size, bool search)
{
    return field_of(size) + pairs_of(size, search) * (INDEX + REAL) + posterior_of(size) +
           label_sums_of(size, search) + state_of(size, search) +
           (search ? mixing_of(size) + states_of(size) + tiles_of(size) + rescaled_of(size) : 0);
}

/* Rows of the prior: its columns along one axis, or for each. */
static double columns_of(const sfgp_run_size *size)
{
    return (double)size->count * ((double)size->rank_scalar + size->dimension * (double)size->rank_pca);
}

/* search/halving: rows of the prior and fits, one a thread, of a subset of the points. Its prior is truncated, so that the subset of
 * rung CHECK fits in as well. */
static double search_of(const sfgp_run_size *size, int trials)
{
    sfgp_run_size part = *size;
    const sfgp_tuning *tuning = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    const int64_t points = subset_points(size);
    part.count = points < size->count ? points : size->count;
    part.targets = sfgp_halving_targets(tuning, points, size->count, size->targets);
    const double columns = columns_of(&part);
    return trials * fit_of(&part, true) + (3.0 * (double)part.count * part.dimension + columns) * REAL;
}

/* Rows of the prior, a target and a fit of a part of the points, of which half of the smooth columns are left. */
static double part_of(sfgp_run_size *part, int64_t points)
{
    const int64_t all = part->count;
    part->count = points < all ? points : all;
    part->targets = sfgp_rough_targets(part->count, all, part->targets);
    part->rank_scalar /= 2;
    const double n = (double)part->count, d = part->dimension;
    return fit_of(part, true) +
           (n * ((double)part->rank_scalar + d * (double)part->rank_pca) + 3 * n * d) * REAL;
}

/* search/rough: a fit of a part, whose state is kept for each start; the nearest points. */
static double rough_of(const sfgp_run_size *size)
{
    sfgp_run_size part = *size;
    const sfgp_tuning *tuning = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    if (!(tuning->rough_points > 0) || (double)size->count < tuning->rough_from)
        return 0;
    const double fit = part_of(&part, (int64_t)tuning->rough_points), n = (double)part.count,
                 state = n * (part.dimension + 3) + coefficients_of(&part);
    return fit + SFGP_ROUGH_FITS * state * REAL + (double)size->count * COUNT;
}

/* Some of the many points of a surface, with the rows of the prior; how much room they take. */
static double choose_some(sfgp_run_size *size)
{
    const int64_t n = SFGP_SIDES_CHOSEN;
    const double d = size->dimension;
    if (d < 3 || size->count <= n)
        return 0;
    size->targets = sfgp_rough_targets(n, size->count, size->targets);
    size->count = n;
    return (n * ((double)size->rank_scalar + d * (double)size->rank_pca + d) +
            2 * d * (double)size->targets) *
           REAL;
}

/* fit/sides: of many points some, a fit of a part, and the mirror image of the target, which is that of all points beside clutter. */
static double sides_of(const sfgp_run_size *size, const sfgp_effort *effort)
{
    sfgp_run_size part = *size;
    if (!effort->sides)
        return 0;
    const double some = choose_some(&part), image = 2.0 * (double)size->targets * size->dimension * REAL;
    return some + image + part_of(&part, SFGP_SIDES_POINTS);
}

static double passing_of(const sfgp_run_size *size, const sfgp_effort *effort, bool is_level, int trials);

/* search/levels: rows of the prior, a target and a fit of a part of the points, and what passes while that
 * goes on; beside it what chooses them (geom/spread), 32 bytes a point. */
static double level_of(const sfgp_run_size *size, const sfgp_effort *effort, int trials)
{
    const double chooser = 32.0 * (double)(size->count > size->targets ? size->count : size->targets);
    sfgp_run_size part = *size;
    part.count = sfgp_levels_points(effort, size->count);
    part.targets = sfgp_levels_targets(effort, size->count, part.count, size->targets);
    part.face_count = part.corner_count = 0;
    const double columns = columns_of(&part),
                 points = 3.0 * (double)part.count * part.dimension + (double)part.targets * part.dimension;
    return fmax(chooser,
                (columns + points) * REAL + fit_of(&part, true) + passing_of(&part, effort, true, trials));
}

/* A search, and the deviations. The mirror image is compared with the fit of the whole only. */
static double searching_of(const sfgp_run_size *size, const sfgp_effort *effort, bool is_level, int trials)
{
    return fmax(fmax(search_of(size, trials), anisotropic_of(size)),
                fmax(fmax(rough_of(size), is_level ? 0 : sides_of(size, effort)), information_of(size)));
}

/* A level, and the anisotropic step of what is not dense. A solver keeps the level of a shape for the next target, and so has it during
 * that step; the level of a level is freed before. */
static double levels_of(const sfgp_run_size *size, const sfgp_effort *effort, bool is_level, int trials)
{
    const double level = level_of(size, effort, trials), refining = is_dense(size) ? 0 : anisotropic_of(size);
    return is_level ? fmax(level, refining) : level + refining;
}

/* What a fit takes for a while. effort: NULL without a search. */
static double passing_of(const sfgp_run_size *size, const sfgp_effort *effort, bool is_level, int trials)
{
    const double tree = sfgp_kdtree_building_bytes((double)size->targets);
    if (!effort)
        return tree;
    const sfgp_tuning *tuning = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    const bool is_large = size->count > effort->points_at_once,
               has_level =
                   is_large || (is_level && sfgp_levels_go_on(effort, tuning, size->count, size->targets));
    const double levels = has_level ? levels_of(size, effort, is_level, trials) : 0,
                 search = is_large ? 0 : searching_of(size, effort, is_level, trials);
    return fmax(tree, fmax(levels, search));
}

/* fit/solver: the rows of the prior with fewer columns, where the effort leaves some out. */
static double fewer_columns_of(const sfgp_run_size *size, const sfgp_effort *effort)
{
    const double n = (double)size->count;
    return effort && effort->accuracy > 0
               ? n * (size->dimension * (1.0 + (double)size->rank_pca) + (double)size->rank_scalar) * REAL
               : 0;
}

/* geom/scan: the points in the frame, and which points of the target they are. */
static double scan_of(const sfgp_run_size *size, bool learning)
{
    return (double)size->targets * (size->dimension * REAL + (learning ? INDEX : 0));
}

/* fit/beside: the points of the first fit, while the scan is searched again. */
static double beside_of(const sfgp_run_size *size, const sfgp_effort *effort)
{
    const bool searches_again = effort && effort->sides && size->dimension == 3;
    return searches_again ? (double)size->count * size->dimension * REAL : 0;
}

/* fit/closures: the scan with all of its points, while what is left of it is searched again. */
static double closures_of(const sfgp_run_size *size, bool learning)
{
    return learning && size->dimension == 3 ? scan_of(size, true) : 0;
}

double sfgp_memory_fit(const sfgp_run_size *size, const sfgp_method *method, const sfgp_effort *effort,
                       int workers)
{
    const int trials = workers < SFGP_TRIALS ? workers : SFGP_TRIALS;
    const bool learning = learns(method);
    const sfgp_effort *search = learning ? effort : NULL;
    return fit_of(size, learning) + result_of(size) + scan_of(size, learning) +
           fewer_columns_of(size, search) + passing_of(size, search, false, trials) +
           fmax(beside_of(size, search), closures_of(size, learning));
}
