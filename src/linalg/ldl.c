/* Sparse LDL': ordering, supernodes, and what is computed with L and D. */
#include "linalg/ldl.h"
#include "base/memory.h"
#include "linalg/ldl_panels.h"
#include "linalg/ordering.h"

#include <math.h>

struct sfgp_ldl {
    int32_t *order;         /* n */
    sfgp_ldl_panels panels; /* values: NULL before the first factor */
    double *work;           /* n x 4: right-hand sides in the order of L */
};

/* ---- pattern and factor ------------------------------------------------------------------------------ */

static sfgp_status analyse(sfgp_context *context, const sfgp_sparse *matrix, const sfgp_ordering_given *given,
                           sfgp_ldl *ldl)
{
    const int64_t n = (int64_t)matrix->form.ncol;
    int32_t *lengths = NULL;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, n, &ldl->order)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &lengths)) == SFGP_OK &&
        (status = sfgp_ordering_find(context, matrix, given, ldl->order, lengths)) == SFGP_OK)
        status = sfgp_supernodes_new(context, matrix, ldl->order, lengths, &ldl->panels.nodes);
    sfgp_free(lengths);
    return status;
}

static sfgp_status new_given(sfgp_context *context, const sfgp_sparse *matrix,
                             const sfgp_ordering_given *given, sfgp_ldl **made)
{
    sfgp_ldl *ldl = NULL;
    sfgp_status status = sfgp_allocate(context, 1, &ldl);
    *made = NULL;
    if (status != SFGP_OK)
        return status;
    if ((status = analyse(context, matrix, given, ldl)) == SFGP_OK)
        *made = ldl;
    else
        sfgp_ldl_free(ldl);
    return status;
}

sfgp_status sfgp_ldl_new(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl **made)
{
    return new_given(context, matrix, &(sfgp_ordering_given){0}, made);
}

sfgp_status sfgp_ldl_new_power(sfgp_context *context, const sfgp_sparse *matrix, const sfgp_sparse *graph,
                               int exponent, sfgp_ldl **made)
{
    const sfgp_ordering_power power = {graph, exponent};
    return new_given(context, matrix, &(sfgp_ordering_given){.power = &power}, made);
}

sfgp_status sfgp_ldl_new_ordered(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                 sfgp_ldl **made)
{
    return new_given(context, matrix, &(sfgp_ordering_given){.known = order}, made);
}

const int32_t *sfgp_ldl_order(const sfgp_ldl *ldl)
{
    return ldl->order;
}

void sfgp_ldl_free(sfgp_ldl *ldl)
{
    if (!ldl)
        return;
    sfgp_supernodes_clear(&ldl->panels.nodes);
    sfgp_free(ldl->panels.values);
    sfgp_free(ldl->order);
    sfgp_free(ldl->work);
    sfgp_free(ldl);
}

sfgp_status sfgp_ldl_factorise(sfgp_context *context, const sfgp_sparse *matrix, sfgp_ldl *ldl)
{
    const sfgp_supernodes *nodes = &ldl->panels.nodes;
    sfgp_status status = SFGP_OK;
    if (!ldl->panels.values)
        status = sfgp_allocate_raw(context, nodes->value[nodes->nodes], (int64_t)sizeof(double),
                                   (void **)&ldl->panels.values);
    if (status == SFGP_OK && !ldl->work)
        status = sfgp_allocate(context, 4 * nodes->count, &ldl->work);
    return status == SFGP_OK ? sfgp_ldl_panels_make(context, matrix, ldl->order, &ldl->panels) : status;
}

/* ---- L and D ----------------------------------------------------------------------------------------- */

static double pivot_of(const sfgp_ldl *ldl, int64_t j)
{
    return ldl->panels.values[sfgp_ldl_column_of(&ldl->panels.nodes, j).at];
}

int64_t sfgp_ldl_entries(const sfgp_ldl *ldl)
{
    const sfgp_supernodes *nodes = &ldl->panels.nodes;
    int64_t sum = 0;
    for (int64_t j = 0; j < nodes->count; j++)
        sum += sfgp_ldl_column_of(nodes, j).length;
    return sum;
}

