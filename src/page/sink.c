/* Streams into memory. */
#include "page/sink.h"
#include "base/platform_stream.h"

#include <stdlib.h>

bool page_sink_open(page_sink *sink)
{
    *sink = (page_sink){0};
    sink->out = sfgp_stream_into_memory(&sink->text, &sink->size);
    return sink->out != NULL;
}

char *page_sink_text(page_sink *sink)
{
    const int failed = ferror(sink->out);
    if (fclose(sink->out) == 0 && !failed)
        return sink->text; /* NULL: no memory for it at the end */
    free(sink->text);
    return NULL;
}

sfgp_status page_sink_close(page_sink *sink, char **text)
{
    *text = page_sink_text(sink);
    return *text ? SFGP_OK : SFGP_ERROR_MEMORY;
}
