/* Scalar: numbers of binary files, any type and byte order, on any machine. */
#ifndef SFGP_IO_SCALAR_H
#define SFGP_IO_SCALAR_H

#include "io/token.h"

/* X(name, bytes, PLY name, PLY alias): PLY has no 64-bit integers. */
#define SFGP_SCALAR_TABLE(X)                                                                                 \
    X(SFGP_INT8, 1, "char", "int8")                                                                          \
    X(SFGP_UINT8, 1, "uchar", "uint8")                                                                       \
    X(SFGP_INT16, 2, "short", "int16")                                                                       \
    X(SFGP_UINT16, 2, "ushort", "uint16")                                                                    \
    X(SFGP_INT32, 4, "int", "int32")                                                                         \
    X(SFGP_UINT32, 4, "uint", "uint32")                                                                      \
    X(SFGP_FLOAT32, 4, "float", "float32")                                                                   \
    X(SFGP_FLOAT64, 8, "double", "float64")                                                                  \
    X(SFGP_INT64, 8, "", "")

typedef enum sfgp_scalar {
#define SFGP_SCALAR_ENUM(name, bytes, word, alias) name,
    SFGP_SCALAR_TABLE(SFGP_SCALAR_ENUM)
#undef SFGP_SCALAR_ENUM
} sfgp_scalar;

int sfgp_scalar_size(sfgp_scalar type);
bool sfgp_scalar_is_integer(sfgp_scalar type);
/* Type of a PLY name or alias; false for other words. */
bool sfgp_scalar_find(sfgp_text word, sfgp_scalar *type);
/* The number in sfgp_scalar_size(type) bytes. 64-bit integers above 2^53 are rounded. */
double sfgp_scalar_load(sfgp_scalar type, bool big_endian, const unsigned char *bytes);
/* Little endian. value must be in the range of type. */
void sfgp_scalar_store(sfgp_scalar type, double value, unsigned char *bytes);
/* Whether all values are whole numbers of 0 to 255. */
bool sfgp_scalar_are_bytes(const double *values, int64_t count);

#endif
