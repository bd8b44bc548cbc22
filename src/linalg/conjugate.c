/* Preconditioned conjugate gradients. */
#include "linalg/conjugate.h"
#include "base/lanes.h"
#include "base/memory.h"

/* Vectors of the algorithm, each of the size of the system. */
typedef struct vectors {
    const sfgp_conjugate *system;
    double *x, *r, *z; /* solution, residual, M^-1 r */
    double *p, *q;     /* direction, A p */
    double step;
} vectors;

static double add_rz(const void *data, int64_t first, int64_t end)
{
    const vectors *v = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += v->r[k] * v->z[k];
    return sum;
}

static double add_pq(const void *data, int64_t first, int64_t end)
{
    const vectors *v = data;
    double sum = 0;
    for (int64_t k = first; k < end; k++)
        sum += v->p[k] * v->q[k];
    return sum;
}

/* x += step p, r -= step q */
static void advance(const void *data, int lane, int64_t first, int64_t end)
{
    const vectors *v = data;
    (void)lane;
    for (int64_t k = first; k < end; k++) {
        v->x[k] += v->step * v->p[k];
        v->r[k] -= v->step * v->q[k];
    }
}

/* p = z + step p */
static void turn(const void *data, int lane, int64_t first, int64_t end)
{
    const vectors *v = data;
    (void)lane;
    for (int64_t k = first; k < end; k++)
        v->p[k] = v->z[k] + v->step * v->p[k];
}

/* z = M^-1 r; r'z */
static double measure(const vectors *v)
{
    v->system->precondition(v->system->data, v->r, v->z);
    return sfgp_lanes_sum(v->system->size, add_rz, v);
}

/* r'z has to fall below least. */
static sfgp_status iterate(sfgp_context *context, vectors *v)
{
    const sfgp_conjugate *system = v->system;
    double rz = measure(v);
    const double least = system->tolerance * system->tolerance * rz;
    for (int k = 0; k < system->most && rz > least; k++) {
        sfgp_lanes_run(system->size, turn, v);
        system->apply(system->data, v->p, v->q);
        v->step = rz / sfgp_lanes_sum(system->size, add_pq, v);
        sfgp_lanes_run(system->size, advance, v);
        const double next = measure(v);
        v->step = next / rz;
        rz = next;
    }
    return rz <= least ? SFGP_OK
                       : sfgp_fail(context, SFGP_ERROR_NUMERIC,
                                   "conjugate gradients: no solution after %d iterations", system->most);
}

sfgp_status sfgp_conjugate_solve(sfgp_context *context, const sfgp_conjugate *system, double *x)
{
    vectors v = {.system = system, .x = x};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, system->size, &v.r)) == SFGP_OK &&
        (status = sfgp_allocate(context, system->size, &v.z)) == SFGP_OK &&
        (status = sfgp_allocate(context, system->size, &v.p)) == SFGP_OK &&
        (status = sfgp_allocate(context, system->size, &v.q)) == SFGP_OK) {
        for (int64_t k = 0; k < system->size; k++)
            v.r[k] = x[k], x[k] = 0;
        status = iterate(context, &v);
    }
    sfgp_free(v.r);
    sfgp_free(v.z);
    sfgp_free(v.p);
    sfgp_free(v.q);
    return status;
}
