/* A PLY taken apart: mutate_ply.c changes it, mutate_ply_read.c and mutate_ply_write.c are its reader and writer, which are not
 * those of the library: they take and make what is wrong, too. */
#ifndef SFGP_TESTS_FUZZ_MUTATE_PLY_H
#define SFGP_TESTS_FUZZ_MUTATE_PLY_H

#include "base/random.h"
#include "io/scalar.h"

#include <stddef.h>

enum {
    ELEMENTS = 6,
    PROPERTIES = 12,
    LINES = 4,
    NAME = 48,
    LINE = 128,
    PLY_TYPE_COUNT = 8,
    NUMBERS = 16384,
    ROWS = 256
};

typedef struct property {
    bool list;
    sfgp_scalar type, length_type;
    char name[NAME];
} property;

typedef struct element {
    char name[NAME];
    int64_t count, rows; /* in the header, in the body */
    int property_count;
    property properties[PROPERTIES];
} element;

typedef struct ply {
    char format[NAME];
    int line_count, element_count;
    char lines[LINES][LINE]; /* comments and unknown lines, after the format */
    element elements[ELEMENTS];
    int number_count;
    double numbers[NUMBERS];
    int odd_list;      /* number of the list that gets an odd length; -1: none */
    int64_t cut, more; /* bytes that the end loses and gets */
} ply;

/* The words of the types by sfgp_scalar. */
extern const char *const PLY_TYPES[PLY_TYPE_COUNT];
bool ply_find_type(const char *word, sfgp_scalar *type);
bool ply_is_text(const ply *p);
bool ply_is_big(const ply *p);

/* Takes the input apart; p is empty before. What has no header is taken for a small PLY of its own. */
void ply_parse(const unsigned char *in, size_t size, ply *p);
/* Returns the size. Numbers that the old body does not have are random ones. */
size_t ply_write(const ply *p, sfgp_random *random, unsigned char *out, size_t room);

#endif
