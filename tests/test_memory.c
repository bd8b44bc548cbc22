/* The memory that is predicted against the memory that the allocator is asked for. */
#include "fit/solver.h"
#include "support/cholmod.h"
#include "search/effort.h"
#include "search/rough.h"
#include "search/tuning.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- an allocator that counts bytes ------------------------------------------------------------------ */

typedef struct counter {
    int64_t live, most;
} counter;

enum { HEAD = 64 }; /* keeps the size of a block in front of it */

static void *count_block(size_t bytes, void *user)
{
    counter *c = user;
    char *block = malloc(bytes + HEAD);
    if (!block)
        return NULL;
    memcpy(block, &bytes, sizeof bytes);
    c->live += (int64_t)bytes;
    c->most = c->live > c->most ? c->live : c->most;
    return block + HEAD;
}

static void release_block(void *block, void *user)
{
    counter *c = user;
    size_t bytes;
    memcpy(&bytes, (char *)block - HEAD, sizeof bytes);
    c->live -= (int64_t)bytes;
    free((char *)block - HEAD);
}

/* ---- runs -------------------------------------------------------------------------------------------- */

typedef struct run {
    counter counter;
    sfgp_context *context;
    sfgp_mesh *reference, *scan, **training;
    int64_t training_count;
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
} run;

/* An ear with a scan of about as many points, and other ears to learn from. */
static void run_start(int64_t resolution, int64_t training_count, run *r)
{
    const sfgp_allocator allocator = {count_block, release_block, &r->counter};
    sfgp_mesh *truth = NULL;
    sfgp_damage damage;
    *r = (run){.training_count = training_count, .training = calloc(8, sizeof(sfgp_mesh *))};
    assert_int_equal(sfgp_context_new(&allocator, &r->context), SFGP_OK);
    sfgp_damage_default(&damage);
    damage.holes = 1;
    damage.hole_radius = 0.5;
    damage.noise = 0.005;
    sfgp_assert_ok(r->context, sfgp_simulate_ear(r->context, resolution, 0, &r->reference));
    sfgp_assert_ok(r->context, sfgp_simulate_ear(r->context, resolution, 1, &truth));
    sfgp_assert_ok(r->context, sfgp_simulate_scan(r->context, truth, &damage, &r->scan, NULL));
    for (int64_t k = 0; k < training_count; k++)
        sfgp_assert_ok(r->context,
                       sfgp_simulate_ear(r->context, resolution, (uint64_t)k + 2, &r->training[k]));
    sfgp_mesh_free(truth);
}

static void run_end(run *r)
{
    sfgp_result_free(r->result);
    sfgp_solver_free(r->solver);
    sfgp_model_free(r->model);
    sfgp_mesh_free(r->reference);
    sfgp_mesh_free(r->scan);
    for (int64_t k = 0; k < r->training_count; k++)
        sfgp_mesh_free(r->training[k]);
    free(r->training);
    sfgp_context_free(r->context);
    assert_int_equal(r->counter.live, 0);
}

static sfgp_run_size size_of(const run *r, const sfgp_settings *settings)
{
    sfgp_run_size size;
    sfgp_assert_ok(r->context,
                   sfgp_run_size_from_mesh(r->context, r->reference, r->training_count, settings, &size));
    size.targets = r->scan->count;
    return size;
}

static sfgp_status build(run *r, const sfgp_settings *settings)
{
    return sfgp_model_new(r->context, r->reference, (const sfgp_mesh *const *)r->training, r->training_count,
                          settings, &r->model);
}

/* What is predicted may be above what is asked for by a share, and below by half of that. */
static void assert_near(const char *what, int64_t predicted, int64_t actual, double share)
{
    const double ratio = (double)predicted / (double)actual;
    if (ratio < 1 - 0.5 * share || ratio > 1 + share)
        fail_msg("%s: %lld bytes predicted, %lld asked for", what, (long long)predicted, (long long)actual);
}

static void check_set_up(run *r, const sfgp_settings *settings, const sfgp_memory *memory, double share)
{
    const int64_t before = r->counter.most = r->counter.live;
    sfgp_assert_ok(r->context, build(r, settings));
    assert_near("set-up", memory->set_up, r->counter.most - before, share);
    assert_near("model", memory->model, r->counter.live - before, share);
}

