/* Merges the landmarks of all cases: landmarks.csv, one row for each landmark of each case, and landmarks.tps, which
 * geomorph, MorphoJ and tpsDig read. */
#include "batch/batch.h"
#include "base/platform_stream.h"
#include "report/csv.h"
#include "report/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The texts of both files while they grow. */
typedef struct tables {
    char *csv, *tps;
    size_t csv_size, tps_size;
    FILE *csv_out, *tps_out;
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
        fprintf(t->csv_out, "id,landmark,x,y%s,sd\n", landmarks->dimension == 3 ? ",z" : "");
    if (status == SFGP_OK) {
        add_rows(id, landmarks, file.text, t->csv_out);
        add_specimen(id, landmarks, t->tps_out);
    }
    sfgp_landmarks_free(landmarks);
    free(file.text);
    free(path);
    return status;
}

static sfgp_status write_tables(batch *b, const char *folder, tables *t)
{
    const bool whole =
        !ferror(t->csv_out) && !ferror(t->tps_out) && fflush(t->csv_out) == 0 && fflush(t->tps_out) == 0;
    if (!whole)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    sfgp_status status = batch_write(b, folder, "landmarks.csv", t->csv, t->csv_size);
    return status == SFGP_OK ? batch_write(b, folder, "landmarks.tps", t->tps, t->tps_size) : status;
}

static void close_tables(tables *t)
{
    if (t->csv_out)
        fclose(t->csv_out);
    if (t->tps_out)
        fclose(t->tps_out);
    free(t->csv);
    free(t->tps);
}

sfgp_status batch_write_landmarks(batch *b, const char *folder, const batch_row *rows, int64_t count,
                                  int64_t *cases)
{
    tables t = {0};
    sfgp_status status = SFGP_OK;
    t.csv_out = sfgp_stream_into_memory(&t.csv, &t.csv_size);
    t.tps_out = sfgp_stream_into_memory(&t.tps, &t.tps_size);
    if (!t.csv_out || !t.tps_out)
        status = batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; i < count && status == SFGP_OK; i++)
        if (rows[i].landmarks)
            status = add_case(b, folder, rows[i].id, &t);
    if (status == SFGP_OK && t.cases > 0)
        status = write_tables(b, folder, &t);
    *cases = t.cases;
    close_tables(&t);
    return status;
}
