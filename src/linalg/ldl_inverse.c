/* The diagonal of the inverse of LDL' by Takahashi's recursion (Erisman, Tinney, CACM 18(3), 1975), panel by panel. */
#include "base/memory.h"
#include "linalg/ldl_panels.h"

#include <cblas.h>
#include <string.h>

/* Z = inverse of LDL', known where L has entries. With J the columns of a panel and S the rows below them,
 *     Y = L_SJ / L_JJ,   Z_SJ = -Z_SS Y,   Z_JJ = L_JJ' \ (D_J \ (inverse of L_JJ)) - Y'Z_SJ,
 * and S x S is part of the pattern. Panels are computed from the last to the first. */
typedef struct inverse {
    const sfgp_ldl_panels *l;
    double *z;      /* panels of Z; in the rows of J both triangles */
    double *below;  /* Z_SS, its lower triangle by columns */
    double *y;      /* Y, by columns */
    double *own;    /* width x width: inverse of L_JJ */
    double *scaled; /* D \ own */
    int32_t *at;    /* where rows of S are among those of another panel */
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

/* The largest of all panels: rows below it, entries there, columns. */
typedef struct sizes {
    int64_t below, panel, width;
} sizes;

static sizes sizes_of(const sfgp_supernodes *nodes)
{
    sizes most = {0};
    for (int32_t k = 0; k < nodes->nodes; k++) {
        const int64_t w = sfgp_supernode_width(nodes, k), h = sfgp_supernode_height(nodes, k) - w;
        most.below = h > most.below ? h : most.below;
        most.panel = h * w > most.panel ? h * w : most.panel;
        most.width = w > most.width ? w : most.width;
    }
    return most;
}

int64_t sfgp_ldl_panels_inverse_bytes(const sfgp_supernodes *nodes)
{
    const sizes most = sizes_of(nodes);
    return (nodes->value[nodes->nodes] + most.below * most.below + most.panel + 2 * most.width * most.width) *
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
        (status = sfgp_allocate(context, most.panel, &s->y)) == SFGP_OK &&
        (status = sfgp_allocate(context, most.width * most.width, &s->own)) == SFGP_OK &&
        (status = sfgp_allocate(context, most.width * most.width, &s->scaled)) == SFGP_OK)
        status = sfgp_allocate(context, most.below, &s->at);
    return status;
}

/* Z_SS: its columns q .. end - 1 are columns of one panel, whose rows have the rest of S. */
static void gather_columns(const inverse *s, const int32_t *rows, int64_t size, int64_t q, int64_t end)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const int32_t node = nodes->node_of[rows[q]], *others = sfgp_supernode_rows(nodes, node);
    const int64_t height = sfgp_supernode_height(nodes, node);
    for (int64_t i = q, low = 0; i < size; i++) {
        low += sfgp_supernode_find(others + low, height - low, rows[i]);
        s->at[i] = (int32_t)low;
    }
    for (int64_t c = q; c < end; c++) {
        const double *column = s->z + nodes->value[node] + (rows[c] - nodes->first[node]) * height;
        for (int64_t i = c; i < size; i++)
            s->below[c * size + i] = column[s->at[i]];
    }
}

static void gather(const inverse *s, const int32_t *rows, int64_t size)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    for (int64_t q = 0, end; q < size; q = end) {
        const int32_t last = nodes->first[nodes->node_of[rows[q]] + 1];
        for (end = q; end < size && rows[end] < last;)
            end++;
        gather_columns(s, rows, size, q, end);
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

static void invert_panel(const inverse *s, int32_t node)
{
    const sfgp_supernodes *nodes = &s->l->nodes;
    const int height = sfgp_supernode_height(nodes, node), width = sfgp_supernode_width(nodes, node),
              size = height - width;
    const double *panel = s->l->values + nodes->value[node];
    double *z = s->z + nodes->value[node];
    invert_own(s, panel, height, width, z);
    if (size == 0)
        return;
    gather(s, sfgp_supernode_rows(nodes, node) + width, size);
    for (int a = 0; a < width; a++)
        memcpy(s->y + (int64_t)a * size, panel + (int64_t)a * height + width, (size_t)size * sizeof(double));
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasUnit, size, width, 1.0, panel,
                height, s->y, size);
    cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, size, width, -1.0, s->below, size, s->y, size, 0.0,
                z + width, height);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, width, width, size, -1.0, s->y, size, z + width,
                height, 1.0, z, height);
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
