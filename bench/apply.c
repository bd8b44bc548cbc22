/* How far a coarse fit can be trusted on a dense mesh: simulated ears of 5941 points, a fit at 3000 of them
 * (farthest points) carried to all.
 *
 *   apply [FIRST LAST] [SETTING=VALUE...]      seeds of the ears, default 4 9; settings: docs/settings.md
 *
 * Scans are those of `sfgp simulate ear --resolution 54`, whose points are vertices of the dense mesh
 * ("vertices"), and the same damage of the same surface at the points of resolution 57 ("others"; its truth
 * is 0.0003 mm off on ear 4, as centroids differ). The carried points are held against two dense fits: the
 * posterior of the dense model given the labels that the coarse fit settled on ("same"), and the fit that
 * the dense model finds by itself ("own"). One CSV row an ear, prior and scan: largest gap between apply and
 * fit at the 3000 points; root mean square differences in percent of the motion of the dense fit, own also
 * across the surface alone; mean distances to the truth in mm; seconds of apply on one thread. */
#include "em/loop.h"
#include "fit/solver.h"
#include "geom/normals.h"
#include "provenance.h"
#include "sfgp/sfgp.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RESOLUTION 54
#define OTHER_RESOLUTION 57
#define FITTED 3000
#define TRAINING 60
#define FIRST_TRAINING 1001 /* seed */
#define NEIGHBOURS 12       /* of a normal */
#define SEED_STEP 10        /* from the ear to its damage, as in sfgp simulate */

typedef struct prior {
    sfgp_mesh *reference, *training[TRAINING];
    sfgp_model *model;
    sfgp_solver *solver;
} prior;

typedef struct ear {
    int seed;
    bool others; /* the scan has other points than the truth */
    sfgp_mesh *truth, *scan;
} ear;

/* Dense meshes of one ear: count x 3 each. */
typedef struct moved {
    double *carried, *same, *own;
    double gap, seconds;
} moved;

static sfgp_context *context;
static int64_t chosen[FITTED];

static void check(sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "apply: %s: %s\n", sfgp_status_text(status), sfgp_context_error(context));
    exit(status);
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double distance2(const double *x, const double *y)
{
    return pow(x[0] - y[0], 2) + pow(x[1] - y[1], 2) + pow(x[2] - y[2], 2);
}

/* ---- the two priors ---------------------------------------------------------------------------------- */

/* Each next point is the farthest from those chosen; the first is point 0. */
static void choose(const sfgp_mesh *mesh)
{
    double *nearest = malloc((size_t)mesh->count * sizeof *nearest);
    int64_t farthest = 0;
    for (int64_t i = 0; i < mesh->count; i++)
        nearest[i] = HUGE_VAL;
    for (int k = 0; k < FITTED; k++) {
        chosen[k] = farthest;
        for (int64_t i = 0; i < mesh->count; i++)
            nearest[i] = fmin(nearest[i], distance2(mesh->points + 3 * i, mesh->points + 3 * chosen[k]));
        farthest = 0;
        for (int64_t i = 0; i < mesh->count; i++)
            farthest = nearest[i] > nearest[farthest] ? i : farthest;
    }
    free(nearest);
}

static sfgp_mesh *part(const sfgp_mesh *dense)
{
    sfgp_mesh *mesh;
    check(sfgp_mesh_new(context, FITTED, 3, 0, 0, &mesh));
    for (int k = 0; k < FITTED; k++)
        memcpy(mesh->points + 3 * k, dense->points + 3 * chosen[k], 3 * sizeof(double));
    return mesh;
}

static void read_shapes(prior *dense, prior *coarse)
{
    check(sfgp_simulate_ear(context, RESOLUTION, 0, &dense->reference));
    choose(dense->reference);
    coarse->reference = part(dense->reference);
    for (int k = 0; k < TRAINING; k++) {
        check(sfgp_simulate_ear(context, RESOLUTION, (uint64_t)(FIRST_TRAINING + k), &dense->training[k]));
        coarse->training[k] = part(dense->training[k]);
    }
}

static void free_shapes(prior *one)
{
    for (int k = 0; k < TRAINING; k++)
        sfgp_mesh_free(one->training[k]);
    sfgp_mesh_free(one->reference);
}

static void make_solver(prior *one, int training, const sfgp_settings *settings)
{
    check(sfgp_model_new(context, one->reference, (const sfgp_mesh *const *)one->training, training, settings,
                         &one->model));
    check(sfgp_solver_new(context, one->model, settings, &one->solver));
}

static void free_solver(prior *one)
{
    sfgp_solver_free(one->solver);
    sfgp_model_free(one->model);
}

