/* The kd-tree of libkdtree++ behind the interface of kdtree.h.
 *
 * libkdtree++ stores one point in each node, and its range is a box: a visitor selects the points within the
 * radius. Three adaptations are needed: - Coordinates are compared together with the point's index. The
 * library's own order puts equal coordinates to the
 *   right when inserting, wherever the median put them. Coincident or gridded points would make a chain of nodes,
 *   O(n^2) to build and of depth n. With a strict order the tree is balanced, of depth log2 n + 1.
 * - Nodes come from one arena in the order of building, through the context's allocator. - Boxes are widened
 * by a few ulps, so that they never exclude a point that passes the exact test. Its nearest query visits all
 * points that tie: O(n) when everything coincides.
 *
 * No exception leaves this file: the only ones are std::bad_alloc, while building. */
extern "C" {
#include "base/memory.h"
#include "geom/kdtree.h"
}

#include <cmath>
#include <kdtree++/kdtree.hpp>
#include <limits>
#include <new>
#include <vector>

namespace
{

/* A coordinate and the index of its point. */
struct key {
    double value;
    int64_t index;
    key(double of = 0, int64_t owner = 0) : value(of), index(owner)
    {
    }
    operator double() const
    { /* the library stores a distance in a key, and reads it again */
        return value;
    }
};

/* Bounds of a box: before (after) all points with just that coordinate. */
key operator-(const key &a, const key &range)
{
    return key(a.value - range.value, -1);
}

key operator+(const key &a, const key &range)
{
    return key(a.value + range.value, std::numeric_limits<int64_t>::max());
}

struct before {
    bool operator()(const key &a, const key &b) const
    {
        return a.value < b.value || (a.value == b.value && a.index < b.index);
    }
};

struct point {
    double x[3];
    int64_t index;
};

struct coordinate {
    using result_type = key;
    key operator()(const point &p, size_t axis) const
    {
        return key(p.x[axis], p.index);
    }
};

struct squared {
    using distance_type = double;
    double operator()(const key &a, const key &b) const
    {
        return (a.value - b.value) * (a.value - b.value);
    }
};

/* Allocates the nodes from one block, which releases all of them. */
struct arena {
    using node = KDTree::_Node<point>;
    node *next, *end;
    node *allocate(size_t)
    {
        if (next == end)
            throw std::bad_alloc();
        return next++;
    }
    void deallocate(node *, size_t)
    {
    }
    void destroy(node *)
    {
    }
};

/* Third coordinate 0 in 2D: it changes no sum. */
point point_at(const double *x, int dimension, int64_t index)
{
    return {{x[0], x[1], dimension == 3 ? x[2] : 0}, index};
}

double distance2_of(const point &a, const point &b)
{
    const double x = a.x[0] - b.x[0], y = a.x[1] - b.x[1], z = a.x[2] - b.x[2];
    return x * x + y * y + z * z;
}

/* Half the side of a box that holds every point whose computed squared distance is <= radius2: rounding of
 * differences, squares, sums and the root is 8 ulps at most; squares that underflow are below the constant.
 */
double box_for(double radius2)
{
    return std::sqrt(radius2) * (1 + 8 * std::numeric_limits<double>::epsilon()) + 2e-154;
}

/* Points within the radius: their number, and the points themselves if there are arrays. */
struct ball {
    point centre;
    double radius2;
    int32_t *index;
    double *distance2;
    int64_t found;
};

struct visit_ball {
    ball *wanted;
    void operator()(const point &p)
    {
        const double distance2 = distance2_of(p, wanted->centre);
        if (!(distance2 <= wanted->radius2))
            return;
        if (wanted->index) {
            wanted->index[wanted->found] = static_cast<int32_t>(p.index);
            wanted->distance2[wanted->found] = distance2;
        }
        wanted->found++;
    }
};

/* Least distance, then least index. */
struct closest {
    point centre;
    double distance2;
    int64_t index;
};

struct visit_closest {
    closest *best;
    void operator()(const point &p)
    {
        const double distance2 = distance2_of(p, best->centre);
        if (distance2 > best->distance2 || (distance2 == best->distance2 && p.index >= best->index))
            return;
        best->distance2 = distance2;
        best->index = p.index;
    }
};

/* The library's tree takes the number of axes at compile time; these are the two that exist. */
struct any_tree {
    virtual ~any_tree() = default;
    virtual void build(std::vector<point> &points) = 0;
    virtual void within(ball *wanted) const = 0;
    virtual void nearest(closest *best) const = 0;
};

template <size_t axes> struct tree_of final : any_tree {
    KDTree::KDTree<axes, point, coordinate, squared, before, arena> tree;

    explicit tree_of(const arena &nodes) : tree(coordinate(), squared(), before(), nodes)
    {
    }
    void build(std::vector<point> &points) override
    {
        tree.efficient_replace_and_optimise(points);
    }
    void within(ball *wanted) const override
    {
        tree.visit_within_range(wanted->centre, box_for(wanted->radius2), visit_ball{wanted});
    }
    /* The library compares rounded roots: what it finds only bounds the box that is searched exactly. */
    void nearest(closest *best) const override
    {
        const point &near = *tree.find_nearest(best->centre).first;
        best->distance2 = distance2_of(near, best->centre);
        best->index = near.index;
        tree.visit_within_range(best->centre, box_for(best->distance2), visit_closest{best});
    }
};

} // namespace

