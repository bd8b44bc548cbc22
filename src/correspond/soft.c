/* The walk over the tree that counts what each point finds has to come before P is filled, since a column
 * starts where those before it end. What it finds on the way is kept, and the tree not walked again, as long
 * as it fits the cache: with more labels a point, counting is little of the whole. It is kept at the end of
 * P's own room, lane by lane, and lost where the columns need that.
 *
 * Where P may not have as many entries, each column is made twice, for the sum over the reference and for its
 * own sums, in a lane's share of the room: memory does not grow with the number of labels a point. */
#include "base/exponential.h"
#include "base/lanes.h"
#include "correspond/correspond.h"
#include "correspond/summary.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define TWO_PI 6.283185307179586476925
#define KEPT 16384   /* pairs of a lane, */
#define KEPT_EACH 16 /* or of a point in it */
#define SIDES SFGP_SUMMARY_COLUMNS

typedef struct search {
    const sfgp_label_rule *rule;
    const sfgp_kdtree *tree;
    sfgp_state state;
    sfgp_labels *labels;
    double stray; /* c = w N_R p_out / (1 - w): the stray's part of every denominator */
    double least; /* ln of the phi_ij that are not looked for */
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

static double radius2_of(const search *s, int64_t i)
{
    const double noise = s->state.noise[i], reach = s->rule->reach,
                 pruned = 2 * noise * (s->labels->peak[i] - s->least);
    return reach > 0 ? fmin(pruned, reach * reach * noise) : pruned;
}

static void set_radius(const search *s, int64_t i)
{
    s->labels->peak[i] = log_peak(s, i);
    s->labels->radius2[i] = radius2_of(s, i);
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
        set_radius(s, i);
        if (keeps(&k, labels)) {
            found = sfgp_kdtree_within(s->tree, x, labels->radius2[i], k.index, k.distance2);
            pass(&k, found);
        } else {
            found = sfgp_kdtree_count(s->tree, x, labels->radius2[i]);
        }
        sfgp_sparse_start(&labels->matrix)[i + 1] = (int32_t)found;
    }
}

static int64_t total(const sfgp_labels *labels)
{
    const int32_t *found = sfgp_sparse_start(&labels->matrix) + 1;
    int64_t pairs = 0;
    for (int64_t i = 0; i < labels->count; i++)
        pairs += found[i];
    return pairs;
}

static void count_all(search *s)
{
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        count_lane(s, lane);
    s->labels->pairs = total(s->labels);
    if (s->labels->pairs > first_kept(s))
        s->room = 0;
}

/* distance2 to phi_ij of point i */
static void weigh(const search *s, int64_t i, int64_t found, const double *distance2, double *phi)
{
    sfgp_exponential(found, exp(s->labels->peak[i]), -0.5 / s->state.noise[i], distance2, phi);
}

static void add_column(int64_t found, const int32_t *index, const double *phi, double *sum)
{
    for (int64_t at = 0; at < found; at++)
        sum[index[at]] += phi[at];
}

static double *empty_sum(const sfgp_labels *labels, int lane)
{
    double *sum = labels->lane_sums + lane * labels->targets;
    memset(sum, 0, (size_t)labels->targets * sizeof *sum);
    return sum;
}

/* Leaves 1 / (c + sum_i phi_ij) in lane 0 of the sums and sum_i P_ij in explained for the targets of a lane;
 * returns their share of the evidence. */
static double invert_lane(const search *s, int lane)
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

static void sum_over_reference(const search *s)
{
    sfgp_labels *labels = s->labels;
    double share[SFGP_LANES], evidence = 0;
#pragma omp parallel for num_threads(s->rule->threads) schedule(static)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        share[lane] = invert_lane(s, lane);
    for (int lane = 0; lane < SFGP_LANES; lane++)
        evidence += share[lane];
    labels->evidence = evidence + (double)labels->targets * log((1 - s->rule->omega) / (double)labels->count);
}

/* ---- P as a whole ------------------------------------------------------------------------------------ */

/* Column i: indices and phi_ij. */
static void fill_column(const search *s, int64_t i, kept *k, int32_t *index, double *phi)
{
    const sfgp_labels *labels = s->labels;
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
    const int64_t found = start[i + 1] - start[i];
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
    weigh(s, i, found, distance2, phi);
}

/* Columns of a lane, and its share of sum_i phi_ij. */
static void fill_lane(const search *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
    double *sum = empty_sum(labels, lane);
    kept k = kept_of(s, lane);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        int32_t *index = sfgp_sparse_index(&labels->matrix) + start[i];
        double *phi = sfgp_sparse_value(&labels->matrix) + start[i];
        fill_column(s, i, &k, index, phi);
        add_column(start[i + 1] - start[i], index, phi, sum);
    }
}

static sfgp_columns columns_of(const sfgp_labels *labels, int64_t at)
{
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
    sfgp_columns columns = {.at = at};
    for (int side = 0; side < SIDES && at + side < labels->count; side++) {
        columns.index[side] = sfgp_sparse_index(&labels->matrix) + start[at + side];
        columns.p[side] = sfgp_sparse_value(&labels->matrix) + start[at + side];
        columns.length[side] = start[at + side + 1] - start[at + side];
        columns.count++;
    }
    return columns;
}

