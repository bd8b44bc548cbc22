/* What this machine can do, and what share of it the E-step and the M-step reach: one thread, ear 000 of
 * ../shared/data/ears (or $SFGP_DATA/ears), default settings, without and with its 60 training shapes.
 *
 * A meter is something that is run and timed: a ceiling (exponentials, distances, BLAS, memory), a stage of
 * a fit, or a part of a stage. A stage names the work that it cannot do without and the ceilings for that
 * work; its roofline is the time which the work takes at the rates of the ceilings. All meters are run in
 * turns, ROUNDS times, because the machine is shared. Times are CPU time. One CSV row a meter, with medians
 * over the rounds; a share is taken within its round. docs/roofline.md says how to read them. */
#include "base/platform_clock.h"
#include "base/exponential.h"
#include "base/lanes.h"
#include "base/quantile.h"
#include "base/simd.h"
#include "correspond/tiles.h"
#include "em/estep.h"
#include "em/loop.h"
#include "fit/solver.h"
#include "gpr/normal.h"
#include "linalg/dense.h"
#include "evaluation.h"
#include "provenance.h"

#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRAINING 60
#define ROUNDS 25
#define SAMPLE 1e-2 /* seconds that a sample takes at least */
#define METERS 128
#define NEEDS 5

#define TILE 1024       /* points of a tile: five arrays of them stay in the first-level cache */
#define CENTRES 64      /* points that a tile is seen from in one run */
#define CHAINS 16       /* sums that do not wait for each other */
#define STREAM 4194304  /* doubles an array, 32 MiB */
#define MANY 1000000    /* pairs of an E-step that hardly keeps any */
#define PEAK 512        /* rows and columns of a product that is all peak */
#define PAIR_BYTES 44.0 /* P written, read for the sums over i, read and scaled for the moments */

typedef void kernel(void *data);

typedef struct meter meter;
typedef struct need {
    const meter *ceiling;
    double work;
} need;
struct meter {
    const char *prior, *state, *what, *unit;
    double work;  /* of one run, in units */
    double bytes; /* that one run must move when they do not fit in a cache, 0: few */
    kernel *run;
    void *data;
    need needs[NEEDS]; /* none: a ceiling, or work that has none */
    double seconds[ROUNDS];
};

static sfgp_context *context;
static meter meters[METERS];
static int meter_count;

static void check(sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "roofline: %s: %s\n", sfgp_status_text(status), sfgp_context_error(context));
    exit(status);
}

static void stop(const char *why)
{
    fprintf(stderr, "roofline: %s\n", why);
    exit(1);
}

static double *array_of(int64_t count, double value)
{
    double *values = malloc((size_t)count * sizeof *values);
    if (!values)
        stop("out of memory");
    for (int64_t k = 0; k < count; k++)
        values[k] = value;
    return values;
}

static meter *add(const char *what, const char *unit, double work, kernel *run, void *data)
{
    meter *one = meters + meter_count++;
    *one =
        (meter){.prior = "", .state = "", .what = what, .unit = unit, .work = work, .run = run, .data = data};
    return one;
}

/* ---- ceilings of the machine ------------------------------------------------------------------------- */

/* Eight more, so that no two arrays start at the same place of a page. */
typedef struct tile {
    _Alignas(64) double x[TILE + 8];
    double y[TILE + 8], z[TILE + 8], distance2[TILE + 8], value[TILE + 8];
} tile;

SFGP_SIMD static void distances(const double *restrict x, const double *restrict y, const double *restrict z,
                                double centre, double *restrict distance2)
{
    for (int k = 0; k < TILE; k++)
        distance2[k] = (x[k] - centre) * (x[k] - centre) + (y[k] - centre) * (y[k] - centre) +
                       (z[k] - centre) * (z[k] - centre);
}

static void run_distances(void *data)
{
    tile *t = data;
    for (int i = 0; i < CENTRES; i++)
        distances(t->x, t->y, t->z, 0.01 * i, t->distance2);
}

static void run_exponential(void *data)
{
    tile *t = data;
    for (int i = 0; i < CENTRES; i++)
        sfgp_exponential(TILE, 1.0, -0.5, t->x, t->value);
}

/* sum_i exp(-|s_j - r_i|^2 / (2 v)), v = 1 */
static void run_pairs(void *data)
{
    tile *t = data;
    for (int i = 0; i < CENTRES; i++) {
        distances(t->x, t->y, t->z, 0.01 * i, t->distance2);
        sfgp_exponential_add(TILE, 1.0, -0.5, t->distance2, t->value);
    }
}

