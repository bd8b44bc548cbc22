/* Rungs CHECK and TURNS: which turns are better than none. */
#include "em/landmarks.h"
#include "search/halving_parts.h"

#include <math.h>

/* How the poses of a rung are fitted. */
typedef struct pass {
    sfgp_part *part;
    int64_t iterations;
    double sigma2; /* of the start, unless the caller gave one */
} pass;

static pass check_pass(sfgp_halving *h, bool again)
{
    const sfgp_tuning *t = h->tuning;
    return (pass){&h->check, (int64_t)t->check_iterations, again ? t->turned_sigma2 : t->check_sigma2};
}

/* Without CHECK before it the turns are those of the table, up to 44 degrees from the right one. */
static pass turns_pass(sfgp_halving *h)
{
    const sfgp_tuning *t = h->tuning;
    return (pass){&h->main, (int64_t)t->turns_iterations,
                  h->checked ? t->turned_sigma2 : t->start_sigma2_wide};
}

/* Scores of the fits from some poses, less the misfit of the landmarks there. */
static sfgp_status score_poses(sfgp_halving *h, const pass *r, int count, const sfgp_similarity *poses,
                               sfgp_trial *ends)
{
    sfgp_em_start starts[SFGP_TRIALS] = {{.late_mixing = false}}; /* the compiler cannot see count > 0 */
    const sfgp_trial_batch batch = {.iterations = r->iterations, .count = count, .starts = starts};
    for (int k = 0; k < count; k++) {
        starts[k] = sfgp_halving_start(h, &poses[k], 0, false);
        if (!(h->em->problem->given_sigma2 > 0))
            starts[k].sigma2 = r->sigma2;
    }
    sfgp_status status = sfgp_part_open(h->em, r->part);
    if (status == SFGP_OK)
        status = sfgp_trials_run(h->em->context, &batch, &r->part->trials, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        status = sfgp_landmarks_misfit(h->em, &poses[k], &h->misfit);
        ends[k].score -= 0.5 * h->misfit;
    }
    return status;
}

/* Of a curve; 0: those of the table, which stay where they are if the shape is its own subset. */
static int turns_of_circle(const sfgp_halving *h)
{
    return h->em->searched == SFGP_SEARCHED_AS_IS ? 0 : (int)h->tuning->turns_circle;
}

/* A fit from a turn that is off by 40 degrees bends; the rigid motion in it is nearer, and the turn goes on from there. */
static sfgp_status score_turns(sfgp_halving *h, const pass *r)
{
    sfgp_turns *t = &h->turns;
    sfgp_trial ends[SFGP_TRIALS];
    sfgp_status status = SFGP_OK;
    for (int first = 0; first < t->count && status == SFGP_OK; first += SFGP_TRIALS) {
        const int left = t->count - first, count = left < SFGP_TRIALS ? left : SFGP_TRIALS;
        status = score_poses(h, r, count, t->poses + first, ends);
        for (int k = 0; k < count && status == SFGP_OK; k++) {
            t->scores[first + k] = ends[k].score;
            if (!h->main.subset.complete || turns_of_circle(h) > 0)
                t->poses[first + k] = ends[k].motion;
        }
    }
    return status;
}

/* The turns and none, for a shape that has this rung. */
static sfgp_status check(sfgp_halving *h)
{
    sfgp_trial end = {.score = -HUGE_VAL};
    const pass first = check_pass(h, false);
    sfgp_turns_list(&h->contest.centred, turns_of_circle(h), &h->turns);
    h->checked = h->check.subset.basis.count > 0;
    if (!h->checked)
        return SFGP_OK;
    sfgp_status status = score_turns(h, &first);
    if (status == SFGP_OK)
        status = score_poses(h, &first, 1, &h->contest.centred, &end);
    h->unturned = end.score;
    return status;
}

sfgp_status sfgp_halving_try_turned(sfgp_halving *h)
{
    sfgp_status status = h->checked ? SFGP_OK : check(h);
    const pass again = check_pass(h, true), more = turns_pass(h);
    if (status == SFGP_OK && h->checked) {
        status = score_turns(h, &again);
        sfgp_turns_keep((int)h->tuning->check_kept, h->tuning->turns_apart, &h->turns);
    }
    if (status == SFGP_OK)
        status = score_turns(h, &more);
    sfgp_turns_keep((int)h->tuning->turns_kept, h->tuning->turns_apart, &h->turns);
    h->turned = true;
    for (int k = 0; k < h->turns.count && status == SFGP_OK; k++)
        status = sfgp_halving_try(h, &h->turns.poses[k], (int)h->tuning->turns_starts, false,
                                  !h->main.subset.complete);
    return status;
}

/* Some turn is better than none, or nearly as good. */
static bool is_better_turned(const sfgp_halving *h)
{
    return h->checked && sfgp_turns_score(&h->turns) > h->unturned - h->tuning->check_margin;
}

sfgp_status sfgp_halving_try_turned_if_wanted(sfgp_halving *h)
{
    const sfgp_status status = h->checked ? SFGP_OK : check(h);
    const bool wanted = !h->contest.good || is_better_turned(h);
    return status == SFGP_OK && wanted ? sfgp_halving_try_turned(h) : status;
}

/* The standard start, and if 150 points cannot tell its pose from another one, it there as well. */
static void list_unturned(sfgp_halving *h, double in_place)
{
    sfgp_candidate candidate = {sfgp_em_standard_start(h->em->problem), in_place};
    sfgp_shortlist_insert(&candidate, 0, &h->contest.list);
    candidate = (sfgp_candidate){candidate.start, h->unturned};
    candidate.start.pose = h->contest.centred;
    if (h->unturned >= in_place - h->tuning->margin_pose)
        sfgp_shortlist_insert(&candidate, 1, &h->contest.list);
}

sfgp_status sfgp_halving_look_in_place(sfgp_halving *h)
{
    const sfgp_similarity in_place = sfgp_similarity_identity(h->em->problem->basis->dimension);
    sfgp_trial end;
    const pass first = check_pass(h, false);
    sfgp_status status = check(h);
    if (status != SFGP_OK || !h->checked || is_better_turned(h))
        return status;
    status = score_poses(h, &first, 1, &in_place, &end);
    h->in_place = status == SFGP_OK && h->unturned <= end.score + h->tuning->margin_subset;
    if (h->in_place)
        list_unturned(h, end.score);
    return status;
}
