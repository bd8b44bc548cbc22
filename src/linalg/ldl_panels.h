/* What is computed with L and D in panels (supernodes.h): the numbers themselves, solves, and the diagonal of the inverse. Solves allocate nothing. */
#ifndef SFGP_LINALG_LDL_PANELS_H
#define SFGP_LINALG_LDL_PANELS_H

#include "linalg/supernodes.h"

#include <stdbool.h>

typedef struct sfgp_ldl_panels {
    sfgp_supernodes nodes;
    double *values;
} sfgp_ldl_panels;

/* Column j of L: its rows and values, D_j in the place of the diagonal, which is the first. */
typedef struct sfgp_ldl_column {
    int32_t length;
    const int32_t *rows;
    int64_t at; /* in values */
} sfgp_ldl_column;

static inline sfgp_ldl_column sfgp_ldl_column_of(const sfgp_supernodes *nodes, int64_t j)
{
    const int32_t node = nodes->node_of[j], height = sfgp_supernode_height(nodes, node);
    const int64_t own = j - nodes->first[node];
    return (sfgp_ldl_column){height - (int32_t)own, sfgp_supernode_rows(nodes, node) + own,
                             nodes->value[node] + own * height + own};
}

/* L and D of a matrix with the pattern of the supernodes, in l->values. SFGP_ERROR_NUMERIC for a pivot of 0, SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ldl_panels_make(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                 const sfgp_ldl_panels *l);
/* Columns of a panel that are factorised without dense products, and columns of a product that are made at a time. */
enum { SFGP_LDL_BLOCK = 32, SFGP_LDL_CHUNK = 64 };
/* The panel (height x width, by columns) = L and D of its columns; what is right of the diagonal means nothing. scaled: room for SFGP_LDL_BLOCK x
 * SFGP_LDL_CHUNK. Whether no pivot is 0. */
bool sfgp_ldl_panel_factorise(int64_t height, int64_t width, double *panel, double *scaled);
/* Numbers between those of two rows of y in a solve of so many columns: 1, or 4 for 2 and 3. */
static inline int sfgp_ldl_panels_stride(int columns)
{
    return columns == 1 ? 1 : 4;
}
/* y (n x stride): y <- L \ y. One pass over L for all columns. */
void sfgp_ldl_panels_forward(const sfgp_ldl_panels *l, int stride, double *y);
/* y <- L' \ (D \ y), or without D. */
void sfgp_ldl_panels_backward(const sfgp_ldl_panels *l, int stride, bool divide, double *y);
/* diagonal (n) = diag(inverse of P'LDL'P), row k of L being row order[k] of the matrix. Room for the entries of L. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ldl_panels_inverse(sfgp_context *context, const sfgp_ldl_panels *l, const int32_t *order,
                                    double *diagonal);
/* Bytes that _make and _inverse take for a while. */
int64_t sfgp_ldl_panels_making_bytes(const sfgp_supernodes *nodes);
int64_t sfgp_ldl_panels_inverse_bytes(const sfgp_supernodes *nodes);

#endif
