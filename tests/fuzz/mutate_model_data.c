/* Changes sizes, numbers and texts of the data sets of a file of ours: see mutate_model.h. */
#include "fuzz/mutate_model.h"
#include "fuzz/mutate.h"
#include "io/hdf5_digest.h"
#include "io/scalar.h"

#include <math.h>
#include <string.h>

enum {
    MOST_NEW = 1 << 14,
    LONG_TEXT = 5000
}; /* bytes of a data set that is written anew; longer than any text that is read */

static int below(sfgp_random *random, int bound)
{
    return (int)sfgp_random_below(random, bound);
}

sfgp_hdf5_row *model_row(model_parts *m, sfgp_random *random)
{
    return &m->table.rows[below(random, m->table.count)];
}

/* ---- numbers ----------------------------------------------------------------------------------------------- */

double fuzz_odd_number(sfgp_random *random)
{
    static const double NUMBERS[] = {0,
                                     -1,
                                     1,
                                     2,
                                     3,
                                     0.5,
                                     -0.0,
                                     1e-300,
                                     1e38,
                                     1e300,
                                     65536,
                                     INT32_MAX,
                                     INT32_MIN,
                                     0x1p53,
                                     0x1p63,
                                     (double)INFINITY,
                                     -(double)INFINITY,
                                     (double)NAN};
    const int k = below(random, 20);
    return k < 18 ? NUMBERS[k] : sfgp_random_normal(random);
}

static sfgp_scalar scalar_of(const sfgp_hdf5_row *row)
{
    static const sfgp_scalar SCALARS[] = {[SFGP_HDF5_FLOAT64] = SFGP_FLOAT64,
                                          [SFGP_HDF5_FLOAT32] = SFGP_FLOAT32,
                                          [SFGP_HDF5_INT32] = SFGP_INT32,
                                          [SFGP_HDF5_INT64] = SFGP_INT64};
    return SCALARS[row->type];
}

static void store(const sfgp_hdf5_row *row, double value, unsigned char *bytes)
{
    const sfgp_scalar type = scalar_of(row);
    const double most = type == SFGP_INT32 ? INT32_MAX : 0x1p62;
    sfgp_scalar_store(type, sfgp_scalar_is_integer(type) && !(fabs(value) <= most) ? -1 : value, bytes);
}

static bool lies_within(const model_parts *m, const sfgp_hdf5_row *row)
{
    const int64_t size = (int64_t)m->size, each = sfgp_hdf5_row_size(row);
    return row->first >= SFGP_HDF5_DIGEST_SIZE && row->first <= size && each > 0 &&
           row->count <= (size - row->first) / each;
}

/* Element k of a row, 0 where it has none. */
static double load(const model_parts *m, const sfgp_hdf5_row *row, int64_t k)
{
    return row->kind == SFGP_HDF5_NUMBERS && k < row->count && lies_within(m, row)
               ? sfgp_scalar_load(scalar_of(row), false, m->bytes + row->first + k * sfgp_hdf5_row_size(row))
               : 0;
}

static int64_t count_of(const sfgp_hdf5_row *row)
{
    int64_t count = 1;
    for (int k = 0; k < row->rank; k++)
        count = row->shape[k] > 0 && count > MOST_NEW / row->shape[k] ? MOST_NEW + 1 : count * row->shape[k];
    return count;
}

/* Writes the data set of a row anew, of the size that it has now, from the numbers that it had. */
void model_renew(model_parts *m, const sfgp_hdf5_row *old, sfgp_hdf5_row *row)
{
    const int64_t count = count_of(row), size = sfgp_hdf5_row_size(row);
    if (count * size > MOST_NEW || count * size > (int64_t)(m->room - m->size))
        return;
    for (int64_t k = 0; k < count; k++) {
        unsigned char *at = m->bytes + m->size + k * size;
        if (row->kind == SFGP_HDF5_NUMBERS)
            store(row, old->count > 0 ? load(m, old, k % old->count) : 0, at);
        else
            *at = (unsigned char)(k + 1 < count ? 'a' + k % 26 : 0);
    }
    row->first = (int64_t)m->size;
    row->count = count;
    m->size += (size_t)(count * size);
}

/* ---- sizes ------------------------------------------------------------------------------------------------- */

