/* Springs along the edges that slide the places of the grid over the mean ear (ear_relax.h). */
#include "simulate/ear_relax.h"

#include "base/memory.h"
#include "geom/vector.h"

#include <math.h>

#define STEP 0.3 /* of the way to the middle of the neighbours: the fourth power is three times as stiff */

/* One place: on the disk, on the surface with derivatives, and the pull of the neighbours. */
typedef struct node {
    double u, v;     /* on the disk */
    double point[3]; /* on the surface */
    double by_u[3];  /* derivative of point */
    double by_v[3];
    double pull[3]; /* sum over the neighbours */
    double weight;  /* of that sum */
} node;

static void lift(const sfgp_ear_chart *chart, int64_t count, node *nodes)
{
    for (int64_t k = 0; k < count; k++) {
        node *at = &nodes[k];
        sfgp_ear_chart_at(chart, at->u, at->v, at->point, at->by_u, at->by_v);
        at->pull[0] = at->pull[1] = at->pull[2] = at->weight = 0;
    }
}

static void pull(node *a, node *b)
{
    double way[3] = {b->point[0] - a->point[0], b->point[1] - a->point[1], b->point[2] - a->point[2]};
    double weight = sfgp_dot3(way, way);
    for (int axis = 0; axis < 3; axis++) {
        a->pull[axis] += weight * way[axis];
        b->pull[axis] -= weight * way[axis];
    }
    a->weight += weight;
    b->weight += weight;
}

/* Slides a node along the surface by the tangential part of its pull: J'J (du, dv) = J' pull. */
static void slide(node *at)
{
    double e = sfgp_dot3(at->by_u, at->by_u), f = sfgp_dot3(at->by_u, at->by_v),
           g = sfgp_dot3(at->by_v, at->by_v);
    double p = sfgp_dot3(at->by_u, at->pull), q = sfgp_dot3(at->by_v, at->pull);
    double scale = STEP / (at->weight * (e * g - f * f));
    at->u += scale * (g * p - f * q);
    at->v += scale * (e * q - f * p);
}

static void sweep(int64_t rings, const sfgp_ear_chart *chart, const int64_t (*triangles)[3], node *nodes)
{
    int64_t inner = sfgp_ear_point_count(rings - 1);
    lift(chart, sfgp_ear_point_count(rings), nodes);
    for (int64_t f = 0; f < sfgp_ear_triangle_count(rings); f++)
        for (int k = 0; k < 3; k++)
            pull(&nodes[triangles[f][k]], &nodes[triangles[f][(k + 1) % 3]]);
    for (int64_t k = 0; k < inner; k++)
        slide(&nodes[k]);
}

sfgp_status sfgp_ear_relax(sfgp_context *context, int64_t rings, const sfgp_ear_chart *chart,
                           sfgp_ear_place *places)
{
    int64_t count = sfgp_ear_point_count(rings), (*triangles)[3] = NULL;
    node *nodes = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, count, &nodes)) != SFGP_OK ||
        (status = sfgp_allocate(context, sfgp_ear_triangle_count(rings), &triangles)) != SFGP_OK)
        goto cleanup;
    sfgp_ear_triangles(rings, triangles);
    for (int64_t k = 0; k < count; k++) {
        nodes[k].u = places[k].radius * cos(places[k].turn);
        nodes[k].v = places[k].radius * sin(places[k].turn);
    }
    for (int k = 0; k < SFGP_EAR_SWEEPS; k++)
        sweep(rings, chart, (const int64_t(*)[3])triangles, nodes);
    for (int64_t k = 0; k < sfgp_ear_point_count(rings - 1); k++)
        places[k] = (sfgp_ear_place){hypot(nodes[k].u, nodes[k].v), atan2(nodes[k].v, nodes[k].u)};
cleanup:
    sfgp_free(nodes);
    sfgp_free(triangles);
    return status;
}
