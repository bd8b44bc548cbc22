/* Supernodes: columns of L that follow each other and have the same rows below the last of them. Their entries are a dense panel by columns, with the rows
 * of all its columns once: of L and D on its diagonal, with numbers that mean nothing above it. Products of panels are dense. */
#ifndef SFGP_LINALG_SUPERNODES_H
#define SFGP_LINALG_SUPERNODES_H

#include "linalg/sparse.h"

typedef struct sfgp_supernodes {
    int64_t count;    /* n */
    int32_t nodes;    /* supernodes */
    int32_t *first;   /* nodes + 1: the first column */
    int32_t *node_of; /* n: of a column */
    int64_t *row;     /* nodes + 1: where its rows start: its own columns, then those below, ascending */
    int64_t *value;   /* nodes + 1: where its panel starts */
    int32_t *rows;
} sfgp_supernodes;

/* matrix: the lower triangle. order (n): row k of L is row order[k] of the matrix; children before their parents, one after the other. lengths (n): entries of the columns of L.
 * O(entries of the matrix + rows). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_supernodes_new(sfgp_context *context, const sfgp_sparse *matrix, const int32_t *order,
                                const int32_t *lengths, sfgp_supernodes *made);
void sfgp_supernodes_clear(sfgp_supernodes *nodes);

static inline int32_t sfgp_supernode_width(const sfgp_supernodes *all, int64_t node)
{
    return all->first[node + 1] - all->first[node];
}
static inline int32_t sfgp_supernode_height(const sfgp_supernodes *all, int64_t node)
{
    return (int32_t)(all->row[node + 1] - all->row[node]);
}
static inline const int32_t *sfgp_supernode_rows(const sfgp_supernodes *all, int64_t node)
{
    return all->rows + all->row[node];
}
/* Where row i is among so many rows, which have it. */
static inline int64_t sfgp_supernode_find(const int32_t *rows, int64_t count, int32_t i)
{
    int64_t low = 0;
    while (count - low > 1) {
        const int64_t middle = (low + count) / 2;
        if (rows[middle] <= i)
            low = middle;
        else
            count = middle;
    }
    return low;
}

#endif
