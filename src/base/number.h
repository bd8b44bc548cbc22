/* Text to numbers, the same in every locale: the decimal sign is always a point. The way back,
 * sfgp_number_format, is public (sfgp.h). */
#ifndef SFGP_BASE_NUMBER_H
#define SFGP_BASE_NUMBER_H

#include "sfgp/sfgp.h"

typedef enum sfgp_number {
    SFGP_NUMBER_OK,
    SFGP_NUMBER_GARBAGE,    /* not a decimal number; hexadecimal floats are not taken */
    SFGP_NUMBER_NOT_FINITE, /* nan, inf, or too large for a double */
} sfgp_number;

/* Reads the number that fills text[0 .. length); denormals are numbers. No terminating zero is needed. */
sfgp_number sfgp_number_parse(const char *text, size_t length, double *value);

#endif
