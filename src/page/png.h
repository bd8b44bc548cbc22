/* PNG images in memory (ISO/IEC 15948), compressed by zlib. */
#ifndef SFGP_PAGE_PNG_H
#define SFGP_PAGE_PNG_H

#include "sfgp/sfgp.h"

/* An image of width x height pixels of red, green, blue and cover, one byte each, from the top left corner. The caller
 * frees *bytes. Errors: SFGP_ERROR_MEMORY, with *bytes NULL. */
sfgp_status png_make(int width, int height, const unsigned char *pixels, unsigned char **bytes, size_t *size);

#endif
