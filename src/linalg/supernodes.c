/* Which columns of L have the same rows, and which rows. Definitions in supernodes.h. */
#include "linalg/supernodes.h"
#include "base/memory.h"

/* Of the permuted matrix: the entries left of the diagonal of each row, and the elimination tree. */
typedef struct pattern {
    int32_t *start;  /* n + 1 */
    int32_t *left;   /* columns */
    int32_t *parent; /* n; -1: a root */
    int32_t *seen;   /* n */
} pattern;

static void pattern_clear(pattern *p)
{
    sfgp_free(p->start);
    sfgp_free(p->left);
    sfgp_free(p->parent);
    sfgp_free(p->seen);
}

static sfgp_status pattern_new(sfgp_context *context, int64_t n, int64_t entries, pattern *p)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_allocate(context, n + 2, &p->start)) == SFGP_OK &&
        (status = sfgp_allocate(context, entries, &p->left)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &p->parent)) == SFGP_OK)
        status = sfgp_allocate(context, n, &p->seen);
    return status;
}

/* place (n): the row of L of a row of the matrix. Rows are counted two places further on, and filled one place further on. */
static void permute(const sfgp_sparse *matrix, const int32_t *place, pattern *p)
{
    const int32_t *start = sfgp_sparse_start(matrix), *index = sfgp_sparse_index(matrix);
    const int32_t n = (int32_t)matrix->form.ncol;
    for (int fill = 0; fill < 2; fill++) {
        for (int32_t j = 0; j < n; j++)
            for (int32_t k = start[j]; k < start[j + 1]; k++) {
                const int32_t a = place[index[k]], b = place[j], row = a > b ? a : b;
                if (a != b && fill)
                    p->left[p->start[row + 1]++] = a > b ? b : a;
                else if (a != b)
                    p->start[row + 2]++;
            }
        for (int32_t i = 1; i < n && !fill; i++)
            p->start[i + 1] += p->start[i];
    }
}

/* The parent of a column is the first row below its diagonal (Liu, SIAM J. Matrix Anal. Appl. 11(1), 1990, section 3.2). */
static void make_tree(int32_t n, pattern *p)
{
    int32_t *ancestor = p->seen;
    for (int32_t i = 0; i < n; i++) {
        p->parent[i] = ancestor[i] = -1;
        for (int32_t k = p->start[i]; k < p->start[i + 1]; k++)
            for (int32_t j = p->left[k], next; j != -1 && j < i; j = next) {
                next = ancestor[j];
                ancestor[j] = i;
                if (next == -1)
                    p->parent[j] = i;
            }
    }
}

/* Column j has the rows of column j - 1 but for that one. */
static bool continues(const pattern *p, const int32_t *lengths, int32_t j)
{
    return j > 0 && p->parent[j - 1] == j && lengths[j] == lengths[j - 1] - 1;
}

static sfgp_status cut(sfgp_context *context, const pattern *p, const int32_t *lengths, sfgp_supernodes *made)
{
    const int32_t n = (int32_t)made->count;
    sfgp_status status = SFGP_OK;
    for (int32_t j = 0; j < n; j++) {
        made->nodes += !continues(p, lengths, j);
        made->node_of[j] = made->nodes - 1;
    }
    if ((status = sfgp_allocate(context, made->nodes + 1, &made->first)) != SFGP_OK ||
        (status = sfgp_allocate(context, made->nodes + 1, &made->row)) != SFGP_OK ||
        (status = sfgp_allocate(context, made->nodes + 1, &made->value)) != SFGP_OK)
        return status;
    for (int32_t j = 0; j < n; j++)
        made->first[made->node_of[j] + 1] = j + 1;
    for (int32_t s = 0; s < made->nodes; s++) {
        const int64_t height = lengths[made->first[s]];
        made->row[s + 1] = made->row[s] + height;
        made->value[s + 1] = made->value[s] + height * sfgp_supernode_width(made, s);
    }
    return SFGP_OK;
}

/* Row i is in its own supernode and in those between its entries and that one in the tree. next (nodes): where the next row goes. */
static void fill_rows(pattern *p, int64_t *next, sfgp_supernodes *made)
{
    for (int32_t s = 0; s < made->nodes; s++)
        next[s] = made->row[s], p->seen[s] = -1;
    for (int32_t i = 0; i < made->count; i++) {
        p->seen[made->node_of[i]] = i;
        made->rows[next[made->node_of[i]]++] = i;
        for (int32_t k = p->start[i]; k < p->start[i + 1]; k++)
            for (int32_t s = made->node_of[p->left[k]]; p->seen[s] != i;
                 s = made->node_of[p->parent[made->first[s + 1] - 1]]) {
                p->seen[s] = i;
                made->rows[next[s]++] = i;
            }
    }
}

static sfgp_status make_rows(sfgp_context *context, pattern *p, sfgp_supernodes *made)
{
    int64_t *next = NULL;
    sfgp_status status =
        sfgp_allocate_raw(context, made->row[made->nodes], (int64_t)sizeof *made->rows, (void **)&made->rows);
    if (status == SFGP_OK && (status = sfgp_allocate(context, made->nodes, &next)) == SFGP_OK)
        fill_rows(p, next, made);
    sfgp_free(next);
    return status;
}

sfgp_status sfgp_supernodes_new(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                const int32_t *lengths, sfgp_supernodes *made)
{
    const int64_t n = (int64_t)matrix->form.ncol;
    pattern p = {0};
    *made = (sfgp_supernodes){.count = n};
    sfgp_status status = sfgp_allocate(context, n, &made->node_of);
    if (status == SFGP_OK &&
        (status = pattern_new(context, n, sfgp_sparse_start(matrix)[n], &p)) == SFGP_OK) {
        for (int32_t k = 0; k < n; k++)
            p.seen[order[k]] = k;
        permute(matrix, p.seen, &p);
        make_tree((int32_t)n, &p);
        status = cut(context, &p, lengths, made);
    }
    if (status == SFGP_OK)
        status = make_rows(context, &p, made);
    pattern_clear(&p);
    return status;
}

void sfgp_supernodes_clear(sfgp_supernodes *nodes)
{
    sfgp_free(nodes->first);
    sfgp_free(nodes->node_of);
    sfgp_free(nodes->row);
    sfgp_free(nodes->value);
    sfgp_free(nodes->rows);
    *nodes = (sfgp_supernodes){0};
}