typedef struct single_tile {
    _Alignas(64) float x[TILE];
    float y[TILE], z[TILE], value[TILE];
} single_tile;

/* 2^x as correspond/tile.c has it. */
static inline float raise_two(float x)
{
    const float shifted = x + 0x1.8p23F, f = x - (shifted - 0x1.8p23F);
    float p = f * 1.5403530e-4F + 1.3333558e-3F, power;
    uint32_t bits, exponent;
    p = p * f + 9.6181291e-3F;
    p = p * f + 5.5504109e-2F;
    p = p * f + 2.4022651e-1F;
    p = p * f + 6.9314718e-1F;
    p = p * f + 1.0F;
    memcpy(&bits, &p, sizeof bits);
    memcpy(&exponent, &shifted, sizeof exponent);
    bits += exponent << 23;
    memcpy(&power, &bits, sizeof power);
    return power;
}

SFGP_SIMD static void single_pairs(const float *restrict x, const float *restrict y, const float *restrict z,
                                   float centre, float *restrict value)
{
    for (int k = 0; k < TILE; k++)
        value[k] += raise_two(-0.7F * ((x[k] - centre) * (x[k] - centre) + (y[k] - centre) * (y[k] - centre) +
                                       (z[k] - centre) * (z[k] - centre)));
}

static void run_single_pairs(void *data)
{
    single_tile *t = data;
    for (int i = 0; i < CENTRES; i++)
        single_pairs(t->x, t->y, t->z, 0.01F * (float)i, t->value);
}

typedef double lanes __attribute__((vector_size(64)));

/* x[8 .. 15] from x[0 .. 7]. As many chains as keep two units of four cycles busy, and more; their starts
 * differ, or they would be merged. */
SFGP_SIMD static void multiply_add(int64_t runs, double *x)
{
    lanes sum[CHAINS], factor;
    for (int lane = 0; lane < 8; lane++)
        factor[lane] = x[lane];
    for (int chain = 0; chain < CHAINS; chain++)
        sum[chain] = factor * (double)chain;
    for (int64_t k = 0; k < runs; k++)
        for (int chain = 0; chain < CHAINS; chain++)
            sum[chain] = sum[chain] * factor + factor;
    for (int chain = 1; chain < CHAINS; chain++)
        sum[0] += sum[chain];
    for (int lane = 0; lane < 8; lane++)
        x[8 + lane] = sum[0][lane];
}

static void run_multiply_add(void *data)
{
    multiply_add(TILE, ((tile *)data)->x);
}

typedef struct stream {
    double *a, *b, *c;
} stream;

SFGP_SIMD static void triad(double *restrict a, const double *restrict b, const double *restrict c)
{
    for (int64_t k = 0; k < STREAM; k++)
        a[k] = b[k] + 3.0 * c[k];
}

static void run_triad(void *data)
{
    const stream *s = data;
    triad(s->a, s->b, s->c);
}

/* ---- ceilings of the BLAS at the sizes of an M-step -------------------------------------------------- */

typedef struct product {
    int64_t rows, width;
    double *a, *square, *c; /* rows x width, the identity of that width, rows or width x width */
} product;

static product *product_of(int64_t rows, int64_t width)
{
    product *made = malloc(sizeof *made);
    if (!made)
        stop("out of memory");
    *made = (product){rows, width, array_of(rows * width, 0.5), array_of(width * width, 0),
                      array_of(rows * width, 0)};
    for (int64_t k = 0; k < width; k++)
        made->square[k * width + k] = 1;
    return made;
}

static void run_syrk(void *data)
{
    const product *p = data;
    sfgp_dense_gram(p->rows, p->width, 1e-6, p->a, p->c);
}

static void run_gemm(void *data)
{
    const product *p = data;
    sfgp_dense_multiply(p->rows, p->width, p->width, 1e-6, p->a, p->width, p->square, p->c, p->width);
}

static void run_trsm(void *data)
{
    const product *p = data;
    sfgp_dense_solve_rows(p->rows, p->width, p->square, p->a);
}

static void run_potrf(void *data)
{
    const product *p = data;
    check(sfgp_dense_cholesky(context, "roofline", p->width, p->square));
}

typedef struct ceilings {
    const meter *distance, *exponential, *pair, *single, *triad, *syrk, *gemm, *trsm, *potrf;
} ceilings;