/* ---- an ear ------------------------------------------------------------------------------------------ */

static sfgp_damage damage_of(int seed)
{
    sfgp_damage damage;
    sfgp_damage_default(&damage);
    damage.holes = 3;
    damage.hole_radius = 0.5;
    damage.noise = 0.003;
    damage.outliers = 0.05;
    damage.rotation = 3;
    damage.translation = 0.03;
    damage.scale = 0.02;
    damage.seed = (uint64_t)seed + SEED_STEP;
    return damage;
}

/* A damaged ear with as many rings of points: where it lies, and its scan. */
static void damage_ear(int seed, int rings, sfgp_mesh **truth, sfgp_mesh **scan)
{
    const sfgp_damage damage = damage_of(seed);
    check(sfgp_simulate_ear(context, rings, (uint64_t)seed, truth));
    check(sfgp_simulate_scan(context, *truth, &damage, scan, NULL));
}

static ear make_ear(int seed, bool others)
{
    ear one = {.seed = seed, .others = others};
    sfgp_mesh *other;
    damage_ear(seed, RESOLUTION, &one.truth, &one.scan);
    if (others) {
        sfgp_mesh_free(one.scan);
        damage_ear(seed, OTHER_RESOLUTION, &other, &one.scan);
        sfgp_mesh_free(other);
    }
    return one;
}

static void free_ear(ear *one)
{
    sfgp_mesh_free(one->truth);
    sfgp_mesh_free(one->scan);
}

/* ---- the three ways to the dense mesh ---------------------------------------------------------------- */

static void carry(const prior *coarse, const prior *dense, const ear *one, moved *to)
{
    sfgp_result *fit;
    sfgp_deformation *map;
    check(sfgp_solver_run(coarse->solver, one->scan, &fit));
    check(sfgp_solver_deformation(coarse->solver, fit, &map));
    const double begun = seconds();
    check(sfgp_deformation_apply(context, map, dense->reference->count, dense->reference->points, 1,
                                 to->carried, NULL));
    to->seconds = seconds() - begun;
    to->gap = 0;
    for (int k = 0; k < FITTED; k++)
        to->gap = fmax(to->gap, sqrt(distance2(to->carried + 3 * chosen[k], fit->points + 3 * k)));
    sfgp_deformation_free(map);
    sfgp_result_free(fit);
}

/* The labels of a settled fit: those of one more step, with the variance that steps work with. */
static void label(sfgp_solver *solver)
{
    memcpy(solver->em->state.variance, solver->em->posterior.variance,
           (size_t)solver->model->count * sizeof(double));
    check(sfgp_em_step(solver->em));
}

/* Weights and labels of the coarse fit as those of the dense one: from one frame into the other. */
static void hand_over(const prior *coarse, const prior *dense, double *weights, double *labels)
{
    const sfgp_model *from = coarse->model, *to = dense->model;
    const double ratio = to->frame.scale / from->frame.scale;
    for (int k = 0; k < FITTED; k++) {
        double y[3];
        const int64_t i = chosen[k];
        weights[i] = coarse->solver->em->weights[k] * ratio * ratio;
        for (int a = 0; a < 3; a++)
            y[a] = from->basis.mean[3 * k + a] + coarse->solver->em->deltas[3 * k + a];
        sfgp_frame_leave(&from->frame, 1, y, y);
        sfgp_frame_enter(&to->frame, 1, y, y);
        for (int a = 0; a < 3; a++)
            labels[3 * i + a] = y[a] - to->basis.mean[3 * i + a];
    }
}

static void regress(const prior *coarse, const prior *dense, moved *to)
{
    const sfgp_model *model = dense->model;
    const int64_t n = model->count;
    const sfgp_frame *frame = &coarse->model->frame;
    double *weights = calloc((size_t)n, sizeof *weights), *labels = calloc((size_t)n * 3, sizeof *labels);
    sfgp_posterior posterior;
    label(coarse->solver);
    hand_over(coarse, dense, weights, labels);
    check(sfgp_posterior_new(context, &model->basis, &posterior));
    check(sfgp_posterior_update(context, weights, labels, &posterior));
    sfgp_frame_leave(&model->frame, n, posterior.mean, to->same);
    sfgp_frame_enter(frame, n, to->same, to->same);
    sfgp_similarity_apply(&coarse->solver->em->state.pose, n, to->same, to->same);
    sfgp_frame_leave(frame, n, to->same, to->same);
    sfgp_posterior_clear(&posterior);
    free(weights);
    free(labels);
}

