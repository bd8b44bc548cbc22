/* L and D by supernodes, from the left (Ng, Peyton, SIAM J. Sci. Comput. 14(5), 1993): each panel gets the entries of the matrix, then the products of the panels
 * before it that have rows among its columns, and is then factorised as a dense matrix. */
#include "base/lanes.h"
#include "base/memory.h"
#include "base/simd.h"
#include "linalg/ldl_panels.h"

#include <cblas.h>
#include <string.h>

#define FEW 4000 /* multiplications of a product that are not worth a call of BLAS */

typedef struct workspace {
    const sfgp_supernodes *nodes;
    double *values;
    int32_t *place;  /* n: of a row of the matrix in L; then, of a row of L in the panel */
    int32_t *list;   /* nodes: the first supernode whose next row is a column of this one; -1: none */
    int32_t *next;   /* nodes: the one after it in that list */
    int32_t *at;     /* nodes: its next row */
    double *product; /* height x SFGP_LDL_CHUNK */
    double *scaled;  /* width x SFGP_LDL_CHUNK, or SFGP_LDL_BLOCK columns: rows of L times D */
} workspace;

static void workspace_clear(workspace *w)
{
    sfgp_free(w->place);
    sfgp_free(w->list);
    sfgp_free(w->next);
    sfgp_free(w->at);
    sfgp_free(w->product);
    sfgp_free(w->scaled);
}

/* Of the largest panels. */
static int64_t height_of(const sfgp_supernodes *nodes)
{
    int64_t most = 1;
    for (int32_t s = 0; s < nodes->nodes; s++)
        most = sfgp_supernode_height(nodes, s) > most ? sfgp_supernode_height(nodes, s) : most;
    return most;
}

static int64_t width_of(const sfgp_supernodes *nodes)
{
    int64_t most = SFGP_LDL_BLOCK;
    for (int32_t s = 0; s < nodes->nodes; s++)
        most = sfgp_supernode_width(nodes, s) > most ? sfgp_supernode_width(nodes, s) : most;
    return most;
}

int64_t sfgp_ldl_panels_making_bytes(const sfgp_supernodes *nodes)
{
    return (nodes->count + 3 * (int64_t)nodes->nodes) * (int64_t)sizeof(int32_t) +
           (height_of(nodes) + width_of(nodes)) * SFGP_LDL_CHUNK * (int64_t)sizeof(double);
}

static sfgp_status workspace_new(sfgp_context *context, workspace *w)
{
    const sfgp_supernodes *nodes = w->nodes;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, nodes->count, &w->place)) == SFGP_OK &&
        (status = sfgp_allocate(context, nodes->nodes, &w->list)) == SFGP_OK &&
        (status = sfgp_allocate(context, nodes->nodes, &w->next)) == SFGP_OK &&
        (status = sfgp_allocate(context, nodes->nodes, &w->at)) == SFGP_OK &&
        (status = sfgp_allocate(context, height_of(nodes) * SFGP_LDL_CHUNK, &w->product)) == SFGP_OK)
        status = sfgp_allocate(context, width_of(nodes) * SFGP_LDL_CHUNK, &w->scaled);
    return status;
}

/* ---- the matrix -------------------------------------------------------------------------------------- */

static void set_entries(const sfgp_sparse *matrix, const int32_t *order, workspace *w)
{
    const sfgp_supernodes *nodes = w->nodes;
    const int32_t *start = sfgp_sparse_start(matrix), *index = sfgp_sparse_index(matrix);
    sfgp_lanes_set(nodes->value[nodes->nodes], 0, w->values);
    for (int32_t k = 0; k < nodes->count; k++)
        w->place[order[k]] = k;
    for (int64_t j = 0; j < nodes->count; j++)
        for (int32_t p = start[j]; p < start[j + 1]; p++) {
            const int32_t a = w->place[index[p]], b = w->place[j], row = a > b ? a : b,
                          column = a > b ? b : a, node = nodes->node_of[column];
            w->values[nodes->value[node] +
                      (int64_t)(column - nodes->first[node]) * sfgp_supernode_height(nodes, node) +
                      sfgp_supernode_find(sfgp_supernode_rows(nodes, node),
                                          sfgp_supernode_height(nodes, node), row)] =
                sfgp_sparse_value(matrix)[p];
        }
}

/* ---- products of panels ------------------------------------------------------------------------------ */

/* Rows of panels that are multiplied: C (m x k) = A (m x width, columns lda apart) B', B (k x width). */
typedef struct factors {
    int64_t m, k, width, lda;
    const double *a, *b;
} factors;

