/* Journal: DIR/journal.tsv has one line for each finished run. A line is written as soon as the run ends, so a study
 * that was stopped continues where it was. The first line identifies the study. A last line without a newline was not
 * finished and is removed. */
#include "study/parts.h"
#include "base/platform_file.h"
#include "base/platform_lock.h"
#include "page/sink.h"
#include "base/platform_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t add_text(uint64_t sum, const char *text)
{
    return sfgp_checksum(sum, text, strlen(text));
}

/* The first line: a checksum of everything that the rows depend on. These are the study file, the data or their
 * simulated substitutes, and the version of sfgp. */
static sfgp_status head_line(study *s, char **line)
{
    char digits[SFGP_CHECKSUM_SIZE], *text = json_dumps(s->json, JSON_COMPACT | JSON_SORT_KEYS);
    uint64_t sum = add_text(add_text(SFGP_CHECKSUM_START, SFGP_VERSION), text);
    for (int k = 0; k < s->set_count; k++)
        sum = sfgp_checksum(add_text(sum, s->sets[k].stand_in ? "1" : "0"), &s->sets[k].checksum,
                            sizeof s->sets[k].checksum);
    for (int k = 0; k < s->method_count; k++)
        sum = add_text(sum, s->methods[k].missing ? "1" : "0");
    *line = report_format("sfgp-study-1\t%s\n", sfgp_checksum_format(sum, digits));
    free(text);
    return *line ? SFGP_OK : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
}

/* ---- lines ------------------------------------------------------------------------------------------- */

/* Replaces tabs and newlines, which would end a field. */
static void replace_separators(char *text)
{
    for (; *text; text++)
        *text = (unsigned char)*text < 32 ? ' ' : *text;
}

static char *row_line(const study_row *row)
{
    const study_key key = row->key;
    const study_column *column;
    char number[SFGP_NUMBER_SIZE];
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    fprintf(sink.out, "%d\t%d\t%d\t%d\t%d\t%s", key.method, key.choice, key.set, key.level, key.sample,
            row->status);
    for (int k = 0; (column = study_column_row(k)); k++)
        fprintf(sink.out, "\t%s", sfgp_number_format(study_column_value(row, column), number));
    fprintf(sink.out, "\t%s\n", row->message);
    return page_sink_text(&sink);
}

static bool set_column(study_row *row, const study_column *column, double value)
{
    char *field = (char *)row + column->offset;
    if (column->count && !(value >= 0 && value <= 9007199254740992.0))
        return false;
    const int64_t count = column->count ? (int64_t)value : 0;
    if (column->count)
        memcpy(field, &count, sizeof count);
    else
        memcpy(field, &value, sizeof value);
    return true;
}

