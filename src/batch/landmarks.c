/* Merges the landmarks of all cases: landmarks.csv, one row for each landmark of each case, and landmarks.tps, which
 * geomorph, MorphoJ and tpsDig read. */
#include "batch/parts.h"
#include "page/sink.h"
#include "report/csv.h"
#include "report/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The texts of both files while they grow. */
typedef struct tables {
    page_sink csv, tps;
    int64_t cases;
} tables;

/* The last fields of a row, which are numbers, with the comma before them. */
static const char *find_numbers(const char *row, size_t length, int fields)
{
    const char *at = row + length;
    while (at > row && fields > 0)
        fields -= *--at == ',';
    return at;
}

/* The rows of a file of sfgp_landmarks_write, behind the id; its names are those of l. */
static void add_rows(const char *id, const sfgp_landmarks *l, const char *text, FILE *out)
{
    text += strcspn(text, "\n");
    for (int64_t k = 0; k < l->count && *text; k++, text += strcspn(text, "\n")) {
        text++;
        const size_t length = strcspn(text, "\n");
        const char *const numbers = find_numbers(text, length, l->dimension + 1);
        report_csv_text(out, id);
        fputc(',', out);
        report_csv_text(out, l->names[k]);
        fprintf(out, "%.*s\n", (int)(text + length - numbers), numbers);
    }
}

static void add_specimen(const char *id, const sfgp_landmarks *l, FILE *out)
{
    char number[SFGP_NUMBER_SIZE];
    fprintf(out, "LM%s=%lld\n", l->dimension == 3 ? "3" : "", (long long)l->count);
    for (int64_t k = 0; k < l->count * l->dimension; k++)
        fprintf(out, "%s%c", sfgp_number_format(l->points[k], number), (k + 1) % l->dimension ? ' ' : '\n');
    fprintf(out, "ID=%s\n", id);
}

/* Both readings of a file of landmarks: the numbers, and the text as it is. */
static sfgp_status read_case(batch *b, const char *path, sfgp_landmarks **landmarks, report_file *file)
{
    const sfgp_status status = sfgp_landmarks_read(b->context, path, landmarks);
    if (status != SFGP_OK)
        return batch_fail_library(b, status);
    return report_file_read(path, BATCH_MOST_RECORD, file)
               ? SFGP_OK
               : batch_fail(b, file->status, "%s: %s", path, file->problem);
}

static sfgp_status add_case(batch *b, const char *folder, const char *id, tables *t)
{
    report_file file = {0};
    sfgp_landmarks *landmarks = NULL;
    char *path = batch_in_case(folder, id, BATCH_CARRIED_LANDMARKS);
    sfgp_status status =
        path ? read_case(b, path, &landmarks, &file) : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK && t->cases++ == 0)
        fprintf(t->csv.out, "id,landmark,x,y%s,sd\n", landmarks->dimension == 3 ? ",z" : "");
    if (status == SFGP_OK) {
        add_rows(id, landmarks, file.text, t->csv.out);
        add_specimen(id, landmarks, t->tps.out);
    }
    sfgp_landmarks_free(landmarks);
    free(file.text);
    free(path);
    return status;
}

/* csv and tps are the whole texts; NULL: memory has run out. */
static sfgp_status write_tables(batch *b, const char *folder, const tables *t, const char *csv,
                                const char *tps)
{
    if (!csv || !tps)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    const sfgp_status status = batch_write(b, folder, "landmarks.csv", csv, t->csv.size);
    return status == SFGP_OK ? batch_write(b, folder, "landmarks.tps", tps, t->tps.size) : status;
}

sfgp_status batch_write_landmarks(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                  int64_t *cases)
{
    tables t = {.cases = 0};
    const bool good = page_sink_open(&t.csv) && page_sink_open(&t.tps);
    sfgp_status status = good ? SFGP_OK : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; i < count && status == SFGP_OK; i++)
        if (rows[i].landmarks)
            status = add_case(b, folder, rows[i].id, &t);
    char *csv = t.csv.out ? page_sink_text(&t.csv) : NULL, *tps = t.tps.out ? page_sink_text(&t.tps) : NULL;
    if (status == SFGP_OK && t.cases > 0)
        status = write_tables(b, folder, &t, csv, tps);
    *cases = t.cases;
    free(csv);
    free(tps);
    return status;
}
