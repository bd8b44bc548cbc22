/* The diagonal of the inverse of LDL' by Takahashi's recursion (Erisman, Tinney, CACM 18(3), 1975), panel by panel. */
#include "base/memory.h"
#include "base/simd.h"
#include "linalg/ldl_panels.h"

#include <cblas.h>
#include <string.h>

/* Columns at a time: for all w columns of a panel at once Z_JJ takes 3 w^3 operations, by blocks 2/3 w^3. */
#define BLOCK 64

/* Z = inverse of LDL', known where L has entries. With J some columns of a panel and S the rows below them,
 *     Y = L_SJ / L_JJ,   Z_SJ = -Z_SS Y,   Z_JJ = L_JJ' \ (D_J \ (inverse of L_JJ)) - Y'Z_SJ,
 * and S x S is part of the pattern. Columns are computed from the last to the first. */
typedef struct inverse {
    const sfgp_ldl_panels *l;
    double *z;      /* panels of Z; in the rows of J both triangles */
    double *below;  /* Z_RR of the rows below a panel, its lower triangle by columns */
    double *y;      /* Y, by columns */
    double *own;    /* BLOCK x BLOCK: inverse of L_JJ */
    double *scaled; /* D \ own */
    int32_t *at;    /* where rows of R are among those of another panel */
} inverse;

static void inverse_clear(inverse *s)
{
    sfgp_free(s->z);
    sfgp_free(s->below);
    sfgp_free(s->y);
    sfgp_free(s->own);
    sfgp_free(s->scaled);
    sfgp_free(s->at);
}

/* The largest of all panels: rows, and rows below it. */
typedef struct sizes {
    int64_t height, below;
} sizes;

static sizes sizes_of(const sfgp_supernodes *nodes)
{
    sizes most = {0};
    for (int32_t k = 0; k < nodes->nodes; k++) {
        const int64_t h = sfgp_supernode_height(nodes, k), below = h - sfgp_supernode_width(nodes, k);
        most.height = h > most.height ? h : most.height;
        most.below = below > most.below ? below : most.below;
    }
    return most;
}

int64_t sfgp_ldl_panels_inverse_bytes(const sfgp_supernodes *nodes)
{
    const sizes most = sizes_of(nodes);
    return (nodes->value[nodes->nodes] + most.below * most.below + most.height * BLOCK + 2 * BLOCK * BLOCK) *
               (int64_t)sizeof(double) +
           most.below * (int64_t)sizeof(int32_t);
}

static sfgp_status inverse_new(sfgp_context *context, inverse *s)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const sizes most = sizes_of(nodes);
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate_raw(context, nodes->value[nodes->nodes], sizeof(double), (void **)&s->z)) ==
            SFGP_OK &&
        (status = sfgp_allocate(context, most.below * most.below, &s->below)) == SFGP_OK &&
        (status = sfgp_allocate(context, most.height * BLOCK, &s->y)) == SFGP_OK &&
        (status = sfgp_allocate(context, BLOCK * BLOCK, &s->own)) == SFGP_OK &&
        (status = sfgp_allocate(context, BLOCK * BLOCK, &s->scaled)) == SFGP_OK)
        status = sfgp_allocate(context, most.below, &s->at);
    return status;
}

/* Where the rows from q on are among those of the panel that has row q as a column. */
static int32_t find_rows(const inverse *s, const int32_t *rows, int64_t size, int64_t q)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const int32_t node = nodes->node_of[rows[q]], *others = sfgp_supernode_rows(nodes, node);
    const int64_t height = sfgp_supernode_height(nodes, node);
    for (int64_t i = q, low = 0; i < size; i++, low++) {
        if (others[low] != rows[i])
            low += sfgp_supernode_find(others + low, height - low, rows[i]);
        s->at[i] = (int32_t)low;
    }
    return node;
}

/* The end of the rows from q on that are columns of this panel. */
static int64_t end_of_run(const sfgp_supernodes *nodes, int32_t node, const int32_t *rows, int64_t size,
                          int64_t q)
{
    while (q < size && rows[q] < nodes->first[node + 1])
        q++;
    return q;
}

static const double *column_of(const inverse *s, int32_t node, int32_t row)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    return s->z + nodes->value[node] +
           (row - nodes->first[node]) * (int64_t)sfgp_supernode_height(nodes, node);
}

/* below = Z_RR */
static void gather(const inverse *s, const int32_t *rows, int64_t size)
{
    for (int64_t q = 0; q < size;) {
        const int32_t node = find_rows(s, rows, size, q);
        for (const int64_t end = end_of_run(&s->l->nodes, node, rows, size, q); q < end; q++) {
            const double *column = column_of(s, node, rows[q]);
            for (int64_t i = q; i < size; i++)
                s->below[q * size + i] = column[s->at[i]];
        }
    }
}

