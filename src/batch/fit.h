/* The fit of one case: what one step hands to the next. */
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
    sfgp_mesh *target, *truth;
    unsigned char *mask;
    sfgp_model *own; /* for settings that ask for another prior than the batch's */
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_evaluation evaluation;
    sfgp_memory memory; /* predicted */
    char *warnings[BATCH_MOST_WARNINGS];
    size_t warning_count;
    char error[BATCH_ERROR]; /* where it is not the context's */
    double start;
} batch_work;

/* Settings and digests of the case are there. Fills in target to evaluation. */
sfgp_status batch_work_fit(batch_work *w);
void batch_work_clear(batch_work *w);

#endif
