/* NTSYS, as geomorph and Checkpoint write it (.nts) and Landmark of IDAV (.dta): comments that begin with a quote, a header, labels, then the
 * coordinates, in lines of any length. The header is 1, the rows, the columns, 0 or 1, the number that stands for a missing one, and DIM=3; an L behind rows
 * or columns says that they have labels. A row is either a landmark, whose label is its name, or all landmarks of a specimen, which then have no names. Of
 * specimens a file may hold one, as in TPS. */
#include "io/landmarks.h"

#include <math.h>
#include <string.h>

typedef struct nts {
    sfgp_source *source;
    sfgp_landmark_list *list;
    sfgp_text line;               /* what is left of it */
    int64_t rows, columns, count; /* of the matrix, and landmarks */
    bool row_labels, column_labels;
    bool by_rows;      /* a row is a landmark */
    double missing;    /* stands for a missing number; NaN: none does */
    sfgp_buffer names; /* one after the other, each with its zero */
} nts;

static sfgp_status next_line(nts *file)
{
    sfgp_status status;
    do
        status = sfgp_source_next_line(file->source, false, &file->line);
    while (status == SFGP_OK && file->line.start && strchr("\"'", *file->line.start));
    return status;
}

static sfgp_status next_word(nts *file, sfgp_text *word)
{
    sfgp_status status = SFGP_OK;
    while (status == SFGP_OK && !sfgp_text_word(&file->line, word)) {
        status = next_line(file);
        if (status == SFGP_OK && !file->line.start)
            return sfgp_source_fail(file->source, SFGP_ERROR_FORMAT,
                                    "the file ends before its last coordinate");
    }
    return status;
}

/* ---- header ------------------------------------------------------------------------------------------ */

/* "20", or "20L" where there are labels. */
static bool take_size(sfgp_text word, int64_t *size, bool *labels)
{
    *labels = word.length > 1 && strchr("Ll", word.start[word.length - 1]);
    word.length -= *labels;
    return sfgp_text_integer(word, size) && *size > 0;
}

static bool take_dimension(sfgp_text word, int *dimension)
{
    if (!sfgp_text_is_nocase(word, "DIM=2") && !sfgp_text_is_nocase(word, "DIM=3"))
        return false;
    *dimension = word.start[word.length - 1] - '0';
    return true;
}

/* The dimension stands before or behind the number of what is missing. */
static bool take_header(nts *file, int *dimension)
{
    sfgp_text word[4], rest;
    int64_t incomplete;
    for (int k = 0; k < 4; k++)
        if (!sfgp_text_word(&file->line, &word[k]))
            return false;
    bool good = sfgp_text_is(word[0], "1") && take_size(word[1], &file->rows, &file->row_labels) &&
                take_size(word[2], &file->columns, &file->column_labels) &&
                sfgp_text_integer(word[3], &incomplete);
    while (good && sfgp_text_word(&file->line, &rest))
        good = take_dimension(rest, dimension) || sfgp_text_real(rest, &file->missing);
    return good && *dimension > 0;
}

static sfgp_status read_header(nts *file)
{
    sfgp_source *const source = file->source;
    int d = 0;
    const sfgp_status status = next_line(file);
    if (status != SFGP_OK)
        return status;
    if (!take_header(file, &d) || file->columns % d != 0)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "expected the header of NTSYS, as '1 20 3 0 DIM=3' for 20 landmarks");
    file->list->dimension = d;
    file->by_rows = file->rows > 1 && file->columns == d;
    file->count = file->by_rows ? file->rows : file->columns / d;
    if (file->rows > 1 && !file->by_rows)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "%lld specimens: write each one into a file of its own",
                                (long long)file->rows);
    return SFGP_OK;
}

/* ---- labels and coordinates -------------------------------------------------------------------------- */

/* names: where the words go; NULL: nowhere. */
static sfgp_status take_words(nts *file, int64_t count, sfgp_buffer *names)
{
    sfgp_text word;
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        if ((status = next_word(file, &word)) == SFGP_OK && names) {
            sfgp_buffer_add(names, word.start, word.length);
            sfgp_buffer_add(names, "", 1);
            status = names->status;
        }
    return status;
}

/* The label of a specimen is a line, in which blanks may be. */
static sfgp_status read_labels(nts *file)
{
    sfgp_status status = SFGP_OK;
    if (file->row_labels && file->by_rows)
        status = take_words(file, file->rows, &file->names);
    else if (file->row_labels) {
        status = next_line(file);
        file->line = (sfgp_text){NULL, 0};
    }
    return status == SFGP_OK && file->column_labels ? take_words(file, file->columns, NULL) : status;
}

static sfgp_status read_point(nts *file, const char *name)
{
    sfgp_text word;
    double point[3];
    bool whole = true;
    sfgp_status status = SFGP_OK;
    for (int a = 0; a < file->list->dimension && status == SFGP_OK; a++) {
        if ((status = next_word(file, &word)) != SFGP_OK)
            return status;
        if (sfgp_landmark_is_absent(word) || (sfgp_text_real(word, &point[a]) && point[a] == file->missing))
            whole = false;
        else
            status = sfgp_source_number(file->source, word, &point[a]);
    }
    if (status != SFGP_OK || !whole)
        return status != SFGP_OK ? status : sfgp_landmark_leave_out(file->source, sfgp_text_of(name));
    sfgp_landmark_add(file->list, sfgp_text_of(name), point);
    return file->list->points.status;
}

static sfgp_status read_points(nts *file)
{
    const char *name = file->names.size > 0 ? (const char *)file->names.bytes : "";
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; k < file->count && status == SFGP_OK; k++) {
        status = read_point(file, name);
        name += file->names.size > 0 ? strlen(name) + 1 : 0;
    }
    if (status == SFGP_OK && sfgp_text_trim(file->line).length == 0)
        status = next_line(file);
    if (status == SFGP_OK && sfgp_text_trim(file->line).length > 0)
        return sfgp_source_fail(file->source, SFGP_ERROR_FORMAT, "more numbers than the header tells");
    return status;
}

sfgp_status sfgp_landmarks_nts_read(sfgp_source *source, sfgp_landmark_list *list)
{
    nts file = {
        .source = source, .list = list, .missing = (double)NAN, .names = sfgp_buffer_empty(source->context)};
    sfgp_status status = sfgp_source_skip_bom(source);
    if (status == SFGP_OK)
        status = read_header(&file);
    if (status == SFGP_OK)
        status = read_labels(&file);
    if (status == SFGP_OK)
        status = read_points(&file);
    sfgp_buffer_clear(&file.names);
    return status;
}
