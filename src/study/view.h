/* A saved fit of a case that the report shows. */
#ifndef SFGP_STUDY_VIEW_H
#define SFGP_STUDY_VIEW_H

#include "study/parts.h"

typedef struct study_fit {
    sfgp_mesh *mesh;
    double *sd;             /* NULL: not known */
    double *error;          /* distance of each point to the truth; NULL: not known */
    unsigned char *missing; /* NULL: not known */
    const char *problem;    /* why a file that exists is not used; NULL: it is used, or does not exist */
} study_fit;

/* False when the method did not run or failed on this case, or when the file is not a fit of this reference. truth may
 * be NULL. Clear in any case. */
bool study_fit_load(const study *s, study_key key, const sfgp_mesh *reference, const sfgp_mesh *truth,
                    study_fit *fit);
void study_fit_clear(study_fit *fit);

/* Writes the views of a set into the page. */
struct page;
sfgp_status study_write_views(study *s, int set, struct page *p);

#endif