static void add_machine(ceilings *all)
{
    static tile points;
    static single_tile singles;
    static stream arrays;
    for (int k = 0; k < TILE; k++)
        points.x[k] = points.y[k] = points.z[k] = 0.5;
    arrays = (stream){array_of(STREAM, 0), array_of(STREAM, 1), array_of(STREAM, 2)};
    all->exponential = add("exp", "exponentials", TILE * CENTRES, run_exponential, &points);
    all->distance = add("distance", "distances", TILE * CENTRES, run_distances, &points);
    all->pair = add("distance and exp", "pairs", TILE * CENTRES, run_pairs, &points);
    all->single =
        add("distance and exp in single precision", "pairs", TILE * CENTRES, run_single_pairs, &singles);
    add("multiply-add", "flops", 2.0 * 8 * CHAINS * TILE, run_multiply_add, &points);
    all->triad = add("triad", "bytes", 24.0 * STREAM, run_triad, &arrays);
    add("dgemm 512", "flops", 2.0 * PEAK * PEAK * PEAK, run_gemm, product_of(PEAK, PEAK));
}

static void add_blas(const char *prior, int64_t rows, int64_t width, ceilings *all)
{
    product *sizes = product_of(rows, width);
    const double n = (double)rows, m = (double)width;
    all->syrk = add("dsyrk", "flops", n * m * (m + 1), run_syrk, sizes);
    all->gemm = add("dgemm", "flops", 2 * n * m * m, run_gemm, sizes);
    all->trsm = add("dtrsm", "flops", n * m * m, run_trsm, sizes);
    all->potrf = add("dpotrf", "flops", m * m * m / 3, run_potrf, sizes);
    for (int k = 1; k <= 4; k++)
        meters[meter_count - k].prior = prior;
}

/* ---- the E-step and its parts ------------------------------------------------------------------------ */

/* A fit that is held at one iteration. */
typedef struct held {
    sfgp_em *em;
    int64_t pairs;
    int32_t *index; /* pairs, of P */
    double *distance2;
} held;

static void run_label(void *data)
{
    const held *fit = data;
    check(sfgp_em_estep_whole(fit->em));
}

/* Leaves no P. */
static void run_tiles(void *data)
{
    const held *fit = data;
    check(sfgp_em_estep(fit->em));
    if (fit->em->responsibilities.pairs != fit->pairs)
        stop("the tiles count other pairs than P has");
}

static void run_count(void *data)
{
    const held *fit = data;
    const sfgp_em *em = fit->em;
    int64_t pairs = 0;
    for (int64_t i = 0; i < em->responsibilities.count; i++)
        pairs += sfgp_kdtree_count(em->view.tree, em->state.points + i * em->responsibilities.dimension,
                                   em->responsibilities.radius2[i]);
    if (pairs != fit->pairs)
        stop("the tree counts other pairs than the E-step");
}

static void run_within(void *data)
{
    const held *fit = data;
    const sfgp_em *em = fit->em;
    int64_t at = 0;
    for (int64_t i = 0; i < em->responsibilities.count; i++)
        at += sfgp_kdtree_within(em->view.tree, em->state.points + i * em->responsibilities.dimension,
                                 em->responsibilities.radius2[i], fit->index + at, fit->distance2 + at);
}

/* Column by column as the E-step does it, over the distances of run_within. The values of P are lost. */
static void run_phi(void *data)
{
    const held *fit = data;
    const sfgp_em *em = fit->em;
    const int32_t *start = sfgp_sparse_start(&em->responsibilities.matrix);
    double *phi = sfgp_sparse_value(&em->responsibilities.matrix);
    for (int64_t i = 0; i < em->responsibilities.count; i++)
        sfgp_exponential(start[i + 1] - start[i], 1.0, -0.5 / em->state.sigma2[i], fit->distance2 + start[i],
                         phi + start[i]);
}

/* With few pairs the E-step caches what its one query finds; with more it counts first (correspond/estep_whole.c). */
static void add_label(held *fit, const ceilings *all)
{
    const double pairs = (double)fit->pairs;
    meter *stage = add("E-step", "pairs", pairs, run_label, fit);
    stage->bytes = PAIR_BYTES * pairs;
    stage->needs[0] = (need){all->pair, pairs};
    if (fit->pairs > MANY)
        add("E-step: kd-tree counts", "pairs", pairs, run_count, fit);
    add("E-step: kd-tree fills", "pairs", pairs, run_within, fit)->needs[0] = (need){all->distance, pairs};
    add("E-step: exponentials", "pairs", pairs, run_phi, fit)->needs[0] = (need){all->exponential, pairs};
    add("E-step: sums and moments", "pairs", pairs, NULL, NULL);
}

