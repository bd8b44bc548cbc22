/* A HDF5 file of somebody else, made by libhdf5 from lines of text, one object a line:
 *
 *     NAME TYPE[FLAGS] [SIZE...] = [VALUE...]
 *
 * NAME is a path, or PATH@ATTRIBUTE. TYPE: g group; l, h, x soft, hard and external link to the first value; s, v text of fixed
 * and of variable length; f8 f4 F8 F4 i1 u1 i2 I2 i4 I4 u4 i8 I8 u8 numbers, capital letters with the highest byte first; e, c,
 * o, b enumeration, compound, opaque, bits. FLAGS behind a colon: k chunks, z deflate, s shuffle, p compact, n no space, m unlimited.
 * Values are repeated until the shape is full; a large shape is left unwritten. */
#ifndef SFGP_TESTS_FUZZ_RECIPE_H
#define SFGP_TESTS_FUZZ_RECIPE_H

/* Changes the text. What libhdf5 refuses is left out. */
void fuzz_recipe_write(char *text, const char *path);

#endif
