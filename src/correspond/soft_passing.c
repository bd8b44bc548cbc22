/* Labels in passing. Where P may not have as many entries, each column is made twice, for the sum over the
 * reference and for its own sums, in a lane's share of P's room: memory does not grow with the number of
 * labels a point. */
#include "base/lanes.h"
#include "correspond/soft.h"
#include "correspond/summary.h"

#include <string.h>

#define SIDES SFGP_SUMMARY_COLUMNS

/* What a lane has room for: the columns that are added up side by side, whatever they find. */
bool sfgp_soft_may_pass(const sfgp_labels *labels)
{
    return (int64_t)labels->matrix.form.nzmax / SFGP_LANES >= SIDES * labels->targets;
}

/* Where a lane makes its columns. */
typedef struct room {
    int32_t *index;
    double *phi;
} room;

static room room_of(const sfgp_labels *labels, int lane)
{
    const int64_t at = (int64_t)labels->matrix.form.nzmax / SFGP_LANES * lane;
    return (room){sfgp_sparse_index(&labels->matrix) + at, sfgp_sparse_value(&labels->matrix) + at};
}

/* Labels of point i: how many. */
static int32_t find(const sfgp_soft *s, int64_t i, int32_t *index, double *phi)
{
    const int64_t found = sfgp_kdtree_within(s->tree, s->state.fitted + i * s->labels->dimension,
                                             s->labels->radius2[i], index, phi);
    sfgp_soft_weigh(s, i, found, phi, phi);
    return (int32_t)found;
}

static void sum_lane(const sfgp_soft *s, int lane)
{
    const sfgp_labels *labels = s->labels;
    const room r = room_of(labels, lane);
    int32_t *found = sfgp_sparse_start(&labels->matrix) + 1;
    double *sum = sfgp_soft_empty_sum(labels, lane);
    for (int64_t i = sfgp_lane_start(labels->count, lane); i < sfgp_lane_start(labels->count, lane + 1);
         i++) {
        sfgp_soft_set_radius(s, i);
        found[i] = find(s, i, r.index, r.phi);
        sfgp_soft_add(found[i], r.index, r.phi, sum);
    }
}

static void summarise_lane(const sfgp_soft *s, int lane, const double *target)
{
    const int64_t end = sfgp_lane_start(s->labels->count, lane + 1);
    for (int64_t at = sfgp_lane_start(s->labels->count, lane); at < end; at += SIDES) {
        sfgp_columns columns = {.at = at};
        room r = room_of(s->labels, lane);
        for (int side = 0; side < SIDES && at + side < end; side++) {
            columns.index[side] = r.index, columns.p[side] = r.phi;
            columns.length[side] = find(s, at + side, r.index, r.phi);
            r.index += columns.length[side], r.phi += columns.length[side];
            columns.count++;
        }
        sfgp_labels_summarise(s->rule->pmin, target, s->state.fitted, &columns, s->labels);
    }
}

void sfgp_soft_pass(const sfgp_soft *s, const double *target)
{
    sfgp_labels *labels = s->labels;
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        sum_lane(s, lane);
    sfgp_soft_invert(s);
#pragma omp parallel for num_threads(s->rule->threads) schedule(dynamic, 1)
    for (int lane = 0; lane < SFGP_LANES; lane++)
        summarise_lane(s, lane, target);
    labels->pairs = sfgp_soft_pairs(labels);
    memset(sfgp_sparse_start(&labels->matrix), 0, (size_t)(labels->count + 1) * sizeof(int32_t));
}
