/* A stream into memory that tells when there was no memory for a character. */
#ifndef SFGP_BASE_PLATFORM_STREAM_H
#define SFGP_BASE_PLATFORM_STREAM_H

#include <stdio.h>

/* As open_memstream of POSIX: after fflush and fclose *text is what was written, with a 0 behind it, and *size how many characters
 * that are; the caller frees *text. glibc's stream drops what it has no memory for, and its fclose says 0 (2.36). This one ends with
 * fclose < 0 and *text NULL. NULL: no memory. */
FILE *sfgp_stream_into_memory(char **text, size_t *size);

#endif
