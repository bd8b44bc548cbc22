/* Steps of Gauss and Newton on the distances to planes and to points, each point weighted anew. */
#include "geom/rigid_refine.h"
#include "base/parallel.h"
#include "geom/rotations.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

#define FALL 0.8     /* of the width in an iteration */
#define ALONG 1e-3   /* weight of a distance between points beside one to a plane (ADR 0106) */
#define DAMPING 1e-4 /* of the weight, on the diagonal: a flat or round part leaves motions free */
#define LEAST 1e-100 /* weight of a part that lies near the whole: the products of smaller ones underflow */

enum {
    MOTIONS = 6, /* three turns, three shifts */
    KNOWN =
        256 /* first points of the part whose nearest points are remembered: there the next query begins */
};

/* From the part to the whole: y = rotation q + shift. */
typedef struct motion {
    double rotation[9], shift[3];
    int32_t nearest[KNOWN]; /* point of the whole; -1: not known yet */
} motion;

/* Where a point of the part lies. */
typedef struct place {
    double y[3];
    double step[3];  /* to the nearest point of the whole */
    double distance; /* along the normal, to the plane at that point */
    double weight;
    const double *normal; /* of that point */
} place;

static int64_t find_nearest(const sfgp_rigid_target *target, int64_t k, const double *y, motion *at,
                            double *distance2)
{
    const int64_t last = k < KNOWN ? at->nearest[k] : -1,
                  nearest = sfgp_kdtree_follow(target->tree, target->whole->points, 3, last, y, distance2);
    if (k < KNOWN)
        at->nearest[k] = (int32_t)nearest;
    return nearest;
}

static place place_of(const sfgp_rigid_target *target, const sfgp_oriented *part, int64_t k, motion *at,
                      double width)
{
    place p;
    double normal[3], distance2;
    sfgp_rotation_apply(at->rotation, part->points + 3 * k, p.y);
    sfgp_rotation_apply(at->rotation, part->normals + 3 * k, normal);
    for (int a = 0; a < 3; a++)
        p.y[a] += at->shift[a];
    const int64_t nearest = find_nearest(target, k, p.y, at, &distance2);
    for (int a = 0; a < 3; a++)
        p.step[a] = target->whole->points[3 * nearest + a] - p.y[a];
    p.normal = target->whole->normals + 3 * nearest;
    p.distance = sfgp_dot3(p.step, p.normal);
    const double agree = sfgp_dot3(normal, p.normal);
    p.weight = exp(-distance2 / (2 * width * width)) * agree * agree;
    return p;
}

/* ---- a step ---------------------------------------------------------------------------------------------- */

/* H += w j j', g += w r j with the derivative j = (y x e, e) of a distance r from y along e by a turn and a shift. */
static inline void add_distance(const double *y, const double *e, double w, double r,
                                double h[MOTIONS][MOTIONS], double g[MOTIONS])
{
    const double j[MOTIONS] = {
        y[1] * e[2] - y[2] * e[1], y[2] * e[0] - y[0] * e[2], y[0] * e[1] - y[1] * e[0], e[0], e[1], e[2]};
    for (int a = 0; a < MOTIONS; a++) {
        g[a] += w * r * j[a];
        for (int b = 0; b <= a; b++)
            h[a][b] += w * j[a] * j[b];
    }
}

static void add_place(const place *p, double h[MOTIONS][MOTIONS], double g[MOTIONS])
{
    add_distance(p->y, p->normal, p->weight, p->distance, h, g);
    for (int a = 0; a < 3; a++) {
        const double axis[3] = {a == 0, a == 1, a == 2};
        add_distance(p->y, axis, ALONG * p->weight, p->step[a], h, g);
    }
}

/* H x = g by Cholesky's factor, in place of H and of g. The damping keeps H positive definite. */
static void solve(double h[MOTIONS][MOTIONS], double x[MOTIONS])
{
    for (int a = 0; a < MOTIONS; a++)
        for (int b = 0; b <= a; b++) {
            double sum = h[a][b];
            for (int k = 0; k < b; k++)
                sum -= h[a][k] * h[b][k];
            h[a][b] = a == b ? sqrt(sum) : sum / h[b][b];
        }
    for (int a = 0; a < MOTIONS; a++) {
        for (int k = 0; k < a; k++)
            x[a] -= h[a][k] * x[k];
        x[a] /= h[a][a];
    }
    for (int a = MOTIONS - 1; a >= 0; a--) {
        for (int k = a + 1; k < MOTIONS; k++)
            x[a] -= h[k][a] * x[k];
        x[a] /= h[a][a];
    }
}

static void move(const double x[MOTIONS], motion *at)
{
    double turn[9], rotation[9], shift[3];
    sfgp_rotation_about(x, turn);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            rotation[3 * a + b] = turn[3 * a] * at->rotation[b] + turn[3 * a + 1] * at->rotation[3 + b] +
                                  turn[3 * a + 2] * at->rotation[6 + b];
    sfgp_rotation_apply(turn, at->shift, shift);
    for (int a = 0; a < 3; a++)
        at->shift[a] = shift[a] + x[3 + a];
    memcpy(at->rotation, rotation, sizeof rotation);
}

/* False: no point of the part lies near the whole. */
static bool step(const sfgp_rigid_target *target, const sfgp_oriented *part, double width, motion *at)
{
    double h[MOTIONS][MOTIONS] = {{0}}, x[MOTIONS] = {0}, weight = 0;
    for (int64_t k = 0; k < part->count; k++) {
        const place p = place_of(target, part, k, at, width);
        add_place(&p, h, x);
        weight += p.weight;
    }
    if (!(weight > LEAST))
        return false;
    for (int a = 0; a < MOTIONS; a++)
        h[a][a] += DAMPING * weight;
    solve(h, x);
    move(x, at);
    return true;
}

/* ---- a pose ---------------------------------------------------------------------------------------------- */

/* A rigid pose x -> R x + b of the whole is y -> R'(y - b) of the part, and the other way round. */
static void invert(const double *rotation, const double *shift, double *inverse, double *back)
{
    for (int a = 0; a < 3; a++) {
        back[a] = 0;
        for (int b = 0; b < 3; b++) {
            inverse[3 * a + b] = rotation[3 * b + a];
            back[a] -= rotation[3 * b + a] * shift[b];
        }
    }
}

static void refine(const sfgp_rigid_target *target, const sfgp_oriented *part, sfgp_rigid_pose *pose)
{
    motion at;
    double width = target->first;
    memset(at.nearest, -1, sizeof at.nearest);
    invert(pose->pose.rotation, pose->pose.shift, at.rotation, at.shift);
    for (int k = 0; k < target->iterations; k++) {
        if (!step(target, part, fmax(width, target->width), &at))
            break;
        width *= FALL;
    }
    invert(at.rotation, at.shift, pose->pose.rotation, pose->pose.shift);
    pose->score = 0;
    for (int64_t k = 0; k < part->count; k++)
        pose->score += place_of(target, part, k, &at, target->width).weight / (double)part->count;
}

typedef struct task {
    const sfgp_rigid_target *target;
    const sfgp_oriented *part;
    sfgp_rigid_pose *poses;
} task;

static void refine_some(const void *data, int64_t first, int64_t end)
{
    const task *t = data;
    for (int64_t k = first; k < end; k++)
        refine(t->target, t->part, &t->poses[k]);
}

void sfgp_rigid_refine(const sfgp_rigid_target *target, const sfgp_oriented *part, int count,
                       sfgp_rigid_pose *poses)
{
    const task all = {target, part, poses};
    sfgp_parallel_for(count, 1, refine_some, &all);
}