static bool parse_line(char *line, study_row *row)
{
    const study_column *column;
    char *end = line, *at = line;
    int used = 0;
    memset(row, 0, sizeof *row);
    if (sscanf(at, "%d\t%d\t%d\t%d\t%d\t%23[^\t]%n", &row->key.method, &row->key.choice, &row->key.set,
               &row->key.level, &row->key.sample, row->status, &used) != 6)
        return false;
    at += used;
    for (int k = 0; (column = study_column_row(k)); k++, at = end) {
        double value = *at == '\t' ? strtod(at + 1, &end) : STUDY_UNKNOWN;
        if (*at != '\t' || end == at + 1 || !set_column(row, column, value))
            return false;
    }
    snprintf(row->message, sizeof row->message, "%s", *at == '\t' ? at + 1 : "");
    return *at == '\t';
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static bool is_run_of(const study *s, study_key key)
{
    return key.method >= 0 && key.method < s->method_count && key.set >= 0 && key.set < s->set_count &&
           key.choice >= -1 && key.choice < s->methods[key.method].choices && key.level >= 0 &&
           key.level < s->sets[key.set].level_count && key.sample >= 0 &&
           key.sample < s->sets[key.set].sample_count;
}

/* Reads all lines of text except the first. *kept: size of the complete lines. */
static sfgp_status read_lines(study *s, char *text, study_journal *journal, int64_t *kept)
{
    study_row row;
    int number = 2;
    char *line = strchr(text, '\n') + 1, *end;
    for (; (end = strchr(line, '\n')); line = end + 1, number++) {
        *end = '\0';
        if (!parse_line(line, &row) || !is_run_of(s, row.key))
            return study_fail(s, SFGP_ERROR_FORMAT,
                              "journal.tsv: line %d: not a run of this study; remove the line", number);
        if (study_rows_add(&journal->rows, &row) != SFGP_OK)
            return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    }
    *kept = (int64_t)(line - text);
    return SFGP_OK;
}

static sfgp_status read_all(study *s, int file, int64_t size, char **text)
{
    if (!(*text = malloc((size_t)size + 1)))
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    if (sfgp_platform_read_at(file, 0, *text, size) != size)
        return study_fail(s, SFGP_ERROR_READ, "journal.tsv: cannot read");
    (*text)[size] = '\0';
    return SFGP_OK;
}

/* Appends a line. It survives a power failure when the file system supports that. */
static sfgp_status append(study *s, int file, const char *line)
{
    if (sfgp_platform_append_synced(file, line, strlen(line)))
        return SFGP_OK;
    return study_fail(s, SFGP_ERROR_WRITE, "journal.tsv: cannot write: %s", strerror(errno));
}

static sfgp_status resume(study *s, const char *head, int64_t size, study_journal *journal)
{
    int64_t kept = 0;
    char *text = NULL;
    sfgp_status status = read_all(s, journal->file, size, &text);
    if (status != SFGP_OK)
        return free(text), status;
    if (!strchr(text, '\n')) /* the first line is incomplete */
        status = sfgp_platform_cut(journal->file, 0) ? append(s, journal->file, head) : SFGP_ERROR_WRITE;
    else if (strncmp(text, head, strlen(head)) != 0)
        status =
            study_fail(s, SFGP_ERROR_PARAMETER,
                       "the folder holds another study, or this one with other data or another version of "
                       "sfgp: give another folder, or remove journal.tsv in it");
    else if ((status = read_lines(s, text, journal, &kept)) == SFGP_OK && kept < size &&
             !sfgp_platform_cut(journal->file, kept))
        status = study_fail(s, SFGP_ERROR_WRITE, "journal.tsv: cannot write: %s", strerror(errno));
    free(text);
    return status;
}

/* One study at a time works in a folder. Where the file system has no locks, this is the user's care. */
static sfgp_status lock_journal(study *s, const char *folder, int file)
{
    const sfgp_lock_state state = sfgp_lock_whole(file);
    const char *reason = strerror(errno);
    if (state == SFGP_LOCK_BUSY)
        return study_fail(s, SFGP_ERROR_WRITE,
                          "%s/journal.tsv: another sfgp compare is working in this folder", folder);
    char *words = state == SFGP_LOCK_NONE
                      ? report_format("%s: no locks (%s): run one sfgp compare at a time in this folder",
                                      folder, reason)
                      : NULL;
    if (words && s->warn)
        s->warn(s->user, words);
    free(words);
    return SFGP_OK;
}

sfgp_status study_journal_open(study *s, const char *folder, study_journal *journal)
{
    char *path = study_result_path(folder, STUDY_JOURNAL), *head = NULL;
    int64_t size = 0;
    sfgp_status status = path ? head_line(s, &head) : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    *journal = (study_journal){.file = -1};
    if (status == SFGP_OK && (journal->file = sfgp_platform_open_journal(path)) < 0)
        status = study_fail(s, SFGP_ERROR_WRITE, "%s: cannot open: %s", path, strerror(errno));
    if (status == SFGP_OK)
        status = lock_journal(s, folder, journal->file);
    if (status == SFGP_OK && sfgp_platform_kind_at(path) != SFGP_PLATFORM_FILE)
        status = study_fail(s, SFGP_ERROR_WRITE, "%s: is not a regular file", path);
    if (status == SFGP_OK && (size = sfgp_platform_size_of(journal->file)) < 0)
        status = study_fail(s, SFGP_ERROR_READ, "%s: cannot read: %s", path, strerror(errno));
    if (status == SFGP_OK)
        status = size == 0 ? append(s, journal->file, head) : resume(s, head, size, journal);
    study_rows_sort(&journal->rows);
    free(head);
    free(path);
    return status;
}

sfgp_status study_journal_add(study *s, study_journal *journal, const study_row *row)
{
    study_row flat = *row; /* the same as when it is read again */
    replace_separators(flat.message);
    const bool lost = strcmp(row->status, STUDY_LOST) == 0;
    char *line = lost ? NULL : row_line(&flat);
    sfgp_status status = SFGP_OK;
    if (!lost)
        status = line ? append(s, journal->file, line) : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    free(line);
    if (status == SFGP_OK && study_rows_add(&journal->rows, &flat) != SFGP_OK)
        return study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    return status;
}

void study_journal_close(study_journal *journal)
{
    sfgp_platform_close(journal->file);
    study_rows_clear(&journal->rows);
}
