/* A saved fit of a case that the report shows. */
#ifndef SFGP_STUDY_VIEW_H
#define SFGP_STUDY_VIEW_H

#include "study/study.h"

typedef struct study_fit {
    sfgp_mesh *mesh;
    double *sd, *error;     /* NULL: not known */
    unsigned char *missing; /* NULL: not known */
    const char *problem;    /* why a fit that is there is not used, NULL: it is, or there is none */
} study_fit;

/* False when the method did not run there or failed, or when the file is no fit of this reference. truth may
 * be NULL. Clear in any case. */
bool study_fit_load(const study *s, study_key key, const sfgp_mesh *reference, const sfgp_mesh *truth,
                    study_fit *fit);
void study_fit_clear(study_fit *fit);

/* The views of a set, into the page. */
struct page;
sfgp_status study_put_views(study *s, int set, struct page *p);

#endif
