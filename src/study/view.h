/* A saved fit of a case that the report shows. */
#ifndef SFGP_STUDY_VIEW_H
#define SFGP_STUDY_VIEW_H

#include "study/study.h"

typedef struct study_fit {
    sfgp_mesh *mesh;
    double *sd, *error;     /* NULL: not known */
    unsigned char *missing; /* NULL: not known */
} study_fit;

/* False when the method did not run there or failed. Clear in any case. */
bool study_fit_load(const study *s, study_key key, const sfgp_mesh *truth, study_fit *fit);
void study_fit_clear(study_fit *fit);

#endif
