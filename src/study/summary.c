/* Summarises rows: one line for each set, level and method. Errors are means over the successful runs, as in the paper;
 * the number of successes is a column of its own. */
#include "study/parts.h"
#include "base/quantile.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int column_count(void)
{
    int count = 0;
    while (study_column_row(count))
        count++;
    return count;
}

static study_spread spread_of(int64_t count, double *values)
{
    study_spread spread = {count, STUDY_UNKNOWN, STUDY_UNKNOWN, STUDY_UNKNOWN, STUDY_UNKNOWN};
    double sum = 0;
    if (count == 0)
        return spread;
    sfgp_sort(count, values);
    for (int64_t k = 0; k < count; k++)
        sum += values[k];
    spread.mean = sum / (double)count;
    spread.q25 = sfgp_quantile(count, values, 0.25);
    spread.median = sfgp_quantile(count, values, 0.5);
    spread.q75 = sfgp_quantile(count, values, 0.75);
    return spread;
}

static bool same_line(study_key a, study_key b)
{
    return a.method == b.method && a.set == b.set && a.level == b.level;
}

/* rows: the runs of one line. */
static sfgp_status add_line(study *s, const study_row *rows, int64_t count, study_summary *summary)
{
    study_line *more = realloc(summary->lines, (size_t)(summary->count + 1) * sizeof *more);
    if (more)
        summary->lines = more;
    double *values = malloc((size_t)count * sizeof *values);
    study_spread *columns = calloc((size_t)column_count() + 1, sizeof *columns);
    if (!more || !values || !columns)
        return free(values), free(columns), study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    study_line *line = &more[summary->count++];
    *line = (study_line){rows->key.method, rows->key.set, rows->key.level, count, 0, columns};
    for (int c = 0; study_column_row(c); c++) {
        int64_t known = 0;
        for (int64_t k = 0; k < count; k++) {
            double value = study_column_value(&rows[k], study_column_row(c));
            if (isfinite(value) && (rows[k].success || c == 0))
                values[known++] = value;
        }
        columns[c] = spread_of(known, values);
    }
    for (int64_t k = 0; k < count; k++)
        line->successes += rows[k].success;
    free(values);
    return SFGP_OK;
}

/* rows must be sorted. Runs of the tuning are left out. */
sfgp_status study_summarise(study *s, const study_rows *rows, study_summary *summary)
{
    sfgp_status status = SFGP_OK;
    *summary = (study_summary){0};
    for (int64_t first = 0, end; status == SFGP_OK && first < rows->count; first = end) {
        for (end = first + 1; end < rows->count && same_line(rows->items[first].key, rows->items[end].key) &&
                              rows->items[first].key.choice == rows->items[end].key.choice;)
            end++;
        if (rows->items[first].key.choice < 0 && !s->sets[rows->items[first].key.set].hidden)
            status = add_line(s, rows->items + first, end - first, summary);
    }
    return status;
}

/* Order of the lines: set, level, method, as that of the rows. */
static int compare_lines(const void *a, const void *b)
{
    const study_line *x = a, *y = b;
    const study_key first = {.method = x->method, .set = x->set, .level = x->level},
                    second = {.method = y->method, .set = y->set, .level = y->level};
    return study_key_compare(&first, &second);
}

const study_line *study_summary_find(const study_summary *summary, int method, int set, int level)
{
    const study_line wanted = {.method = method, .set = set, .level = level};
    return summary->count == 0 ? NULL
                               : bsearch(&wanted, summary->lines, (size_t)summary->count,
                                         sizeof *summary->lines, compare_lines);
}

const study_spread *study_line_column(const study_line *line, const char *name)
{
    static const study_spread NONE = {0, STUDY_UNKNOWN, STUDY_UNKNOWN, STUDY_UNKNOWN, STUDY_UNKNOWN};
    const study_column *column;
    for (int c = 0; line && (column = study_column_row(c)); c++)
        if (strcmp(column->name, name) == 0)
            return &line->columns[c];
    return &NONE;
}

void study_summary_clear(study_summary *summary)
{
    for (int64_t k = 0; k < summary->count; k++)
        free(summary->lines[k].columns);
    free(summary->lines);
    *summary = (study_summary){0};
}
