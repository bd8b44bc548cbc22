/* What is computed with L and D where CHOLMOD has left them: solves, and the diagonal of the inverse. cholmod_solve2 is not called: it allocates again whenever the number of right-hand
 * sides differs from that of the last call, and after most calls, so that a solve could fail in the middle of an iteration. */
#ifndef SFGP_LINALG_LDL_VIEW_H
#define SFGP_LINALG_LDL_VIEW_H

#include "base/context.h"

#include <stdint.h>

/* Column j of L: entries start[j] .. start[j] + length[j] - 1 of rows and values, D_j in the place of the diagonal, which is the first. */
typedef struct sfgp_ldl_view {
    int64_t count; /* n */
    int64_t room;  /* of rows and values */
    const int32_t *start, *length, *rows;
    const double *values;
} sfgp_ldl_view;

/* y (n x columns, columns = 1, 2 or 3): y <- L \ y, y <- D \ y, y <- L' \ y. One pass over L for all columns; D is O(n). */
void sfgp_ldl_forward(const sfgp_ldl_view *l, int columns, double *y);
void sfgp_ldl_divide(const sfgp_ldl_view *l, int columns, double *y);
void sfgp_ldl_backward(const sfgp_ldl_view *l, int columns, double *y);
/* diagonal (n) = diag(inverse of P'LDL'P), row k of L being row order[k] of the matrix. Room for the entries of L. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_ldl_view_inverse(sfgp_context *context, const sfgp_ldl_view *l, const int32_t *order,
                                  double *diagonal);

#endif
