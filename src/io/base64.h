/* Base64 (RFC 4648), a part after the other. Several encoded pieces may follow each other, each with its padding. */
#ifndef SFGP_IO_BASE64_H
#define SFGP_IO_BASE64_H

#include "io/token.h"

typedef struct sfgp_base64 {
    sfgp_text rest;
    unsigned char held[3]; /* decoded, not yet given */
    int count;             /* of these */
} sfgp_base64;

/* Exactly length bytes; false when there are fewer, or characters that are not base64. White space is passed over. */
bool sfgp_base64_take(sfgp_base64 *decoder, int64_t length, unsigned char *bytes);

#endif