static void fit_dense(const prior *dense, const ear *one, moved *to)
{
    sfgp_result *fit;
    check(sfgp_solver_run(dense->solver, one->scan, &fit));
    memcpy(to->own, fit->points, (size_t)(3 * fit->count) * sizeof(double));
    sfgp_result_free(fit);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

/* Root mean square distance. */
static double apart(int64_t count, const double *x, const double *y)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += distance2(x + 3 * i, y + 3 * i);
    return sqrt(sum / (double)count);
}

/* Root mean square of what of y - x goes along the normals of x. */
static double apart_across(int64_t count, const double *x, const double *y)
{
    double sum = 0, *normals = malloc((size_t)(3 * count) * sizeof *normals);
    sfgp_neighbours neighbours;
    check(sfgp_neighbours_new(context, count, 3, x, NEIGHBOURS, &neighbours));
    sfgp_normals_estimate(&neighbours, x, normals);
    for (int64_t i = 0; i < count; i++) {
        double along = 0;
        for (int a = 0; a < 3; a++)
            along += normals[3 * i + a] * (y[3 * i + a] - x[3 * i + a]);
        sum += along * along;
    }
    sfgp_neighbours_clear(&neighbours);
    free(normals);
    return sqrt(sum / (double)count);
}

static double to_truth(const ear *one, double *points)
{
    const sfgp_mesh fitted = {.count = one->truth->count, .dimension = 3, .points = points};
    sfgp_evaluation errors;
    check(sfgp_evaluate(context, &fitted, one->truth, NULL, &errors));
    return errors.all.mean;
}

static void print_row(const prior *coarse, const prior *dense, const ear *one, const moved *to)
{
    const int64_t n = one->truth->count;
    const double *rest = dense->reference->points;
    const double same = apart(n, to->same, rest), own = apart(n, to->own, rest);
    printf("%s,%s,%d,\"%s\",%s,%lld,%d,%.2g,%.2g,%.2f,%.3f,%.2f,%.2f,%.3f,%.3f,%.3f,%.3f\n", bench_commit(),
           bench_machine(), one->seed, coarse->model->kernel, one->others ? "others" : "vertices",
           (long long)n, FITTED, to->gap, to->gap / coarse->model->frame.scale, own,
           100 * apart(n, to->carried, to->same) / same, 100 * apart(n, to->carried, to->own) / own,
           100 * apart_across(n, to->own, to->carried) / own, to_truth(one, to->carried),
           to_truth(one, to->same), to_truth(one, to->own), to->seconds);
    fflush(stdout);
}

static void run_ear(const prior *coarse, const prior *dense, int seed, bool others)
{
    ear one = make_ear(seed, others);
    const size_t bytes = (size_t)(3 * one.truth->count) * sizeof(double);
    moved to = {.carried = malloc(bytes), .same = malloc(bytes), .own = malloc(bytes)};
    carry(coarse, dense, &one, &to);
    regress(coarse, dense, &to);
    fit_dense(dense, &one, &to);
    print_row(coarse, dense, &one, &to);
    free(to.carried);
    free(to.same);
    free(to.own);
    free_ear(&one);
}

static void parse(int count, char **arguments, int range[2], sfgp_settings *settings)
{
    int numbers = 0;
    for (int k = 1; k < count; k++) {
        char *equals = strchr(arguments[k], '=');
        if (!equals && numbers < 2) {
            range[numbers++] = atoi(arguments[k]);
            continue;
        }
        if (equals)
            *equals = '\0';
        check(sfgp_settings_set(context, settings, arguments[k], equals ? equals + 1 : ""));
    }
}

int main(int count, char **arguments)
{
    int range[2] = {4, 9};
    static prior coarse, dense;
    sfgp_settings settings;
    check(sfgp_context_new(NULL, &context));
    sfgp_settings_default(&settings);
    parse(count, arguments, range, &settings);
    read_shapes(&dense, &coarse);
    printf(
        "commit,machine,ear,prior,scan,points,fitted,at_reference_mm,at_reference_radii,motion_mm,"
        "same_percent,own_percent,own_across_percent,truth_carried_mm,truth_same_mm,truth_own_mm,apply_s\n");
    for (int trained = 0; trained <= 1; trained++) {
        make_solver(&coarse, trained ? TRAINING : 0, &settings);
        make_solver(&dense, trained ? TRAINING : 0, &settings);
        for (int seed = range[0]; seed <= range[1]; seed++)
            for (int others = 0; others <= 1; others++)
                run_ear(&coarse, &dense, seed, others);
        free_solver(&coarse);
        free_solver(&dense);
    }
    free_shapes(&coarse);
    free_shapes(&dense);
    sfgp_context_free(context);
    return 0;
}
