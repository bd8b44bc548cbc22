/* Profile: where the time of a context's work goes (the table of stages is in sfgp.h).
 *
 * One stage runs at a time. Entering or leaving a stage is a mark, and charges the time since the last mark
 * to the stage that ran. So the charges add up to the whole time. Stages may be nested to any depth: the
 * stack is the marks in the frames of the callers. Marks are made between parallel regions, by the thread
 * that owns the context. If an error skips a mark, the time goes to the wrong stage, and nothing else breaks.
 */
#ifndef SFGP_BASE_PROFILE_H
#define SFGP_BASE_PROFILE_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

typedef struct sfgp_profiler {
    bool on;
    sfgp_stage stage;                   /* the one that runs */
    int64_t open[SFGP_STAGES];          /* times that a stage was entered and not left */
    double since[SFGP_STAGES];          /* when the outermost of these was entered */
    double start, start_cpu;            /* start of the profile: wall and CPU time */
    double last, last_cpu;              /* the last mark: wall and CPU time */
    sfgp_stage_time spent[SFGP_STAGES]; /* charged so far */
} sfgp_profiler;

#endif