/* ---- the M-step and its parts ------------------------------------------------------------------------ */

static void run_posterior(void *data)
{
    sfgp_em *em = ((held *)data)->em;
    em->posterior.freeze_variance = false;
    check(sfgp_posterior_update(context, em->weights, em->deltas, &em->posterior));
}

static void run_predict(void *data)
{
    const sfgp_posterior *p = &((held *)data)->em->posterior;
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_predict(p->basis, p->lane_normals, sfgp_lane_start(p->basis->count, lane),
                            sfgp_lane_start(p->basis->count, lane + 1), p->buffers + lane * p->buffer_size,
                            p->mean, p->variance);
}

/* Loses the factors of the last M-step. */
static void run_accumulate(void *data)
{
    const sfgp_em *em = ((held *)data)->em;
    const sfgp_posterior *p = &em->posterior;
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sfgp_normal_accumulate(p->basis, em->weights, em->deltas, sfgp_lane_start(p->basis->count, lane),
                               sfgp_lane_start(p->basis->count, lane + 1),
                               p->lane_normals + lane * p->normal_size, p->buffers + lane * p->buffer_size);
}

typedef struct flops {
    double syrk, gemm, trsm, potrf;
} flops;

static flops flops_of_sums(const sfgp_basis *basis, double n)
{
    const double s = (double)basis->scalar.rank, p = (double)basis->pca.modes, d = basis->dimension;
    return (flops){.syrk = n * (s * (s + 1) + d * p * (p + 1)), .gemm = 2 * n * d * (s + s * p + p)};
}

static flops flops_of_solve(const sfgp_basis *basis)
{
    const double s = (double)basis->scalar.rank, p = (double)basis->pca.modes, d = basis->dimension;
    return (flops){.syrk = d * s * p * (p + 1),
                   .gemm = 4 * d * s * p,
                   .trsm = d * s * s * p + 2 * (d * s * s + p * p),
                   .potrf = (s * s * s + p * p * p) / 3};
}

static flops flops_of_prediction(const sfgp_basis *basis)
{
    const double n = (double)basis->count, s = (double)basis->scalar.rank, p = (double)basis->pca.modes,
                 d = basis->dimension;
    return (flops){.gemm = 2 * n * d * (s + p + s * p), .trsm = n * (s * s + d * p * p)};
}

static double flops_in_all(const flops *f)
{
    return f->syrk + f->gemm + f->trsm + f->potrf;
}

static void add_flops(const char *what, const flops *work, kernel *run, held *fit, const ceilings *all)
{
    meter *stage = add(what, "flops", flops_in_all(work), run, fit);
    stage->needs[0] = (need){all->syrk, work->syrk};
    stage->needs[1] = (need){all->gemm, work->gemm};
    stage->needs[2] = (need){all->trsm, work->trsm};
    stage->needs[3] = (need){all->potrf, work->potrf};
}

static void add_posterior(held *fit, const ceilings *all)
{
    const sfgp_basis *basis = fit->em->problem->basis;
    double observed = 0;
    for (int64_t i = 0; i < basis->count; i++)
        observed += fit->em->weights[i] > 0;
    const flops sums = flops_of_sums(basis, observed), solve = flops_of_solve(basis),
                prediction = flops_of_prediction(basis),
                whole = {sums.syrk + solve.syrk, sums.gemm + solve.gemm + prediction.gemm,
                         solve.trsm + prediction.trsm, solve.potrf};
    add_flops("M-step", &whole, run_posterior, fit, all);
    add_flops("M-step: mean and variance", &prediction, run_predict, fit, all);
    add_flops("M-step: normal matrix", &sums, run_accumulate, fit, all);
    add_flops("M-step: solve", &solve, NULL, fit, all);
}

/* ---- an iteration ------------------------------------------------------------------------------------ */

static void run_sum(void *data)
{
    sfgp_em *em = ((held *)data)->em;
    sfgp_posterior_accumulate_gram(em->weights, &em->posterior);
}

static void step(void *data, bool freeze_variance)
{
    sfgp_em *em = ((held *)data)->em;
    em->posterior.freeze_variance = freeze_variance;
    check(sfgp_posterior_newton_step(context, 1, em->deltas, em->state.coefficients, &em->posterior));
}

