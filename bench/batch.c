/* A batch of ears: rate, memory, and equality with single runs.
 *
 *   batch [CASES [JOBS]]     default 1000 cases, as many at once as there are processors
 *
 * Cases are the true ears of ../shared/data/ears (or $SFGP_DATA/ears) in turn, each with fresh simulated
 * damage. The single-scan rate is that of a plain loop over the library in this process, with one model and
 * one thread: read, fit, write. It is measured on every tenth case, half of it before the batch and half
 * after it, so that a machine that others use too slows down both. Prints one CSV row: scans per second,
 * efficiency = batch / (jobs x single), CPU seconds a scan of both, largest memory of a process, fits of the
 * loop that the batch has byte for byte, and the median over the cases of the mean distance to the truth. */
#include "provenance.h"
#include "report/fitted.h"
#include "sfgp/sfgp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EARS = 24, EVERY = 10, PATH = 4096 };

typedef struct bench {
    sfgp_context *context;
    char folder[64], reference_path[PATH];
    int cases, jobs;
    sfgp_mesh *reference;
    sfgp_model *model;
    sfgp_solver *solver;
} bench;

typedef struct spent {
    double wall, cpu;
    int cases;
} spent;

static void check(const bench *b, sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "batch: %s: %s\n", sfgp_status_text(status), sfgp_context_error(b->context));
    exit(status);
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- data -------------------------------------------------------------------------------------------- */

static sfgp_mesh *damage_ear(const bench *b, sfgp_mesh *truth, int seed)
{
    sfgp_damage damage;
    sfgp_mesh *scan;
    sfgp_damage_default(&damage);
    damage.rotation = 3;
    damage.translation = 0.03;
    damage.scale = 0.02;
    damage.holes = 3;
    damage.hole_radius = 0.5;
    damage.noise = 0.003;
    damage.outliers = 0.05;
    damage.seed = (uint64_t)seed;
    check(b, sfgp_simulate_scan(b->context, truth, &damage, &scan, NULL));
    return scan;
}

static void make_case(const bench *b, const char *data, int k, FILE *manifest)
{
    char path[PATH];
    sfgp_mesh *truth, *scan;
    snprintf(path, sizeof path, "%s/ears/truth/%03d.ply", data, k % EARS);
    check(b, sfgp_mesh_read(b->context, path, &truth));
    scan = damage_ear(b, truth, k + 1);
    snprintf(path, sizeof path, "%s/scan-%04d.ply", b->folder, k);
    check(b, sfgp_mesh_write(b->context, path, scan, NULL, 0));
    snprintf(path, sizeof path, "%s/truth-%04d.ply", b->folder, k);
    check(b, sfgp_mesh_write(b->context, path, truth, NULL, 0));
    fprintf(manifest, "%04d\tscan-%04d.ply\ttruth-%04d.ply\n", k, k, k);
    sfgp_mesh_free(truth);
    sfgp_mesh_free(scan);
}

static void make_cases(bench *b)
{
    char path[PATH];
    const char *data = getenv("SFGP_DATA") ? getenv("SFGP_DATA") : "../shared/data";
    snprintf(b->reference_path, sizeof b->reference_path, "%s/ears/reference.ply", data);
    snprintf(path, sizeof path, "%s/cases.tsv", b->folder);
    FILE *manifest = fopen(path, "w");
    if (!manifest)
        exit(SFGP_ERROR_WRITE);
    fputs("id\ttarget\ttruth\n", manifest);
    for (int k = 0; k < b->cases; k++)
        make_case(b, data, k, manifest);
    fclose(manifest);
}

/* ---- one after the other ----------------------------------------------------------------------------- */

static void open_model(bench *b)
{
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    settings.threads = 1;
    check(b, sfgp_mesh_read(b->context, b->reference_path, &b->reference));
    check(b, sfgp_model_new(b->context, b->reference, NULL, 0, &settings, &b->model));
    check(b, sfgp_solver_new(b->context, b->model, &settings, &b->solver));
}

static void fit_alone(const bench *b, int k)
{
    char path[PATH];
    sfgp_mesh *scan;
    sfgp_result *result;
    snprintf(path, sizeof path, "%s/scan-%04d.ply", b->folder, k);
    check(b, sfgp_mesh_read(b->context, path, &scan));
    check(b, sfgp_solver_run(b->solver, scan, &result));
    snprintf(path, sizeof path, "%s/alone-%04d.ply", b->folder, k);
    check(b, report_fitted_write(b->context, path, b->reference, scan, result));
    sfgp_mesh_free(scan);
    sfgp_result_free(result);
}

/* Cases EVERY k with k of the given parity. */
static void run_alone(const bench *b, int parity, spent *sum)
{
    const double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    for (int k = parity * EVERY; k < b->cases; k += 2 * EVERY) {
        fit_alone(b, k);
        sum->cases++;
    }
    sum->wall += seconds(CLOCK_MONOTONIC) - wall;
    sum->cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
}

/* ---- the batch --------------------------------------------------------------------------------------- */

