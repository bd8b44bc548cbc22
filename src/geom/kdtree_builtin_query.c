/* Queries of the built-in kd-tree. Layout, numbering and exactness stand in kdtree_builtin.h. The clones
 * leave out avx512f, which has a fused multiply-add; it would gain 5 to 10 %, and 25 % in counting. */
#include "base/hits.h"
#include "geom/kdtree_builtin.h"
#include "base/simd.h"

#include <string.h>

#define STACK 80 /* at most 10 levels (2^28 leaves), each with 7 siblings that wait: 7 x 10 + 8 */

typedef struct query {
    double x[3]; /* centre of the ball */
    double radius2;
} query;

INLINE query query_at(const sfgp_kdtree *tree, const double *centre, double radius2)
{
    return (query){{centre[0], centre[1], tree->dimension == 3 ? centre[2] : 0}, radius2};
}

INLINE double square_sum(double x, double y, double z)
{
    return x * x + y * y + z * z;
}

/* Squared distances to the first points of a leaf; NaN where there is none. */
INLINE void leaf_distances(const leaf *restrict points, int count, const query *restrict q,
                           double *restrict distance2)
{
    for (int k = 0; k < count; k++)
        distance2[k] =
            square_sum(points->x[0][k] - q->x[0], points->x[1][k] - q->x[1], points->x[2][k] - q->x[2]);
}

/* Distance along one axis from x to the near side of low .. high, 0 inside; NaN stays NaN. */
INLINE double near_side(double low, double high, double x)
{
    double gap = low - x > x - high ? low - x : x - high;
    return 0 > gap ? 0 : gap;
}

INLINE double far_side(double low, double high, double x)
{
    return high - x > x - low ? high - x : x - low;
}

/* Without the pragma the compiler unrolls the loops and does not make vector code of them. */
INLINE void near_distances(const block *b, const query *q, double near2[FAN])
{
#pragma omp simd
    for (int k = 0; k < FAN; k++)
        near2[k] = square_sum(near_side(b->low[0][k], b->high[0][k], q->x[0]),
                              near_side(b->low[1][k], b->high[1][k], q->x[1]),
                              near_side(b->low[2][k], b->high[2][k], q->x[2]));
}

INLINE void far_distances(const block *b, const query *q, double far2[FAN])
{
#pragma omp simd
    for (int k = 0; k < FAN; k++)
        far2[k] = square_sum(far_side(b->low[0][k], b->high[0][k], q->x[0]),
                             far_side(b->low[1][k], b->high[1][k], q->x[1]),
                             far_side(b->low[2][k], b->high[2][k], q->x[2]));
}

_Static_assert(LEAF <= 64 && LEAF % 4 == 0, "the hits of a leaf fit the bits of one word");

/* Collects the points of a leaf within the radius. index NULL: counts only. */
INLINE int64_t collect_within(const leaf *points, const query *q, int32_t *index, double *distance2)
{
    double all[LEAF];
    int64_t found = 0;
    leaf_distances(points, LEAF, q, all);
    if (!index) {
        for (int k = 0; k < LEAF; k++)
            found += all[k] <= q->radius2;
        return found;
    }
    for (uint64_t hits = sfgp_hits_of(all, LEAF, q->radius2); hits; found++) {
        const int k = sfgp_hits_next(&hits);
        index[found] = points->index[k];
        distance2[found] = all[k];
    }
    return found;
}

/* Collects all points below a node that lies inside the ball. */
INLINE int64_t collect_all(const sfgp_kdtree *tree, int64_t node, const query *q, int32_t *index,
                           double *distance2)
{
    int64_t end, first = leaves_of(tree, node, &end), found = 0;
    if (!index)
        return leaf_start(tree, end) - leaf_start(tree, first);
    for (int64_t k = first; k < end; k++) {
        const leaf *points = tree->leaves + k;
        const int size = leaf_size(tree, k);
        memcpy(index + found, points->index, (size_t)size * sizeof *index);
        leaf_distances(points, size, q, distance2 + found);
        found += size;
    }
    return found;
}

/* The walk of both queries, count (index NULL) and within, so that they agree. */
INLINE int64_t walk(const sfgp_kdtree *tree, const query *q, int32_t *index, double *distance2)
{
    int32_t stack[STACK];
    int64_t found = 0;
    stack[0] = 0;
    for (int top = 1; top > 0;) {
        double near2[FAN], far2[FAN];
        int64_t node = stack[--top];
        near_distances(tree->blocks + node, q, near2);
        far_distances(tree->blocks + node, q, far2);
        const uint64_t inside = sfgp_hits_of(far2, FAN, q->radius2);
        for (uint64_t hits = sfgp_hits_of(near2, FAN, q->radius2); hits;) {
            const int k = sfgp_hits_next(&hits);
            int64_t child = child_of(tree, node, k);
            int32_t *to = index ? index + found : NULL;
            double *to2 = index ? distance2 + found : NULL;
            if (inside >> k & 1)
                found += collect_all(tree, child, q, to, to2);
            else if (child >= tree->block_count)
                found += collect_within(tree->leaves + (child - tree->block_count), q, to, to2);
            else
                stack[top++] = (int32_t)child;
        }
    }
    return found;
}

