/* Variance by the observed information of a fit that has ended (Louis 1982; ADR 0013). */
#include "em/information.h"
#include "em/estep.h"
#include "gpr/information.h"

#include <math.h>
#include <string.h>

static sfgp_status estep_at(sfgp_em *em, double sigma2)
{
    sfgp_em_state_set_sigma2(em->problem->basis->count, sigma2, &em->state);
    return sfgp_em_estep_whole(em);
}

static void add_between(sfgp_em *em)
{
    for (int64_t i = 0; em->between && i < em->problem->basis->count; i++)
        em->state.variance[i] += em->between[i];
}

/* Labels with `temper` times sigma2 count for less already. */
static double weight_of(const sfgp_em *em, double temper)
{
    return fmin(1, temper * em->label_weight);
}

sfgp_status sfgp_em_information_variance(sfgp_em *em, double temper)
{
    const size_t n = (size_t)em->problem->basis->count;
    const double sigma2 = em->state.sigma2[0], bound = em->state.bound;
    double *variance = em->weights; /* free between steps */
    memcpy(variance, em->state.variance, n * sizeof *variance);
    const sfgp_observed observed = {em->problem->basis, &em->responsibilities, em->view.points,
                                    em->state.points, em->state.sigma2};
    sfgp_status status = estep_at(em, em->settled ? temper * sigma2 : sigma2);
    if (status == SFGP_OK)
        status = sfgp_information_variance(em->context, &em->posterior, &observed, weight_of(em, temper),
                                           variance);
    if (status == SFGP_OK)
        status = estep_at(em, sigma2);
    if (status == SFGP_OK) {
        memcpy(em->state.variance, variance, n * sizeof *variance);
        add_between(em);
    }
    em->state.bound = bound;
    return status;
}
