/* What the tests of `sfgp compare` share: studies written with ' for ", and CSV tables read back by a reader
 * of their own. */
#ifndef SFGP_TESTS_CLI_COMPARE_H
#define SFGP_TESTS_CLI_COMPARE_H

#include "test_cli.h"

#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A study file of this text, formatted; every ' becomes a ". */
__attribute__((format(printf, 2, 3))) static inline const char *compare_study(const char *name,
                                                                              const char *format, ...)
{
    char text[8192];
    va_list list;
    va_start(list, format);
    int size = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    assert_true(size > 0 && size < (int)sizeof text);
    for (char *c = text; (c = strchr(c, '\'')); c++)
        *c = '"';
    return test_text(name, text);
}

/* folder/file in a buffer that stays valid for the whole test, 64 of them. */
static inline const char *compare_in(const char *folder, const char *file)
{
    static char paths[64][512];
    static int next;
    char *path = paths[next++ % 64];
    snprintf(path, sizeof paths[0], "%s/%s", folder, file);
    return path;
}

static inline void compare_run(const char *study, const char *folder, const char *jobs)
{
    cli_expect(sfgp_run_program("compare", study, "-o", folder, "--jobs", jobs, NULL), 0, NULL);
}

static inline void compare_assert_words(const char *path, const char *words)
{
    char *text = sfgp_test_read(path, NULL);
    if (!text || !strstr(text, words))
        fail_msg("'%s' is not in %s", words, path);
    free(text);
}

static inline void compare_wait(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

/* The program in a process of its own, streams to nowhere; stop it with kill, then waitpid. */
static inline pid_t compare_start(const char *study, const char *folder, const char *jobs)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(600);
        if (!freopen("/dev/null", "r+", stdout) || dup2(STDOUT_FILENO, STDERR_FILENO) < 0)
            _exit(126);
        execl(SFGP_PROGRAM, SFGP_PROGRAM, "compare", study, "-o", folder, "--jobs", jobs, (char *)NULL);
        _exit(127);
    }
    return child;
}

/* ---- tables ------------------------------------------------------------------------------------------ */

enum { COMPARE_COLUMNS = 80, COMPARE_ROWS = 400 };

typedef struct compare_table {
    char *text;
    char *cells[COMPARE_ROWS][COMPARE_COLUMNS]; /* row 0: the names */
    int columns, rows;                          /* rows without the names */
} compare_table;

/* One field of RFC 4180, unquoted in place; *end becomes the character after it. */
static inline char *compare_field(char **at, char *end)
{
    char *start = *at, *write = start, *read = start;
    bool quoted = *read == '"';
    for (read += quoted; *read && (quoted || (*read != ',' && *read != '\n')); read++) {
        if (quoted && *read == '"' && read[1] != '"') {
            quoted = false;
            continue;
        }
        read += quoted && *read == '"';
        *write++ = *read;
    }
    *end = *read;
    *at = *read ? read + 1 : read;
    *write = '\0';
    return start;
}

static inline compare_table *compare_read(const char *path)
{
    compare_table *table = calloc(1, sizeof *table);
    assert_non_null(table);
    char *at = table->text = sfgp_test_read(path, NULL), end = ',';
    if (!at)
        fail_msg("there is no %s", path);
    for (table->rows = -1; *at; table->rows++) {
        char **row = table->cells[table->rows + 1];
        int columns = 0;
        assert_true(table->rows + 2 < COMPARE_ROWS);
        do {
            assert_true(columns < COMPARE_COLUMNS);
            row[columns++] = compare_field(&at, &end);
        } while (end == ',');
        assert_int_equal(end, '\n'); /* the last line has its end, too */
        table->columns = table->rows < 0 ? columns : table->columns;
        assert_int_equal(columns, table->columns);
    }
    return table;
}

static inline compare_table *compare_rows(const char *folder)
{
    return compare_read(compare_in(folder, "rows.csv"));
}

static inline void compare_free(compare_table *table)
{
    free(table->text);
    free(table);
}

/* row counts from 0, without the names. */
static inline const char *compare_cell(const compare_table *table, int row, const char *column)
{
    assert_in_range(row, 0, table->rows - 1);
    for (int k = 0; k < table->columns; k++)
        if (strcmp(table->cells[0][k], column) == 0)
            return table->cells[row + 1][k];
    fail_msg("no column is called %s", column);
    return "";
}

static inline double compare_number(const compare_table *table, int row, const char *column)
{
    char *end;
    const char *text = compare_cell(table, row, column);
    double value = strtod(text, &end);
    if (!*text || *end)
        fail_msg("%s of row %d is no number: '%s'", column, row, text);
    return value;
}

/* Row of a run, -1: there is none. */
static inline int compare_find(const compare_table *table, const char *set, const char *level, int sample,
                               const char *method)
{
    for (int k = 0; k < table->rows; k++)
        if (strcmp(compare_cell(table, k, "set"), set) == 0 &&
            strcmp(compare_cell(table, k, "level"), level) == 0 &&
            atoi(compare_cell(table, k, "sample")) == sample &&
            strcmp(compare_cell(table, k, "method"), method) == 0)
            return k;
    return -1;
}

/* What differs from run to run of the same thing. */
static inline bool compare_is_measured(const char *column)
{
    static const char *const NAMES[] = {"seconds", "fit_seconds", "cpu_seconds", "peak_mib"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (strcmp(column, NAMES[k]) == 0)
            return true;
    return false;
}

static inline void compare_assert_same_rows(const char *folder, const char *other)
{
    compare_table *a = compare_rows(folder), *b = compare_rows(other);
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->columns, b->columns);
    for (int row = 0; row <= a->rows; row++)
        for (int k = 0; k < a->columns; k++)
            if (row == 0 || !compare_is_measured(a->cells[0][k]))
                assert_string_equal(a->cells[row][k], b->cells[row][k]);
    compare_free(a);
    compare_free(b);
}

#endif
