/* The rungs of the search in their order, on subsets of both shapes (ADR 0013, 0016, 0017, 0045). */
#include "search/halving.h"
#include "em/landmarks.h"
#include "search/halving_parts.h"

/* ---- subsets ----------------------------------------------------------------------------------------- */

int64_t sfgp_halving_targets(const sfgp_tuning *tuning, int64_t points, int64_t n, int64_t targets)
{
    const int64_t least = (int64_t)tuning->subset_targets_least, most = (int64_t)tuning->subset_targets_most,
                  share = n > points ? sfgp_subset_targets(points, n, targets) : targets;
    return share < least ? least : share > most ? most : share;
}

/* So many points, and those of the target that belong to them. */
static sfgp_status part_new(sfgp_em *em, const sfgp_tuning *tuning, int64_t points, sfgp_part *made)
{
    const int64_t n = em->problem->basis->count;
    const sfgp_subset_request request = {
        .points = points,
        .targets = sfgp_halving_targets(tuning, points, n, em->problem->mesh->count),
        .accuracy = n > points ? tuning->subset_accuracy : tuning->subset_accuracy_whole,
        .tolerance = tuning->subset_tolerance};
    return sfgp_subset_new(em->context, em->problem, &request, &made->subset);
}

static void part_clear(sfgp_em *em, sfgp_part *made)
{
    sfgp_trials_count(&made->trials, em);
    sfgp_trials_clear(&made->trials);
    sfgp_subset_clear(&made->subset);
}

static sfgp_status halving_new(sfgp_em *em, sfgp_halving *h)
{
    *h = (sfgp_halving){.em = em, .tuning = sfgp_tuning_of(em->problem->basis)};
    sfgp_status status = part_new(em, h->tuning, (int64_t)h->tuning->subset_points, &h->main);
    if (status == SFGP_OK && !h->main.subset.complete)
        status = part_new(em, h->tuning, (int64_t)h->tuning->check_points, &h->check);
    if (status == SFGP_OK)
        sfgp_contest_begin(h->tuning, &h->main.subset, &h->contest);
    return status;
}

static void halving_clear(sfgp_halving *h)
{
    for (int k = 0; k < SFGP_HALVING_STARTS; k++)
        sfgp_duplicate_clear(&h->duplicates[k]);
    part_clear(h->em, &h->main);
    part_clear(h->em, &h->check);
}

/* ---- rungs ------------------------------------------------------------------------------------------- */

static sfgp_status try_unturned(sfgp_halving *h, bool late_mixing)
{
    const sfgp_similarity in_place = sfgp_similarity_identity(h->em->problem->basis->dimension);
    for (int k = 0; k < SFGP_HALVING_STARTS; k++)
        h->duplicates[k].set = false;
    sfgp_status status = sfgp_halving_try(h, &in_place, SFGP_HALVING_STARTS, late_mixing, false);
    return status == SFGP_OK
               ? sfgp_halving_try(h, &h->contest.centred, SFGP_HALVING_STARTS, late_mixing, false)
               : status;
}

static sfgp_status try_pose_of_landmarks(sfgp_halving *h)
{
    sfgp_similarity pose;
    return sfgp_landmarks_pose(h->em->problem->landmarks, &pose)
               ? sfgp_halving_try(h, &pose, SFGP_HALVING_STARTS, false, false)
               : SFGP_OK;
}

static sfgp_status run(sfgp_halving *h)
{
    sfgp_status status = try_unturned(h, false);
    if (status == SFGP_OK && h->contest.list.count == 0)
        status = try_unturned(h, true);
    if (status == SFGP_OK && h->em->problem->landmarks && !sfgp_halving_landmarks_agree(h))
        status = try_pose_of_landmarks(h);
    if (status == SFGP_OK)
        status = sfgp_halving_try_turned_if_wanted(h);
    if (status == SFGP_OK)
        sfgp_contest_add_other_poses(&h->contest);
    return status;
}

static sfgp_status run_unless_in_place(sfgp_halving *h)
{
    const sfgp_status status = sfgp_halving_look_in_place(h);
    return status == SFGP_OK && !h->in_place ? run(h) : status;
}

/* Poses that were found otherwise go on from the motions that fits of the subset find there. */
static sfgp_status try_given(sfgp_halving *h)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < h->given->count && status == SFGP_OK; k++)
        status =
            sfgp_halving_try(h, &h->given->best[k].start.pose, (int)h->tuning->turns_starts, false, true);
    if (status == SFGP_OK)
        sfgp_contest_add_other_poses(&h->contest);
    return status;
}

/* Where a large fit ends depends on its first sigma2, which a subset cannot tell: that of the problem. */
static sfgp_status search(sfgp_em *em, sfgp_status (*rungs)(sfgp_halving *h), const sfgp_shortlist *given,
                          sfgp_shortlist *list, bool *turned)
{
    sfgp_halving h;
    sfgp_status status = halving_new(em, &h);
    h.given = given;
    if (status == SFGP_OK)
        status = rungs(&h);
    for (int k = 0; k < h.contest.list.count && (double)em->problem->basis->count > h.tuning->subset_points;
         k++)
        h.contest.list.best[k].start.sigma2 = em->problem->sigma2;
    *list = h.contest.list;
    *turned = h.turned;
    halving_clear(&h);
    return status;
}

sfgp_status sfgp_halving_run(sfgp_em *em, sfgp_shortlist *list, bool *turned)
{
    return search(em, run, NULL, list, turned);
}

sfgp_status sfgp_halving_run_turned(sfgp_em *em, sfgp_shortlist *list)
{
    bool turned;
    return search(em, sfgp_halving_try_turned, NULL, list, &turned);
}

sfgp_status sfgp_halving_run_at(sfgp_em *em, const sfgp_shortlist *given, sfgp_shortlist *list)
{
    bool turned;
    return search(em, try_given, given, list, &turned);
}

sfgp_status sfgp_halving_glance(sfgp_em *em, sfgp_shortlist *list, bool *turned)
{
    return search(em, run_unless_in_place, NULL, list, turned);
}
