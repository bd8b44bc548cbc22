/* Writes rows.csv, tuning.csv and summary.csv. Methods and sets are written by name; an unknown value is an empty
 * field. */
#include "study/parts.h"
#include "page/sink.h"
#include "report/csv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_number(double value, FILE *out)
{
    fputc(',', out);
    report_csv_number(out, value);
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static void write_level(const study *s, int set, int level, FILE *out)
{
    char text[32];
    report_csv_text(out, s->sets[set].name);
    fprintf(out, ",%s", study_level_text(&s->sets[set], level, text));
}

static void write_row(const study *s, const study_row *row, bool tuning, FILE *out)
{
    const study_column *column;
    const study_method *method = &s->methods[row->key.method];
    write_level(s, row->key.set, row->key.level, out);
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
        write_number(study_column_value(row, column), out);
    fputc(',', out);
    report_csv_text(out, row->message);
    fputc('\n', out);
}

static void write_head(bool tuning, FILE *out)
{
    const study_column *column;
    fprintf(out, "set,level,sample,method%s,status", tuning ? ",choice,chosen" : "");
    for (int k = 0; (column = study_column_row(k)); k++)
        fprintf(out, ",%s", column->name);
    fprintf(out, ",words\n");
}

sfgp_status study_write_rows(study *s, const char *folder, study_result file, const study_rows *rows)
{
    const bool tuning = file == STUDY_TUNING;
    char *text = NULL;
    page_sink sink;
    if (!page_sink_open(&sink))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    write_head(tuning, sink.out);
    for (int64_t k = 0; k < rows->count; k++)
        if ((rows->items[k].key.choice >= 0) == tuning)
            write_row(s, &rows->items[k], tuning, sink.out);
    sfgp_status status = page_sink_close(&sink, &text) == SFGP_OK
                             ? study_save(s, folder, STUDY_NAME[file], text, sink.size)
                             : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}

/* ---- summary ----------------------------------------------------------------------------------------- */

static void write_line(const study *s, const study_line *line, FILE *out)
{
    write_level(s, line->set, line->level, out);
    fputc(',', out);
    report_csv_text(out, s->methods[line->method].name);
    fprintf(out, ",%lld,%lld", (long long)line->runs, (long long)line->successes);
    for (int k = 1; study_column_row(k); k++) { /* column 0 is success */
        const study_spread *spread = &line->columns[k];
        write_number(spread->mean, out);
        write_number(spread->q25, out);
        write_number(spread->median, out);
        write_number(spread->q75, out);
    }
    fputc('\n', out);
}

sfgp_status study_write_summary(study *s, const char *folder, const study_summary *summary)
{
    const study_column *column;
    char *text = NULL;
    page_sink sink;
    if (!page_sink_open(&sink))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    fputs("set,level,method,runs,successes", sink.out);
    for (int k = 1; (column = study_column_row(k)); k++)
        fprintf(sink.out, ",%s_mean,%s_q25,%s_median,%s_q75", column->name, column->name, column->name,
                column->name);
    fputc('\n', sink.out);
    for (int64_t k = 0; k < summary->count; k++)
        write_line(s, &summary->lines[k], sink.out);
    sfgp_status status = page_sink_close(&sink, &text) == SFGP_OK
                             ? study_save(s, folder, STUDY_NAME[STUDY_SUMMARY], text, sink.size)
                             : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}
