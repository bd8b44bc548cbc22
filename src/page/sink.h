/* Sink: a stream into memory. */
#ifndef SFGP_PAGE_SINK_H
#define SFGP_PAGE_SINK_H

#include "sfgp/sfgp.h"

#include <stdbool.h>
#include <stdio.h>

/* text is NULL when memory has run out. */
typedef struct page_sink {
    FILE *out;
    char *text;
    size_t size;
} page_sink;
bool page_sink_open(page_sink *sink);
/* The caller frees *text. Errors: SFGP_ERROR_MEMORY, with *text NULL. */
sfgp_status page_sink_close(page_sink *sink, char **text);

#endif
