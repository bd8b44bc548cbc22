/* Data inside a page: strings of JSON, arrays as base64. */
#ifndef SFGP_REPORT_PAGE_DATA_H
#define SFGP_REPORT_PAGE_DATA_H

#include <stdint.h>
#include <stdio.h>

/* A stream of bytes becomes base64 text; zero at the start. Bytes of numbers are the lowest first. */
typedef struct page_base64 {
    FILE *out;
    unsigned char held[3];
    int count;
} page_base64;
void page_base64_byte(page_base64 *b, unsigned char byte);
void page_base64_float(page_base64 *b, double value); /* as single precision */
void page_base64_index(page_base64 *b, uint32_t value);
void page_base64_end(page_base64 *b); /* what is held, padded */

/* A string with its quotes, safe inside <script>: < is \u003c. NULL is "". */
void page_put_string(FILE *out, const char *text);

#endif
