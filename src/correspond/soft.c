#include "base/exponential.h"
#include "base/lanes.h"
#include "correspond/correspond.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925

/* c = w N_R p_out / (1 - w): the stray's part of every denominator. */
static double stray_term(const sfgp_label_rule *rule, const sfgp_labels *labels)
{
    return rule->omega / (1 - rule->omega) * (double)labels->count * rule->density;
}

/* ln of phi_ij at distance 0. */
static double log_peak(const sfgp_label_rule *rule, int d, sfgp_state state, int64_t i)
{
    const double noise = state.noise[i];
    return -0.5 * d * (log(TWO_PI * noise) + state.variance[i] / noise) +
           (rule->mixing ? log(rule->mixing[i]) : 0);
}

/* start[i + 1] = number of candidate labels of point i, then their running sum. The radius is kept: the same
 * query must fill what has been counted. */
static sfgp_status size_columns(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                                sfgp_state state, sfgp_labels *labels)
{
    const int d = labels->dimension;
    const double stray = stray_term(rule, labels);
    int32_t *start = sfgp_sparse_start(&labels->matrix);
    int64_t total = 0;
#pragma omp parallel for num_threads(rule->threads) schedule(dynamic, 64)
    for (int64_t i = 0; i < labels->count; i++) {
        labels->radius2[i] = 2 * state.noise[i] * (log_peak(rule, d, state, i) - log(rule->prune * stray));
        start[i + 1] = (int32_t)sfgp_kdtree_count(tree, state.fitted + i * d, labels->radius2[i]);
    }
    for (int64_t i = 0; i < labels->count; i++)
        total += start[i + 1];
    sfgp_status status = sfgp_sparse_reserve(context, total, &labels->matrix);
    for (int64_t i = 0; status == SFGP_OK && i < labels->count; i++)
        start[i + 1] += start[i];
    return status;
}

static void fill_phi(const sfgp_label_rule *rule, const sfgp_kdtree *tree, sfgp_state state,
                     sfgp_labels *labels)
{
    const int d = labels->dimension;
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
#pragma omp parallel for num_threads(rule->threads) schedule(dynamic, 64)
    for (int64_t i = 0; i < labels->count; i++) {
        const double noise = state.noise[i];
        double *phi = sfgp_sparse_value(&labels->matrix) + start[i];
        if (start[i + 1] == start[i])
            continue;
        sfgp_kdtree_within(tree, state.fitted + i * d, labels->radius2[i],
                           sfgp_sparse_index(&labels->matrix) + start[i], phi);
        sfgp_exponential(start[i + 1] - start[i], exp(log_peak(rule, d, state, i)), -0.5 / noise, phi, phi);
    }
}

static void add_lane(const sfgp_labels *labels, int lane)
{
    const int32_t *start = sfgp_sparse_start(&labels->matrix), *index = sfgp_sparse_index(&labels->matrix);
    const double *phi = sfgp_sparse_value(&labels->matrix);
    double *sum = labels->lane_sums + lane * labels->targets;
    memset(sum, 0, (size_t)labels->targets * sizeof *sum);
    for (int64_t k = start[sfgp_lane_start(labels->count, lane)];
         k < start[sfgp_lane_start(labels->count, lane + 1)]; k++)
        sum[index[k]] += phi[k];
}

/* Leaves 1 / (c + sum_i phi_ij) in lane 0 of the sums, sum_i P_ij in explained, and the evidence. */
static void sum_over_reference(const sfgp_label_rule *rule, sfgp_labels *labels)
{
    const double stray = stray_term(rule, labels);
    const int64_t targets = labels->targets;
    double evidence = 0;
#pragma omp parallel for num_threads(rule->threads) schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        add_lane(labels, lane);
    for (int64_t j = 0; j < targets; j++) {
        double sum = 0;
        for (int lane = 0; lane < SFGP_LANES; lane++)
            sum += labels->lane_sums[lane * targets + j];
        labels->lane_sums[j] = 1 / (stray + sum);
        labels->explained[j] = sum / (stray + sum);
        evidence += log(stray + sum);
    }
    labels->evidence = evidence + (double)targets * log((1 - rule->omega) / (double)labels->count);
}

/* Everything that point i needs of its column of P. */
static void summarise(const sfgp_label_rule *rule, const double *target, const double *fitted, int64_t i,
                      sfgp_labels *labels)
{
    const int d = labels->dimension;
    const int32_t *start = sfgp_sparse_start(&labels->matrix), *index = sfgp_sparse_index(&labels->matrix);
    double *p = sfgp_sparse_value(&labels->matrix);
    double mass = 0, weight = 0, second = 0, best = 0, shift[3] = {0, 0, 0}, first[3] = {0, 0, 0};
    int32_t best_target = -1;
    for (int32_t k = start[i]; k < start[i + 1]; k++) {
        const int32_t j = index[k];
        const double probability = p[k] * labels->lane_sums[j],
                     counted = probability > rule->pmin ? probability : 0;
        p[k] = probability;
        mass += probability;
        weight += counted;
        for (int a = 0; a < d; a++) {
            double step = target[(int64_t)j * d + a] - fitted[i * d + a];
            first[a] += probability * step;
            shift[a] += counted * step;
            second += probability * step * step;
        }
        if (counted > best || (counted == best && counted > 0 && j < best_target))
            best = counted, best_target = j;
    }
    labels->mass[i] = mass;
    labels->weight[i] = weight;
    labels->second[i] = second;
    labels->best[i] = best;
    labels->best_target[i] = best_target;
    memcpy(labels->shift + i * d, shift, (size_t)d * sizeof(double));
    memcpy(labels->first + i * d, first, (size_t)d * sizeof(double));
}

sfgp_status sfgp_correspond_soft(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                                 const double *target, sfgp_state state, sfgp_labels *labels)
{
    sfgp_status status = size_columns(context, rule, tree, state, labels);
    if (status != SFGP_OK)
        return status;
    fill_phi(rule, tree, state, labels);
    sum_over_reference(rule, labels);
#pragma omp parallel for num_threads(rule->threads) schedule(dynamic, 64)
    for (int64_t i = 0; i < labels->count; i++)
        summarise(rule, target, state.fitted, i, labels);
    labels->missing = 0;
    for (int64_t i = 0; i < labels->count; i++)
        labels->missing += labels->weight[i] == 0;
    return SFGP_OK;
}
