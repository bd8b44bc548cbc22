/* Memory of a whole fit, with its search: what every owner allocates beside one fit from one start (memory_em.c). n, targets: points;
 * d: dimension. */
#include "fit/memory_em.h"
#include "fit/adapt_shape.h"
#include "fit/some_points.h"
#include "geom/memory.h"
#include "search/effort.h"
#include "search/halving.h"
#include "search/levels.h"
#include "search/rough.h"
#include "search/trials.h"
#include "search/tuning.h"

#include <math.h>

enum { REAL = sizeof(double), INDEX = sizeof(int32_t), COUNT = sizeof(int64_t) };

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
    const int64_t points = sfgp_memory_subset(size);
    part.count = points < size->count ? points : size->count;
    part.targets = sfgp_halving_targets(tuning, points, size->count, size->targets);
    const double columns = columns_of(&part);
    return trials * sfgp_memory_em(&part, true) +
           (3.0 * (double)part.count * part.dimension + columns) * REAL;
}

/* Rows of the prior, a target and a fit of a part of the points, of which half of the smooth columns are left. */
static double part_of(sfgp_run_size *part, int64_t points)
{
    const int64_t all = part->count;
    part->count = points < all ? points : all;
    part->targets = sfgp_rough_targets(part->count, all, part->targets);
    part->rank_scalar /= 2;
    const double n = (double)part->count, d = part->dimension;
    return sfgp_memory_em(part, true) +
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
                 state = n * (part.dimension + 3) + sfgp_memory_coefficients(&part);
    return fit + SFGP_ROUGH_FITS * state * REAL + (double)size->count * COUNT;
}

/* Some of the many points of a surface, with the rows of the prior; how much room they take. */
static double choose_some(sfgp_run_size *size)
{
    const int64_t n = SFGP_SOME_CHOSEN;
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
    return some + image + part_of(&part, SFGP_SOME_POINTS);
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
    return fmax(chooser, (columns + points) * REAL + sfgp_memory_em(&part, true) +
                             passing_of(&part, effort, true, trials));
}

/* A search, and the deviations. The mirror image is compared with the fit of the whole only. */
static double searching_of(const sfgp_run_size *size, const sfgp_effort *effort, bool is_level, int trials)
{
    return fmax(
        fmax(search_of(size, trials), sfgp_memory_anisotropic(size)),
        fmax(fmax(rough_of(size), is_level ? 0 : sides_of(size, effort)), sfgp_memory_information(size)));
}

/* A level, and the anisotropic step of what is not dense. A solver keeps the level of a shape for the next target, and so has it during
 * that step; the level of a level is freed before. */
static double levels_of(const sfgp_run_size *size, const sfgp_effort *effort, bool is_level, int trials)
{
    const double level = level_of(size, effort, trials),
                 refining = sfgp_schedule_is_dense(size->count) ? 0 : sfgp_memory_anisotropic(size);
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

/* fit/first: a fit that is kept while its scan is searched again, with its target but without P. */
static double first_of(const sfgp_run_size *size, const sfgp_method *method)
{
    const bool is_kept =
        method->variant->learns && size->dimension == 3 && !sfgp_schedule_is_dense(size->count);
    return is_kept ? sfgp_memory_em(size, true) - sfgp_memory_labels(size, method) : 0;
}

/* fit/adapt: the mean of an adapted prior, and the coarse surface whose moves are known, with 4 entries of the stiffness a point. */
static double adapted_of(const sfgp_run_size *size, const sfgp_effort *effort)
{
    const double n = (double)size->count, known = fmin(n, SFGP_ADAPT_KNOWN);
    if (!(effort && effort->sides && size->dimension == 3 && size->rank_pca == 0))
        return 0;
    return n * (3 * REAL + INDEX) + known * (3 * 3 * REAL + 4 * (REAL + INDEX) + 2 * COUNT);
}

/* fit/beside: the points of the first fit, while the scan is searched again. */
static double beside_of(const sfgp_run_size *size, const sfgp_effort *effort)
{
    const bool searches_again = effort && effort->sides && size->dimension == 3;
    return searches_again ? (double)size->count * size->dimension * REAL : 0;
}

/* fit/closures, fit/size: the scan with all of its points, while what is left of it is searched again. */
static double closures_of(const sfgp_run_size *size, bool learning)
{
    return learning && size->dimension == 3 ? scan_of(size, true) : 0;
}

static double result_of(const sfgp_run_size *size)
{
    return (double)size->count * (size->dimension * REAL + 2 * REAL + COUNT + 1);
}

double sfgp_memory_fit(const sfgp_run_size *size, const sfgp_method *method, const sfgp_effort *effort,
                       int workers)
{
    const int trials = workers < SFGP_TRIALS ? workers : SFGP_TRIALS;
    const bool learning = method->variant->learns;
    const sfgp_effort *search = learning ? effort : NULL;
    return sfgp_memory_em(size, learning) + result_of(size) + scan_of(size, learning) +
           fewer_columns_of(size, search) + passing_of(size, search, false, trials) + first_of(size, method) +
           adapted_of(size, search) + fmax(beside_of(size, search), closures_of(size, learning));
}
