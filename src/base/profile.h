/* Profile: where the time of a context's work goes (the table of stages is in sfgp.h).
 *
 * One stage runs at a time. Entering and leaving charge what has passed since the last of either to the stage
 * that ran, so the charges add up to the whole, and stages may lie within each other to any depth: what there
 * is of a stack are the marks in the callers' frames. Marks are made between parallel regions, by the
 * thread that the context belongs to. A mark that is left out on the way of an error only charges the wrong
 * stage. */
#ifndef SFGP_BASE_PROFILE_H
#define SFGP_BASE_PROFILE_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

typedef struct sfgp_profiler {
    bool on;
    sfgp_stage stage;          /* that runs */
    int64_t open[SFGP_STAGES]; /* marks of a stage that are not left, */
    double since[SFGP_STAGES]; /* and the outermost, which its total counts from */
    double start, start_cpu;   /* of the profile */
    double last, last_cpu;     /* of the last mark */
    sfgp_stage_time spent[SFGP_STAGES];
} sfgp_profiler;

#endif
