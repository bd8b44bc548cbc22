/* rows.csv, tuning.csv and summary.csv: names instead of numbers, an empty field where a value is not known.
 */
#include "study/study.h"
#include "report/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_number(double value, FILE *out)
{
    fputc(',', out);
    report_csv_number(out, value);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static void put_level(const study *s, int set, int level, FILE *out)
{
    char text[32];
    report_csv_text(out, s->sets[set].name);
    fprintf(out, ",%s", study_level_text(&s->sets[set], level, text));
}

static void put_row(const study *s, const study_row *row, bool tuning, FILE *out)
{
    const study_column *column;
    const study_method *method = &s->methods[row->key.method];
    put_level(s, row->key.set, row->key.level, out);
    fprintf(out, ",%d,", row->key.sample + s->sets[row->key.set].first);
    report_csv_text(out, method->name);
    if (tuning) {
        char *choice = study_choice_text(method, row->key.choice);
        fputc(',', out);
        report_csv_text(out, choice ? choice : "");
        fprintf(out, ",%d", row->key.choice == method->chosen);
        free(choice);
    }
    fprintf(out, ",%s", row->status);
    for (int k = 0; (column = study_column_row(k)); k++)
        put_number(study_column_value(row, column), out);
    fputc(',', out);
    report_csv_text(out, row->words);
    fputc('\n', out);
}

static void put_head(bool tuning, FILE *out)
{
    const study_column *column;
    fprintf(out, "set,level,sample,method%s,status", tuning ? ",choice,chosen" : "");
    for (int k = 0; (column = study_column_row(k)); k++)
        fprintf(out, ",%s", column->name);
    fprintf(out, ",words\n");
}

/* "tuning.csv" gets the runs of the grids, any other name those of the study. */
sfgp_status study_write_rows(study *s, const char *folder, const char *name, const study_rows *rows)
{
    const bool tuning = strcmp(name, "tuning.csv") == 0;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    put_head(tuning, out);
    for (int64_t k = 0; k < rows->count; k++)
        if ((rows->items[k].key.choice >= 0) == tuning)
            put_row(s, &rows->items[k], tuning, out);
    sfgp_status status = fclose(out) == 0 ? study_save(s, folder, name, text, size)
                                          : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

/* ---- summary ----------------------------------------------------------------------------------------- */

static void put_line(const study *s, const study_line *line, FILE *out)
{
    put_level(s, line->set, line->level, out);
    fputc(',', out);
    report_csv_text(out, s->methods[line->method].name);
    fprintf(out, ",%lld,%lld", (long long)line->runs, (long long)line->successes);
    for (int k = 1; study_column_row(k); k++) { /* 0 is success itself */
        const study_spread *spread = &line->columns[k];
        put_number(spread->mean, out);
        put_number(spread->q25, out);
        put_number(spread->median, out);
        put_number(spread->q75, out);
    }
    fputc('\n', out);
}

sfgp_status study_write_summary(study *s, const char *folder, const study_summary *summary)
{
    const study_column *column;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    fputs("set,level,method,runs,successes", out);
    for (int k = 1; (column = study_column_row(k)); k++)
        fprintf(out, ",%s_mean,%s_q25,%s_median,%s_q75", column->name, column->name, column->name,
                column->name);
    fputc('\n', out);
    for (int64_t k = 0; k < summary->count; k++)
        put_line(s, &summary->lines[k], out);
    sfgp_status status = fclose(out) == 0 ? study_save(s, folder, "summary.csv", text, size)
                                          : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}
