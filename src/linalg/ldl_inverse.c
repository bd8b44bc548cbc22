/* The diagonal of the inverse of LDL' by Takahashi's recursion (Erisman, Tinney, CACM 18(3), 1975). */
#include "base/memory.h"
#include "linalg/ldl_panels.h"

/* Z = inverse of LDL', known where L has entries. With S the rows of column j of L,
 *     Z_ij = -sum_(k in S) Z_ik L_kj for i in S,   Z_jj = 1 / D_j - sum_(k in S) Z_kj L_kj,
 * and S x S is part of the pattern. Columns are computed from the last to the first. */
typedef struct inverse {
    const sfgp_ldl_panels *l;
    double *z;    /* values of Z in the pattern of L */
    double *full; /* n: column j of L, 0 elsewhere */
    double *sum;  /* n: Z L_j at the rows S; what is left elsewhere is never read */
} inverse;

/* sum += column k of Z and its mirror image, times L_j. */
static void add_column(const inverse *s, int64_t k)
{
    const sfgp_ldl_column at = sfgp_ldl_column_of(&s->l->nodes, k);
    const double own = s->full[k], *z = s->z + at.at;
    double mirrored = z[0] * own;
    for (int32_t p = 1; p < at.length; p++) {
        s->sum[at.rows[p]] += z[p] * own;
        mirrored += z[p] * s->full[at.rows[p]];
    }
    s->sum[k] += mirrored;
}

static void invert_column(const inverse *s, int64_t j)
{
    const sfgp_ldl_column at = sfgp_ldl_column_of(&s->l->nodes, j);
    const double *values = s->l->values + at.at;
    double *z = s->z + at.at, diagonal = 1 / values[0];
    for (int32_t p = 1; p < at.length; p++) {
        s->full[at.rows[p]] = values[p];
        s->sum[at.rows[p]] = 0;
    }
    for (int32_t p = 1; p < at.length; p++)
        add_column(s, at.rows[p]);
    for (int32_t p = 1; p < at.length; p++) {
        z[p] = -s->sum[at.rows[p]];
        diagonal -= z[p] * values[p];
        s->full[at.rows[p]] = 0;
    }
    z[0] = diagonal;
}

sfgp_status sfgp_ldl_panels_inverse(sfgp_context *context, const sfgp_ldl_panels *l, const int32_t *order,
                                    double *diagonal)
{
    inverse s = {.l = l};
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate_raw(context, l->nodes.value[l->nodes.nodes], sizeof(double),
                                    (void **)&s.z)) == SFGP_OK &&
        (status = sfgp_allocate(context, l->nodes.count, &s.full)) == SFGP_OK &&
        (status = sfgp_allocate(context, l->nodes.count, &s.sum)) == SFGP_OK)
        for (int64_t j = l->nodes.count - 1; j >= 0; j--) {
            invert_column(&s, j);
            diagonal[order[j]] = s.z[sfgp_ldl_column_of(&l->nodes, j).at];
        }
    sfgp_free(s.z);
    sfgp_free(s.full);
    sfgp_free(s.sum);
    return status;
}