static void run_step(void *data)
{
    step(data, true);
}

static void run_step_and_variance(void *data)
{
    step(data, false);
}

static void run_both(void *data)
{
    run_tiles(data);
    run_step(data);
}

static double gap2(const sfgp_box *box, const double *x)
{
    double sum = 0;
    for (int a = 0; a < 3; a++) {
        const double below = box->low[a] - x[a], above = x[a] - box->high[a],
                     gap = below > 0   ? below
                           : above > 0 ? above
                                       : 0;
        sum += gap * gap;
    }
    return sum;
}

/* Points of one side that come near enough to a box of the other, times the sixteen in that: what a pass of
 * the tiles computes. */
static double pairs_of_pass(const sfgp_blocks *blocks, int64_t count, const double *points,
                            const double *reach2)
{
    double pairs = 0;
    for (int64_t block = 0; block < blocks->blocks; block++) {
        const sfgp_box box = sfgp_blocks_box(blocks, block);
        for (int64_t i = 0; i < count; i++)
            pairs += gap2(&box, points + 3 * i) <= (reach2 ? reach2[i] : box.reach2) ? SFGP_BLOCK : 0;
    }
    return pairs;
}

static double pairs_of_tiles(sfgp_em *em)
{
    check(sfgp_em_estep(em));
    return pairs_of_pass(&em->view.tiles->target, em->responsibilities.count, em->state.points,
                         em->responsibilities.radius2) +
           pairs_of_pass(&em->view.tiles->reference, em->responsibilities.targets, em->view.points, NULL);
}

/* What a fit does: labels by tiles; sums when the old ones no longer do; steps, with the variance or without.
 * The ceilings are those of double precision, but for the pairs that tiles compute. */
static void add_iteration(held *fit, const ceilings *all)
{
    const sfgp_basis *basis = fit->em->problem->basis;
    const double n = (double)basis->count, pairs = (double)fit->pairs;
    const flops sums = flops_of_sums(basis, n), solve = flops_of_solve(basis),
                prediction = flops_of_prediction(basis),
                thin = {.syrk = solve.syrk,
                        .gemm = solve.gemm +
                                4 * n * basis->dimension * (double)(basis->scalar.rank + basis->pca.modes),
                        .trsm = solve.trsm,
                        .potrf = solve.potrf},
                wide = {thin.syrk, thin.gemm + prediction.gemm, thin.trsm + prediction.trsm, thin.potrf};
    add("E-step by tiles", "pairs", pairs, run_tiles, fit)->needs[0] = (need){all->pair, pairs};
    const double computed = pairs_of_tiles(fit->em);
    add("E-step by tiles and all it computes", "pairs", computed, run_tiles, fit)->needs[0] =
        (need){all->single, computed};
    add_flops("M-step sums in single precision", &sums, run_sum, fit, all);
    add_flops("M-step step", &thin, run_step, fit, all);
    add_flops("M-step step and variance", &wide, run_step_and_variance, fit, all);
    add("E-step by tiles and a step in turns", "iterations", 1, run_both, fit);
}

/* ---- fits -------------------------------------------------------------------------------------------- */

/* The widest variance: after one iteration from the standard start. */
static void hold_early(sfgp_solver *solver, const sfgp_mesh *scan)
{
    check(sfgp_solver_load(solver, scan));
    check(sfgp_em_step(solver->em));
}

/* The whole fit, and on from where it ended, since the end of a run uses the workspace for other things. */
static void hold_settled(sfgp_solver *solver, const sfgp_mesh *scan)
{
    sfgp_result *result;
    sfgp_outcome outcome;
    check(sfgp_solver_run(solver, scan, &result));
    sfgp_result_free(result);
    check(sfgp_em_run(solver->em, &outcome));
    if (outcome != SFGP_CONVERGED)
        stop("the fit does not settle");
}

static void add_state(const char *prior, const char *state, sfgp_em *em, const ceilings *all)
{
    const int first = meter_count;
    held *fit = malloc(sizeof *fit);
    check(sfgp_em_estep_whole(em));
    const int64_t pairs = sfgp_sparse_start(&em->responsibilities.matrix)[em->responsibilities.count];
    if (!fit || !(fit->index = malloc((size_t)pairs * sizeof *fit->index)))
        stop("out of memory");
    fit->em = em;
    fit->pairs = pairs;
    fit->distance2 = array_of(pairs, 0);
    add_label(fit, all);
    add_posterior(fit, all);
    add_iteration(fit, all);
    for (int k = first; k < meter_count; k++) {
        meters[k].prior = prior;
        meters[k].state = state;
    }
}

