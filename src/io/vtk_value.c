/* Numbers and words of VTK legacy files: see vtk.h. */
#include "io/vtk.h"

#include <math.h>

static const struct vtk_type {
    const char *word;
    sfgp_scalar type;
} TYPES[] = {{"char", SFGP_INT8},
             {"signed_char", SFGP_INT8},
             {"unsigned_char", SFGP_UINT8},
             {"short", SFGP_INT16},
             {"unsigned_short", SFGP_UINT16},
             {"int", SFGP_INT32},
             {"unsigned_int", SFGP_UINT32},
             {"long", SFGP_INT64},
             {"unsigned_long", SFGP_INT64},
             {"float", SFGP_FLOAT32},
             {"double", SFGP_FLOAT64},
             {"vtkIdType", SFGP_INT32},
             {"vtktypeint64", SFGP_INT64},
             {"vtktypeint32", SFGP_INT32},
             {"vtktypeuint64", SFGP_INT64}};

bool sfgp_vtk_find_type(sfgp_text word, sfgp_scalar *type)
{
    for (size_t k = 0; k < sizeof TYPES / sizeof *TYPES; k++)
        if (sfgp_text_is_nocase(word, TYPES[k].word)) {
            *type = TYPES[k].type;
            return true;
        }
    return false;
}

sfgp_status sfgp_vtk_fail(const sfgp_vtk_reader *reader, const char *expected, sfgp_text found)
{
    return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "VTK: expected %s, found '%s'", expected,
                            sfgp_text_show(found).text);
}

/* The next word of a text, over the ends of lines. */
static sfgp_status read_word(sfgp_vtk_reader *reader, sfgp_text *word)
{
    while (!sfgp_text_word(&reader->rest, word)) {
        sfgp_status status = sfgp_source_next_line(reader->source, false, &reader->rest);
        if (status != SFGP_OK)
            return status;
        if (!reader->rest.start)
            return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT,
                                    "VTK: the file ends here, but more values are promised");
    }
    return SFGP_OK;
}

sfgp_status sfgp_vtk_number(sfgp_vtk_reader *reader, sfgp_scalar type, double *value)
{
    const unsigned char *bytes;
    sfgp_text word;
    sfgp_status status;
    if (reader->binary) {
        status = sfgp_source_take(reader->source, sfgp_scalar_size(type), &bytes);
        if (status == SFGP_OK)
            *value = sfgp_scalar_load(type, true, bytes);
        return status;
    }
    status = read_word(reader, &word);
    if (status != SFGP_OK)
        return status;
    return sfgp_text_real(word, value) ? SFGP_OK : sfgp_vtk_fail(reader, "a number", word);
}

sfgp_status sfgp_vtk_integer(sfgp_vtk_reader *reader, sfgp_scalar type, int64_t *value)
{
    double number = 0;
    sfgp_status status = sfgp_vtk_number(reader, type, &number);
    if (status == SFGP_OK && !(fabs(number) <= 0x1p53 && number == floor(number)))
        return sfgp_source_fail(reader->source, SFGP_ERROR_FORMAT, "VTK: expected a whole number, found %g",
                                number);
    *value = status == SFGP_OK ? (int64_t)number : 0;
    return status;
}

sfgp_status sfgp_vtk_skip(sfgp_vtk_reader *reader, sfgp_scalar type, int64_t count)
{
    sfgp_status status = SFGP_OK;
    sfgp_text word;
    if (reader->binary)
        return sfgp_source_skip(reader->source, count * sfgp_scalar_size(type));
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        status = read_word(reader, &word);
    return status;
}

/* The length of a string: the first two bits tell whether it stands in 8, 4, 2 or 1 bytes. */
static sfgp_status take_length(sfgp_vtk_reader *reader, int64_t *length)
{
    const unsigned char *bytes;
    sfgp_status status = sfgp_source_take(reader->source, 1, &bytes);
    if (status != SFGP_OK)
        return status;
    const int more = (1 << (3 - (bytes[0] >> 6))) - 1;
    *length = bytes[0] & 63;
    if (more > 0)
        status = sfgp_source_take(reader->source, more, &bytes);
    for (int k = 0; k < more && status == SFGP_OK; k++)
        *length = *length << 8 | bytes[k];
    return status;
}

sfgp_status sfgp_vtk_skip_strings(sfgp_vtk_reader *reader, int64_t count)
{
    sfgp_status status = SFGP_OK;
    sfgp_text line;
    int64_t length = 0;
    for (int64_t k = 0; k < count && status == SFGP_OK; k++) {
        status = reader->binary ? take_length(reader, &length) : sfgp_source_line(reader->source, &line);
        if (status == SFGP_OK && reader->binary)
            status = sfgp_source_skip(reader->source, length);
    }
    return status;
}

sfgp_status sfgp_vtk_count(sfgp_vtk_reader *reader, sfgp_text *line, int64_t least, int64_t *count)
{
    const sfgp_source *source = reader->source;
    const int64_t left = source->size - source->offset + 1; /* the last line may lack its end */
    sfgp_text word;
    if (!sfgp_text_word(line, &word) || !sfgp_text_integer(word, count) || *count < 0)
        return sfgp_vtk_fail(reader, "a count", word);
    if (*count <= left / least)
        return SFGP_OK;
    return sfgp_source_fail(
        source, SFGP_ERROR_FORMAT,
        "VTK: %lld values do not fit into the %lld bytes that are left; the count is wrong or the file "
        "is cut short",
        (long long)*count, (long long)left - 1);
}
