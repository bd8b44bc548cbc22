/* Events: JSON lines. Each line is one write to a file opened for appending, so several processes may share it. */
#include "batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Opening a pipe without a reader is an error; without O_NONBLOCK it would wait. Writes may wait for a slow reader. */
sfgp_status batch_events_open(batch *b)
{
    if (!b->events)
        return SFGP_OK;
    b->event_file = open(b->events, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (b->event_file < 0)
        return batch_fail(b, SFGP_ERROR_WRITE, "%s: cannot write: %s", b->events, strerror(errno));
    fcntl(b->event_file, F_SETFL, fcntl(b->event_file, F_GETFL) & ~O_NONBLOCK);
    return SFGP_OK;
}

static void format_time(char text[32])
{
    struct timespec now;
    struct tm utc;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    const size_t length = strftime(text, 24, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + length, 32 - length, ".%03ldZ", now.tv_nsec / 1000000);
}

/* An event that cannot be written is a warning; the batch continues. */
void batch_event(batch *b, const char *what, json_t *object)
{
    char time[32];
    format_time(time);
    json_t *event = b->event_file >= 0
                        ? json_pack("{s:s, s:s, s:i}", "time", time, "event", what, "process", (int)getpid())
                        : NULL;
    if (event && object)
        json_object_update(event, object);
    char *text = event ? json_dumps(event, JSON_COMPACT | JSON_REAL_PRECISION(6)) : NULL;
    char *line = text ? report_format("%s\n", text) : NULL;
    if (line && write(b->event_file, line, strlen(line)) < 0 && b->warn) {
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
    if (b->event_file >= 0)
        close(b->event_file);
    b->event_file = -1;
}
