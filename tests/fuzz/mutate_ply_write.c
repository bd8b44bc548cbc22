/* Writes a PLY that was taken apart: see mutate_ply.h. */
#include "fuzz/mutate_ply.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct output {
    const ply *p;
    sfgp_random *random;
    unsigned char *bytes;
    size_t size, room;
    int used, lists; /* numbers of the old body; lists so far */
} output;

static void put(output *out, const void *bytes, size_t size)
{
    if (size > out->room - out->size)
        size = out->room - out->size;
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
}

static void put_text(output *out, const char *text)
{
    put(out, text, strlen(text));
}

static void put_header(output *out)
{
    char line[3 * NAME + 64];
    snprintf(line, sizeof line, "ply\nformat %s 1.0\n", out->p->format);
    put_text(out, line);
    for (int k = 0; k < out->p->line_count; k++)
        put_text(out, out->p->lines[k]), put_text(out, "\n");
    for (int e = 0; e < out->p->element_count; e++) {
        const element *one = &out->p->elements[e];
        snprintf(line, sizeof line, "element %s %" PRId64 "\n", one->name, one->count);
        put_text(out, line);
        for (int k = 0; k < one->property_count; k++) {
            const property *row = &one->properties[k];
            snprintf(line, sizeof line, "property %s%s%s%s %s\n", row->list ? "list " : "",
                     row->list ? PLY_TYPES[row->length_type] : "", row->list ? " " : "", PLY_TYPES[row->type],
                     row->name);
            put_text(out, line);
        }
    }
    put_text(out, "end_header\n");
}

/* A number that an integer type cannot hold loses its upper bits. */
static void put_number(output *out, sfgp_scalar type, double value)
{
    unsigned char bytes[8], turned[8];
    char text[40];
    const int size = sfgp_scalar_size(type);
    if (ply_is_text(out->p)) {
        snprintf(text, sizeof text, " %.9g", value);
        put_text(out, text);
        return;
    }
    if (sfgp_scalar_is_integer(type)) {
        const int64_t whole = fabs(value) < 0x1p62 ? (int64_t)value : -1;
        for (int k = 0; k < 8; k++)
            bytes[k] = (unsigned char)((uint64_t)whole >> (8 * k));
    } else {
        sfgp_scalar_store(type, value, bytes);
    }
    for (int k = 0; k < size; k++)
        turned[k] = bytes[size - 1 - k];
    put(out, ply_is_big(out->p) ? turned : bytes, (size_t)size);
}

static double next_number(output *out)
{
    return out->used < out->p->number_count ? out->p->numbers[out->used++]
                                            : (double)sfgp_random_below(out->random, 4);
}

static void put_property(output *out, const property *row)
{
    static const double LENGTHS[] = {-1, 0, 1, 2, 255, 65535, 1e9, 0.5};
    double length = row->list ? next_number(out) : 1;
    length = length >= 0 && length <= 16 ? floor(length) : 3;
    if (row->list)
        put_number(out, row->length_type,
                   out->lists++ == out->p->odd_list ? LENGTHS[sfgp_random_below(out->random, 8)] : length);
    for (int k = 0; k < (int)length; k++)
        put_number(out, row->type, next_number(out));
}

static void put_body(output *out)
{
    for (int e = 0; e < out->p->element_count; e++)
        for (int64_t row = 0; row < out->p->elements[e].rows && out->size < out->room; row++) {
            for (int k = 0; k < out->p->elements[e].property_count; k++)
                put_property(out, &out->p->elements[e].properties[k]);
            if (ply_is_text(out->p))
                put_text(out, "\n");
        }
    out->size -= (size_t)out->p->cut < out->size ? (size_t)out->p->cut : out->size;
    put(out, "3 1 2 0\n", (size_t)out->p->more);
}

size_t ply_write(const ply *p, sfgp_random *random, unsigned char *out, size_t room)
{
    output made = {.p = p, .random = random, .bytes = out, .room = room};
    put_header(&made);
    put_body(&made);
    return made.size;
}
