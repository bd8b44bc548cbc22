/* Manifests of commas or quotes: they become tab-separated ones without quotes. Cells may stand between double quotes
 * (RFC 4180). A tab separates where the first row has one, else a comma, else a semicolon. */
#include "batch/parts.h"
#include "page/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line that has content and is no comment. */
static const char *find_names(const char *text)
{
    while (*text == '#' || *text == '\n' || *text == '\r')
        text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
    return text;
}

/* Of a single column a tab, which it does not have. */
static char find_separator(const char *names)
{
    const size_t length = strcspn(names, "\n");
    if (memchr(names, '\t', length))
        return '\t';
    return memchr(names, ',', length) ? ',' : memchr(names, ';', length) ? ';' : '\t';
}

/* Copies a cell without its quotes. Returns its end; NULL: it cannot be a cell of tab-separated text. */
static const char *copy_cell(const char *at, char separator, FILE *out)
{
    const bool quoted = *at == '"';
    for (at += quoted; *at && (quoted || (*at != separator && *at != '\n')); at++) {
        if (quoted && *at == '"' && *++at != '"')
            return *at == separator || strchr("\r\n", *at) ? at + (*at == '\r') : NULL;
        if (*at == '\t' || (quoted && *at == '\n'))
            return NULL;
        fputc(*at, out);
    }
    return quoted ? NULL : at;
}

static const char *copy_line(const char *at, char separator, FILE *out)
{
    if (*at == '#')
        return fprintf(out, "%.*s", (int)strcspn(at, "\n"), at), at + strcspn(at, "\n");
    for (;;) {
        at += strspn(at, " ");
        if (!(at = copy_cell(at, separator, out)) || *at != separator)
            return at;
        fputc('\t', out);
        at++;
    }
}

static sfgp_status convert(batch *b, const char *at, char separator, FILE *out)
{
    for (int64_t line = 1; *at; line++) {
        at = copy_line(at, separator, out);
        if (!at)
            return batch_fail(
                b, SFGP_ERROR_FORMAT,
                "%s: line %lld: a quote that does not end the cell, or a tab or line end in a cell", b->path,
                (long long)line);
        if (*at == '\n')
            fputc(*at++, out);
    }
    return SFGP_OK;
}

sfgp_status batch_source_convert(batch *b, char **text, size_t *size)
{
    const char separator = find_separator(find_names(*text));
    page_sink sink;
    if (strlen(*text) != *size || (separator == '\t' && !strchr(*text, '"')))
        return SFGP_OK;
    if (!page_sink_open(&sink))
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    const sfgp_status status = convert(b, *text, separator, sink.out);
    free(*text);
    *text = page_sink_text(&sink);
    *size = sink.size;
    return status == SFGP_OK && !*text ? batch_fail(b, SFGP_ERROR_MEMORY, "out of memory") : status;
}
