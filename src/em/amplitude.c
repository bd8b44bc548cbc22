/* The bend of a fit against that of its prior. Equation in amplitude.h. */
#include "em/amplitude.h"
#include "base/memory.h"
#include "geom/principal.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

#define LEAST 1e-12 /* of the prior variance: less is a rounding error of what is left of it */
/* A shape that is the mean does not prove that its kind never bends. Of 168 fits none has less (ADR 0067). */
#define LEAST_RATIO 0.01

/* A direction of motion: point x moves by linear (x - centre) + shift. */
typedef struct direction {
    double linear[9], shift[3]; /* d x d, d */
} direction;

/* ---- directions of similar shapes --------------------------------------------------------------------- */

static direction translation(int d, const sfgp_principal *p, int axis)
{
    direction t = {{0}, {0}};
    memcpy(t.shift, p->axes + axis * d, (size_t)d * sizeof(double));
    return t;
}

static direction rotation(int d, const sfgp_principal *p, int from, int to)
{
    direction t = {{0}, {0}};
    const double *a = p->axes + from * d, *b = p->axes + to * d;
    for (int k = 0; k < d * d; k++)
        t.linear[k] = b[k / d] * a[k % d] - a[k / d] * b[k % d];
    return t;
}

static direction scale(int d)
{
    direction t = {{0}, {0}};
    for (int a = 0; a < d; a++)
        t.linear[a * (d + 1)] = 1;
    return t;
}

static void set_tangent(const sfgp_basis *basis, const sfgp_principal *p, const direction *t, double *tangent)
{
    const int d = basis->dimension;
    for (int64_t k = 0; k < basis->count * d; k++) {
        const double *point = basis->mean + k / d * d;
        tangent[k] = t->shift[k % d];
        for (int a = 0; a < d; a++)
            tangent[k] += t->linear[k % d * d + a] * (point[a] - p->centre[a]);
    }
}

/* ---- the prior's share of them ------------------------------------------------------------------------ */

typedef struct sum {
    const sfgp_basis *basis;
    const sfgp_principal *axes;
    double *tangent;      /* N x d */
    double *coefficients; /* m */
    double removed;       /* sum_k |B't_k|^2 / |t_k|^2 */
} sum;

static void remove_direction(const direction *t, sum *s)
{
    const int64_t size = s->basis->count * s->basis->dimension, m = sfgp_basis_size(s->basis);
    set_tangent(s->basis, s->axes, t, s->tangent);
    const double length2 = sfgp_dense_dot(size, s->tangent, s->tangent);
    memset(s->coefficients, 0, (size_t)m * sizeof(double));
    sfgp_basis_multiply_transposed(s->basis, s->tangent, 0, s->basis->count, s->coefficients);
    if (length2 > LEAST * (double)s->basis->count)
        s->removed += sfgp_dense_dot(m, s->coefficients, s->coefficients) / length2;
}

static void remove_similar(sum *s)
{
    const int d = s->basis->dimension;
    const direction larger = scale(d);
    remove_direction(&larger, s);
    for (int a = 0; a < d; a++) {
        const direction moved = translation(d, s->axes, a);
        remove_direction(&moved, s);
        for (int b = 0; b < a; b++) {
            const direction turned = rotation(d, s->axes, a, b);
            remove_direction(&turned, s);
        }
    }
}

sfgp_status sfgp_amplitude_expected(sfgp_context *context, const sfgp_basis *basis, double *tangent,
                                    double *square)
{
    sfgp_principal axes;
    sum s = {.basis = basis, .axes = &axes, .tangent = tangent};
    double whole = 0;
    *square = 0;
    sfgp_status status = sfgp_allocate(context, sfgp_basis_size(basis), &s.coefficients);
    if (status == SFGP_OK)
        status = sfgp_principal_of(context, basis->count, basis->dimension, basis->mean, &axes);
    if (status == SFGP_OK && axes.square > 0) {
        for (int64_t i = 0; i < basis->count; i++)
            whole += basis->dimension * sfgp_basis_variance(basis, i);
        remove_similar(&s);
        if (whole - s.removed > LEAST * whole)
            *square = (whole - s.removed) / ((double)basis->count * axes.square);
    }
    sfgp_free(s.coefficients);
    return status;
}

/* Of a dense shape the centres of its cells stand for all points. */
static sfgp_status expected_of_fit(sfgp_em *em, double *square)
{
    const sfgp_regions *regions = &em->regions;
    sfgp_basis part = {0};
    if (!regions->centre)
        return sfgp_amplitude_expected(em->context, em->problem->basis, em->deltas, square);
    sfgp_status status =
        sfgp_basis_select(em->context, em->problem->basis, regions->count, regions->centre, &part);
    if (status == SFGP_OK)
        status = sfgp_amplitude_expected(em->context, &part, em->deltas, square);
    sfgp_basis_clear(&part);
    return status;
}

sfgp_status sfgp_amplitude_of_fit(sfgp_em *em, double *ratio)
{
    const double bend = sfgp_em_bend(em);
    double square;
    const sfgp_status status = expected_of_fit(em, &square);
    *ratio = status == SFGP_OK && square > 0 ? fmax(bend * bend / square, LEAST_RATIO) : 1;
    return status;
}
