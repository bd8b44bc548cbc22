/* Scores of the target points: rows of P, and the sum of g_j g_j'. Equations in score.h. */
#include "gpr/score.h"
#include "base/lanes.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <stdbool.h>
#include <string.h>

#define BLOCK SFGP_SCORE_BLOCK

/* ---- rows of P --------------------------------------------------------------------------------------- */

/* Rows first .. end - 1 of P, one after the other. */
typedef struct slice {
    int64_t first;
    int64_t end;
    int64_t capacity; /* entries */
    int64_t *start;   /* N_S + 1: entries of P before row j */
    int64_t *next;    /* N_S: where the next entry of row j goes */
    int32_t *point;   /* capacity: reference point of entry start[first] + k */
    double *value;    /* capacity: its P_ij */
} slice;

static void slice_clear(slice *rows)
{
    sfgp_free(rows->start);
    sfgp_free(rows->next);
    sfgp_free(rows->point);
    sfgp_free(rows->value);
}

/* Sets start. Returns the length of the longest row, the least capacity of a slice. */
static int64_t count_rows(const sfgp_responsibilities *r, int64_t *start)
{
    const int64_t entries = sfgp_sparse_start(&r->matrix)[r->count];
    const int32_t *index = sfgp_sparse_index(&r->matrix);
    int64_t longest = 0;
    for (int64_t k = 0; k < entries; k++)
        start[index[k] + 1]++;
    for (int64_t j = 0; j < r->targets; j++) {
        longest = start[j + 1] > longest ? start[j + 1] : longest;
        start[j + 1] += start[j];
    }
    return longest;
}

static sfgp_status slice_new(sfgp_context *context, const sfgp_responsibilities *r, int64_t most_entries,
                             slice *rows)
{
    sfgp_status status = SFGP_OK;
    *rows = (slice){0};
    if ((status = sfgp_allocate(context, r->targets + 1, &rows->start)) != SFGP_OK ||
        (status = sfgp_allocate(context, r->targets, &rows->next)) != SFGP_OK)
        return status;
    const int64_t longest = count_rows(r, rows->start), all = rows->start[r->targets];
    rows->capacity = most_entries < all ? most_entries : all;
    rows->capacity = longest > rows->capacity ? longest : rows->capacity;
    if ((status = sfgp_allocate(context, rows->capacity, &rows->point)) == SFGP_OK)
        status = sfgp_allocate(context, rows->capacity, &rows->value);
    return status;
}

/* Moves the slice to the next rows that fit. False after the last row. */
static bool slice_advance(const sfgp_responsibilities *r, slice *rows)
{
    rows->first = rows->end;
    while (rows->end < r->targets && rows->start[rows->end + 1] - rows->start[rows->first] <= rows->capacity)
        rows->end++;
    return rows->end > rows->first;
}

/* Reads P column by column, so that the entries of a row are in the order of the reference. */
static void slice_fill(const sfgp_responsibilities *r, slice *rows)
{
    const int32_t *start = sfgp_sparse_start(&r->matrix), *index = sfgp_sparse_index(&r->matrix);
    const double *p = sfgp_sparse_value(&r->matrix);
    const int64_t base = rows->start[rows->first];
    memcpy(rows->next + rows->first, rows->start + rows->first,
           (size_t)(rows->end - rows->first) * sizeof *rows->next);
    for (int64_t i = 0; i < r->count; i++)
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            const int32_t j = index[k];
            if (j < rows->first || j >= rows->end)
                continue;
            const int64_t at = rows->next[j]++ - base;
            rows->point[at] = (int32_t)i;
            rows->value[at] = p[k];
        }
}

/* ---- scores ------------------------------------------------------------------------------------------ */

/* g += B_i' pull, pull: d. */
static void add_pull(const sfgp_basis *basis, int64_t i, const double *pull, double *g)
{
    const int64_t s = basis->scalar.rank, p = basis->pca.modes, d = basis->dimension;
    const double *features = basis->scalar.values + i * s, *modes = basis->pca.factor + i * d * p;
    for (int64_t a = 0; a < d; a++) {
        for (int64_t k = 0; k < s; k++)
            g[a * s + k] += pull[a] * features[k];
        for (int64_t k = 0; k < p; k++)
            g[d * s + k] += pull[a] * modes[a * p + k];
    }
}

/* g += g_j */
static void add_score(const sfgp_observed *observed, const slice *rows, int64_t j, double *g)
{
    const int d = observed->basis->dimension;
    const double *s = observed->target + j * d;
    for (int64_t k = rows->start[j]; k < rows->start[j + 1]; k++) {
        const int64_t at = k - rows->start[rows->first], i = rows->point[at];
        double pull[3];
        for (int a = 0; a < d; a++)
            pull[a] = rows->value[at] / observed->sigma2[i] * (s[a] - observed->points[i * d + a]);
        add_pull(observed->basis, i, pull, g);
    }
}

typedef struct grams {
    const sfgp_observed *observed;
    const slice *rows;
    double *buffers; /* SFGP_LANES x BLOCK x m */
    double *sums;    /* SFGP_LANES x m x m */
} grams;

/* sum += G'G of rows first .. end - 1 of the slice, G: a block of rows g_j. */
static void add_grams(const void *data, int lane, int64_t first, int64_t end)
{
    const grams *all = data;
    const int64_t m = sfgp_basis_size(all->observed->basis);
    double *g = all->buffers + lane * BLOCK * m, *sum = all->sums + lane * m * m;
    for (int64_t at = first; at < end; at += BLOCK) {
        const int64_t n = end - at < BLOCK ? end - at : BLOCK;
        memset(g, 0, (size_t)(n * m) * sizeof *g);
        for (int64_t r = 0; r < n; r++)
            add_score(all->observed, all->rows, all->rows->first + at + r, g + r * m);
        sfgp_dense_gram(n, m, 1.0, g, sum);
    }
}

sfgp_status sfgp_score_gram(sfgp_context *context, const sfgp_observed *observed, int64_t most_entries,
                            double *buffers, double *sums)
{
    slice rows;
    const grams all = {observed, &rows, buffers, sums};
    sfgp_status status = slice_new(context, observed->r, most_entries, &rows);
    while (status == SFGP_OK && slice_advance(observed->r, &rows)) {
        slice_fill(observed->r, &rows);
        sfgp_lanes_run(rows.end - rows.first, add_grams, &all);
    }
    slice_clear(&rows);
    return status;
}
