/* The table of data sets of our HDF5 files as text, written and read: see hdf5_table.h. A file can lie: every place is
 * compared with the size of the file. */
#include "io/hdf5_table.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *word;
    sfgp_hdf5_kind kind;
    sfgp_hdf5_type type;
    int size; /* bytes of an element */
} TYPES[] = {{"group", SFGP_HDF5_GROUP, SFGP_HDF5_FLOAT64, 0},
             {"text", SFGP_HDF5_TEXT, SFGP_HDF5_FLOAT64, 1},
             {"float64", SFGP_HDF5_NUMBERS, SFGP_HDF5_FLOAT64, 8},
             {"float32", SFGP_HDF5_NUMBERS, SFGP_HDF5_FLOAT32, 4},
             {"int32", SFGP_HDF5_NUMBERS, SFGP_HDF5_INT32, 4},
             {"int64", SFGP_HDF5_NUMBERS, SFGP_HDF5_INT64, 8}};
enum { TYPE_COUNT = sizeof TYPES / sizeof *TYPES };

static int find_type(const sfgp_hdf5_row *row)
{
    int k = 0;
    while (TYPES[k].kind != row->kind || (row->kind == SFGP_HDF5_NUMBERS && TYPES[k].type != row->type))
        k++;
    return k;
}

int sfgp_hdf5_row_size(const sfgp_hdf5_row *row)
{
    return TYPES[find_type(row)].size;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* The next word of a line; it ends at a blank or at the end of the line. */
static bool parse_word(const char **text, size_t size, char *word)
{
    const size_t length = strcspn(*text, " \n");
    if (length == 0 || length >= size)
        return false;
    memcpy(word, *text, length);
    word[length] = '\0';
    *text += length + (size_t)((*text)[length] == ' ');
    return true;
}

/* The next number of a line, which is not below 0. */
static bool parse_number(const char **text, int64_t *number)
{
    char word[24], *end = NULL;
    if (!parse_word(text, sizeof word, word) || word[0] < '0' || word[0] > '9')
        return false;
    *number = strtoll(word, &end, 10); /* of one that is too large the largest, which no file holds */
    return *end == '\0';
}

static bool parse_type(const char **text, sfgp_hdf5_row *row)
{
    char word[16];
    if (!parse_word(text, sizeof word, word))
        return false;
    for (int k = 0; k < TYPE_COUNT; k++)
        if (strcmp(word, TYPES[k].word) == 0) {
            row->kind = TYPES[k].kind;
            row->type = TYPES[k].type;
            return true;
        }
    return false;
}

static bool parse_place(const char **text, sfgp_hdf5_row *row)
{
    if (!parse_number(text, &row->first))
        return false;
    for (; **text != '\n' && row->rank < SFGP_HDF5_RANK; row->rank++)
        if (!parse_number(text, &row->shape[row->rank]) ||
            !sfgp_product(row->count, row->shape[row->rank], &row->count))
            return false;
    return true;
}

static bool lies_within(const sfgp_hdf5_row *row, int64_t size)
{
    int64_t bytes = 0;
    return sfgp_product(row->count, sfgp_hdf5_row_size(row), &bytes) && row->first <= size &&
           bytes <= size - row->first;
}

static bool parse_row(const char **text, int64_t size, sfgp_hdf5_row *row)
{
    *row = (sfgp_hdf5_row){.count = 1, .shape = {1, 1, 1, 1}};
    if (!parse_word(text, sizeof row->name, row->name) || !parse_type(text, row) ||
        (row->kind != SFGP_HDF5_GROUP && !parse_place(text, row)) || **text != '\n' ||
        !lies_within(row, size))
        return false;
    ++*text;
    return true;
}

bool sfgp_hdf5_table_parse(const char *text, int64_t size, sfgp_hdf5_table *table)
{
    for (table->count = 0; *text != '\n' && *text != '\0'; table->count++)
        if (table->count == SFGP_HDF5_TABLE_ROWS || !parse_row(&text, size, &table->rows[table->count]))
            return false;
    return true;
}

/* ---- search ------------------------------------------------------------------------------------------ */

const sfgp_hdf5_row *sfgp_hdf5_table_find(const sfgp_hdf5_table *table, const char *name)
{
    for (int k = 0; k < table->count; k++)
        if (strcmp(table->rows[k].name, name) == 0)
            return &table->rows[k];
    return NULL;
}

bool sfgp_hdf5_table_has(const sfgp_hdf5_table *table, const char *name)
{
    const size_t length = strlen(name);
    for (int k = 0; k < table->count; k++) {
        const char *other = table->rows[k].name;
        if (strncmp(other, name, length) == 0 && (other[length] == '\0' || other[length] == '/'))
            return true;
    }
    return false;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static int format_row(const char *name, const sfgp_hdf5_row *row, size_t size, char *line)
{
    int length = snprintf(line, size, "%s %s", name, TYPES[find_type(row)].word);
    if (row->kind != SFGP_HDF5_GROUP)
        length += snprintf(line + length, size - (size_t)length, " %" PRId64, row->first);
    for (int k = 0; k < row->rank; k++)
        length += snprintf(line + length, size - (size_t)length, " %" PRId64, row->shape[k]);
    return length + snprintf(line + length, size - (size_t)length, "\n");
}

void sfgp_hdf5_table_add(const char *name, const sfgp_hdf5_row *row, sfgp_hdf5_table_text *text)
{
    char line[SFGP_HDF5_TABLE_NAME + 8 + 6 * 21]; /* name, type, five numbers */
    if (strlen(name) >= SFGP_HDF5_TABLE_NAME || strpbrk(name, " \n") || text->rows == SFGP_HDF5_TABLE_ROWS)
        text->incomplete = true;
    if (text->incomplete)
        return;
    const int length = format_row(name, row, sizeof line, line);
    text->incomplete = text->length + length >= SFGP_HDF5_TABLE_SIZE;
    if (text->incomplete)
        return;
    memcpy(text->text + text->length, line, (size_t)length + 1);
    text->length += length;
    text->rows++;
}