/* Without P as well, behind which the rest would hide. rest: share that this may be off. */
static void check_fit(run *r, const sfgp_settings *settings, const sfgp_memory *memory, double rest)
{
    const int64_t before = r->counter.most = r->counter.live;
    sfgp_assert_ok(r->context, sfgp_solver_new(r->context, r->model, settings, &r->solver));
    sfgp_assert_ok(r->context, sfgp_solver_run(r->solver, r->scan, &r->result));
    const int64_t asked = r->counter.most - before;
    assert_near("fit", memory->fit, asked, 0.2);
    assert_near("fit without P", memory->fit - memory->responsibilities, asked - memory->responsibilities,
                rest);
}

static void check_prediction(run *r, const sfgp_settings *settings, double rest)
{
    sfgp_memory memory;
    const sfgp_run_size size = size_of(r, settings);
    sfgp_assert_ok(r->context, sfgp_memory_predict(r->context, &size, settings, &memory));
    assert_true(memory.peak ==
                (memory.set_up > memory.model + memory.fit ? memory.set_up : memory.model + memory.fit));
    check_set_up(r, settings, &memory, 0.1);
    check_fit(r, settings, &memory, rest);
}

static void check_run(int64_t resolution, int64_t training, const sfgp_settings *settings, double rest)
{
    run r;
    run_start(resolution, training, &r);
    check_prediction(&r, settings, rest);
    run_end(&r);
}

/* 841, 1985, 6385 and 19801 points; two iterations take as much as a thousand. */
static const int64_t RESOLUTIONS[] = {20, 31, 56, 99};
#ifdef SFGP_SLOW_BUILD
enum { SIZES = 2 };
#else
enum { SIZES = 4 };
#endif

static void scalar_is_predicted(void **state)
{
    (void)state;
    sfgp_settings settings = test_settings();
    strcpy(settings.method, "sfgp-scalar");
    settings.max_iterations = 2;
    for (int k = 0; k < SIZES; k++)
        check_run(RESOLUTIONS[k], 0, &settings, 0.25); /* the last is still thinned: so is its tree */
    check_run(RESOLUTIONS[1], 8, &settings, 0.1);
}

/* What is left of P at the end of a fit is bounded by 64 labels a point, where there may be 5. The prediction has the rungs of the search,
 * which `thorough` always runs. */
static void auto_is_predicted(void **state)
{
    (void)state;
    sfgp_settings settings = test_settings();
    settings.max_iterations = 60;
    strcpy(settings.effort, "thorough");
    check_run(RESOLUTIONS[0], 0, &settings, 0.5);
    check_run(RESOLUTIONS[1], 8, &settings, 0.5);
}

/* A fit whose search is sure runs no rungs, and needs no more than a fit that does, nor less than half. */
static void check_without_rungs(const char *effort)
{
    sfgp_memory memory;
    run r;
    sfgp_settings settings = test_settings();
    settings.max_iterations = 60;
    strcpy(settings.effort, effort);
    run_start(RESOLUTIONS[1], 0, &r);
    const sfgp_run_size size = size_of(&r, &settings);
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
    sfgp_assert_ok(r.context, build(&r, &settings));
    const int64_t before = r.counter.most = r.counter.live;
    sfgp_assert_ok(r.context, sfgp_solver_new(r.context, r.model, &settings, &r.solver));
    sfgp_assert_ok(r.context, sfgp_solver_run(r.solver, r.scan, &r.result));
    const int64_t asked = r.counter.most - before;
    assert_true(r.result->fits < 10); /* no rungs */
    assert_true(asked <= memory.fit && 2 * asked >= memory.fit);
    run_end(&r);
}

static void a_fit_without_rungs_needs_no_more(void **state)
{
    (void)state;
    check_without_rungs("normal");
    check_without_rungs("quick"); /* by a level */
}

/* A second fit beside other surfaces, which nothing is good enough for, and the first one that is kept. The prediction has up to 64 labels a
 * point at the end of a fit, where there are some 5: what is kept must not hide in that room. */
