/* The targets in use that are no outliers: sum_i P_ij > 0.5. What lies near to them is seen. */
#ifndef SFGP_OUTCOME_EXPLAINED_H
#define SFGP_OUTCOME_EXPLAINED_H

#include "em/em.h"

typedef struct sfgp_explained {
    double *points; /* count x d */
    int32_t *index; /* where they stand among all targets */
    int64_t count;
    sfgp_kdtree *tree; /* over them; NULL: there are none */
} sfgp_explained;

/* each: only one target in so many is looked at. SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_explained_new(const sfgp_em *em, int64_t each, sfgp_explained *e);
void sfgp_explained_clear(sfgp_explained *e);
/* The nearest of them to point i of the fit, as a target, and its distance. There has to be one. *last: where the last query has ended, -1 at first;
 * queries of points near each other are fast (geom/kdtree.h). */
int32_t sfgp_explained_nearest(const sfgp_em *em, const sfgp_explained *e, int64_t i, int64_t *last,
                               double *distance);

#endif
