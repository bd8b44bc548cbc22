/* Memory of a model, and of making it: what every owner allocates. n: points; d: dimension; s, p: columns. */
#include "model/memory.h"
#include "lowrank/two_stage.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { REAL = sizeof(double), COUNT = sizeof(int64_t), ENTRY = sizeof(double) + sizeof(int32_t) };

/* pivots of a cholesky factor: room for all that it might take */
static double pivots_of(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double most =
        settings->rank > 0 && settings->rank < size->count ? (double)settings->rank : (double)size->count;
    return strcmp(settings->lowrank, "cholesky") == 0 ? most * COUNT : 0;
}

static double faces_of(const sfgp_run_size *size)
{
    return size->face_count > 0 ? ((double)size->face_count + 1 + (double)size->corner_count) * COUNT : 0;
}

/* Q, the ordering and the variances of a field in the sparse form. */
static double field_of(const sfgp_run_size *size)
{
    return size->field_entries > 0
               ? (double)size->field_entries * ENTRY + (double)size->count * (2 * sizeof(int32_t) + REAL)
               : 0;
}

double sfgp_model_bytes(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double n = (double)size->count, d = size->dimension, s = (double)size->rank_scalar,
                 p = (double)size->rank_pca;
    const double points = 3 * n * d * REAL; /* original, frame, prior mean */
    const double scalar = n * s * REAL + pivots_of(size, settings);
    const double pca = p > 0 ? n * d * (p + 1) * REAL : 0; /* factor, mean */
    return points + scalar + pca + faces_of(size) + field_of(size);
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

/* Columns along the surface (lowrank/harmonics.c): some more pairs than columns, ARPACK's basis for them, and
 * L, 2.2 to 3.4 log2 n entries a point on a sheet (bench/results/surface.csv), of 10 bytes (ADR 0072); before the columns are made. */
static double surface_work(const sfgp_run_size *size)
{
    const double n = (double)size->count, pairs = 1.1 * (double)size->rank_scalar + 4,
                 basis = fmin(1.5 * pairs + 20, n), entries = 3.4 * n * log2(n);
    const double lanczos = n * (basis + pairs + 16) * REAL + basis * (basis + 8) * REAL;
    return lanczos + 10 * entries - n * (double)size->rank_scalar * REAL;
}

sfgp_kernel sfgp_memory_kernel(const sfgp_settings *settings)
{
    sfgp_kernel kernel = {0};
    sfgp_context *quiet = NULL;
    if (strcmp(settings->kernel, "auto") == 0 || sfgp_context_new(NULL, &quiet) != SFGP_OK)
        return kernel;
    if (sfgp_kernel_parse(quiet, settings->kernel, &kernel) != SFGP_OK)
        kernel.count = 0;
    sfgp_context_free(quiet);
    return kernel;
}

static bool has_surface(const sfgp_run_size *size, const sfgp_settings *settings)
{
    sfgp_kernel kernel = sfgp_memory_kernel(settings);
    for (int k = 0; k < kernel.count; k++)
        kernel.terms[k].sparse |= kernel.terms[k].automatic && size->field_entries > 0;
    return sfgp_kernel_along_surface(&kernel).count > 0;
}

/* ---- a field in the sparse form ---------------------------------------------------------------------- */

/* L, its ordering and columns (linalg/ldl.h). */
double sfgp_memory_field_factor(const sfgp_run_size *size)
{
    return (double)size->field_factor;
}

double sfgp_memory_field_work(const sfgp_run_size *size)
{
    return (double)size->field_work;
}

/* The elements, with some four entries of G a point, are there as long as Q is made and factorised. */
static double field_making(const sfgp_run_size *size)
{
    return size->field_entries > 0 ? sfgp_memory_field_factor(size) + sfgp_memory_field_work(size) +
                                         (double)size->count * (4 * ENTRY + 4 * REAL)
                                   : 0;
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
    if (has_surface(size, settings))
        return fmax(axes + pivoted, surface_work(size));
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

double sfgp_model_making_bytes(const sfgp_run_size *size, const sfgp_settings *settings)
{
    const double n = (double)size->count, s = (double)size->rank_scalar,
                 model = sfgp_model_bytes(size, settings);
    const double scalar = n * s * REAL + pivots_of(size, settings);
    if (size->made)
        return 0;
    /* the field is made before the columns */
    const double work = fmax(factor_work(size, settings), field_making(size) - scalar);
    return size->training > 0 ? fmax(model - scalar + training_work(size), model + work) : model + work;
}
