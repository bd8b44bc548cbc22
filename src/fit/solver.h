/* Solver: the public workspace of one model and one method. */
#ifndef SFGP_FIT_SOLVER_H
#define SFGP_FIT_SOLVER_H

#include "em/em.h"
#include "fit/adapt_shape.h"
#include "fit/method.h"
#include "geom/coarse_surface.h"
#include "geom/scan.h"
#include "model/model.h"
#include "search/levels.h"

/* C of the coefficients under each prior (gpr/prior.h). NULL: it is I, or there is no such prior. */
typedef struct sfgp_priors {
    double *within[SFGP_PRIORS]; /* of all axes but that across a plane of symmetry */
    double *across[SFGP_PRIORS]; /* of that axis; NULL: as of the others */
} sfgp_priors;

struct sfgp_solver {
    sfgp_context *context;
    const sfgp_model *model;
    const sfgp_method *method;
    sfgp_settings settings;      /* resolved but for what depends on the target */
    sfgp_em_landmarks landmarks; /* empty: none */
    sfgp_priors priors;          /* those of the problem */
    sfgp_priors asymmetric;      /* the same without symmetry, once a fit has asked for them; empty before */
    sfgp_basis symmetric;        /* problem.basis with its axis across a plane of symmetry; a view of it */
    sfgp_basis basis;            /* problem.basis where the effort leaves columns out; else empty */
    sfgp_coarse_surface coarse;  /* of the reference, once a fit has needed it; empty before */
    sfgp_adapt_shape shape;      /* adapted shapes of the reference, likewise */
    sfgp_level level;            /* problem.level */
    sfgp_basis adapted; /* problem.basis with another mean, of which only the mean is its own; else empty */
    const sfgp_basis *unadapted; /* what problem.basis was then; else NULL */
    sfgp_adaptation adaptation;  /* of that mean; else 0 */
    sfgp_em_schedule warm;       /* problem.warm: that of the effort */
    double size;                 /* of the shape in the scan, times that of the reference (fit/size.h) */
    sfgp_frame frame;            /* of the scan: that of the model, at this size */
    sfgp_scan scan;              /* problem.mesh, while a fit runs */
    sfgp_em_problem problem;
    sfgp_em *em; /* NULL: a baseline */
};

/* The frame that scans come into from here on. */
void sfgp_solver_set_size(sfgp_solver *solver, double size);
/* problem.area becomes that of the scan. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_solver_measure_scan(sfgp_solver *solver);
/* problem.clutter, by that area: the share of a scan for which a shape of this size has no room, all but the ratio of their areas, if that is
 * small (ADR 0035). */
void sfgp_solver_measure_clutter(sfgp_solver *solver);
/* Whether so many points of the scan are enough, where others are left out: as many as a fit of a subset has. */
bool sfgp_solver_has_enough(const sfgp_solver *solver, int64_t left);
/* Brings a target in and begins at the standard start; warnings. The target has the dimension of the model and can be
 * fitted. SFGP_ERROR_MEMORY. For run, and for tests of single steps. */
sfgp_status sfgp_solver_load(sfgp_solver *solver, const sfgp_mesh *target);

#endif
