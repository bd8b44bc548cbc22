/* Data in a page: JSON strings, and arrays in base64. */
#ifndef SFGP_PAGE_PAGE_DATA_H
#define SFGP_PAGE_PAGE_DATA_H

#include <stdint.h>
#include <stdio.h>

/* Writes bytes as base64. Start with count 0. Numbers are little-endian. */
typedef struct page_base64 {
    FILE *out;
    unsigned char held[3]; /* bytes that are not yet written */
    int count;             /* number of them */
} page_base64;
void page_base64_byte(page_base64 *b, unsigned char byte);
void page_base64_float(page_base64 *b, double value); /* as single precision */
void page_base64_index(page_base64 *b, uint32_t value);
void page_base64_end(page_base64 *b); /* writes the rest with padding */

/* Writes a JSON string with its quotes. It is safe inside <script>, because < is written as \u003c. NULL is "". */
void page_write_string(FILE *out, const char *text);

#endif
