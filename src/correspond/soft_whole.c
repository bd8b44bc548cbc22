/* P as a whole. The walk over the tree that counts what each point finds has to come before P is filled,
 * since a column starts where those before it end. What it finds on the way is kept, and the tree not walked
 * again, as long as it fits the cache: with more labels a point, counting is little of the whole. It is kept
 * at the end of P's own room, lane by lane, and lost where the columns need that. */
#include "base/lanes.h"
#include "base/memory.h"
#include "correspond/soft.h"
#include "correspond/summary.h"

#include <string.h>

#define SIDES SFGP_SUMMARY_COLUMNS

/* What a lane has kept, from the next point on. */
typedef struct kept {
    int32_t *index;
    double *distance2;
    int64_t left; /* room */
} kept;

static int64_t first_kept(const sfgp_soft *s)
{
    return (int64_t)s->labels->matrix.form.nzmax - SFGP_LANES * s->room;
}

static kept kept_of(const sfgp_soft *s, int lane)
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

/* start[i + 1] = number of candidate labels of point i. The radius is kept: the same query must fill what has
 * been counted. */
static void count_lane(const sfgp_soft *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    kept k = kept_of(s, lane);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        const double *x = s->state.fitted + i * labels->dimension;
        int64_t found;
        sfgp_soft_set_radius(s, i);
        if (keeps(&k, labels)) {
            found = sfgp_kdtree_within(s->tree, x, labels->radius2[i], k.index, k.distance2);
            pass(&k, found);
        } else {
            found = sfgp_kdtree_count(s->tree, x, labels->radius2[i]);
        }
        sfgp_sparse_start(&labels->matrix)[i + 1] = (int32_t)found;
    }
}

void sfgp_soft_count(sfgp_soft *s)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        count_lane(s, lane);
    s->labels->pairs = sfgp_soft_pairs(s->labels);
    if (s->labels->pairs > first_kept(s))
        s->room = 0;
}

/* Column i: indices and phi_ij. */
static void fill_column(const sfgp_soft *s, int64_t i, kept *k, int32_t *index, double *phi)
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
    sfgp_soft_weigh(s, i, found, distance2, phi);
}

/* Columns of a lane, and its share of sum_i phi_ij. */
static void fill_lane(const sfgp_soft *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    const int32_t *start = sfgp_sparse_start(&labels->matrix);
    double *sum = sfgp_soft_empty_sum(labels, lane);
    kept k = kept_of(s, lane);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        int32_t *index = sfgp_sparse_index(&labels->matrix) + start[i];
        double *phi = sfgp_sparse_value(&labels->matrix) + start[i];
        fill_column(s, i, &k, index, phi);
        sfgp_soft_add(start[i + 1] - start[i], index, phi, sum);
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

sfgp_status sfgp_soft_whole(sfgp_context *context, const sfgp_soft *s, const double *target)
{
    sfgp_labels *labels = s->labels;
    int32_t *start = sfgp_sparse_start(&labels->matrix);
    sfgp_status status =
        sfgp_reserve(context, SFGP_LANES * labels->targets, &labels->lane_sums, &labels->lane_capacity);
    if (status == SFGP_OK)
        status = sfgp_sparse_reserve(context, labels->pairs, &labels->matrix);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < labels->count; i++)
        start[i + 1] += start[i];
#pragma omp parallel for schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        fill_lane(s, lane);
    sfgp_soft_invert(s);
#pragma omp parallel for schedule(dynamic, 16)
    for (int64_t i = 0; i < labels->count; i += SIDES) {
        const sfgp_columns columns = columns_of(labels, i);
        sfgp_labels_summarise(s->rule->pmin, target, s->state.fitted, &columns, labels);
    }
    return SFGP_OK;
}
