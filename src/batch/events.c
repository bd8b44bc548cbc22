/* Events: JSON lines. Each line is one write to a file opened for appending, so several processes may share it. */
#include "batch/parts.h"
#include "base/platform_clock.h"
#include "base/platform_file.h"
#include "base/platform_process.h"
#include "base/platform_write.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

sfgp_status batch_events_open(batch *b)
{
    if (!b->events)
        return SFGP_OK;
    b->event_file = sfgp_platform_open_append(b->events);
    if (b->event_file < 0)
        return batch_fail(b, SFGP_ERROR_WRITE, "%s: cannot write: %s", b->events, strerror(errno));
    return SFGP_OK;
}

/* An event that cannot be written is a warning; the batch continues. */
void batch_event(batch *b, const char *what, json_t *object)
{
    char time[32];
    if (b->event_file < 0) {
        json_decref(object);
        return;
    }
    sfgp_platform_format_time(sfgp_platform_now(), time);
    json_t *event =
        json_pack("{s:s, s:s, s:i}", "time", time, "event", what, "process", (int)sfgp_process_own_id());
    json_object_update(event, object);
    char *text = json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(6));
    char *line = report_format("%s\n", text);
    if (line && !sfgp_platform_append_line(b->event_file, line, strlen(line)) && b->warn) {
        b->warn(b->user, "the file of events cannot be written any more");
        batch_events_close(b);
    }
    free(line);
    free(text);
    json_decref(event);
    json_decref(object);
}

void batch_events_close(batch *b)
{
    sfgp_platform_close(b->event_file);
    b->event_file = -1;
}
