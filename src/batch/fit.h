/* The fit of one case, and the state that its steps share. */
#ifndef SFGP_BATCH_FIT_H
#define SFGP_BATCH_FIT_H

#include "batch/parts.h"

enum { BATCH_MOST_WARNINGS = 32 };

/* The fit of a case with one of its references. */
typedef struct batch_candidate {
    const batch_prior *prior;
    sfgp_model *own; /* model of this case, when its settings require another prior; else NULL */
    sfgp_result *result;
    sfgp_deformation *deformation; /* NULL: nothing is carried along or saved */
} batch_candidate;

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
    bool carries;        /* the fit is carried on, or saved */
    batch_candidate *candidates;
    int candidate_count;
    const batch_candidate *best;
    const sfgp_result *result; /* of the best; NULL: there is none */
    sfgp_evaluation evaluation;
    sfgp_surface_evaluation surfaces;
    sfgp_memory memory; /* predicted */
    char *warnings[BATCH_MOST_WARNINGS];
    size_t warning_count;
    char error[BATCH_ERROR]; /* "": the error is in the context */
    double start;            /* by sfgp_platform_seconds */
} batch_work;

/* Needs settings and digests. Sets target to memory. */
sfgp_status batch_work_fit(batch_work *w);
/* Fits the target with each of the references of the case. Sets candidates to memory. */
sfgp_status batch_work_choose(batch_work *w);
/* Writes what is carried along, and the saved fit. */
sfgp_status batch_work_carry(batch_work *w);
/* The digest of a file that was written for the case. SFGP_ERROR_WRITE when it cannot be read back. */
sfgp_status batch_work_digest(batch_work *w, const char *path, char hex[BATCH_DIGEST]);
/* The text of case.json (record.c), which the caller frees. */
char *batch_record_make(const batch_work *w, const batch_outcome *outcome);
/* The model that a candidate was fitted with. */
const sfgp_model *batch_candidate_model(const batch_candidate *c);
/* Keeps a copy of a warning, unless there are too many. */
void batch_work_warn(batch_work *w, const char *text);
void batch_candidates_clear(batch_work *w);
void batch_work_clear(batch_work *w);

#endif
