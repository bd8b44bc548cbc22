/* Sums over the columns of P. Each sum has a fixed order, so the additions of one column must wait for each other. For
 * speed, four columns are added at the same time, one in each element of a vector. */
#include "correspond/summary.h"
#include "base/simd.h"

#include <stdbool.h>

#define INLINE                                                                                               \
    static inline                                                                                            \
        __attribute__((always_inline)) /* inlined into the clones, where the dimension is a constant */
#define SIDES SFGP_SUMMARY_COLUMNS

typedef double quad __attribute__((vector_size(SIDES * sizeof(double))));
typedef int64_t quad_bits __attribute__((vector_size(SIDES * sizeof(int64_t))));

/* Columns and their sums. */
typedef struct sums {
    const sfgp_columns *of;
    int32_t shortest; /* length of the shortest column */
    int32_t longest;
    quad fitted[3]; /* rbar_i */
    /* as in sfgp_responsibilities: */
    quad mass;
    quad weight;
    quad second;
    quad best;
    quad best_target;
    quad shift[3];
    quad first[3];
} sums;

/* One entry of each column. */
typedef struct entries {
    int64_t j[SIDES];
    quad p;       /* P_ij */
    quad counted; /* P_ij, or 0 when it is at most pmin */
} entries;

INLINE void open_columns(const int d, const double *fitted, const sfgp_columns *of, sums *c)
{
    *c = (sums){.of = of, .shortest = INT32_MAX, .best_target = {-1, -1, -1, -1}};
    for (int side = 0; side < SIDES; side++) {
        const int64_t i = side < of->count ? of->at + side : of->at;
        const int32_t length = of->length[side];
        c->shortest = length < c->shortest ? length : c->shortest;
        c->longest = length > c->longest ? length : c->longest;
        for (int a = 0; a < d; a++)
            c->fitted[a][side] = fitted[i * d + a];
    }
}

/* Loads entry k of each column, and replaces phi_ij by P_ij. ragged: a column that has ended gives P_ij = 0, which
 * changes no bit of a sum. */
INLINE void scale_entries(const bool ragged, double pmin, const double *inverse, int32_t k, const sums *c,
                          entries *e)
{
    double phi[SIDES];
    for (int side = 0; side < SIDES; side++) {
        const bool inside = !ragged || k < c->of->length[side];
        e->j[side] = inside ? c->of->index[side][k] : 0;
        phi[side] = inside ? c->of->p[side][k] : 0;
    }
    e->p = (quad){phi[0], phi[1], phi[2], phi[3]} *
           (quad){inverse[e->j[0]], inverse[e->j[1]], inverse[e->j[2]], inverse[e->j[3]]};
    e->counted = (quad)((quad_bits)e->p & (e->p > pmin));
    for (int side = 0; side < SIDES; side++)
        if (!ragged || k < c->of->length[side])
            c->of->p[side][k] = e->p[side];
}

INLINE void add_entries(const int d, const double *target, const entries *e, sums *c)
{
    const int64_t *j = e->j;
    c->mass += e->p;
    c->weight += e->counted;
    for (int a = 0; a < d; a++) {
        const double *s = target + a;
        const quad step = (quad){s[j[0] * d], s[j[1] * d], s[j[2] * d], s[j[3] * d]} - c->fitted[a];
        c->first[a] += e->p * step;
        c->shift[a] += e->counted * step;
        c->second += e->p * step * step;
    }
}

/* The largest P_ij above pmin; of equal ones the first. */
INLINE void compare_entries(const entries *e, sums *c)
{
    const quad j = {(double)e->j[0], (double)e->j[1], (double)e->j[2], (double)e->j[3]};
    const quad_bits better =
        (e->counted > c->best) | ((e->counted == c->best) & (e->counted > 0.0) & (j < c->best_target));
    c->best = (quad)((better & (quad_bits)e->counted) | (~better & (quad_bits)c->best));
    c->best_target = (quad)((better & (quad_bits)j) | (~better & (quad_bits)c->best_target));
}

INLINE void add_range(const int d, const bool ragged, double pmin, const double *target,
                      const double *inverse, sums *c)
{
    const int32_t end = ragged ? c->longest : c->shortest;
    for (int32_t k = ragged ? c->shortest : 0; k < end; k++) {
        entries e;
        scale_entries(ragged, pmin, inverse, k, c, &e);
        add_entries(d, target, &e, c);
        compare_entries(&e, c);
    }
}

INLINE void close_columns(const int d, const sums *c, sfgp_responsibilities *r)
{
    const int64_t at = c->of->at;
    for (int side = 0; side < c->of->count; side++) {
        const int64_t i = at + side;
        r->mass[i] = c->mass[side];
        r->weight[i] = c->weight[side];
        r->second[i] = c->second[side];
        r->best[i] = c->best[side];
        r->best_target[i] = (int32_t)c->best_target[side];
        for (int a = 0; a < d; a++) {
            r->shift[i * d + a] = c->shift[a][side];
            r->first[i * d + a] = c->first[a][side];
        }
    }
}

INLINE void summarise(const int d, double pmin, const double *target, const double *fitted,
                      const sfgp_columns *of, sfgp_responsibilities *r)
{
    sums c;
    open_columns(d, fitted, of, &c);
    add_range(d, false, pmin, target, r->lane_sums, &c);
    add_range(d, true, pmin, target, r->lane_sums, &c);
    close_columns(d, &c, r);
}

SFGP_SIMD_EXACT void sfgp_responsibilities_summarise(double pmin, const double *target, const double *fitted,
                                                     const sfgp_columns *columns, sfgp_responsibilities *r)
{
    if (r->dimension == 3)
        summarise(3, pmin, target, fitted, columns, r);
    else
        summarise(2, pmin, target, fitted, columns, r);
}
