/* Manifest: tab-separated text (source.c makes it from commas) whose first line has the names of the columns. Lines end in LF or CRLF. Empty lines,
 * lines that start with #, and blanks around a cell are ignored. Every cell is checked before anything runs. */
#include "batch/parts.h"
#include "report/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    batch_role role;
} ROLES[] = {{"id", BATCH_ID},
             {"target", BATCH_TARGET},
             {"truth", BATCH_TRUTH},
             {"missing", BATCH_MISSING},
             {"reference", BATCH_REFERENCE},
             {"landmarks", BATCH_LANDMARKS},
             {"reference_landmarks", BATCH_REFERENCE_LANDMARKS},
             {"apply", BATCH_APPLY},
             {"target_scale", BATCH_TARGET_SCALE}};
enum { ROLE_COUNT = sizeof ROLES / sizeof *ROLES };
#define NAMES "truth, missing, reference, landmarks, reference_landmarks, apply, target_scale"

/* ---- lines and cells --------------------------------------------------------------------------------- */

/* Returns the line at *at, ended by a zero, and moves *at to the next line; NULL after the last. */
static char *cut_line(char **at)
{
    char *line = *at, *end = line ? strchr(line, '\n') : NULL;
    if (!line || !*line)
        return NULL;
    *at = end ? end + 1 : NULL;
    if (end)
        *end = '\0';
    return line;
}

static char *trim(char *cell)
{
    cell += strspn(cell, " \r");
    for (char *end = cell + strlen(cell); end > cell && strchr(" \r", end[-1]);)
        *--end = '\0';
    return cell;
}

static bool is_row(const char *line)
{
    return line[0] != '#' && line[strspn(line, " \t\r")] != '\0';
}

static int count_cells(const char *line)
{
    int count = 1;
    for (; *line; line++)
        count += *line == '\t';
    return count;
}

/* Splits a line of `count` cells. */
static void split(char *line, int count, char **cells)
{
    for (int k = 0; k < count; k++) {
        char *end = strchr(line, '\t');
        if (end)
            *end = '\0';
        cells[k] = trim(line);
        line = end ? end + 1 : line;
    }
}

/* ---- names of the columns ---------------------------------------------------------------------------- */

static void name_column(batch_column *column, char *name)
{
    *column = (batch_column){.name = name, .role = BATCH_SETTING};
    for (; *name; name++)
        *name = *name == '-' ? '_' : *name >= 'A' && *name <= 'Z' ? (char)(*name - 'A' + 'a') : *name;
    for (int r = 0; r < ROLE_COUNT; r++)
        if (strcmp(column->name, ROLES[r].name) == 0)
            column->role = ROLES[r].role;
}

static sfgp_status check_name(batch *b, int64_t line, int k)
{
    const batch_column *columns = b->manifest.columns, *new = &columns[k];
    for (int other = 0; other < k; other++)
        if (strcmp(columns[other].name, new->name) == 0)
            return batch_fail(b, SFGP_ERROR_FORMAT, "%s: line %lld: two columns are called '%.60s'", b->path,
                              (long long)line, new->name);
    if (new->role == BATCH_SETTING && !report_setting_find(new->name))
        return batch_fail(b, SFGP_ERROR_FORMAT,
                          "%s: line %lld: column %d: '%.60s' is none of id, target, " NAMES
                          ", and no setting (sfgp settings lists them)",
                          b->path, (long long)line, k + 1, new->name);
    return SFGP_OK;
}

static bool has_column(const batch_manifest *m, batch_role role)
{
    for (int k = 0; k < m->column_count; k++)
        if (m->columns[k].role == role)
            return true;
    return false;
}

/* Without a row of names the first scan would be taken for one. */
static sfgp_status check_names(batch *b, int64_t number)
{
    const batch_manifest *m = &b->manifest;
    sfgp_status status = SFGP_OK;
    if (!has_column(m, BATCH_TARGET))
        return batch_fail(
            b, SFGP_ERROR_FORMAT,
            "%s: line %lld: no column is called 'target'; the first row must be the names of the columns (target, which has the scans; "
            "id, " NAMES "; settings), separated by tabs, commas or semicolons, and begins with '%.60s'",
            b->path, (long long)number, m->columns[0].name);
    for (int k = 0; k < m->column_count && status == SFGP_OK; k++)
        status = check_name(b, number, k);
    if (status == SFGP_OK && has_column(m, BATCH_MISSING) && !has_column(m, BATCH_TRUTH))
        status = batch_fail(b, SFGP_ERROR_FORMAT,
                            "%s: line %lld: 'missing' says where to count the errors "
                            "to 'truth', and there is no such column",
                            b->path, (long long)number);
    return status;
}

