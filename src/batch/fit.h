/* The fit of one case, and the state that its steps share. */
#ifndef SFGP_BATCH_FIT_H
#define SFGP_BATCH_FIT_H

#include "batch/batch.h"

enum { BATCH_MOST_WARNINGS = 32 };

typedef struct batch_work {
    batch *b;
    int64_t number;
    const char *id;
    sfgp_context *context;
    sfgp_settings settings;
    batch_digests digests;
    sfgp_mesh *target;
    sfgp_mesh *truth;    /* NULL: none */
    unsigned char *mask; /* missing points of the truth; NULL: none */
    sfgp_model *own;     /* model of this case, when its settings require another prior; else NULL */
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_evaluation evaluation;
    sfgp_surface_evaluation surfaces;
    sfgp_memory memory; /* predicted */
    char *warnings[BATCH_MOST_WARNINGS];
    size_t warning_count;
    char error[BATCH_ERROR]; /* "": the error is in the context */
    double start;            /* by process_seconds */
} batch_work;

/* Needs settings and digests. Sets target to memory. */
sfgp_status batch_work_fit(batch_work *w);
void batch_work_clear(batch_work *w);

#endif
