/* The priors that the default is fitted under, where there are no training shapes (ADR 0026, 0091): as it is, stiff and loose.
 *
 * If the reference of a surface is symmetric to a plane (geom/symmetry.h), all of them are symmetric to it, too: displacements of points across the plane are
 * correlated (lowrank/rescale.h, ADR 0135). What a scan shows of one side of a face then also tells of the other side. */
#ifndef SFGP_FIT_PRIORS_H
#define SFGP_FIT_PRIORS_H

#include "fit/solver.h"

/* Adds them to the problem, whose basis, method and settings are set. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_priors_add(sfgp_solver *solver);
void sfgp_priors_clear(sfgp_priors *priors);

/* solver->asymmetric: the same without symmetry, of a solver whose basis has an axis across a plane. O(m^3) once. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_priors_make_asymmetric(sfgp_solver *solver);
/* They become those of the problem; a workspace, and that of a level, takes them with the next target (em/em.h). */
void sfgp_priors_use_asymmetric(sfgp_solver *solver);
/* Those of the problem are symmetric again, if they were. */
void sfgp_priors_restore(sfgp_solver *solver);

#endif
