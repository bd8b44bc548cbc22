/* Problem: what a fit is asked to do. It does not change while a fit runs. */
#ifndef SFGP_EM_PROBLEM_H
#define SFGP_EM_PROBLEM_H

#include "correspond/correspond.h"
#include "em/schedule.h"
#include "em/state.h"
#include "geom/scan.h"
#include "geom/target.h"
#include "lowrank/basis.h"

typedef struct sfgp_em sfgp_em;

/* A variant of SFGP: how responsibilities are made, and how sigma2 is updated. */
typedef struct sfgp_em_variant {
    sfgp_estep_function *estep;
    void (*update_sigma2)(sfgp_em *em);
    bool learns;       /* outlier weight and mixing weights are learned, and the fit is accelerated */
    bool threshold;    /* labels at or below pmin do not count */
    bool thins;        /* the target may be thinned: a point has many labels */
    bool fixed_sigma2; /* sigma2 stays that of the start */
} sfgp_em_variant;

typedef struct sfgp_effort sfgp_effort; /* search/effort.h */
typedef struct sfgp_level sfgp_level;   /* search/levels.h */

/* Landmarks: points of the reference that are observed at points of the target (landmarks.h). */
typedef struct sfgp_em_landmarks {
    sfgp_basis basis; /* mean and B at the landmarks of the reference */
    double *target;   /* count x d, in the frame */
    double *weights;  /* count: 1 / variance per axis */
} sfgp_em_landmarks;

typedef struct sfgp_em_problem {
    const sfgp_basis *basis;
    const sfgp_em_variant *variant;
    const sfgp_em_schedule *cold, *warm; /* from a start; from the fit of a subset */
    const sfgp_effort *effort;           /* what the search tries */
    sfgp_level *level; /* room for a smaller level, kept for the next target; NULL: not kept */
    bool symmetric;    /* the priors are symmetric across the axis basis->across (fit/priors.h) */
    bool refines;      /* it ends with labels that err less along the normals */
    const sfgp_em_landmarks *landmarks;         /* NULL: none */
    const double *rescaled[SFGP_PRIORS];        /* C of each (gpr/prior.h); NULL: none, or I */
    const double *rescaled_across[SFGP_PRIORS]; /* the same of the axis basis->across; NULL: as of others */
    int64_t rescaled_stride;                    /* between its rows */
    const sfgp_mesh *mesh;                      /* the scan in the frame; it outlives the fit */
    const sfgp_scan *exact; /* the points before rounding, for the last steps; NULL: not rounded */
    sfgp_target target;     /* the same as the fit needs it */
    bool comparable;        /* reference and scan are of one size */
    bool volume_density;    /* outliers are uniform in a box (geom/target.h); else of density 1 / N_S */
    bool tiles;             /* responsibilities are made by tiles */
    double area;            /* of what is used of the scan, squared radii; 0: not measured (geom/area.h) */
    double shape_area;      /* of the reference, likewise */
    double clutter;         /* share of the scan for which the shape has no room; 0: none (ADR 0035) */
    bool beside;            /* outliers may be other surfaces, but no share of them is known (fit/beside.h) */
    double sigma2, omega;   /* of the standard start */
    double given_sigma2;    /* that of the caller, of all starts; 0: none was given */
    double given_omega;     /* likewise */
    double sigma2_fall;     /* sigma2 falls no faster than by this factor; 0: as EM says */
    double pmin, prune, max_distance, tolerance;
    int64_t max_iterations;
    uint64_t seed;
} sfgp_em_problem;

/* Responsibilities below this are not searched for, unless the caller says otherwise. The methods of the paper keep what can
 * change their answer (ADR 0046); variant NULL: a method with a loop of its own. */
double sfgp_em_prune(const sfgp_em_variant *variant, double pmin);
/* Most pairs of points that have a responsibility: the budget, or `labels_at_rest` a point if that is less. */
int64_t sfgp_em_label_budget(const sfgp_em_schedule *schedule, int64_t count);
/* Pairs to reserve room for: none for dense shapes of a fit that learns, which needs sums only. */
int64_t sfgp_em_pairs_reserved(const sfgp_em_schedule *schedule, bool learns, int64_t count);
/* One target point in so many, a power of two, keeps the pairs within the budget of labels. */
int64_t sfgp_em_thinning_for(const sfgp_em_problem *problem);
/* Distance between the points of the reference or of the scan, whichever is larger: the square root of the area that a
 * point has. By areas, as the nearest of points at random is nearer than that of even
 * ones. 0 where the areas are not known. */
double sfgp_em_spacing(const sfgp_em_problem *problem);
/* w: how much a target point counts as a label. 1, or less on a surface where the scan is denser than the reference: labels of one
 * point of the reference err together, so that all of them count as one (ADR 0115). */
double sfgp_em_label_weight(const sfgp_em_problem *problem);
/* Whether outliers may be other surfaces. Then their density is that of the scan (ADR 0035, 0101). */
bool sfgp_em_has_surfaces(const sfgp_em_problem *problem);
/* Brings problem->mesh in as the target, with its clutter. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_em_problem_load(sfgp_context *context, sfgp_em_problem *problem);

#endif
