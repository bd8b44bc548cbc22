// The kd-trees of others behind the plain functions that kdtree.c calls. A header that is not there leaves a
// tree that cannot be made. Both get what suits them: results go straight into arrays, nothing is allocated
// in a query, and libkdtree++, whose range is a box, filters by distance as it visits.
#include <cstdint>
#include <cmath>
#include <vector>

#if __has_include(<nanoflann.hpp>)
#define WITH_NANOFLANN
#include <nanoflann.hpp>
#endif
#if __has_include(<kdtree++/kdtree.hpp>)
#define WITH_KDTREEPP
#include <kdtree++/kdtree.hpp>
#endif

namespace
{

struct hits {
    const double *centre;
    double radius2;
    int32_t *index;
    double *distance2;
    int64_t found;
};

struct peer {
    virtual ~peer() = default;
    virtual void within(hits &wanted) const = 0;
    virtual int64_t nearest(const double *centre, double *distance2) const = 0;
};

#ifdef WITH_NANOFLANN
struct cloud {
    std::vector<double> x;
    size_t kdtree_get_point_count() const
    {
        return x.size() / 3;
    }
    double kdtree_get_pt(size_t point, size_t axis) const
    {
        return x[3 * point + axis];
    }
    template <class Box> bool kdtree_get_bbox(Box &) const
    {
        return false;
    }
};

struct collect {
    using DistanceType = double;
    hits &out;
    size_t size() const
    {
        return size_t(out.found);
    }
    bool full() const
    {
        return true;
    }
    bool addPoint(double distance2, uint32_t index)
    {
        out.index[out.found] = int32_t(index);
        out.distance2[out.found++] = distance2;
        return true;
    }
    double worstDist() const
    {
        return out.radius2;
    }
};

struct nanoflann_peer : peer {
    cloud points;
    nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, cloud>, cloud, 3, uint32_t> tree;

    nanoflann_peer(int64_t count, const double *x)
        : points{std::vector<double>(x, x + 3 * count)}, tree(3, points, {10})
    {
        tree.buildIndex();
    }
    void within(hits &wanted) const override
    {
        collect all{wanted};
        tree.findNeighbors(all, wanted.centre, nanoflann::SearchParams());
    }
    int64_t nearest(const double *centre, double *distance2) const override
    {
        uint32_t index = 0;
        tree.knnSearch(centre, 1, &index, distance2);
        return index;
    }
};
#endif

#ifdef WITH_KDTREEPP
struct point {
    using value_type = double;
    double x[3];
    int32_t index;
    double operator[](size_t axis) const
    {
        return x[axis];
    }
};

struct visitor {
    hits *out;
    void operator()(const point &p)
    {
        const double dx = p.x[0] - out->centre[0], dy = p.x[1] - out->centre[1], dz = p.x[2] - out->centre[2];
        const double distance2 = dx * dx + dy * dy + dz * dz;
        if (distance2 > out->radius2)
            return;
        out->index[out->found] = p.index;
        out->distance2[out->found++] = distance2;
    }
};

struct kdtreepp_peer : peer {
    KDTree::KDTree<3, point> tree;

    kdtreepp_peer(int64_t count, const double *x)
    {
        std::vector<point> points(count);
        for (int64_t i = 0; i < count; i++)
            points[i] = {{x[3 * i], x[3 * i + 1], x[3 * i + 2]}, int32_t(i)};
        tree.efficient_replace_and_optimise(points);
    }
    void within(hits &wanted) const override
    {
        const point at{{wanted.centre[0], wanted.centre[1], wanted.centre[2]}, 0};
        tree.visit_within_range(at, std::sqrt(wanted.radius2) * (1 + 1e-15), visitor{&wanted});
    }
    int64_t nearest(const double *centre, double *distance2) const override
    {
        const auto best = tree.find_nearest(point{{centre[0], centre[1], centre[2]}, 0});
        *distance2 = best.second * best.second;
        return best.first->index;
    }
};
#endif

} // namespace

extern "C" {

const char *peer_name(int which)
{
    return which == 0 ? "nanoflann" : which == 1 ? "libkdtree++ (direct)" : nullptr;
}

void *peer_new(int which, int64_t count, const double *points)
{
#ifdef WITH_NANOFLANN
    if (which == 0)
        return static_cast<peer *>(new nanoflann_peer(count, points));
#endif
#ifdef WITH_KDTREEPP
    if (which == 1)
        return static_cast<peer *>(new kdtreepp_peer(count, points));
#endif
    (void)which, (void)count, (void)points;
    return nullptr;
}

int64_t peer_within(const void *tree, const double *centre, double radius2, int32_t *index, double *distance2)
{
    hits wanted{centre, radius2, index, distance2, 0};
    static_cast<const peer *>(tree)->within(wanted);
    return wanted.found;
}

int64_t peer_nearest(const void *tree, const double *centre, double *distance2)
{
    return static_cast<const peer *>(tree)->nearest(centre, distance2);
}

void peer_free(void *tree)
{
    delete static_cast<peer *>(tree);
}
}
