/* The walk over the tree that counts what each point finds has to come before P is filled, since a column
 * starts where those before it end. What it finds on the way is kept, and the tree not walked again, as long
 * as it fits the cache: with more labels a point, counting is little of the whole. It is kept at the end of
 * P's own room, lane by lane, and lost where the columns need that. */
#include "base/exponential.h"
#include "base/lanes.h"
#include "correspond/correspond.h"
#include "correspond/summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925
#define KEPT 16384 /* pairs of a lane */

typedef struct search {
    const sfgp_label_rule *rule;
    const sfgp_kdtree *tree;
    sfgp_state state;
    sfgp_labels *labels;
    double stray; /* c = w N_R p_out / (1 - w): the stray's part of every denominator */
    int64_t room; /* pairs that a lane may keep, 0: none */
} search;

/* What a lane has kept, from the next point on. */
typedef struct kept {
    int32_t *index;
    double *distance2;
    int64_t left; /* room */
} kept;

static int64_t first_kept(const search *s)
{
    return (int64_t)s->labels->matrix.form.nzmax - SFGP_LANES * s->room;
}

static kept kept_of(const search *s, int lane)
{
    const int64_t at = first_kept(s) + lane * s->room;
    return (kept){sfgp_sparse_index(&s->labels->matrix) + at, sfgp_sparse_value(&s->labels->matrix) + at,
                  s->room};
}

/* Whether the next point's pairs are kept: there may be as many as targets. */
static bool keeps(const kept *k, const sfgp_labels *labels)
{
    return k->left >= labels->targets;
}

static void pass(kept *k, int64_t found)
{
    k->index += found;
    k->distance2 += found;
    k->left -= found;
}

/* ln of phi_ij at distance 0. */
static double log_peak(const search *s, int64_t i)
{
    const double noise = s->state.noise[i];
    return -0.5 * s->labels->dimension * (log(TWO_PI * noise) + s->state.variance[i] / noise) +
           (s->rule->mixing ? log(s->rule->mixing[i]) : 0);
}

/* start[i + 1] = number of candidate labels of point i. The radius is kept: the same query must fill what has
 * been counted. */
static void count_lane(const search *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    kept k = kept_of(s, lane);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        const double *x = s->state.fitted + i * labels->dimension;
        int64_t found;
        labels->peak[i] = log_peak(s, i);
        labels->radius2[i] = 2 * s->state.noise[i] * (labels->peak[i] - log(s->rule->prune * s->stray));
        if (keeps(&k, labels)) {
            found = sfgp_kdtree_within(s->tree, x, labels->radius2[i], k.index, k.distance2);
            pass(&k, found);
        } else {
            found = sfgp_kdtree_count(s->tree, x, labels->radius2[i]);
        }
        sfgp_sparse_start(&labels->matrix)[i + 1] = (int32_t)found;
    }
}

/* Counts, then their running sum. */
static sfgp_status size_columns(sfgp_context *context, search *s)
{
    sfgp_labels *labels = s->labels;
    int32_t *start = sfgp_sparse_start(&labels->matrix);
    int64_t total = 0;
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        count_lane(s, lane);
    for (int64_t i = 0; i < labels->count; i++)
        total += start[i + 1];
    if (total > first_kept(s))
        s->room = 0;
    sfgp_status status = sfgp_sparse_reserve(context, total, &labels->matrix);
    for (int64_t i = 0; status == SFGP_OK && i < labels->count; i++)
        start[i + 1] += start[i];
    return status;
}

/* Column i: indices and phi_ij. */
static void fill_column(const search *s, int64_t i, kept *k)
{
    const sfgp_labels *labels = s->labels;
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
    const int64_t found = start[i + 1] - start[i];
    int32_t *index = sfgp_sparse_index(&labels->matrix) + start[i];
    double *phi = sfgp_sparse_value(&labels->matrix) + start[i];
    const double *distance2 = phi;
    if (found == 0)
        return;
    if (keeps(k, labels)) {
        memcpy(index, k->index, (size_t)found * sizeof *index);
        distance2 = k->distance2;
        pass(k, found);
    } else {
        sfgp_kdtree_within(s->tree, s->state.fitted + i * labels->dimension, labels->radius2[i], index, phi);
    }
    sfgp_exponential(found, exp(labels->peak[i]), -0.5 / s->state.noise[i], distance2, phi);
}

/* Columns of a lane, and its share of sum_i phi_ij. */
static void fill_lane(const search *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    const int32_t *start = sfgp_sparse_start(&labels->matrix), *index = sfgp_sparse_index(&labels->matrix);
    const double *phi = sfgp_sparse_value(&labels->matrix);
    double *sum = labels->lane_sums + lane * labels->targets;
    kept k = kept_of(s, lane);
    memset(sum, 0, (size_t)labels->targets * sizeof *sum);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        fill_column(s, i, &k);
        for (int32_t at = start[i]; at < start[i + 1]; at++)
            sum[index[at]] += phi[at];
    }
}

/* Leaves 1 / (c + sum_i phi_ij) in lane 0 of the sums, sum_i P_ij in explained, and the evidence. */
static void sum_over_reference(const search *s)
{
    sfgp_labels *labels = s->labels;
    const int64_t targets = labels->targets;
    double evidence = 0;
    for (int64_t j = 0; j < targets; j++) {
        double sum = 0;
        for (int lane = 0; lane < SFGP_LANES; lane++)
            sum += labels->lane_sums[lane * targets + j];
        labels->lane_sums[j] = 1 / (s->stray + sum);
        labels->explained[j] = sum / (s->stray + sum);
        evidence += log(s->stray + sum);
    }
    labels->evidence = evidence + (double)targets * log((1 - s->rule->omega) / (double)labels->count);
}

static search search_of(const sfgp_label_rule *rule, const sfgp_kdtree *tree, sfgp_state state,
                        sfgp_labels *labels)
{
    const int64_t half = (int64_t)labels->matrix.form.nzmax / 2 / SFGP_LANES, most = KEPT + labels->targets;
    return (search){.rule = rule,
                    .tree = tree,
                    .state = state,
                    .labels = labels,
                    .stray = rule->omega / (1 - rule->omega) * (double)labels->count * rule->density,
                    .room = half < most ? half : most};
}

sfgp_status sfgp_correspond_soft(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                                 const double *target, sfgp_state state, sfgp_labels *labels)
{
    search s = search_of(rule, tree, state, labels);
    sfgp_status status = size_columns(context, &s);
    if (status != SFGP_OK)
        return status;
#pragma omp parallel for num_threads(rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        fill_lane(&s, lane);
    sum_over_reference(&s);
#pragma omp parallel for num_threads(rule->threads) schedule(dynamic, 16)
    for (int64_t i = 0; i < labels->count; i += SFGP_SUMMARY_COLUMNS)
        sfgp_labels_summarise(rule->pmin, target, state.fitted, i, labels);
    labels->missing = 0;
    for (int64_t i = 0; i < labels->count; i++)
        labels->missing += labels->weight[i] == 0;
    return SFGP_OK;
}
