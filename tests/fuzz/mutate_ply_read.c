/* Takes a PLY apart: see mutate_ply.h. */
#include "fuzz/mutate_ply.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 8192 }; /* bytes of the longest header */

const char *const PLY_TYPES[] = {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"};

bool ply_find_type(const char *word, sfgp_scalar *type)
{
    return sfgp_scalar_find((sfgp_text){word, (int64_t)strlen(word)}, type);
}

bool ply_is_text(const ply *p)
{
    return strcmp(p->format, "ascii") == 0;
}

bool ply_is_big(const ply *p)
{
    return strcmp(p->format, "binary_big_endian") == 0;
}

/* ---- the header, read -------------------------------------------------------------------------------------- */

static void parse_property(const char *line, element *e)
{
    property made = {.list = false};
    char type[NAME], length[NAME];
    if (e->property_count == PROPERTIES)
        return;
    made.list = sscanf(line, "property list %47s %47s %47s", length, type, made.name) == 3;
    if (!made.list && sscanf(line, "property %47s %47s", type, made.name) != 2)
        return;
    if (ply_find_type(type, &made.type) && (!made.list || ply_find_type(length, &made.length_type)))
        e->properties[e->property_count++] = made;
}

static void parse_line(const char *line, ply *p)
{
    element made = {.count = 0};
    if (sscanf(line, "format %47s", p->format) == 1)
        return;
    if (sscanf(line, "element %47s %" SCNd64, made.name, &made.count) == 2 && p->element_count < ELEMENTS) {
        made.count = made.count < 0 ? 0 : made.count > ROWS ? ROWS : made.count;
        made.rows = made.count;
        p->elements[p->element_count++] = made;
    } else if (strncmp(line, "property", 8) == 0 && p->element_count > 0) {
        parse_property(line, &p->elements[p->element_count - 1]);
    } else if (p->line_count < LINES && strcmp(line, "ply") != 0) {
        snprintf(p->lines[p->line_count++], LINE, "%s", line);
    }
}

/* Returns where the body starts; 0: there is no whole header. */
static size_t parse_header(const unsigned char *in, size_t size, ply *p)
{
    static const char END[] = "\nend_header\n";
    char text[HEADER];
    const size_t length = size < HEADER - 1 ? size : HEADER - 1;
    memcpy(text, in, length);
    text[length] = '\0';
    char *end = strstr(text, END);
    if (!end)
        return 0;
    *end = '\0';
    char *rest = NULL;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        parse_line(line, p);
    return (size_t)(end - text) + sizeof END - 1;
}

/* ---- the body, read ---------------------------------------------------------------------------------------- */

typedef struct body {
    const unsigned char *at, *end;
    bool text, big;
} body;

static bool read_number(body *b, sfgp_scalar type, double *value)
{
    const size_t size = (size_t)sfgp_scalar_size(type);
    if (!b->text && (size_t)(b->end - b->at) < size)
        return false;
    if (!b->text) {
        *value = sfgp_scalar_load(type, b->big, b->at);
        b->at += size;
        return true;
    }
    char word[32];
    size_t length = 0;
    while (b->at < b->end && (*b->at == ' ' || *b->at == '\n' || *b->at == '\r'))
        b->at++;
    while (b->at<b->end && * b->at> ' ' && length < sizeof word - 1)
        word[length++] = (char)*b->at++;
    word[length] = '\0';
    *value = strtod(word, NULL);
    return length > 0;
}

static bool read_property(body *b, const property *row, ply *p)
{
    double value = 0, length = 1;
    if (row->list && (!read_number(b, row->length_type, &length) || p->number_count == NUMBERS))
        return false;
    if (row->list)
        p->numbers[p->number_count++] = length;
    for (int k = 0; k < length && p->number_count < NUMBERS; k++) {
        if (!read_number(b, row->type, &value))
            return false;
        p->numbers[p->number_count++] = value;
    }
    return p->number_count < NUMBERS;
}

static void parse_body(body b, ply *p)
{
    for (int e = 0; e < p->element_count; e++)
        for (int64_t row = 0; row < p->elements[e].rows; row++)
            for (int k = 0; k < p->elements[e].property_count; k++)
                if (!read_property(&b, &p->elements[e].properties[k], p))
                    return;
}

void ply_parse(const unsigned char *in, size_t size, ply *p)
{
    static const char PLAIN[] =
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 2\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 2 3\n";
    size_t start = parse_header(in, size, p);
    if (start == 0 || p->element_count == 0) {
        in = (const unsigned char *)PLAIN;
        size = sizeof PLAIN - 1;
        memset(p, 0, sizeof *p);
        start = parse_header(in, size, p);
    }
    parse_body((body){in + start, in + size, ply_is_text(p), ply_is_big(p)}, p);
}
