/* What five landmarks are worth: the ears of ../shared/data/ears (or $SFGP_DATA/ears) with 40 % missing.
 *
 *   landmarks [FIRST LAST]      ears FIRST .. LAST, default 0 23
 *
 * Every truth is damaged afresh: three balls as large as it takes for 40 %, noise, outliers. Landmarks are five
 * points far from each other, known to 0.2 mm per axis, on what is left of the ear ("visible") or anywhere.
 * One CSV row an ear, prior and place: mean distances in mm to the truth, without and with them. */
#include "evaluation.h"
#include "provenance.h"
#include "sfgp/sfgp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EARS 24
#define TRAINING 60
#define LANDMARKS 5
#define MISSING 0.4
#define SD 0.2 /* mm */

static sfgp_context *context;
static sfgp_settings settings; /* the defaults */

static void check(sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "landmarks: %s: %s\n", sfgp_status_text(status), sfgp_context_error(context));
    exit(status);
}

/* ---- an ear with 40 % missing ------------------------------------------------------------------------ */

typedef struct ear {
    sfgp_mesh *truth, *scan;
    unsigned char *mask;
    double missing;
} ear;

static void damage(double radius, uint64_t seed, ear *one)
{
    sfgp_damage asked;
    sfgp_damage_default(&asked);
    asked.holes = 3;
    asked.hole_radius = radius;
    asked.noise = 0.003;
    asked.outliers = 0.05;
    asked.seed = seed;
    sfgp_mesh_free(one->scan);
    check(sfgp_simulate_scan(context, one->truth, &asked, &one->scan, one->mask));
    one->missing = 0;
    for (int64_t i = 0; i < one->truth->count; i++)
        one->missing += (double)one->mask[i] / (double)one->truth->count;
}

/* The radius by halving: the share grows with it. */
static void damage_until(double share, uint64_t seed, ear *one)
{
    double least = 0.1, most = 1.5;
    for (int k = 0; k < 20; k++) {
        damage((least + most) / 2, seed, one);
        *(one->missing < share ? &least : &most) = (least + most) / 2;
    }
    damage(most, seed, one);
}

/* ---- landmarks --------------------------------------------------------------------------------------- */

static double normal(uint64_t *state)
{
    double sum = -6; /* of twelve uniforms */
    for (int k = 0; k < 12; k++) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(*state >> 11) / 9007199254740992.0;
    }
    return sum;
}

static double distance2(const double *x, const double *y)
{
    return pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2);
}

/* Each next one is the farthest from those chosen. */
static void choose(const ear *one, const sfgp_mesh *reference, bool visible, int64_t chosen[LANDMARKS])
{
    for (int k = 0; k < LANDMARKS; k++) {
        double best = -1;
        for (int64_t i = 0; i < reference->count; i++) {
            double nearest = k == 0 ? (double)(reference->count - i) : 1e300;
            for (int c = 0; c < k; c++)
                nearest =
                    fmin(nearest, distance2(reference->points + 3 * i, reference->points + 3 * chosen[c]));
            if (nearest > best && !(visible && one->mask[i])) {
                best = nearest;
                chosen[k] = i;
            }
        }
    }
}

static void place(const ear *one, const sfgp_mesh *reference, bool visible, uint64_t seed, double *from,
                  double *to)
{
    int64_t chosen[LANDMARKS];
    choose(one, reference, visible, chosen);
    for (int k = 0; k < LANDMARKS; k++)
        for (int a = 0; a < 3; a++) {
            from[3 * k + a] = reference->points[3 * chosen[k] + a];
            to[3 * k + a] = one->truth->points[3 * chosen[k] + a] + SD * normal(&seed);
        }
}

/* ---- fits -------------------------------------------------------------------------------------------- */

static sfgp_evaluation fit(sfgp_solver *solver, const ear *one, const sfgp_mesh *reference, int place_of,
                           uint64_t seed)
{
    double from[3 * LANDMARKS], to[3 * LANDMARKS];
    sfgp_result *result;
    sfgp_evaluation errors;
    place(one, reference, place_of == 1, seed + 1, from, to);
    check(sfgp_solver_set_landmarks(solver, place_of > 0 ? LANDMARKS : 0, from, to, SD));
    check(sfgp_solver_run(solver, one->scan, &result));
    sfgp_mesh fitted = {.count = result->count, .dimension = 3, .points = result->points};
    check(sfgp_evaluate(context, &fitted, one->truth, one->mask, &errors));
    sfgp_result_free(result);
    return errors;
}

static void run_ear(int k, const sfgp_mesh *reference, sfgp_solver *solver, const char *prior)
{
    static const char *const PLACES[] = {"none", "visible", "anywhere"};
    ear one = {.truth = bench_ear(context, "truth", k)};
    one.mask = calloc((size_t)one.truth->count, 1);
    damage_until(MISSING, (uint64_t)k + 100, &one);
    const sfgp_evaluation without = fit(solver, &one, reference, 0, (uint64_t)k);
    for (int p = 1; p <= 2; p++) {
        const sfgp_evaluation with = fit(solver, &one, reference, p, (uint64_t)k);
        printf("%s,%s,%s,%d,\"%s\",%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f,%.3f\n", bench_commit(), bench_machine(),
               settings.method, k, prior, PLACES[p], one.missing, without.all.mean, with.all.mean,
               without.observed.mean, with.observed.mean, without.missing.mean, with.missing.mean);
        fflush(stdout);
    }
    sfgp_mesh_free(one.truth);
    sfgp_mesh_free(one.scan);
    free(one.mask);
}

int main(int count, char **arguments)
{
    const int first = count > 1 ? atoi(arguments[1]) : 0, last = count > 2 ? atoi(arguments[2]) : EARS - 1;
    check(sfgp_context_new(NULL, &context));
    if (first < 0 || last >= EARS || first > last)
        return fprintf(stderr, "landmarks: ears are 0 .. %d\n", EARS - 1), 2;
    sfgp_settings_default(&settings);
    sfgp_mesh *reference = bench_ear(context, "reference", -1), *training[TRAINING];
    for (int k = 0; k < TRAINING; k++)
        training[k] = bench_ear(context, "train", k);
    printf("commit,machine,method,ear,prior,landmarks,missing_share,without_mm,with_mm,observed_without_mm,"
           "observed_with_mm,missing_without_mm,missing_with_mm\n");
    for (int trained = 0; trained <= 1; trained++) {
        sfgp_model *model;
        sfgp_solver *solver;
        sfgp_model_info info;
        check(sfgp_model_new(context, reference, (const sfgp_mesh *const *)training, trained ? TRAINING : 0,
                             &settings, &model));
        check(sfgp_solver_new(context, model, &settings, &solver));
        sfgp_model_describe(model, &info);
        for (int k = first; k <= last; k++)
            run_ear(k, reference, solver, info.kernel);
        sfgp_solver_free(solver);
        sfgp_model_free(model);
    }
    for (int k = 0; k < TRAINING; k++)
        sfgp_mesh_free(training[k]);
    sfgp_mesh_free(reference);
    sfgp_context_free(context);
    return 0;
}