static sfgp_status label_whole(sfgp_context *context, const search *s, const double *target)
{
    sfgp_labels *labels = s->labels;
    int32_t *start = sfgp_sparse_start(&labels->matrix);
    sfgp_status status = sfgp_sparse_reserve(context, labels->pairs, &labels->matrix);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < labels->count; i++)
        start[i + 1] += start[i];
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        fill_lane(s, lane);
    sum_over_reference(s);
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 16)
    for (int64_t i = 0; i < labels->count; i += SIDES) {
        const sfgp_columns columns = columns_of(labels, i);
        sfgp_labels_summarise(s->rule->pmin, target, s->state.fitted, &columns, labels);
    }
    return SFGP_OK;
}

/* ---- column by column -------------------------------------------------------------------------------- */

/* What a lane has room for: the columns that are added up side by side, whatever they find. */
static bool has_lane_room(const sfgp_labels *labels)
{
    return (int64_t)labels->matrix.form.nzmax / SFGP_LANES >= SIDES * labels->targets;
}

static sfgp_columns room_of_lane(const sfgp_labels *labels, int lane)
{
    const int64_t at = (int64_t)labels->matrix.form.nzmax / SFGP_LANES * lane;
    return (sfgp_columns){.index = {sfgp_sparse_index(&labels->matrix) + at},
                          .p = {sfgp_sparse_value(&labels->matrix) + at}};
}

/* Labels of point i: how many. */
static int32_t find(const search *s, int64_t i, int32_t *index, double *phi)
{
    const int64_t found = sfgp_kdtree_within(s->tree, s->state.fitted + i * s->labels->dimension,
                                             s->labels->radius2[i], index, phi);
    weigh(s, i, found, phi, phi);
    return (int32_t)found;
}

static void sum_lane(const search *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    const sfgp_columns room = room_of_lane(labels, lane);
    int32_t *index = (int32_t *)room.index[0], *found = sfgp_sparse_start(&labels->matrix) + 1;
    double *phi = room.p[0], *sum = empty_sum(labels, lane);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        set_radius(s, i);
        found[i] = find(s, i, index, phi);
        add_column(found[i], index, phi, sum);
    }
}

static void summarise_lane(const search *s, int lane, const double *target)
{
    const int64_t end = sfgp_lane_start(s->labels->count, lane + 1);
    const sfgp_columns room = room_of_lane(s->labels, lane);
    for (int64_t at = sfgp_lane_start(s->labels->count, lane); at < end; at += SIDES) {
        sfgp_columns columns = {.at = at};
        int32_t *index = (int32_t *)room.index[0];
        double *phi = room.p[0];
        for (int side = 0; side < SIDES && at + side < end; side++) {
            columns.index[side] = index, columns.p[side] = phi;
            columns.length[side] = find(s, at + side, index, phi);
            index += columns.length[side], phi += columns.length[side];
            columns.count++;
        }
        sfgp_labels_summarise(s->rule->pmin, target, s->state.fitted, &columns, s->labels);
    }
}

static void label_in_passing(const search *s, const double *target)
{
    sfgp_labels *labels = s->labels;
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sum_lane(s, lane);
    sum_over_reference(s);
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        summarise_lane(s, lane, target);
    labels->pairs = total(labels);
    memset(sfgp_sparse_start(&labels->matrix), 0, (size_t)(labels->count + 1) * sizeof(int32_t));
}

/* ---- either -------------------------------------------------------------------------------------------- */

static search search_of(const sfgp_label_rule *rule, const sfgp_kdtree *tree, sfgp_state state,
                        sfgp_labels *labels)
{
    const int64_t half = (int64_t)labels->matrix.form.nzmax / 2 / SFGP_LANES,
                  each = KEPT_EACH * labels->count / SFGP_LANES,
                  most = (each > KEPT ? each : KEPT) + labels->targets;
    const double stray = rule->omega / (1 - rule->omega) * (double)labels->count * rule->density;
    return (search){.rule = rule,
                    .tree = tree,
                    .state = state,
                    .labels = labels,
                    .stray = stray,
                    .least = log(rule->prune * stray),
                    .room = half < most ? half : most};
}

/* Whether P would have too many entries by what the last one had; too few to doubt are counted. */
static bool is_foreseen(const sfgp_labels *labels)
{
    return labels->targets == labels->last_targets && labels->pairs > labels->most_pairs;
}

static bool is_in_passing(search *s)
{
    const sfgp_labels *labels = s->labels;
    const bool may = labels->most_pairs > 0 && has_lane_room(labels);
    if (may && is_foreseen(labels))
        return true;
    count_all(s);
    return may && labels->pairs > labels->most_pairs;
}

sfgp_status sfgp_correspond_soft(sfgp_context *context, const sfgp_label_rule *rule, const sfgp_kdtree *tree,
                                 const double *target, sfgp_state state, sfgp_labels *labels)
{
    search s = search_of(rule, tree, state, labels);
    sfgp_status status = SFGP_OK;
    if (is_in_passing(&s))
        label_in_passing(&s, target);
    else if ((status = label_whole(context, &s, target)) != SFGP_OK)
        return status;
    labels->last_targets = labels->targets;
    labels->missing = 0;
    for (int64_t i = 0; i < labels->count; i++)
        labels->missing += labels->weight[i] == 0;
    return SFGP_OK;
}
