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

sfgp_status page_sink_close(page_sink *sink, char **text)
{
    const int failed = ferror(sink->out);
    *text = NULL;
    if (fclose(sink->out) == 0 && !failed && sink->text) { /* NULL: no memory for it at the end */
        *text = sink->text;
        return SFGP_OK;
    }
    free(sink->text);
    return SFGP_ERROR_MEMORY;
}
