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
/* The text, which the caller frees; NULL: memory has run out. */
char *page_sink_text(page_sink *sink);
/* The same with a status, and *text for the result. Errors: SFGP_ERROR_MEMORY. */
sfgp_status page_sink_close(page_sink *sink, char **text);

#endif
