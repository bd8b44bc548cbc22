/* The rows of a study: the table of their columns, and a sorted list of rows. */
#include "study/parts.h"

#include <stdlib.h>
#include <string.h>

#define REAL(name)                                                                                           \
    {                                                                                                        \
#name, offsetof(study_row, name), false                                                              \
    }
#define COUNT(name)                                                                                          \
    {                                                                                                        \
#name, offsetof(study_row, name), true                                                               \
    }

static const study_column COLUMNS[] = {
    COUNT(success),        REAL(error),
    REAL(observed),        REAL(missing),
    REAL(recall),          REAL(precision),
    REAL(inside_observed), REAL(inside_missing),
    REAL(iterations),      REAL(seconds),
    REAL(fit_seconds),     REAL(cpu_seconds),
    REAL(peak_mib),        COUNT(points_reference),
    COUNT(points_target),
};

const study_column *study_column_row(int index)
{
    return index >= 0 && index < (int)(sizeof COLUMNS / sizeof *COLUMNS) ? &COLUMNS[index] : NULL;
}

double study_column_value(const study_row *row, const study_column *column)
{
    const char *field = (const char *)row + column->offset;
    int64_t count;
    double value;
    if (column->count)
        return memcpy(&count, field, sizeof count), (double)count;
    return memcpy(&value, field, sizeof value), value;
}

/* The count columns are 0, the others not known yet. */
study_row study_row_unknown(study_key key)
{
    const double unknown = STUDY_UNKNOWN;
    study_row row = {.key = key, .status = "failed"};
    for (const study_column *column = COLUMNS; column < COLUMNS + sizeof COLUMNS / sizeof *COLUMNS; column++)
        if (!column->count)
            memcpy((char *)&row + column->offset, &unknown, sizeof unknown);
    return row;
}

/* ---- lists ------------------------------------------------------------------------------------------- */

sfgp_status study_rows_add(study_rows *rows, const study_row *row)
{
    if (rows->count == rows->capacity) {
        int64_t capacity = rows->capacity ? 2 * rows->capacity : 64;
        study_row *more = realloc(rows->items, (size_t)capacity * sizeof *more);
        if (!more)
            return SFGP_ERROR_MEMORY;
        rows->items = more;
        rows->capacity = capacity;
    }
    rows->items[rows->count++] = *row;
    return SFGP_OK;
}

/* In the order of the study: set, level, method, choice, sample. */
int study_key_compare(const void *a, const void *b)
{
    const study_key *x = a, *y = b;
    const int pairs[][2] = {{x->set, y->set},
                            {x->level, y->level},
                            {x->method, y->method},
                            {x->choice, y->choice},
                            {x->sample, y->sample}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
        if (pairs[k][0] != pairs[k][1])
            return pairs[k][0] < pairs[k][1] ? -1 : 1;
    return 0;
}

void study_rows_sort(study_rows *rows) /* the key is the first member of a row */
{
    if (rows->count > 0)
        qsort(rows->items, (size_t)rows->count, sizeof *rows->items, study_key_compare);
}

const study_row *study_rows_find(const study_rows *rows, study_key key)
{
    return rows->count == 0
               ? NULL
               : bsearch(&key, rows->items, (size_t)rows->count, sizeof *rows->items, study_key_compare);
}

void study_rows_clear(study_rows *rows)
{
    free(rows->items);
    *rows = (study_rows){0};
}
