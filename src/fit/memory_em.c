/* Memory of one fit from one start, and of its last steps: what every owner allocates. n, targets: points; d: dimension; s, p: columns;
 * m = d s + p. */
#include "fit/memory_em.h"
#include "base/lanes.h"
#include "geom/halves.h"
#include "geom/memory.h"
#include "model/memory.h"
#include "search/effort.h"
#include "search/tuning.h"

#include <math.h>

enum { REAL = sizeof(double), INDEX = sizeof(int32_t), COUNT = sizeof(int64_t) };

double sfgp_memory_coefficients(const sfgp_run_size *size)
{
    return size->dimension * (double)size->rank_scalar + (double)size->rank_pca;
}

int64_t sfgp_memory_subset(const sfgp_run_size *size)
{
    return (int64_t)sfgp_tuning_for(size->dimension, size->rank_pca > 0)->subset_points;
}

/* None where there are levels. */
static double pairs_of(const sfgp_run_size *size, bool search)
{
    const double most = (double)size->count * (double)size->targets;
    return fmin(most, (double)sfgp_em_pairs_reserved(&sfgp_schedule_surface, search, size->count));
}

double sfgp_memory_labels(const sfgp_run_size *size, const sfgp_method *method)
{
    return pairs_of(size, method->variant->learns) * (INDEX + REAL);
}

/* Factors of the scalar columns in a block of gpr/normal: of a symmetric reference, two. */
static double factors_of(const sfgp_run_size *size)
{
    return size->symmetric ? 2 : 1;
}

/* gpr/posterior: sums and rows of each lane, sums to go on with and their factors, mean and variance,
 * weights.
 */
static double posterior_of(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca;
    const double normal = factors_of(size) * s * s + p * p + d * s * p + s * d + p,
                 rows = 128 * (s + d + d * p + d);
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
    return size->count < sfgp_memory_subset(size) ? 0
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
    if (sfgp_schedule_is_dense(size->count))
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
    return (3 * state + apart + (sfgp_schedule_is_dense(size->count) ? 0 : state + n * (3 + d))) * REAL;
}

/* Entries of P at the end of a fit, when there are few. */
static double entries_of(const sfgp_run_size *size)
{
    return fmin(fmin(pairs_of(size, true), 64 * (double)size->count), (double)(1 << 22)) * (INDEX + REAL);
}

/* gpr/information, after the last step: the sums and rows of each lane, and entries of P by rows. */
double sfgp_memory_information(const sfgp_run_size *size)
{
    const double m = sfgp_memory_coefficients(size), p = (double)size->rank_pca;
    return (SFGP_LANES * (m * m + 128 * (m + p)) + m) * REAL + (double)size->targets * 2 * COUNT +
           entries_of(size);
}

/* em/anisotropic, before that: rows and sums in single precision, a factor, normals and what they are made of. */
double sfgp_memory_anisotropic(const sfgp_run_size *size)
{
    const double n = (double)size->count, m = sfgp_memory_coefficients(size);
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

/* gpr/prior: C of the stiff prior and the loose one, its inverse and the factor of that; of a symmetric reference also of the prior as it is, and of two
 * kinds of axes. */
static double rescaled_of(const sfgp_run_size *size)
{
    const sfgp_tuning *t = sfgp_tuning_for(size->dimension, size->rank_pca > 0);
    const double s = (double)size->rank_scalar;
    const double factors = factors_of(size), priors = (t->stiff != 1) + (t->loose != 1) + (factors > 1);
    return priors * factors * 3 * s * s * REAL;
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

double sfgp_memory_em(const sfgp_run_size *size, bool search)
{
    return field_of(size) + pairs_of(size, search) * (INDEX + REAL) + posterior_of(size) +
           label_sums_of(size, search) + state_of(size, search) +
           (search ? mixing_of(size) + states_of(size) + tiles_of(size) + rescaled_of(size) : 0);
}