/* Runs the program; its exit code. */
static int run_program(const char *program, const char *const *arguments, struct rusage *usage)
{
    int state = 0;
    const pid_t child = fork();
    if (child == 0) {
        execvp(program, (char *const *)(uintptr_t)arguments);
        _exit(127);
    }
    if (child < 0 || wait4(child, &state, 0, usage) < 0 || !WIFEXITED(state))
        exit(SFGP_ERROR_MEMORY);
    return WEXITSTATUS(state);
}

static void run_batch(bench *b, spent *sum, double *peak_mib)
{
    char manifest[PATH], out[PATH], jobs[16];
    struct rusage usage;
    snprintf(manifest, sizeof manifest, "%s/cases.tsv", b->folder);
    snprintf(out, sizeof out, "%s/out", b->folder);
    snprintf(jobs, sizeof jobs, "%d", b->jobs);
    const char *const arguments[] = {"sfgp",    "batch",           manifest, "-o", out,
                                     "--model", b->reference_path, "-j",     jobs, NULL};
    const char *const collect[] = {"sfgp", "collect", out, NULL};
    const double start = seconds(CLOCK_MONOTONIC);
    if (run_program(SFGP_PROGRAM, arguments, &usage) > 1)
        exit(SFGP_ERROR_NUMERIC);
    *sum = (spent){.wall = seconds(CLOCK_MONOTONIC) - start,
                   .cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                          1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
                   .cases = b->cases};
    *peak_mib = (double)usage.ru_maxrss / 1024;
    run_program(SFGP_PROGRAM, collect, &usage);
}

/* ---- what came out ----------------------------------------------------------------------------------- */

static bool same_files(const char *a, const char *b)
{
    FILE *x = fopen(a, "rb"), *y = fopen(b, "rb");
    bool same = x && y;
    for (int p = 0, q = 0; same && p != EOF; same = p == q)
        p = getc(x), q = getc(y);
    if (x)
        fclose(x);
    if (y)
        fclose(y);
    return same;
}

static int count_identical(const bench *b)
{
    char alone[PATH], batch[PATH];
    int same = 0;
    for (int k = 0; k < b->cases; k += EVERY) {
        snprintf(alone, sizeof alone, "%s/alone-%04d.ply", b->folder, k);
        snprintf(batch, sizeof batch, "%s/out/%04d/fit.ply", b->folder, k);
        same += same_files(alone, batch);
    }
    return same;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of the column "error" of cases.csv, the 11th; counts the rows that are ok. */
static double median_error(const bench *b, int *good)
{
    char path[PATH], line[8192];
    double *errors = malloc(((size_t)b->cases + 1) * sizeof *errors);
    int known = 0;
    snprintf(path, sizeof path, "%s/out/cases.csv", b->folder);
    FILE *in = fopen(path, "r");
    *good = 0;
    while (in && errors && known < b->cases && fgets(line, sizeof line, in)) {
        const char *cell = line;
        *good += strstr(line, ",ok,") != NULL;
        for (int k = 0; cell && k < 10; k++)
            cell = (cell = strchr(cell, ',')) ? cell + 1 : NULL;
        if (cell && strchr("0123456789", *cell))
            errors[known++] = strtod(cell, NULL);
    }
    if (in)
        fclose(in);
    if (known > 0)
        qsort(errors, (size_t)known, sizeof *errors, compare);
    const double median = known > 0 ? errors[known / 2] : (double)NAN;
    free(errors);
    return median;
}

static void remove_folder(const char *folder)
{
    const char *const arguments[] = {"rm", "-rf", folder, NULL};
    struct rusage usage;
    run_program("rm", arguments, &usage);
}

int main(int count, char **arguments)
{
    bench b = {.cases = count > 1 ? atoi(arguments[1]) : 1000,
               .jobs = count > 2 ? atoi(arguments[2]) : (int)sysconf(_SC_NPROCESSORS_ONLN)};
    spent alone = {0}, batch;
    double peak_mib;
    int good;
    strcpy(b.folder, "/tmp/sfgp-bench-XXXXXX");
    if (b.cases < 2 * EVERY || b.cases > 10000 || b.jobs < 1 || !mkdtemp(b.folder)) {
        fprintf(stderr, "batch: give %d to 10000 cases, and jobs\n", 2 * EVERY);
        return 2;
    }
    check(&b, sfgp_context_new(NULL, &b.context));
    make_cases(&b);
    open_model(&b);
    run_alone(&b, 0, &alone);
    run_batch(&b, &batch, &peak_mib);
    run_alone(&b, 1, &alone);
    const double single = alone.cases / alone.wall, many = batch.cases / batch.wall;
    const double error = median_error(&b, &good);
    printf("commit,machine,cases,jobs,single_per_s,batch_per_s,efficiency,single_cpu_s,batch_cpu_s,peak_mib,"
           "compared,identical,ok,median_error_mm\n");
    printf("%s,%s,%d,%d,%.3f,%.3f,%.3f,%.3f,%.3f,%.0f,%d,%d,%d,%.3f\n", bench_commit(), bench_machine(),
           b.cases, b.jobs, single, many, many / (b.jobs * single), alone.cpu / alone.cases,
           batch.cpu / batch.cases, peak_mib, alone.cases, count_identical(&b), good, error);
    remove_folder(b.folder);
    sfgp_solver_free(b.solver);
    sfgp_model_free(b.model);
    sfgp_mesh_free(b.reference);
    sfgp_context_free(b.context);
    return 0;
}
