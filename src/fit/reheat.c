#include "fit/reheat.h"
#include "fit/kept.h"
#include "fit/squarem.h"

#define GAIN 1.0 /* nats by which a maximum is better, not the same again */

static const double HEATS[] = {8, 30}; /* times the variance */
enum { HEAT_COUNT = sizeof HEATS / sizeof *HEATS };

static void heat(sfgp_solver *solver, double noise)
{
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->noise[i] = noise;
    solver->settled = false;
    sfgp_squarem_begin(solver);
}

sfgp_status sfgp_solver_reheat(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_kept best;
    sfgp_status status = sfgp_kept_new(solver, &best);
    for (int k = 0; status == SFGP_OK && k < HEAT_COUNT; k++) {
        sfgp_outcome heated = *outcome;
        sfgp_kept_take(solver, &best);
        heat(solver, HEATS[k] * best.noise);
        status = sfgp_solver_iterate(solver, false, &heated);
        if (status == SFGP_OK && heated == SFGP_CONVERGED && solver->evidence > best.evidence + GAIN)
            k = -1;
        else if (status == SFGP_OK || status == SFGP_ERROR_NUMERIC)
            status = sfgp_kept_restore(&best, solver);
    }
    sfgp_kept_clear(&best);
    return status;
}