static void a_fit_that_is_searched_again_needs_no_more(void **state)
{
    sfgp_memory memory;
    run r;
    (void)state;
    sfgp_settings settings = test_settings();
    run_start(RESOLUTIONS[1], 0, &r);
    const sfgp_run_size size = size_of(&r, &settings);
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
    sfgp_assert_ok(r.context, build(&r, &settings));
    const int64_t before = r.counter.most = r.counter.live;
    sfgp_assert_ok(r.context, sfgp_solver_new(r.context, r.model, &settings, &r.solver));
    sfgp_effort strict = *r.solver->problem.effort;
    strict.expected_error_most = 1e-9;
    r.solver->problem.effort = &strict;
    sfgp_assert_ok(r.context, sfgp_solver_run(r.solver, r.scan, &r.result));
    const int64_t asked = r.counter.most - before, room = memory.fit - asked, labels = 64 * 12 * size.count;
    print_message("%.2f of %.2f MiB\n", (double)asked / 0x1p20, (double)memory.fit / 0x1p20);
    assert_int_equal(r.result->outcome, SFGP_DOUBTFUL);
    assert_true(2 * room > 3 * labels && room < asked / 5);
    run_end(&r);
}

/* The fits of parts of the points among them. */
static void large_shapes_are_predicted(void **state)
{
    (void)state;
    sfgp_settings settings = test_settings();
    for (int k = 2; k < SIZES; k++)
        check_run(RESOLUTIONS[k], 0, &settings, 0.5);
}

/* Its level does not begin from a smaller one, which takes some 6 %. */
static void a_thin_scan_of_a_large_shape_is_predicted(void **state)
{
    sfgp_memory thin, enough;
    run r;
    (void)state;
    sfgp_settings settings = test_settings();
    run_start(RESOLUTIONS[2], 0, &r);
    sfgp_run_size size = size_of(&r, &settings);
    size.targets = sfgp_schedule_surface.cells;
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &enough));
    size.targets--;
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &thin));
    assert_true((double)enough.fit > 1.04 * (double)thin.fit);
    r.scan->count = size.targets;
    check_prediction(&r, &settings, 0.5);
    run_end(&r);
}

/* Every factor, kernels of many columns, whose number is told from a sample, and training shapes alone. */
static void set_up_is_predicted(void **state)
{
    static const struct {
        const char *lowrank, *kernel;
        int64_t resolution, rank;
        double share;
        int64_t training;
    } ROWS[] = {
        {"cholesky", "auto", 99, 0, 0.1, 0},
        {"cholesky", "auto", 99, 20, 0.1, 0},
        {"nystrom", "auto", 56, 0, 0.4, 0}, /* fewer columns than a cholesky factor */
        {"eigen", "auto", 20, 0, 0.4, 0},
        {"cholesky", "se:length=0.5,variance=0.1", 56, 0, 0.1, 0},
        {"cholesky", "se:length=0.2,variance=0.1", 40, 0, 0.1, 0},
        {"cholesky", "surface:length=0.7,variance=0.1", 40, 0, 0.4, 0}, /* the number of pairs is a guess */
        {"cholesky", "matern52:length=1,variance=0.1", 40, 0, 0.1, 0},
        {"cholesky", "none", 31, 0, 0.1, 8}};
    sfgp_settings settings;
    (void)state;
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        run r;
        sfgp_memory memory;
        run_start(ROWS[k].resolution, ROWS[k].training, &r);
        sfgp_settings_default(&settings);
        strcpy(settings.lowrank, ROWS[k].lowrank);
        strcpy(settings.kernel, ROWS[k].kernel);
        settings.rank = ROWS[k].rank;
        const sfgp_run_size size = size_of(&r, &settings);
        sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
        check_set_up(&r, &settings, &memory, ROWS[k].share);
        run_end(&r);
    }
}

/* ---- a field in the sparse form ---------------------------------------------------------------------- */

static counter *of_cholmod; /* what CHOLMOD asks for, which is not the allocator of the context */

static void *cholmod_malloc_counted(size_t bytes)
{
    return count_block(bytes, of_cholmod);
}

