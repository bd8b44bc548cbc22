/* Rung STARTS: the starts of a pose, fitted side by side. */
#include "em/landmarks.h"
#include "search/halving_parts.h"

#include <math.h>

sfgp_status sfgp_part_open(sfgp_em *em, sfgp_part *p)
{
    return p->trials.count > 0 ? SFGP_OK : sfgp_trials_new(em->context, &p->subset.problem, &p->trials);
}

bool sfgp_halving_landmarks_agree(const sfgp_halving *h)
{
    const sfgp_em_landmarks *landmarks = h->em->problem->landmarks;
    const double observed = landmarks ? (double)(landmarks->basis.count * landmarks->basis.dimension) : 0;
    return h->misfit <= h->tuning->landmarks_contradicted * observed;
}

sfgp_em_start sfgp_halving_start(const sfgp_halving *h, const sfgp_similarity *pose, int k, bool late_mixing)
{
    const sfgp_tuning *t = h->tuning;
    const double sigma2 = h->em->problem->given_sigma2, omega = h->em->problem->given_omega;
    return (sfgp_em_start){.pose = *pose,
                           .sigma2 = sigma2 > 0 ? sigma2
                                     : k & 1    ? t->start_sigma2_narrow
                                                : t->start_sigma2_wide,
                           .omega = omega > 0 ? omega
                                    : k & 2   ? t->start_omega_many
                                              : t->start_omega_few,
                           .regional = !(k & 4),
                           .prior = h->em->problem->rescaled[SFGP_PRIOR_STIFF] &&
                                            h->em->searched != SFGP_SEARCHED_AS_IS
                                        ? SFGP_PRIOR_STIFF
                                        : SFGP_PRIOR_AS_IS,
                           .late_mixing = late_mixing};
}

/* What rung STARTS needs: the workspaces, and room for the fits that others may come to. */
static sfgp_status open_starts(sfgp_halving *h)
{
    sfgp_status status = sfgp_part_open(h->em, &h->main);
    for (int k = 0; k < SFGP_HALVING_STARTS && status == SFGP_OK; k++)
        if (!h->duplicates[k].points)
            status = sfgp_duplicate_new(h->em->context, &h->main.subset.basis, &h->duplicates[k]);
    return status;
}

sfgp_status sfgp_halving_try(sfgp_halving *h, const sfgp_similarity *pose, int count, bool late_mixing,
                             bool move)
{
    sfgp_em_start starts[SFGP_HALVING_STARTS];
    /* with landmarks equal fits of two poses differ in their score */
    const sfgp_trial_batch batch = {.iterations = (int64_t)h->tuning->starts_iterations,
                                    .count = count,
                                    .starts = starts,
                                    .duplicates = h->em->problem->landmarks ? NULL : h->duplicates};
    sfgp_trial ends[SFGP_HALVING_STARTS];
    for (int k = 0; k < count; k++)
        starts[k] = sfgp_halving_start(h, pose, k, late_mixing);
    sfgp_status status = open_starts(h);
    if (status == SFGP_OK)
        status = sfgp_landmarks_misfit(h->em, pose, &h->misfit);
    if (status == SFGP_OK)
        status = sfgp_trials_run(h->em->context, &batch, &h->main.trials, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        if (move)
            starts[k].pose = ends[k].motion;
        if (ends[k].score > -HUGE_VAL)
            sfgp_contest_enter(&starts[k], &ends[k], h->misfit, sfgp_halving_landmarks_agree(h), &h->contest);
    }
    return status;
}