static sfgp_status read_names(batch *b, char *line, int64_t number)
{
    batch_manifest *m = &b->manifest;
    m->column_count = count_cells(line);
    m->columns = calloc((size_t)m->column_count, sizeof *m->columns);
    char **names = calloc((size_t)m->column_count, sizeof *names);
    const bool made = m->columns && names;
    if (made)
        split(line, m->column_count, names);
    for (int k = 0; k < m->column_count && made; k++)
        name_column(&m->columns[k], names[k]);
    free(names);
    return made ? check_names(b, number) : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
}

/* ---- cases ------------------------------------------------------------------------------------------- */

static sfgp_status check_row(batch *b, int64_t number)
{
    sfgp_settings settings;
    sfgp_status status = has_column(&b->manifest, BATCH_ID) ? batch_id_check(b, number) : SFGP_OK;
    if (status == SFGP_OK && !batch_cell(&b->manifest, number, BATCH_TARGET)[0])
        status = batch_fail_cell(b, number, "target", "is empty");
    if (status == SFGP_OK && batch_cell(&b->manifest, number, BATCH_MISSING)[0] &&
        !batch_cell(&b->manifest, number, BATCH_TRUTH)[0])
        status = batch_fail_cell(b, number, "missing",
                                 "says where to count the errors to 'truth', which is empty");
    if (status == SFGP_OK)
        status = batch_target_scale_check(b, number);
    return status == SFGP_OK ? batch_settings(b, number, &settings) : status;
}

static sfgp_status read_row(batch *b, char *line, int64_t number)
{
    batch_manifest *m = &b->manifest;
    const int count = count_cells(line);
    if (count != m->column_count)
        return batch_fail(b, SFGP_ERROR_FORMAT, "%s: line %lld: %d cells, the first row has %d", b->path,
                          (long long)number, count, m->column_count);
    m->lines[m->count] = number;
    split(line, count, m->cells + m->count * count);
    return check_row(b, m->count++);
}

/* ---- all steps --------------------------------------------------------------------------------------- */

static int64_t count_lines(const char *text)
{
    int64_t lines = 1;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static sfgp_status read_rows(batch *b, char *at)
{
    batch_manifest *m = &b->manifest;
    const size_t most = (size_t)count_lines(at);
    sfgp_status status = SFGP_OK;
    int64_t number = 1;
    for (char *line; status == SFGP_OK && (line = cut_line(&at)); number++) {
        if (!is_row(line))
            continue;
        if (m->columns) {
            status = read_row(b, line, number);
            continue;
        }
        status = read_names(b, line, number);
        m->lines = malloc(most * sizeof *m->lines);
        m->cells = malloc(most * (size_t)m->column_count * sizeof *m->cells);
        if (status == SFGP_OK && (!m->lines || !m->cells))
            status = batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    }
    if (status == SFGP_OK && m->columns && !has_column(m, BATCH_ID))
        status = batch_ids_make(b);
    if (status == SFGP_OK && m->count == 0)
        status = batch_fail(b, SFGP_ERROR_FORMAT, "%s: holds no case", b->path);
    return status;
}

static sfgp_status refuse_binary(batch *b, const char *text)
{
    if (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)
        return batch_fail(b, SFGP_ERROR_FORMAT, "%s: is UTF-16 text; save it as UTF-8", b->path);
    return batch_fail(
        b, SFGP_ERROR_FORMAT,
        "%s: has a NUL byte, so it is no manifest, which is text; give a folder of scans or a table of "
        "them; one scan is for sfgp register",
        b->path);
}

sfgp_status batch_manifest_parse(batch *b, char *text, size_t size)
{
    batch_manifest *m = &b->manifest;
    m->text = text;
    m->size = size;
    if (!text || !(m->copy = malloc(size + 1)))
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    memcpy(m->copy, text, size + 1);
    if (strlen(text) != size)
        return refuse_binary(b, text);
    const bool marked = strncmp(text, "\xef\xbb\xbf", 3) == 0;
    sfgp_status status = read_rows(b, text + (marked ? 3 : 0));
    return status == SFGP_OK ? batch_ids_check(b) : status;
}

void batch_manifest_clear(batch_manifest *m)
{
    free(m->text);
    free(m->copy);
    free(m->columns);
    free(m->cells);
    for (int64_t i = 0; m->ids && i < m->count; i++)
        free(m->ids[i]);
    free(m->ids);
    free(m->lines);
}
