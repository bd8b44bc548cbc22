/* Every method on the 24 damaged ears of ../shared/data/ears (or $SFGP_DATA/ears), with and without training
 * shapes.
 *
 *   ears [FIRST LAST] [SETTING=VALUE...]      scans FIRST .. LAST, default 0 23; settings: docs/settings.md
 *
 * Prints one CSV row a method and prior: distances in mm to the exact truth over observed and missing points,
 * recall and precision of the missing mask, iterations, CPU and wall seconds a scan (fit alone; the model is
 * made once). */
#include "evaluation.h"
#include "provenance.h"
#include "sfgp/sfgp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCANS 24
#define TRAINING 60

typedef struct data {
    sfgp_mesh *reference, *training[TRAINING], *scan[SCANS], *truth[SCANS];
    unsigned char *mask[SCANS];
} data;

typedef struct totals {
    double observed, missing, worst, recall, precision, iterations, cpu, wall;
    double inside[2],
        points[2]; /* observed and missing points; inside: the truth lies in the stated 95 % region */
    int scans, converged;
} totals;

static sfgp_context *context;

static void check(sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "ears: %s: %s\n", sfgp_status_text(status), sfgp_context_error(context));
    exit(status);
}

static void read_data(data *all)
{
    const char *folder = getenv("SFGP_DATA") ? getenv("SFGP_DATA") : "../shared/data";
    char path[4096];
    all->reference = bench_ear(context, "reference", -1);
    for (int k = 0; k < TRAINING; k++)
        all->training[k] = bench_ear(context, "train", k);
    for (int k = 0; k < SCANS; k++) {
        all->scan[k] = bench_ear(context, "scan", k);
        all->truth[k] = bench_ear(context, "truth", k);
        snprintf(path, sizeof path, "%s/ears/truth/%03d_missing.txt", folder, k);
        check(sfgp_mask_read(context, path, all->truth[k]->count, &all->mask[k]));
    }
}

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double share(int part, int other)
{
    return part + other > 0 ? (double)part / (part + other) : 1;
}

/* Counts the points whose truth lies within the ball that holds 95 % of a normal distribution with the stated
 * sd. */
static void add_coverage(const data *all, int k, const sfgp_result *result, totals *sum)
{
    const double chi_square = 7.8147; /* 95 % for three degrees of freedom */
    for (int64_t i = 0; i < result->count; i++) {
        double square = 0;
        for (int a = 0; a < 3; a++)
            square += pow(result->points[3 * i + a] - all->truth[k]->points[3 * i + a], 2);
        sum->points[all->mask[k][i]]++;
        sum->inside[all->mask[k][i]] += square <= chi_square * result->sd[i] * result->sd[i];
    }
}

static void add_scan(const data *all, int k, const sfgp_result *result, totals *sum)
{
    sfgp_mesh fitted = {.count = result->count, .dimension = result->dimension, .points = result->points};
    sfgp_evaluation errors;
    int hit = 0, extra = 0, lost = 0;
    check(sfgp_evaluate(context, &fitted, all->truth[k], all->mask[k], &errors));
    for (int64_t i = 0; i < result->count; i++) {
        hit += all->mask[k][i] && result->missing[i];
        lost += all->mask[k][i] && !result->missing[i];
        extra += !all->mask[k][i] && result->missing[i];
    }
    add_coverage(all, k, result, sum);
    sum->observed += errors.observed.mean;
    sum->missing += errors.missing.mean;
    sum->worst = fmax(sum->worst, errors.observed.mean);
    sum->recall += share(hit, lost);
    sum->precision += share(hit, extra);
    sum->iterations += (double)result->iterations;
    sum->converged += result->outcome == SFGP_CONVERGED;
    sum->scans++;
}

static void run_method(const data *all, int first, int last, bool trained, const sfgp_settings *settings)
{
    totals sum = {0};
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_model_info info;
    check(sfgp_model_new(context, all->reference, (const sfgp_mesh *const *)all->training,
                         trained ? TRAINING : 0, settings, &model));
    check(sfgp_solver_new(context, model, settings, &solver));
    sfgp_model_describe(model, &info);
    for (int k = first; k <= last; k++) {
        sfgp_result *result;
        double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        check(sfgp_solver_run(solver, all->scan[k], &result));
        sum.cpu += seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
        sum.wall += seconds(CLOCK_MONOTONIC) - wall;
        add_scan(all, k, result, &sum);
        sfgp_result_free(result);
    }
    printf("%s,%s,%s,\"%s\",%d,%.3f,%.3f,%.3f,%.2f,%.2f,%.2f,%.2f,%.0f,%d,%lld,%.3f,%.3f\n", bench_commit(),
           bench_machine(), settings->method, info.kernel, sum.scans, sum.observed / sum.scans,
           sum.missing / sum.scans, sum.worst, sum.recall / sum.scans, sum.precision / sum.scans,
           sum.inside[0] / sum.points[0], sum.inside[1] / sum.points[1], sum.iterations / sum.scans,
           sum.converged, (long long)info.rank, sum.cpu / sum.scans, sum.wall / sum.scans);
    fflush(stdout);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
}

int main(int count, char **arguments)
{
    const char *const methods[] = {"sfgp-full", "sfgp-scalar", "sfgp-nothreshold", "closest-point"};
    int range[2] = {0, SCANS - 1}, numbers = 0;
    static data all;
    sfgp_settings settings;
    check(sfgp_context_new(NULL, &context));
    sfgp_settings_default(&settings);
    for (int k = 1; k < count; k++) {
        char *equals = strchr(arguments[k], '=');
        if (!equals && numbers < 2) {
            range[numbers++] = atoi(arguments[k]);
            continue;
        }
        if (equals)
            *equals = '\0';
        check(sfgp_settings_set(context, &settings, arguments[k], equals ? equals + 1 : ""));
    }
    if (range[0] < 0 || range[1] >= SCANS || range[0] > range[1]) {
        fprintf(stderr, "ears: scans are 0 .. %d\n", SCANS - 1);
        return 2;
    }
    read_data(&all);
    printf("commit,machine,method,prior,scans,observed_mm,missing_mm,worst_observed_mm,"
           "mask_recall,mask_precision,cover95_observed,cover95_missing,"
           "iterations,converged,rank,cpu_s,wall_s\n");
    for (int trained = 1; trained >= 0; trained--)
        for (int m = 0; m < 4; m++) {
            strcpy(settings.method, methods[m]);
            run_method(&all, range[0], range[1], trained, &settings);
        }
    return 0;
}
