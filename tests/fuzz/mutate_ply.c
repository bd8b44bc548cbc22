/* Changes a PLY by its structure. The input is taken apart: the lines of its header, and all numbers of its body in their order.
 * One to three things are changed, and the file is written again with a body of the size that the new header says. Numbers of
 * the old body are used up one after the other, so that faces stay faces as long as the structure does. */
#include "fuzz/mutate.h"
#include "fuzz/mutate_ply.h"

#include <stdio.h>
#include <string.h>

static int below(sfgp_random *random, int bound)
{
    return (int)sfgp_random_below(random, bound);
}

static element *any_element(ply *p, sfgp_random *random)
{
    return &p->elements[below(random, p->element_count)];
}

static property *any_property(ply *p, sfgp_random *random)
{
    element *e = any_element(p, random);
    return e->property_count > 0 ? &e->properties[below(random, e->property_count)] : NULL;
}

static sfgp_scalar any_type(sfgp_random *random)
{
    sfgp_scalar type = SFGP_INT8;
    ply_find_type(PLY_TYPES[below(random, PLY_TYPE_COUNT)], &type);
    return type;
}

static void change_format(ply *p, sfgp_random *random)
{
    static const char *const FORMATS[] = {"ascii", "binary_little_endian", "binary_big_endian", "binary"};
    const int k = below(random, 10);
    snprintf(p->format, NAME, "%s", FORMATS[k < 9 ? k / 3 : 3]);
}

/* Of header and body. */
static void change_count(ply *p, sfgp_random *random)
{
    element *e = any_element(p, random);
    e->count = e->rows = below(random, 8) == 0 ? below(random, ROWS) : below(random, 6);
}

/* Of the header only. */
static void claim_count(ply *p, sfgp_random *random)
{
    static const int64_t CLAIMS[] = {
        0, -1, 65536, 1 << 24, INT32_MAX, (int64_t)1 << 32, (int64_t)1 << 61, INT64_MAX};
    element *e = any_element(p, random);
    const int k = below(random, 12);
    e->count = k < 8 ? CLAIMS[k] : e->rows + 2 - below(random, 5);
}

static void change_type(ply *p, sfgp_random *random)
{
    property *row = any_property(p, random);
    if (row && row->list && below(random, 2))
        row->length_type = any_type(random);
    else if (row)
        row->type = any_type(random);
}

static void change_list(ply *p, sfgp_random *random)
{
    property *row = any_property(p, random);
    if (!row)
        return;
    row->list = !row->list;
    row->length_type = SFGP_UINT8;
}

static void change_name(ply *p, sfgp_random *random)
{
    static const char *const NAMES[] = {
        "x",        "y",  "z",       "nx",      "red",   "alpha", "vertex_index", "vertex_indices",
        "texcoord", "sd", "missing", "quality", "flags", "a",     "list",         "42"};
    property *row = any_property(p, random);
    if (row)
        snprintf(row->name, NAME, "%s", NAMES[below(random, 16)]);
}

static void add_property(ply *p, sfgp_random *random)
{
    element *e = any_element(p, random);
    if (e->property_count == PROPERTIES)
        return;
    const int at = below(random, e->property_count + 1);
    memmove(e->properties + at + 1, e->properties + at,
            (size_t)(e->property_count - at) * sizeof *e->properties);
    e->property_count++;
    e->properties[at] =
        (property){.list = below(random, 3) == 0, .type = any_type(random), .length_type = SFGP_UINT8};
    snprintf(e->properties[at].name, NAME, "p%d", below(random, 100));
}

static void remove_property(ply *p, sfgp_random *random)
{
    element *e = any_element(p, random);
    if (e->property_count == 0)
        return;
    const int at = below(random, e->property_count--);
    memmove(e->properties + at, e->properties + at + 1,
            (size_t)(e->property_count - at) * sizeof *e->properties);
}

static void swap_elements(ply *p, sfgp_random *random)
{
    element *a = any_element(p, random), *b = any_element(p, random), kept = *a;
    *a = *b;
    *b = kept;
}

static void add_element(ply *p, sfgp_random *random)
{
    static const char *const NAMES[] = {"vertex", "face", "edge", "tristrips", "material"};
    if (p->element_count == ELEMENTS)
        return;
    p->elements[p->element_count] = *any_element(p, random);
    snprintf(p->elements[p->element_count++].name, NAME, "%s", NAMES[below(random, 5)]);
}

static void remove_element(ply *p, sfgp_random *random)
{
    if (p->element_count > 1)
        p->elements[below(random, p->element_count)] = p->elements[p->element_count - 1], p->element_count--;
}

static void change_lines(ply *p, sfgp_random *random)
{
    static const char *const WORDS[] = {"comment dimension 2",
                                        "comment TextureFile a b.png",
                                        "obj_info x",
                                        "",
                                        "comment",
                                        "property float w",
                                        "element",
                                        "format ascii 1.0"};
    if (p->line_count == LINES)
        p->line_count = below(random, LINES);
    snprintf(p->lines[p->line_count++], LINE, "%s", WORDS[below(random, 8)]);
}

static void change_number(ply *p, sfgp_random *random)
{
    if (p->number_count > 0)
        p->numbers[below(random, p->number_count)] = fuzz_odd_number(random);
}

static void change_length(ply *p, sfgp_random *random)
{
    p->odd_list = below(random, 8);
}

static void change_end(ply *p, sfgp_random *random)
{
    *(below(random, 2) ? &p->cut : &p->more) = 1 + below(random, 8);
}

static void (*const CHANGES[])(ply *, sfgp_random *) = {
    change_format, change_count,   claim_count,   change_type,     change_list,
    change_name,   add_property,   change_number, remove_property, swap_elements,
    add_element,   remove_element, change_lines,  change_length,   change_end};

size_t fuzz_mutate_ply(const unsigned char *in, size_t size, unsigned char *out, size_t room,
                       sfgp_random *random)
{
    static ply p;
    memset(&p, 0, sizeof p);
    ply_parse(in, size, &p);
    p.odd_list = -1;
    for (int k = 1 + below(random, 3); k > 0; k--)
        CHANGES[below(random, (int)(sizeof CHANGES / sizeof *CHANGES))](&p, random);
    return ply_write(&p, random, out, room);
}