static void *cholmod_calloc_counted(size_t count, size_t bytes)
{
    void *block = count_block(count * bytes, of_cholmod);
    return block ? memset(block, 0, count * bytes) : NULL;
}

static void cholmod_free_counted(void *block)
{
    if (block)
        release_block(block, of_cholmod);
}

static void *cholmod_realloc_counted(void *block, size_t bytes)
{
    size_t before = 0;
    void *made = count_block(bytes, of_cholmod);
    if (!made || !block)
        return made;
    memcpy(&before, (char *)block - HEAD, sizeof before);
    memcpy(made, block, before < bytes ? before : bytes);
    cholmod_free_counted(block);
    return made;
}

/* CHOLMOD's factors counted with the rest. */
static void a_field_in_the_sparse_form_is_predicted(void **state)
{
    static const struct {
        int64_t resolution;
        const char *kernel;
    } ROWS[] = {{31, "surface:length=0.7,variance=0.1,form=sparse"},
                {40, "se:length=2,variance=0.1+surface:length=0.7,variance=0.1,smoothness=1,form=sparse"}};
    test_cholmod_functions *all = test_cholmod_allocator();
    (void)state;
    const test_cholmod_functions usual = *all;
    *all = (test_cholmod_functions){cholmod_malloc_counted, cholmod_calloc_counted, cholmod_realloc_counted,
                                    cholmod_free_counted};
    sfgp_settings settings = test_settings();
    strcpy(settings.method, "sfgp-scalar");
    settings.max_iterations = 1;
    for (int k = 0; k < 2; k++) {
        run r;
        sfgp_memory memory;
        run_start(ROWS[k].resolution, 0, &r);
        of_cholmod = &r.counter;
        strcpy(settings.kernel, ROWS[k].kernel);
        const sfgp_run_size size = size_of(&r, &settings);
        sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
        check_set_up(&r, &settings, &memory, 0.1);
        check_fit(&r, &settings, &memory, 0.1);
        sfgp_run_size made;
        sfgp_run_size_from_model(r.model, &made);
        assert_true(made.field_entries == size.field_entries && made.field_factor == size.field_factor);
        run_end(&r);
    }
    *all = usual;
}

/* Sizes of an earlier program, which does not know of such fields. */
static void a_field_of_unknown_size_is_refused(void **state)
{
    const sfgp_run_size size = {.dimension = 3, .count = 1000, .targets = 1000};
    sfgp_memory memory;
    sfgp_settings settings = test_settings();
    strcpy(settings.method, "sfgp-scalar");
    strcpy(settings.kernel, "surface:form=sparse,length=1");
    sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &memory));
    assert_int_equal(memory.peak, 0);
    settings.max_memory = 1 << 30;
    sfgp_assert_error(*state, sfgp_memory_check(*state, &size, &settings), SFGP_ERROR_PARAMETER,
                      "field_entries");
}

/* ---- the limit --------------------------------------------------------------------------------------- */

static void what_fits_is_allowed_and_no_more(void **state)
{
    sfgp_memory memory;
    run r;
    (void)state;
    run_start(20, 0, &r);
    sfgp_settings settings = test_settings();
    settings.max_iterations = 2;
    sfgp_run_size size = size_of(&r, &settings);
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
    settings.max_memory = memory.peak;
    sfgp_assert_ok(r.context, sfgp_memory_check(r.context, &size, &settings));
    settings.max_memory--;
    sfgp_assert_status(r.context, sfgp_memory_check(r.context, &size, &settings), SFGP_ERROR_MEMORY);
    sfgp_assert_ok(r.context, build(&r, &settings));

    /* with the model there, the solver asks by itself, and before it allocates */
    sfgp_run_size_from_model(r.model, &size);
    size.targets = r.scan->count;
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
    assert_int_equal(memory.set_up, 0);
    settings.max_memory = memory.peak / 2;
    sfgp_assert_ok(r.context, sfgp_solver_new(r.context, r.model, &settings, &r.solver));
    const int64_t before = r.counter.most = r.counter.live;
    sfgp_assert_status(r.context, sfgp_solver_run(r.solver, r.scan, &r.result), SFGP_ERROR_MEMORY);
    assert_null(r.result);
    assert_int_equal(r.counter.most, before);
    run_end(&r);
}