/* z = -Z_RR y of one column. */
SFGP_SIMD static void multiply_one(const inverse *s, const int32_t *rows, int64_t size,
                                   const double *restrict y, double *restrict z)
{
    memset(z, 0, (size_t)size * sizeof *z);
    for (int64_t q = 0; q < size;) {
        const int32_t node = find_rows(s, rows, size, q);
        for (const int64_t end = end_of_run(&s->l->nodes, node, rows, size, q); q < end; q++) {
            const double *column = column_of(s, node, rows[q]);
            double sum = column[s->at[q]] * y[q];
            for (int64_t i = q + 1; i < size; i++) {
                const double value = column[s->at[i]];
                z[i] -= value * y[q];
                sum += value * y[i];
            }
            z[q] -= sum;
        }
    }
}

/* own = inverse of L_JJ, scaled = D_J \ own, and Z_JJ from both. */
static void invert_own(const inverse *s, const double *panel, int height, int width, double *z)
{
    memset(s->own, 0, (size_t)(width * width) * sizeof *s->own);
    for (int a = 0; a < width; a++)
        s->own[a * width + a] = 1;
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, width, 1.0, panel,
                height, s->own, width);
    for (int a = 0; a < width; a++)
        for (int b = 0; b < width; b++)
            s->scaled[a * width + b] = s->own[a * width + b] / panel[(int64_t)b * height + b];
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, width, width, 1.0, s->own, width, s->scaled,
                width, 0.0, z, height);
}

/* A panel of one column: L_JJ is 1. */
static void invert_column(const inverse *s, int32_t node)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const int64_t size = sfgp_supernode_height(nodes, node) - 1;
    const double *y = s->l->values + nodes->value[node];
    double *z = s->z + nodes->value[node];
    multiply_one(s, sfgp_supernode_rows(nodes, node) + 1, size, y + 1, z + 1);
    z[0] = 1 / y[0];
    for (int64_t i = 1; i <= size; i++)
        z[0] -= y[i] * z[i];
}

/* The columns first .. first + width - 1 of a panel, after those right of them: later of the panel (O), and below (R) rows of others. */
static void invert_columns(const inverse *s, int32_t node, int first, int width)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const int height = sfgp_supernode_height(nodes, node),
              later = sfgp_supernode_width(nodes, node) - first - width, size = height - first - width,
              below = size - later;
    const int64_t at = nodes->value[node] + (int64_t)first * (height + 1);
    const double *panel = s->l->values + at, *own = s->z + at + (int64_t)width * (height + 1);
    double *z = s->z + at;
    invert_own(s, panel, height, width, z);
    if (size == 0)
        return;
    for (int a = 0; a < width; a++)
        memcpy(s->y + (int64_t)a * size, panel + (int64_t)a * height + width, (size_t)size * sizeof(double));
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasUnit, size, width, 1.0, panel,
                height, s->y, size);
    if (later > 0) {
        cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, later, width, -1.0, own, height, s->y, size, 0.0,
                    z + width, height);
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, width, later, -1.0, own + later, height,
                    s->y, size, 0.0, z + width + later, height);
        cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, later, width, below, -1.0, own + later, height,
                    s->y + later, size, 1.0, z + width, height);
    }
    if (below > 0)
        cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, below, width, -1.0, s->below, below, s->y + later,
                    size, later > 0, z + width + later, height);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, width, size, -1.0, s->y, size, z + width,
                height, 1.0, z, height);
}

static void invert_panel(const inverse *s, int32_t node)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const int32_t all = sfgp_supernode_width(nodes, node);
    if (all == 1) {
        invert_column(s, node);
        return;
    }
    gather(s, sfgp_supernode_rows(nodes, node) + all, sfgp_supernode_height(nodes, node) - all);
    for (int end = all, width; end > 0; end -= width) {
        width = (end - 1) % BLOCK + 1;
        invert_columns(s, node, end - width, width);
    }
}

sfgp_status sfgp_ldl_panels_inverse(sfgp_context *context, const sfgp_ldl_panels *l, const int32_t *order,
                                    double *diagonal)
{
    inverse s = {.l = l};
    const sfgp_status status = inverse_new(context, &s);
    for (int32_t node = l->nodes.nodes - 1; status == SFGP_OK && node >= 0; node--)
        invert_panel(&s, node);
    for (int64_t j = 0; status == SFGP_OK && j < l->nodes.count; j++)
        diagonal[order[j]] = s.z[sfgp_ldl_column_of(&l->nodes, j).at];
    inverse_clear(&s);
    return status;
}