SFGP_SIMD_EXACT int64_t sfgp_kdtree_count(const sfgp_kdtree *tree, const double *centre, double radius2)
{
    const query q = query_at(tree, centre, radius2);
    return walk(tree, &q, NULL, NULL);
}

SFGP_SIMD_EXACT int64_t sfgp_kdtree_within(const sfgp_kdtree *tree, const double *centre, double radius2,
                                           int32_t *index, double *distance2)
{
    const query q = query_at(tree, centre, radius2);
    return walk(tree, &q, index, distance2);
}

typedef struct candidate {
    double near2;
    int32_t node;
} candidate;

/* The k with values[k] <= bound, in order; returns their number. Without branches, which would be
 * mispredicted. Bit masks are slower for so few values. */
INLINE int pick(const double *values, int count, double bound, uint8_t *picked)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        picked[found] = (uint8_t)k;
        found += values[k] <= bound;
    }
    return found;
}

/* Pushes the children that may hold a nearer point, the nearest child last. */
INLINE int push_children(const sfgp_kdtree *tree, int64_t node, const query *q, candidate *stack, int top)
{
    double near2[FAN];
    uint8_t picked[FAN + 1];
    near_distances(tree->blocks + node, q, near2);
    int hits = pick(near2, FAN, q->radius2, picked), nearest = 0;
    for (int k = 0; k < hits; k++) {
        stack[top + k] = (candidate){near2[picked[k]], (int32_t)child_of(tree, node, picked[k])};
        nearest = stack[top + k].near2 < stack[top + nearest].near2 ? k : nearest;
    }
    top += hits;
    if (hits > 0) {
        candidate last = stack[top - 1];
        stack[top - 1] = stack[top - hits + nearest];
        stack[top - hits + nearest] = last;
    }
    return top;
}

/* The least value, ignoring NaN. FAN minima side by side, for vector code. */
INLINE double least_value(const double values[LEAF])
{
    double least[FAN], all = HUGE_VAL;
    for (int k = 0; k < FAN; k++)
        least[k] = HUGE_VAL;
    for (int j = 0; j < LEAF; j += FAN)
        for (int k = 0; k < FAN; k++)
            least[k] = values[j + k] < least[k] ? values[j + k] : least[k];
    for (int k = 0; k < FAN; k++)
        all = least[k] < all ? least[k] : all;
    return all;
}

/* q->radius2 shrinks to the best distance so far. */
INLINE int32_t better_in_leaf(const leaf *points, query *q, int32_t best)
{
    double all[LEAF];
    leaf_distances(points, LEAF, q, all);
    const double least = least_value(all);
    if (least > q->radius2)
        return best;
    best = least < q->radius2 ? INT32_MAX : best;
    q->radius2 = least;
    for (int k = 0; k < LEAF; k++)
        best = all[k] == least && points->index[k] < best ? points->index[k] : best;
    return best;
}

/* The nearest point, of those that are nearer than the one that is known, if there are any. */
INLINE int32_t find_nearest(const sfgp_kdtree *tree, query *q, int32_t known)
{
    candidate stack[STACK];
    int32_t best = known;
    for (int top = push_children(tree, 0, q, stack, 0); top > 0;) {
        const candidate c = stack[--top];
        if (c.near2 > q->radius2 || (c.near2 == q->radius2 && tree->least[c.node] > best))
            continue;
        if (c.node < tree->block_count)
            top = push_children(tree, c.node, q, stack, top);
        else
            best = better_in_leaf(tree->leaves + (c.node - tree->block_count), q, best);
    }
    return best;
}

SFGP_SIMD_EXACT int64_t sfgp_kdtree_nearest(const sfgp_kdtree *tree, const double *centre, double *distance2)
{
    query q = query_at(tree, centre, HUGE_VAL);
    const int32_t best = find_nearest(tree, &q, INT32_MAX);
    *distance2 = q.radius2;
    return best;
}

SFGP_SIMD_EXACT int64_t sfgp_kdtree_nearer(const sfgp_kdtree *tree, const double *centre, int64_t known,
                                           const double *point, double *distance2)
{
    query q = query_at(tree, centre, 0);
    q.radius2 =
        square_sum(point[0] - q.x[0], point[1] - q.x[1], tree->dimension == 3 ? point[2] - q.x[2] : 0);
    const int32_t best = find_nearest(tree, &q, (int32_t)known);
    *distance2 = q.radius2;
    return best;
}

const char *sfgp_kdtree_backend(void)
{
    return "builtin";
}