static int64_t other_size(int64_t size, sfgp_random *random)
{
    static const int64_t SIZES[] = {0, 1, 2, 3, 4, 12, 64, 1000};
    const int k = below(random, 12);
    return k < 8 ? SIZES[k] : (k & 1) && size < INT64_MAX ? size + 1 : size > 0 ? size - 1 : 2;
}

/* The same size in all rows: of points, of columns. */
void model_change_dimension(model_parts *m, sfgp_random *random)
{
    const sfgp_hdf5_row *chosen = model_row(m, random);
    const int64_t from = chosen->shape[chosen->rank > 1 ? below(random, chosen->rank) : 0],
                  to = other_size(from, random);
    for (int k = 0; k < m->table.count; k++) {
        const sfgp_hdf5_row old = m->table.rows[k];
        sfgp_hdf5_row *row = &m->table.rows[k];
        bool changed = false;
        for (int j = 0; j < row->rank; j++)
            if (row->kind == SFGP_HDF5_NUMBERS && row->shape[j] == from)
                row->shape[j] = to, changed = true;
        if (changed)
            model_renew(m, &old, row);
    }
}

void model_change_shape(model_parts *m, sfgp_random *random)
{
    sfgp_hdf5_row *row = model_row(m, random), old = *row;
    if (row->kind == SFGP_HDF5_GROUP)
        return;
    if (row->kind == SFGP_HDF5_NUMBERS && below(random, 3) == 0)
        row->rank = below(random, SFGP_HDF5_RANK + 1);
    if (row->rank > 0) {
        int64_t *size = &row->shape[below(random, row->rank)];
        *size = other_size(*size, random);
    }
    model_renew(m, &old, row);
}

/* The bytes stay as they are. */
void model_claim_shape(model_parts *m, sfgp_random *random)
{
    static const int64_t CLAIMS[] = {INT32_MAX, (int64_t)1 << 32, (int64_t)1 << 60, INT64_MAX};
    sfgp_hdf5_row *row = model_row(m, random);
    const int k = below(random, 8);
    int64_t *size = &row->shape[row->rank > 0 ? below(random, row->rank) : 0];
    *size = k < 4 ? CLAIMS[k] : other_size(*size, random);
}

/* ---- contents ---------------------------------------------------------------------------------------------- */

/* A row of this kind, if some tries find one. */
static sfgp_hdf5_row *row_of(model_parts *m, sfgp_hdf5_kind kind, sfgp_random *random)
{
    sfgp_hdf5_row *row = model_row(m, random);
    for (int k = 0; k < 8 && row->kind != kind; k++)
        row = model_row(m, random);
    return row;
}

void model_change_numbers(model_parts *m, sfgp_random *random)
{
    const sfgp_hdf5_row *row = row_of(m, SFGP_HDF5_NUMBERS, random);
    if (row->kind != SFGP_HDF5_NUMBERS || row->count == 0 || !lies_within(m, row))
        return;
    const int64_t k = sfgp_random_below(random, row->count);
    store(row,
          below(random, 4) ? fuzz_odd_number(random) : load(m, row, sfgp_random_below(random, row->count)),
          m->bytes + row->first + k * sfgp_hdf5_row_size(row));
}

void model_change_text(model_parts *m, sfgp_random *random)
{
    static const char *const TEXTS[] = {"",
                                        "se:length=2,variance=1",
                                        "pca",
                                        "pca+se:length=0,variance=nan",
                                        "converged",
                                        "no_overlap",
                                        "\x1b[31m",
                                        "se:length=1e400",
                                        "matern52:length=1,variance=1+rq:length=1,variance=2,alpha=1",
                                        "/"};
    sfgp_hdf5_row *row = row_of(m, SFGP_HDF5_TEXT, random);
    const char *text = TEXTS[below(random, 10)];
    const size_t more = below(random, 2) ? 0 : LONG_TEXT;
    const size_t size =
        more + strlen(text) + 1 + (below(random, 8) == 0); /* some have two zeros at their end */
    if (row->kind != SFGP_HDF5_TEXT || size > m->room - m->size)
        return;
    memset(m->bytes + m->size, 0, size);
    memset(m->bytes + m->size, 'x', more);
    memcpy(m->bytes + m->size + more, text, strlen(text));
    row->rank = 1;
    row->shape[0] = row->count = (int64_t)size;
    row->first = (int64_t)m->size;
    m->size += size;
}
