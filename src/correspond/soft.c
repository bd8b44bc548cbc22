/* Soft labels: radius and weights, sums over the reference, and which way P is made. */
#include "base/exponential.h"
#include "base/lanes.h"
#include "correspond/soft.h"
#include "correspond/tiles.h"

#include <math.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925
#define KEPT 16384   /* pairs of a lane, */
#define KEPT_EACH 16 /* or of a point in it */

/* ln of phi_ij at distance 0. */
static double log_peak(const sfgp_soft *s, int64_t i)
{
    const double noise = s->state.noise[i],
                 scale = noise == s->state.noise[0] ? s->scale : log(TWO_PI * noise);
    return -0.5 * s->labels->dimension * (scale + s->state.variance[i] / noise) +
           (s->rule->mixing ? log(s->rule->mixing[i]) : 0);
}

static double radius2_of(const sfgp_soft *s, int64_t i)
{
    const double noise = s->state.noise[i], reach = s->rule->reach,
                 pruned = 2 * noise * (s->labels->peak[i] - s->least);
    return reach > 0 ? fmin(pruned, reach * reach * noise) : pruned;
}

void sfgp_soft_set_radius(const sfgp_soft *s, int64_t i)
{
    s->labels->peak[i] = log_peak(s, i);
    s->labels->radius2[i] = radius2_of(s, i);
}

void sfgp_soft_weigh(const sfgp_soft *s, int64_t i, int64_t found, const double *distance2, double *phi)
{
    sfgp_exponential(found, exp(s->labels->peak[i]), -0.5 / s->state.noise[i], distance2, phi);
}

double *sfgp_soft_empty_sum(const sfgp_labels *labels, int lane)
{
    double *sum = labels->lane_sums + lane * labels->targets;
    memset(sum, 0, (size_t)labels->targets * sizeof *sum);
    return sum;
}

void sfgp_soft_add(int64_t found, const int32_t *index, const double *phi, double *sum)
{
    for (int64_t at = 0; at < found; at++)
        sum[index[at]] += phi[at];
}

int64_t sfgp_soft_pairs(const sfgp_labels *labels)
{
    const int32_t *found = sfgp_sparse_start(&labels->matrix) + 1;
    int64_t pairs = 0;
    for (int64_t i = 0; i < labels->count; i++)
        pairs += found[i];
    return pairs;
}

/* Leaves 1 / (c + sum_i phi_ij) in lane 0 of the sums and sum_i P_ij in explained for the targets of a lane;
 * returns their share of the evidence. */
static double invert_lane(const sfgp_soft *s, int lane)
{
    sfgp_labels *labels = s->labels;
    const int64_t targets = labels->targets;
    double evidence = 0;
    for (int64_t j = sfgp_lane_start(targets, lane); j < sfgp_lane_start(targets, lane + 1); j++) {
        double sum = 0;
        for (int each = 0; each < SFGP_LANES; each++)
            sum += labels->lane_sums[each * targets + j];
        labels->lane_sums[j] = 1 / (s->stray + sum);
        labels->explained[j] = sum / (s->stray + sum);
        evidence += log(s->stray + sum);
    }
    return evidence;
}

void sfgp_soft_invert(const sfgp_soft *s)
{
    sfgp_labels *labels = s->labels;
    double share[SFGP_LANES], evidence = 0;
#pragma omp parallel for schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        share[lane] = invert_lane(s, lane);
    for (int lane = 0; lane < SFGP_LANES; lane++)
        evidence += share[lane];
    labels->evidence = evidence + (double)labels->targets * log((1 - s->rule->omega) / (double)labels->count);
}

static sfgp_soft soft_of(const sfgp_label_rule *rule, const sfgp_kdtree *tree, sfgp_state state,
                         sfgp_labels *labels)
{
    const int64_t half = (int64_t)labels->matrix.form.nzmax / 2 / SFGP_LANES,
                  each = KEPT_EACH * labels->count / SFGP_LANES,
                  most = (each > KEPT ? each : KEPT) + labels->targets;
    const double stray = rule->omega / (1 - rule->omega) * (double)labels->count * rule->density;
    return (sfgp_soft){.rule = rule,
                       .tree = tree,
                       .state = state,
                       .labels = labels,
                       .stray = stray,
                       .least = log(rule->prune * stray),
                       .scale = log(TWO_PI * state.noise[0]),
                       .room = half < most ? half : most};
}

static void count_missing(const sfgp_soft *s)
{
    const double *weight = s->labels->weight;
    int64_t missing = 0;
#pragma omp parallel for schedule(static) reduction(+ : missing)
    for (int64_t i = 0; i < s->labels->count; i++)
        missing += weight[i] == 0;
    s->labels->missing = missing;
}

sfgp_status sfgp_correspond_soft(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                                 const double *target, sfgp_state state, sfgp_labels *labels)
{
    sfgp_soft s = soft_of(rule, tree, state, labels);
    sfgp_status status = SFGP_OK;
    if (rule->tiles && rule->pmin == 0) {
        sfgp_soft_tiles(&s, rule->tiles);
    } else {
        sfgp_soft_count(&s);
        status = sfgp_soft_whole(context, &s, target);
    }
    if (status == SFGP_OK)
        count_missing(&s);
    return status;
}
