/* Lines and numbers of a source: see source.h. */
#include "io/source.h"
#include "base/number.h"
#include "io/file.h"

#include <string.h>

enum { LONGEST_LINE = 1 << 26 };

/* Place of the first line end of the file, which decides what ends a line; -1 while it is not in sight. */
static int64_t find_first_end(sfgp_source *source, const unsigned char *bytes, int64_t from, int64_t got)
{
    while (from < got && bytes[from] != '\n' && bytes[from] != '\r')
        from++;
    bool last = source->offset + from + 1 >= source->size;
    if (from == got || (bytes[from] == '\r' && from + 1 == got && !last))
        return -1;
    bool pair = bytes[from] == '\r' && !last && bytes[from + 1] == '\n';
    source->line_end = bytes[from] == '\r' && !pair ? '\r' : '\n';
    return from + pair;
}

static int64_t find_end(sfgp_source *source, const unsigned char *bytes, int64_t from, int64_t got)
{
    if (!source->line_end)
        return find_first_end(source, bytes, from, got);
    const unsigned char *end = memchr(bytes + from, source->line_end, (size_t)(got - from));
    return end ? end - bytes : -1;
}

/* Number of bytes before the line end (or the end of the file). The window doubles: O(length). */
static sfgp_status measure_line(sfgp_source *source, int64_t *length)
{
    for (int64_t from = 0, got = 0;; from = got - 1) {
        const unsigned char *bytes;
        sfgp_status status = sfgp_source_look(source, got + 1, &bytes, &got);
        if (status != SFGP_OK)
            return status;
        int64_t end = find_end(source, bytes, from, got);
        *length = end >= 0 ? end : got;
        if (memchr(bytes + from, '\0', (size_t)(*length - from)))
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "has a NUL byte; this is not a text file");
        if (*length > LONGEST_LINE)
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "is longer than 64 MiB");
        if (end >= 0 || source->offset + got == source->size)
            return SFGP_OK;
    }
}

sfgp_status sfgp_source_line(sfgp_source *source, sfgp_text *line)
{
    const unsigned char *bytes;
    int64_t length = 0, got;
    *line = (sfgp_text){NULL, 0};
    source->text = true;
    source->mark = source->offset;
    if (source->offset == source->size)
        return SFGP_OK;
    source->line++;
    sfgp_status status = measure_line(source, &length);
    if (status == SFGP_OK)
        status = sfgp_source_look(source, length, &bytes, &got);
    if (status != SFGP_OK)
        return status;
    source->offset += length + (source->offset + length < source->size);
    if (source->line_end != '\r' && length > 0 && bytes[length - 1] == '\r')
        length--;
    *line = (sfgp_text){(const char *)bytes, length};
    return SFGP_OK;
}

sfgp_status sfgp_source_next_line(sfgp_source *source, bool comments, sfgp_text *line)
{
    sfgp_status status;
    do {
        status = sfgp_source_line(source, line);
        source->whole = *line;
        if (status == SFGP_OK && line->start)
            *line = sfgp_text_trim(*line);
    } while (status == SFGP_OK && line->start && (line->length == 0 || (comments && line->start[0] == '#')));
    return status;
}

bool sfgp_source_each_line(sfgp_source *source, bool comments, sfgp_text *line, sfgp_status *status)
{
    if (*status == SFGP_OK)
        *status = sfgp_source_next_line(source, comments, line);
    return *status == SFGP_OK && line->start;
}

sfgp_status sfgp_source_number(const sfgp_source *source, sfgp_text word, double *value)
{
    sfgp_number kind = sfgp_number_parse(word.start, (size_t)word.length, value);
    if (kind == SFGP_NUMBER_GARBAGE)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected a number, found '%s'",
                                sfgp_text_show(word).text);
    if (kind == SFGP_NUMBER_NOT_FINITE)
        return sfgp_source_fail(source, SFGP_ERROR_DATA, "'%s' is not a finite number; remove the point",
                                sfgp_text_show(word).text);
    return SFGP_OK;
}

sfgp_status sfgp_source_warn_of_rest(sfgp_source *source, bool text)
{
    sfgp_status status = SFGP_OK;
    int64_t rest = source->size - source->offset;
    if (text && rest > 0) {
        sfgp_text line;
        status = sfgp_source_next_line(source, false, &line);
        rest = line.start ? source->size - source->mark : 0;
    }
    if (status == SFGP_OK && rest > 0)
        sfgp_warn(source->context,
                  "%s: %lld bytes after the last element are not read; is a count too small?",
                  sfgp_path_shown(source->path), (long long)rest);
    return status;
}
