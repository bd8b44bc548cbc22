/* What a process that does several cases keeps from one to the next: its context, and the solver of every reference, with
 * its workspaces. A case that has failed leaves nothing behind. */
#ifndef SFGP_BATCH_WARM_H
#define SFGP_BATCH_WARM_H

#include "batch/parts.h"

enum { BATCH_MOST_NOTES = 8 }; /* warnings of a new solver */

/* The solver of a model for some settings. */
typedef struct batch_kept {
    sfgp_solver *solver; /* NULL: none */
    const sfgp_model *model;
    sfgp_settings settings;
    char *notes[BATCH_MOST_NOTES]; /* warnings that were given when it was made, for the cases after it */
    size_t note_count;
} batch_kept;

typedef struct batch_warm {
    sfgp_context *context; /* NULL: the next case makes it */
    batch_kept kept[BATCH_MOST_REFERENCES];
} batch_warm;

/* The solver that is kept for the k-th reference, if it is one of this model and these settings; NULL: there is none. */
const batch_kept *batch_warm_find(const batch_warm *warm, int k, const sfgp_model *model,
                                  const sfgp_settings *settings);
/* Keeps a solver with the warnings of its making, instead of another one. What there is no room for is not kept, and then false. */
bool batch_warm_keep(batch_warm *warm, int k, const sfgp_model *model, const sfgp_settings *settings,
                     sfgp_solver *solver, char *const *notes, size_t note_count);
void batch_warm_clear(batch_warm *warm);

#endif