static void the_advice_is_right(void **state)
{
    sfgp_memory memory;
    long long rank = 0, of = 0;
    run r;
    (void)state;
    run_start(31, 0, &r);
    sfgp_settings settings = test_settings();
    strcpy(settings.kernel, "se:length=0.2,variance=0.1");
    sfgp_run_size size = size_of(&r, &settings);
    sfgp_assert_ok(r.context, sfgp_memory_predict(r.context, &size, &settings, &memory));
    settings.max_memory = memory.peak / 2;
    sfgp_assert_status(r.context, sfgp_memory_check(r.context, &size, &settings), SFGP_ERROR_MEMORY);
    const char *advice = strstr(sfgp_context_error(r.context), "--rank ");
    assert_non_null(advice);
    assert_int_equal(sscanf(advice, "--rank %lld instead of %lld would fit", &rank, &of), 2);
    assert_true(rank > 1 && of == size.rank_scalar);
    settings.rank = rank; /* it fits, one more does not */
    size = size_of(&r, &settings);
    assert_int_equal(size.rank_scalar, rank);
    sfgp_assert_ok(r.context, sfgp_memory_check(r.context, &size, &settings));
    settings.rank = size.rank_scalar = rank + 1;
    sfgp_assert_status(r.context, sfgp_memory_check(r.context, &size, &settings), SFGP_ERROR_MEMORY);

    settings.max_memory = 1 << 20; /* P alone is more */
    sfgp_assert_error(r.context, sfgp_memory_check(r.context, &size, &settings), SFGP_ERROR_MEMORY,
                      "no --rank is small enough: ");
    sfgp_assert_has(sfgp_context_error(r.context), "labels of 1985 x ");
    strcpy(settings.method, "bcpd");
    sfgp_assert_error(r.context, sfgp_memory_check(r.context, &size, &settings), SFGP_ERROR_PARAMETER,
                      "bcpd");
    run_end(&r);
}

static void no_memory_to_predict_with_is_an_error_like_others(void **state) /* fault 71 */
{
    sfgp_run_size size;
    sfgp_mesh *ear = NULL;
    sfgp_status status = SFGP_ERROR_MEMORY;
    int failures = 0;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(*state, sfgp_simulate_ear(*state, 34, 0, &ear)); /* more points than one sample has */
    assert_true(ear->count > 2000);
    for (; status != SFGP_OK && failures < 1000; failures++) {
        const long live = sfgp_memory_counters.live;
        sfgp_memory_counters.fail_at = failures;
        status = sfgp_run_size_from_mesh(*state, ear, 3, &settings, &size);
        sfgp_memory_counters.fail_at = -1;
        assert_int_equal(sfgp_memory_counters.live, live);
        sfgp_assert_status(*state, status, status == SFGP_OK ? SFGP_OK : SFGP_ERROR_MEMORY);
        assert_true(status == SFGP_OK || strstr(sfgp_context_error(*state), "out of memory"));
    }
    assert_true(status == SFGP_OK && failures > 30 && size.rank_scalar > 0 && size.rank_pca == 2);
    sfgp_mesh_free(ear);
}

/* Nothing overflows, and more of anything never takes less. */
static void predictions_grow(void **state)
{
    sfgp_memory memory, more;
    sfgp_run_size size = {.dimension = 3, .count = 100, .targets = 100, .rank_scalar = 10};
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &memory));
    for (int k = 0; k < 24; k++) {
        int64_t *const fields[] = {&size.count, &size.targets, &size.rank_scalar};
        *fields[k % 3] *= 8;
        size.rank_scalar = size.rank_scalar < size.count ? size.rank_scalar : size.count;
        sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &more));
        assert_true(more.peak >= memory.peak && more.set_up >= memory.set_up && more.model >= memory.model);
        memory = more;
    }
    strcpy(settings.method, "nothing");
    sfgp_assert_status(*state, sfgp_memory_predict(*state, &size, &settings, &memory), SFGP_ERROR_PARAMETER);
}

