/* The diagonal of the inverse of LDL' by Takahashi's recursion (Erisman, Tinney, CACM 18(3), 1975). */
#include "base/memory.h"
#include "linalg/ldl_view.h"

/* Z = inverse of LDL', known where L has entries. With S the rows of column j of L,
 *     Z_ij = -sum_(k in S) Z_ik L_kj for i in S,   Z_jj = 1 / D_j - sum_(k in S) Z_kj L_kj,
 * and S x S is part of the pattern. Columns are computed from the last to the first. */
typedef struct inverse {
    const sfgp_ldl_view *l;
    double *z;    /* values of Z in the pattern of L */
    double *full; /* n: column j of L, 0 elsewhere */
    double *sum;  /* n: Z L_j at the rows S; what is left elsewhere is never read */
} inverse;

/* Column j of L: the entries from begin on, D_j first. CHOLMOD may leave room between columns. */
typedef struct column {
    int32_t begin, end;
} column;

static column column_of(const sfgp_ldl_view *l, int64_t j)
{
    return (column){l->start[j], l->start[j] + l->length[j]};
}

/* sum += column k of Z and its mirror image, times L_j. */
static void add_column(const inverse *s, int64_t k)
{
    const column at = column_of(s->l, k);
    const double own = s->full[k];
    double mirrored = s->z[at.begin] * own;
    for (int32_t p = at.begin + 1; p < at.end; p++) {
        s->sum[s->l->rows[p]] += s->z[p] * own;
        mirrored += s->z[p] * s->full[s->l->rows[p]];
    }
    s->sum[k] += mirrored;
}

static void invert_column(const inverse *s, int64_t j)
{
    const column at = column_of(s->l, j);
    double diagonal = 1 / s->l->values[at.begin];
    for (int32_t p = at.begin + 1; p < at.end; p++) {
        s->full[s->l->rows[p]] = s->l->values[p];
        s->sum[s->l->rows[p]] = 0;
    }
    for (int32_t p = at.begin + 1; p < at.end; p++)
        add_column(s, s->l->rows[p]);
    for (int32_t p = at.begin + 1; p < at.end; p++) {
        s->z[p] = -s->sum[s->l->rows[p]];
        diagonal -= s->z[p] * s->l->values[p];
        s->full[s->l->rows[p]] = 0;
    }
    s->z[at.begin] = diagonal;
}

sfgp_status sfgp_ldl_view_inverse(sfgp_context *context, const sfgp_ldl_view *l, const int32_t *order,
                                  double *diagonal)
{
    inverse s = {.l = l};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate_raw(context, l->room, sizeof(double), (void **)&s.z)) == SFGP_OK &&
        (status = sfgp_allocate(context, l->count, &s.full)) == SFGP_OK &&
        (status = sfgp_allocate(context, l->count, &s.sum)) == SFGP_OK)
        for (int64_t j = l->count - 1; j >= 0; j--) {
            invert_column(&s, j);
            diagonal[order[j]] = s.z[l->start[j]];
        }
    sfgp_free(s.z);
    sfgp_free(s.full);
    sfgp_free(s.sum);
    return status;
}