struct sfgp_kdtree {
    int dimension;
    arena::node *nodes;
    any_tree *tree;
};

/* Builds the library's tree. May throw std::bad_alloc. */
static void build(sfgp_kdtree *made, int64_t count, const double *points)
{
    const arena nodes = {made->nodes, made->nodes + count};
    std::vector<point> copies(static_cast<size_t>(count));
    for (int64_t i = 0; i < count; i++)
        copies[static_cast<size_t>(i)] = point_at(points + i * made->dimension, made->dimension, i);
    if (made->dimension == 3)
        made->tree = new tree_of<3>(nodes);
    else
        made->tree = new tree_of<2>(nodes);
    made->tree->build(copies);
}

extern "C" {

sfgp_status sfgp_kdtree_new(sfgp_context *context, int64_t count, int dimension, const double *points,
                            sfgp_kdtree **tree)
{
    sfgp_status status = SFGP_OK;
    sfgp_kdtree *made = nullptr;
    *tree = nullptr;
    if (count < 0 || count >= INT32_MAX)
        return sfgp_fail(context, SFGP_ERROR_MEMORY, "kd-tree: %lld points are too large a set",
                         static_cast<long long>(count));
    if ((status = sfgp_allocate(context, 1, &made)) != SFGP_OK)
        return status;
    made->dimension = dimension;
    if ((status = sfgp_allocate(context, count, &made->nodes)) == SFGP_OK) {
        try {
            build(made, count, points);
            *tree = made;
            return SFGP_OK;
        } catch (const std::bad_alloc &) {
            status = sfgp_fail(context, SFGP_ERROR_MEMORY, "kd-tree: no memory for %lld points",
                               static_cast<long long>(count));
        }
    }
    sfgp_kdtree_free(made);
    return status;
}

void sfgp_kdtree_free(sfgp_kdtree *tree)
{
    if (!tree)
        return;
    delete tree->tree;
    sfgp_free(tree->nodes);
    sfgp_free(tree);
}

static int64_t collect(const sfgp_kdtree *tree, const double *centre, double radius2, int32_t *index,
                       double *distance2)
{
    ball wanted = {point_at(centre, tree->dimension, 0), radius2, index, distance2, 0};
    if (radius2 >= 0)
        tree->tree->within(&wanted);
    return wanted.found;
}

int64_t sfgp_kdtree_count(const sfgp_kdtree *tree, const double *centre, double radius2)
{
    return collect(tree, centre, radius2, nullptr, nullptr);
}

int64_t sfgp_kdtree_within(const sfgp_kdtree *tree, const double *centre, double radius2, int32_t *index,
                           double *distance2)
{
    return collect(tree, centre, radius2, index, distance2);
}

int64_t sfgp_kdtree_nearest(const sfgp_kdtree *tree, const double *centre, double *distance2)
{
    closest best = {point_at(centre, tree->dimension, 0), 0, 0};
    tree->tree->nearest(&best);
    *distance2 = best.distance2;
    return best.index;
}

/* What is known does not shorten the search of this library. */
int64_t sfgp_kdtree_nearer(const sfgp_kdtree *tree, const double *centre, int64_t, const double *,
                           double *distance2)
{
    return sfgp_kdtree_nearest(tree, centre, distance2);
}

const char *sfgp_kdtree_backend(void)
{
    return "libkdtree++";
}
}