static void add_prior(int training_count, const sfgp_mesh *reference, const sfgp_mesh *const *training,
                      const sfgp_mesh *scan, ceilings *all)
{
    sfgp_settings settings;
    sfgp_model *model;
    sfgp_solver *early, *settled;
    sfgp_settings_default(&settings);
    settings.threads = 1;
    check(sfgp_model_new(context, reference, training, training_count, &settings, &model));
    check(sfgp_solver_new(context, model, &settings, &early));
    check(sfgp_solver_new(context, model, &settings, &settled));
    hold_early(early, scan);
    hold_settled(settled, scan);
    const int64_t s = model->basis.scalar.rank, p = model->basis.pca.modes;
    add_blas(model->kernel, model->count, s > p ? s : p, all);
    add_state(model->kernel, "early", early->em, all);
    add_state(model->kernel, "settled", settled->em, all);
}

/* ---- rounds and rows --------------------------------------------------------------------------------- */

/* Seconds of one run, warm, from as many as SAMPLE takes. */
static double time_of(const meter *one)
{
    int runs = 0;
    double begun, passed;
    one->run(one->data);
    begun = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF);
    do {
        one->run(one->data);
        runs++;
        passed = sfgp_platform_cpu_seconds(SFGP_PLATFORM_SELF) - begun;
    } while (passed < SAMPLE);
    return passed / runs;
}

/* A part that cannot be run alone is what the other parts leave of its stage; they lie between the two. */
static double rest_of(int at, int round)
{
    int stage = at - 1;
    double parts = 0;
    for (; strchr(meters[stage].what, ':'); stage--)
        parts += meters[stage].seconds[round];
    return meters[stage].seconds[round] - parts;
}

static double roofline_of(const meter *one, int round)
{
    double seconds = 0;
    for (int k = 0; k < NEEDS && one->needs[k].ceiling; k++)
        seconds += one->needs[k].work * one->needs[k].ceiling->seconds[round] / one->needs[k].ceiling->work;
    return seconds;
}

static double median(const double values[ROUNDS])
{
    double sorted[ROUNDS];
    memcpy(sorted, values, sizeof sorted);
    sfgp_sort(ROUNDS, sorted);
    return sfgp_quantile(ROUNDS, sorted, 0.5);
}

static void print_row(const meter *one, const meter *memory)
{
    double roofline[ROUNDS], share[ROUNDS], moved[ROUNDS];
    const double seconds = median(one->seconds);
    for (int r = 0; r < ROUNDS; r++) {
        roofline[r] = roofline_of(one, r);
        share[r] = roofline[r] / one->seconds[r];
        moved[r] = one->bytes * memory->seconds[r] / memory->work;
    }
    printf("%s,%s,%s,\"%s\",%s,%s,%.0f,%s,%.4g,%.4g", bench_commit(), bench_machine(),
           openblas_get_corename(), one->prior, one->state, one->what, one->work, one->unit, seconds,
           one->work / seconds);
    if (one->needs[0].ceiling)
        printf(",%.4g,%.3f", median(roofline), median(share));
    else
        printf(",,");
    printf(one->bytes > 0 ? ",%.4g\n" : ",\n", median(moved));
}

int main(void)
{
    ceilings all;
    sfgp_mesh *training[TRAINING];
    check(sfgp_context_new(NULL, &context));
    check(sfgp_dense_prepare(context));
    const sfgp_mesh *reference = bench_ear(context, "reference", -1), *scan = bench_ear(context, "scan", 0);
    for (int k = 0; k < TRAINING; k++)
        training[k] = bench_ear(context, "train", k);
    add_machine(&all);
    add_prior(0, reference, NULL, scan, &all);
    add_prior(TRAINING, reference, (const sfgp_mesh *const *)training, scan, &all);
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 0; k < meter_count; k++)
            meters[k].seconds[round] = meters[k].run ? time_of(meters + k) : rest_of(k, round);
    printf("commit,machine,blas,prior,state,what,work,unit,seconds,per_second,roofline_s,share,memory_s\n");
    for (int k = 0; k < meter_count; k++)
        print_row(meters + k, all.triad);
    return 0;
}