int64_t sfgp_ldl_bytes(const sfgp_ldl *ldl)
{
    const sfgp_supernodes *nodes = &ldl->panels.nodes;
    const int64_t real = sizeof(double), index = sizeof(int32_t);
    return nodes->value[nodes->nodes] * real + (nodes->row[nodes->nodes] + 2 * nodes->count) * index +
           nodes->nodes * (index + 2 * real) + 4 * nodes->count * real;
}

int64_t sfgp_ldl_factorise_bytes(const sfgp_ldl *ldl)
{
    return sfgp_ldl_panels_making_bytes(&ldl->panels.nodes);
}

int64_t sfgp_ldl_inverse_bytes(const sfgp_ldl *ldl)
{
    return sfgp_ldl_panels_inverse_bytes(&ldl->panels.nodes);
}

int64_t sfgp_ldl_negative(const sfgp_ldl *ldl)
{
    int64_t count = 0;
    for (int64_t j = 0; j < ldl->panels.nodes.count; j++)
        count += pivot_of(ldl, j) < 0;
    return count;
}

double sfgp_ldl_log_determinant(const sfgp_ldl *ldl)
{
    double sum = 0;
    for (int64_t j = 0; j < ldl->panels.nodes.count; j++)
        sum += log(fabs(pivot_of(ldl, j)));
    return sum;
}

/* ---- solves ------------------------------------------------------------------------------------------ */

/* x: the columns of row i are x[i * row + c * column]. */
typedef struct layout {
    int columns;
    int64_t row, column;
} layout;

/* y = P x */
static void permute(const sfgp_ldl *ldl, const layout *of, const double *x)
{
    const int stride = sfgp_ldl_panels_stride(of->columns);
    for (int64_t k = 0; k < ldl->panels.nodes.count; k++)
        for (int c = 0; c < stride; c++)
            ldl->work[k * stride + c] = c < of->columns ? x[ldl->order[k] * of->row + c * of->column] : 0;
}

/* x = P'y */
static void permute_back(const sfgp_ldl *ldl, const layout *of, double *x)
{
    const int stride = sfgp_ldl_panels_stride(of->columns);
    for (int64_t k = 0; k < ldl->panels.nodes.count; k++)
        for (int c = 0; c < of->columns; c++)
            x[ldl->order[k] * of->row + c * of->column] = ldl->work[k * stride + c];
}

static void solve(const sfgp_ldl *ldl, int columns)
{
    const int stride = sfgp_ldl_panels_stride(columns);
    sfgp_ldl_panels_forward(&ldl->panels, stride, ldl->work);
    sfgp_ldl_panels_backward(&ldl->panels, stride, true, ldl->work);
}

void sfgp_ldl_solve(sfgp_ldl *ldl, int columns, double *x)
{
    const layout of = {columns, 1, ldl->panels.nodes.count};
    permute(ldl, &of, x);
    solve(ldl, columns);
    permute_back(ldl, &of, x);
}

void sfgp_ldl_solve_twice(sfgp_ldl *ldl, int columns, const double *between, double *x)
{
    const layout of = {columns, columns, 1};
    const int stride = sfgp_ldl_panels_stride(columns);
    permute(ldl, &of, x);
    solve(ldl, columns);
    for (int64_t k = 0; k < ldl->panels.nodes.count; k++)
        for (int c = 0; c < columns; c++)
            ldl->work[k * stride + c] *= between[ldl->order[k]];
    solve(ldl, columns);
    permute_back(ldl, &of, x);
}

void sfgp_ldl_sample(sfgp_ldl *ldl, int columns, double *x)
{
    const int stride = sfgp_ldl_panels_stride(columns);
    const int64_t n = ldl->panels.nodes.count;
    const layout of = {columns, 1, n};
    for (int64_t j = 0; j < n; j++)
        for (int c = 0; c < stride; c++)
            ldl->work[j * stride + c] = c < columns ? x[c * n + j] / sqrt(pivot_of(ldl, j)) : 0;
    sfgp_ldl_panels_backward(&ldl->panels, stride, false, ldl->work);
    permute_back(ldl, &of, x);
}

sfgp_status sfgp_ldl_inverse_diagonal(sfgp_context *context, const sfgp_ldl *ldl, double *diagonal)
{
    return sfgp_ldl_panels_inverse(context, &ldl->panels, ldl->order, diagonal);
}
