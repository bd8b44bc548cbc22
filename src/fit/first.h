/* A fit that is kept while its scan is searched again, as the other fit may be refused (follow_ups.h).
 *
 * The other fit gets a workspace and a target of its own. Those of the first one are set aside and come back as they are, so that nothing
 * is copied and all bits stay. Only the memory of P goes to the other fit and comes back, without its entries: no step after the
 * end of a fit reads them (em/em.h). That is all but 7 of the 391 MiB of a workspace of 5900 points.
 *
 * The fit of a dense shape is not kept but made again, with the same bits. It would take a fifth more memory at a million points, which
 * every fit had to be allowed (--max-memory), for the few that are searched again. */
#ifndef SFGP_FIT_FIRST_H
#define SFGP_FIT_FIRST_H

#include "fit/solver.h"

typedef struct sfgp_first {
    sfgp_outcome outcome;
    sfgp_em_problem problem; /* as it was; its target while em is set aside, else without */
    double mirror_gain;      /* of the facts, for a fit that is made again */
    sfgp_em *em;             /* NULL: there was no other search yet, or the shape is dense */
    sfgp_scan scan;          /* that was set aside; else empty */
    double size;             /* of the solver */
} sfgp_first;

/* The fit that a solver has, before solver->problem changes. O(1), allocates nothing. */
sfgp_first sfgp_first_of(const sfgp_solver *solver, sfgp_outcome outcome);
/* Sets the scan of the first fit aside: the solver gets a copy, which may be changed. It is a rounded one. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_first_copy_scan(sfgp_solver *solver, sfgp_first *first);
/* Another search after a change of solver->problem; its iterations and starts are added to those of the first. It may follow others. solver->em
 * is another workspace from here on. Errors: those of the search. */
sfgp_status sfgp_first_search_again(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome);
/* The same. *gain: nats by which its score is larger than that of the first fit; minus infinity where it found nothing. */
sfgp_status sfgp_first_search_for_gain(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome,
                                       double *gain);
/* The first fit again, with its problem, its size and its scan, which has to be as it was if it was not set aside. All iterations and starts count.
 * O(1); of a dense shape it costs a search and has its errors. */
sfgp_status sfgp_first_return(sfgp_solver *solver, sfgp_first *first, sfgp_outcome *outcome);
/* Frees what is set aside: the other fit is taken, or the first one has come back. */
void sfgp_first_clear(sfgp_first *first);

#endif