SFGP_SIMD static void multiply_few(const factors *f, double *restrict c)
{
    memset(c, 0, (size_t)(f->m * f->k) * sizeof *c);
    for (int64_t q = 0; q < f->k; q++)
        for (int64_t t = 0; t < f->width; t++) {
            const double by = f->b[t * f->k + q];
            const double *a = f->a + t * f->lda;
            for (int64_t i = q; i < f->m; i++)
                c[q * f->m + i] += a[i] * by;
        }
}

static void multiply(const factors *f, double *c)
{
    if (f->m * f->k * f->width < FEW)
        multiply_few(f, c);
    else
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, (int)f->m, (int)f->k, (int)f->width, 1.0, f->a,
                    (int)f->lda, f->b, (int)f->k, 0.0, c, (int)f->m);
}

/* scaled (k x width) = rows from first on, times D. */
static void scale(const sfgp_supernodes *nodes, int32_t node, int64_t first, int64_t k, const workspace *w)
{
    const int64_t height = sfgp_supernode_height(nodes, node), width = sfgp_supernode_width(nodes, node);
    for (int64_t t = 0; t < width; t++) {
        const double *column = w->values + nodes->value[node] + t * height;
        for (int64_t q = 0; q < k; q++)
            w->scaled[t * k + q] = column[first + q] * column[t];
    }
}

/* Rows first .. first + k - 1 of the panel from are columns of the panel to: what they take from it. */
static void subtract_chunk(const workspace *w, int32_t from, int64_t first, int64_t k, int32_t to)
{
    const sfgp_supernodes *nodes = w->nodes;
    const int64_t height = sfgp_supernode_height(nodes, from), m = height - first,
                  to_height = sfgp_supernode_height(nodes, to);
    const int32_t *rows = sfgp_supernode_rows(nodes, from) + first;
    const factors f = {
        m, k, sfgp_supernode_width(nodes, from), height, w->values + nodes->value[from] + first, w->scaled};
    scale(nodes, from, first, k, w);
    multiply(&f, w->product);
    for (int64_t q = 0; q < k; q++) {
        double *column = w->values + nodes->value[to] + (rows[q] - nodes->first[to]) * to_height;
        for (int64_t i = q; i < m; i++)
            column[w->place[rows[i]]] -= w->product[q * m + i];
    }
}

/* Puts a supernode into the list of the one that has its next row as a column. */
static void enlist(workspace *w, int32_t node)
{
    if (w->at[node] >= sfgp_supernode_height(w->nodes, node))
        return;
    const int32_t to = w->nodes->node_of[sfgp_supernode_rows(w->nodes, node)[w->at[node]]];
    w->next[node] = w->list[to];
    w->list[to] = node;
}

static void subtract_all(workspace *w, int32_t to)
{
    const int32_t *own = sfgp_supernode_rows(w->nodes, to);
    for (int32_t i = 0; i < sfgp_supernode_height(w->nodes, to); i++)
        w->place[own[i]] = i;
    for (int32_t from = w->list[to], after; from >= 0; from = after) {
        const int32_t *rows = sfgp_supernode_rows(w->nodes, from),
                      height = sfgp_supernode_height(w->nodes, from);
        int32_t first = w->at[from], end = first;
        after = w->next[from];
        while (end < height && rows[end] < w->nodes->first[to + 1])
            end++;
        for (; first < end; first += SFGP_LDL_CHUNK)
            subtract_chunk(w, from, first, end - first < SFGP_LDL_CHUNK ? end - first : SFGP_LDL_CHUNK, to);
        w->at[from] = end;
        enlist(w, from);
    }
}

/* ---- all of them ------------------------------------------------------------------------------------- */

static sfgp_status factorise(sfgp_context *context, workspace *w)
{
    for (int32_t s = 0; s < w->nodes->nodes; s++)
        w->list[s] = -1;
    for (int32_t s = 0; s < w->nodes->nodes; s++) {
        subtract_all(w, s);
        if (!sfgp_ldl_panel_factorise(sfgp_supernode_height(w->nodes, s), sfgp_supernode_width(w->nodes, s),
                                      w->values + w->nodes->value[s], w->scaled))
            return sfgp_fail(context, SFGP_ERROR_NUMERIC,
                             "sparse factorisation: pivot 0 in the columns from %d on",
                             (int)w->nodes->first[s]);
        w->at[s] = sfgp_supernode_width(w->nodes, s);
        enlist(w, s);
    }
    return SFGP_OK;
}

sfgp_status sfgp_ldl_panels_make(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                 const sfgp_ldl_panels *l)
{
    workspace w = {.nodes = &l->nodes, .values = l->values};
    sfgp_status status = workspace_new(context, &w);
    if (status == SFGP_OK) {
        set_entries(matrix, order, &w);
        status = factorise(context, &w);
    }
    workspace_clear(&w);
    return status;
}