/* Of a target of any size a fit takes so much a point: no product of sizes leaves the integers. 2000 points have rough fits, 20000 levels. */
static void predictions_of_huge_targets_are_in_proportion(void **state)
{
    sfgp_settings settings = test_settings();
    assert_int_equal(sfgp_rough_targets(2000, 4000, (int64_t)1 << 60), (int64_t)1 << 59);
    assert_int_equal(sfgp_rough_targets(4000, 4000, INT64_MAX), (int64_t)1 << 62);
    for (int64_t count = 200; count <= 20000; count *= 10) {
        sfgp_run_size size = {.dimension = 3, .count = count, .targets = (int64_t)1 << 40, .rank_scalar = 10};
        sfgp_memory some, all;
        sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &some));
        size.targets = (int64_t)1 << 51;
        sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &all));
        assert_true(fabs((double)all.fit / (double)some.fit / 2048 - 1) < 1e-3);
        size.targets = size.count = size.rank_scalar = INT64_MAX / 100;
        sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &all));
        assert_true(all.model > 0 && all.fit > 0 && all.peak >= all.fit && all.responsibilities >= 0);
    }
}

/* Where there are few columns the field that follows the scan is the largest part; in 2D there is none. */
static void detail_takes_memory_in_3d(void **state)
{
    for (int d = 2; d <= 3; d++) {
        const sfgp_run_size size = {.dimension = d, .count = 100000, .targets = 100, .rank_scalar = 3};
        sfgp_memory memory[2];
        sfgp_settings settings = test_settings();
        for (settings.detail = 0; settings.detail < 2; settings.detail++)
            sfgp_assert_ok(*state, sfgp_memory_predict(*state, &size, &settings, &memory[settings.detail]));
        assert_true(d == 3 ? memory[1].fit > memory[0].fit : memory[1].fit == memory[0].fit);
    }
}

static void sizes_have_units(void **state)
{
    static const struct {
        const char *text;
        int64_t bytes; /* -1: refused */
    } ROWS[] = {{"1", 1},
                {"2G", (int64_t)2 << 30},
                {"500M", 500 << 20},
                {"1.5K", 1536},
                {"2GB", (int64_t)2 << 30},
                {"500MiB", 500 << 20},
                {"GB", -1},
                {"2B", -1},
                {"2iB", -1},
                {"2Gb", -1},
                {"auto", 0},
                {"1T", (int64_t)1 << 40},
                {"G", -1},
                {"0", -1},
                {"-1G", -1},
                {"1g", -1},
                {"0.3", -1},
                {"1GG", -1},
                {"1e300T", -1}};
    sfgp_settings settings = test_settings();
    for (size_t k = 0; k < sizeof ROWS / sizeof *ROWS; k++) {
        settings.max_memory = 7;
        sfgp_status status = sfgp_settings_set(*state, &settings, "max_memory", ROWS[k].text);
        sfgp_assert_status(*state, status, ROWS[k].bytes < 0 ? SFGP_ERROR_PARAMETER : SFGP_OK);
        assert_int_equal(settings.max_memory, ROWS[k].bytes < 0 ? 7 : ROWS[k].bytes);
    }
    sfgp_assert_status(*state, sfgp_settings_set(*state, &settings, "seed", "1K"), SFGP_ERROR_PARAMETER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(scalar_is_predicted),
        sfgp_unit_test(auto_is_predicted),
        sfgp_unit_test(a_fit_without_rungs_needs_no_more),
        sfgp_unit_test(a_fit_that_is_searched_again_needs_no_more),
        sfgp_unit_test(large_shapes_are_predicted),
        sfgp_long_test(a_thin_scan_of_a_large_shape_is_predicted),
        sfgp_unit_test(set_up_is_predicted),
        sfgp_unit_test(what_fits_is_allowed_and_no_more),
        sfgp_unit_test(the_advice_is_right),
        sfgp_unit_test(no_memory_to_predict_with_is_an_error_like_others),
        sfgp_unit_test(predictions_grow),
        sfgp_unit_test(predictions_of_huge_targets_are_in_proportion),
        sfgp_unit_test(detail_takes_memory_in_3d),
        sfgp_unit_test(sizes_have_units),
        sfgp_unit_test(a_field_in_the_sparse_form_is_predicted),
        sfgp_unit_test(a_field_of_unknown_size_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
