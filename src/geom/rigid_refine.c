/* Steps of Gauss and Newton on the distances to planes, each point weighted anew. */
#include "geom/rigid_refine.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "geom/rotations.h"

#include <math.h>
#include <string.h>

#define FALL 0.8     /* of the width in an iteration */
#define DAMPING 1e-4 /* of the weight, on the diagonal: a flat or round part leaves motions free */

enum { MOTIONS = 6 }; /* three turns, three shifts */

/* From the part to the whole: y = rotation q + shift. */
typedef struct motion {
    double rotation[9], shift[3];
} motion;

/* A pose that is refined. */
typedef struct fit {
    const sfgp_rigid_target *target;
    const sfgp_oriented *part;
    int32_t *nearest; /* point of the whole, of each point of the part */
    motion at;
} fit;

/* Where a point of the part lies. */
typedef struct place {
    double y[3];
    double distance; /* along the normal, to the plane at the nearest point */
    double weight;
    const double *normal; /* of that point */
} place;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double square_between(const double *a, const double *b)
{
    const double step[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dot(step, step);
}

/* From a point of the whole to a nearer neighbour, as long as there is one. *distance2: from y to it. */
static int64_t descend(const sfgp_oriented *whole, const double *y, int64_t from, double *distance2)
{
    const sfgp_neighbours *near = &whole->neighbours;
    int64_t nearest = from;
    *distance2 = square_between(whole->points + 3 * from, y);
    do {
        const int32_t *around = near->index + (from = nearest) * near->size;
        for (int k = 1; k < near->size; k++) {
            const double other = square_between(whole->points + 3 * around[k], y);
            if (other < *distance2)
                *distance2 = other, nearest = around[k];
        }
    } while (nearest != from);
    return nearest;
}

/* search: for the nearest of all points; else from the last one on. */
static place place_of(const fit *f, int64_t k, double width, bool search)
{
    const sfgp_oriented *whole = f->target->whole;
    place p;
    double normal[3], distance2;
    sfgp_rotation_apply(f->at.rotation, f->part->points + 3 * k, p.y);
    sfgp_rotation_apply(f->at.rotation, f->part->normals + 3 * k, normal);
    for (int a = 0; a < 3; a++)
        p.y[a] += f->at.shift[a];
    const int64_t nearest = search ? sfgp_kdtree_nearest(f->target->tree, p.y, &distance2)
                                   : descend(whole, p.y, f->nearest[k], &distance2);
    const double *x = whole->points + 3 * nearest, step[3] = {x[0] - p.y[0], x[1] - p.y[1], x[2] - p.y[2]};
    f->nearest[k] = (int32_t)nearest;
    p.normal = whole->normals + 3 * nearest;
    p.distance = dot(step, p.normal);
    const double agree = dot(normal, p.normal);
    p.weight = exp(-distance2 / (2 * width * width)) * agree * agree;
    return p;
}

/* ---- a step ---------------------------------------------------------------------------------------------- */

/* H += w j j', g += w r j with the derivative j = (y x n, n) of the distance by a turn and a shift. */
static void add_place(const place *p, double h[MOTIONS][MOTIONS], double g[MOTIONS])
{
    const double *y = p->y, *n = p->normal;
    const double j[MOTIONS] = {
        y[1] * n[2] - y[2] * n[1], y[2] * n[0] - y[0] * n[2], y[0] * n[1] - y[1] * n[0], n[0], n[1], n[2]};
    for (int a = 0; a < MOTIONS; a++) {
        g[a] += p->weight * p->distance * j[a];
        for (int b = 0; b <= a; b++)
            h[a][b] += p->weight * j[a] * j[b];
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
    motion moved;
    double turn[9];
    sfgp_rotation_about(x, turn);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            moved.rotation[3 * a + b] = turn[3 * a] * at->rotation[b] +
                                        turn[3 * a + 1] * at->rotation[3 + b] +
                                        turn[3 * a + 2] * at->rotation[6 + b];
    sfgp_rotation_apply(turn, at->shift, moved.shift);
    for (int a = 0; a < 3; a++)
        moved.shift[a] += x[3 + a];
    *at = moved;
}

/* False: no point of the part lies near the whole. */
static bool step(fit *f, double width, bool search)
{
    double h[MOTIONS][MOTIONS] = {{0}}, x[MOTIONS] = {0}, weight = 0;
    for (int64_t k = 0; k < f->part->count; k++) {
        const place p = place_of(f, k, width, search);
        add_place(&p, h, x);
        weight += p.weight;
    }
    if (!(weight > 0))
        return false;
    for (int a = 0; a < MOTIONS; a++)
        h[a][a] += DAMPING * weight;
    solve(h, x);
    move(x, &f->at);
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

static void refine(fit *f, sfgp_rigid_pose *pose)
{
    const double points = (double)f->part->count;
    double width = f->target->first;
    invert(pose->pose.rotation, pose->pose.shift, f->at.rotation, f->at.shift);
    for (int k = 0; k < f->target->iterations; k++) {
        if (!step(f, fmax(width, f->target->width), k == 0))
            break;
        width *= FALL;
    }
    invert(f->at.rotation, f->at.shift, pose->pose.rotation, pose->pose.shift);
    pose->score = 0;
    for (int64_t k = 0; k < f->part->count; k++)
        pose->score += place_of(f, k, f->target->width, true).weight / points;
}

typedef struct task {
    const sfgp_rigid_target *target;
    const sfgp_oriented *part;
    int32_t *nearest; /* those of each pose */
    sfgp_rigid_pose *poses;
} task;

static void refine_some(const void *data, int64_t first, int64_t end)
{
    const task *t = data;
    for (int64_t k = first; k < end; k++) {
        fit f = {.target = t->target, .part = t->part, .nearest = t->nearest + k * t->part->count};
        refine(&f, &t->poses[k]);
    }
}

sfgp_status sfgp_rigid_refine(sfgp_context *context, const sfgp_rigid_target *target,
                              const sfgp_oriented *part, int count, sfgp_rigid_pose *poses)
{
    task all = {target, part, NULL, poses};
    const sfgp_status status = sfgp_allocate(context, count * part->count, &all.nearest);
    if (status == SFGP_OK)
        sfgp_parallel_for(count, 1, refine_some, &all);
    sfgp_free(all.nearest);
    return status;
}
