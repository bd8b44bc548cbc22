/* The mixture of BCPD and CPD: its memory, its start and its loop. The method stands in mixture.h. */
#include "baseline/mixture.h"
#include "base/memory.h"
#include "base/progress.h"
#include "geom/measure.h"

#include <string.h>

#define EXACT_PAIRS 100000000     /* 1.2 GB of P */
#define BUDGET ((int64_t)1 << 25) /* 400 MB of P */
/* Least number of candidate labels of a reference point in a thinned fit. With fewer, a fit may start wrongly. */
#define LABELS 128

/* The mean of the points, and the mean squared distance to it. */
static double centred_square(int d, int64_t count, const double *points, double *mean)
{
    double sum = 0;
    for (int64_t k = 0; k < count * d; k++)
        mean[k % d] += points[k] / (double)count;
    for (int64_t k = 0; k < count * d; k++)
        sum += (points[k] - mean[k % d]) * (points[k] - mean[k % d]);
    return sum / (double)count;
}

/* Mean of |x_j - y_i|^2 / d over all pairs, from the means and the mean squares. */
static double start_sigma2(const sfgp_mixture_task *task)
{
    const int d = task->basis->dimension;
    double x[3] = {0, 0, 0}, y[3] = {0, 0, 0};
    double square = centred_square(d, task->targets, task->target, x) +
                    centred_square(d, task->basis->count, task->basis->mean, y);
    for (int a = 0; a < 3; a++) /* in the plane the third is 0 */
        square += (x[a] - y[a]) * (x[a] - y[a]);
    return square / d;
}

static void set_rule(const sfgp_mixture_task *task, sfgp_estep_rule *rule)
{
    const sfgp_settings *settings = task->settings;
    *rule = (sfgp_estep_rule){
        .omega = settings->omega,
        .density = task->method->bayesian
                       ? sfgp_points_box_density(task->targets, task->basis->dimension, task->target)
                       : 1 / (double)task->targets,
        .prune = settings->prune};
}

static sfgp_status check_pairs(sfgp_context *context, const sfgp_mixture_task *task)
{
    const char *name = task->method->name;
    int64_t pairs = 0;
    if (!task->method->exact ||
        (sfgp_product(task->basis->count, task->targets, &pairs) && pairs <= EXACT_PAIRS))
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_MEMORY,
                     "method: %s holds all %lld x %lld pairs of points, more than 1e8; use %s%s", name,
                     (long long)task->basis->count, (long long)task->targets,
                     task->method->bayesian ? "bcpd-accelerated or bcpd++" : "cpd-lowrank",
                     ", or fewer points");
}

static sfgp_status make_arrays(sfgp_context *context, sfgp_mixture *mixture)
{
    const int64_t n = mixture->task.basis->count, size = n * mixture->task.basis->dimension;
    const int64_t sizes[] = {size, size, size, n, n, size, n, n, n, size};
    double **const arrays[] = {&mixture->smooth,         &mixture->fitted,       &mixture->moved,
                               &mixture->variance,       &mixture->mixing,       &mixture->labelled,
                               &mixture->point_variance, &mixture->point_sigma2, &mixture->weights,
                               &mixture->deltas};
    sfgp_status status = SFGP_OK;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes && status == SFGP_OK; k++)
        status = sfgp_allocate(context, sizes[k], arrays[k]);
    return status;
}

static sfgp_status make_room(sfgp_context *context, sfgp_mixture *mixture)
{
    const sfgp_mixture_task *task = &mixture->task;
    const sfgp_basis *basis = task->basis;
    sfgp_status status = SFGP_OK;
    if ((status = check_pairs(context, task)) != SFGP_OK ||
        (status = sfgp_responsibilities_new(context, basis->count, basis->dimension, true,
                                            &mixture->labels)) != SFGP_OK ||
        (status = sfgp_responsibilities_reserve(context, task->targets, mixture->budget, &mixture->labels)) !=
            SFGP_OK ||
        (status = sfgp_allocate(context, task->targets * basis->dimension, &mixture->target)) != SFGP_OK ||
        (status = make_arrays(context, mixture)) != SFGP_OK)
        return status;
    return task->method->smooth ? sfgp_posterior_new(context, basis, &mixture->posterior) : SFGP_OK;
}

sfgp_status sfgp_mixture_new(sfgp_context *context, const sfgp_mixture_task *task, sfgp_mixture *mixture)
{
    const int64_t n = task->basis->count;
    const size_t bytes = (size_t)(n * task->basis->dimension) * sizeof(double);
    *mixture = (sfgp_mixture){.context = context, .task = *task};
    mixture->budget = task->method->exact ? EXACT_PAIRS : LABELS * n > BUDGET ? LABELS * n : BUDGET;
    sfgp_status status = make_room(context, mixture);
    if (status != SFGP_OK)
        return status;
    const double gamma = task->method->bayesian ? task->settings->gamma : 1;
    set_rule(task, &mixture->rule);
    mixture->map = sfgp_similarity_identity(task->basis->dimension);
    mixture->affine = sfgp_affine_identity(task->basis->dimension);
    mixture->sigma2 = mixture->sigma2_start = gamma * gamma * start_sigma2(task);
    memcpy(mixture->smooth, task->basis->mean, bytes);
    memcpy(mixture->fitted, task->basis->mean, bytes);
    return sfgp_mixture_thin(mixture);
}

void sfgp_mixture_clear(sfgp_mixture *mixture)
{
    double *const arrays[] = {mixture->smooth,         mixture->fitted,       mixture->moved,
                              mixture->variance,       mixture->mixing,       mixture->labelled,
                              mixture->point_variance, mixture->point_sigma2, mixture->weights,
                              mixture->deltas,         mixture->target};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        sfgp_free(arrays[k]);
    sfgp_responsibilities_clear(&mixture->labels);
    sfgp_posterior_clear(&mixture->posterior);
    sfgp_free(mixture->order);
    sfgp_kdtree_free(mixture->tree);
    *mixture = (sfgp_mixture){0};
}

static sfgp_status report(const sfgp_mixture *mixture, double unit)
{
    const sfgp_settings *settings = mixture->task.settings;
    const sfgp_progress progress = {.iteration = mixture->iterations,
                                    .max_iterations = settings->max_iterations,
                                    .change = mixture->change * unit,
                                    .tolerance = settings->tolerance,
                                    .missing =
                                        (double)mixture->labels.missing / (double)mixture->labels.count};
    return sfgp_progress_report(mixture->context, &progress);
}

sfgp_status sfgp_mixture_run(double unit, sfgp_mixture *mixture)
{
    sfgp_status status = SFGP_OK;
    while (status == SFGP_OK && !mixture->settled && !mixture->collapsed &&
           mixture->iterations < mixture->task.settings->max_iterations &&
           (mixture->iterations == 0 || !sfgp_progress_is_late(mixture->context))) {
        status = sfgp_mixture_step(mixture);
        if (status == SFGP_OK)
            status = report(mixture, unit);
    }
    return status;
}
