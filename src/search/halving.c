/* The rungs of the search, on subsets of both shapes (ADR 0013, 0016, 0017, 0045). */
#include "search/halving.h"
#include "em/landmarks.h"
#include "search/contest.h"
#include "search/trials.h"
#include "search/tuning.h"
#include "search/turns.h"

#include <math.h>

enum { STARTS = 8 }; /* of a pose */

/* Some points of both shapes, and the workspaces that fit them. */
typedef struct part {
    sfgp_subset subset;
    sfgp_trials trials;
} part;

typedef struct halving {
    sfgp_em *em; /* of the whole */
    const sfgp_tuning *tuning;
    part main;                         /* rungs TURNS and STARTS */
    part check;                        /* rung CHECK; no points: not run */
    sfgp_duplicate duplicates[STARTS]; /* of the starts of the first pose */
    sfgp_contest contest;              /* between the starts that were fitted */
    bool checked;                      /* rung CHECK was run */
    bool in_place;                     /* and found nothing better than the pose in place */
    bool turned;                       /* rung TURNS was run */
    double misfit;                     /* of the landmarks at the pose that was tried last */
    double unturned;                   /* score of no turn in rung CHECK */
    sfgp_turns turns;                  /* that are left, with their scores in the last rung */
    const sfgp_shortlist *given;       /* starts at poses that are known */
} halving;

/* ---- subsets ----------------------------------------------------------------------------------------- */

int64_t sfgp_halving_targets(const sfgp_tuning *tuning, int64_t points, int64_t n, int64_t targets)
{
    const int64_t least = (int64_t)tuning->subset_targets_least, most = (int64_t)tuning->subset_targets_most,
                  share = n > points ? sfgp_subset_targets(points, n, targets) : targets;
    return share < least ? least : share > most ? most : share;
}

/* So many points, and those of the target that belong to them. */
static sfgp_status part_new(sfgp_em *em, const sfgp_tuning *tuning, int64_t points, part *made)
{
    const int64_t n = em->problem->basis->count;
    const sfgp_subset_request request = {
        .points = points,
        .targets = sfgp_halving_targets(tuning, points, n, em->problem->mesh->count),
        .accuracy = n > points ? tuning->subset_accuracy : tuning->subset_accuracy_whole,
        .tolerance = tuning->subset_tolerance};
    return sfgp_subset_new(em->context, em->problem, &request, &made->subset);
}

/* Its workspaces, when they are first used: most scans need those of CHECK only. */
static sfgp_status part_open(sfgp_em *em, part *p)
{
    return p->trials.count > 0 ? SFGP_OK : sfgp_trials_new(em->context, &p->subset.problem, &p->trials);
}

static void part_clear(sfgp_em *em, part *made)
{
    sfgp_trials_count(&made->trials, em);
    sfgp_trials_clear(&made->trials);
    sfgp_subset_clear(&made->subset);
}

static sfgp_status halving_new(sfgp_em *em, halving *h)
{
    *h = (halving){.em = em, .tuning = sfgp_tuning_of(em->problem->basis)};
    sfgp_status status = part_new(em, h->tuning, (int64_t)h->tuning->subset_points, &h->main);
    if (status == SFGP_OK && !h->main.subset.complete)
        status = part_new(em, h->tuning, (int64_t)h->tuning->check_points, &h->check);
    if (status == SFGP_OK)
        sfgp_contest_begin(h->tuning, &h->main.subset, &h->contest);
    return status;
}

/* What rung STARTS needs: the workspaces, and room for the fits that others may come to. */
static sfgp_status open_starts(halving *h)
{
    sfgp_status status = part_open(h->em, &h->main);
    for (int k = 0; k < STARTS && status == SFGP_OK; k++)
        if (!h->duplicates[k].points)
            status = sfgp_duplicate_new(h->em->context, &h->main.subset.basis, &h->duplicates[k]);
    return status;
}

static void halving_clear(halving *h)
{
    for (int k = 0; k < STARTS; k++)
        sfgp_duplicate_clear(&h->duplicates[k]);
    part_clear(h->em, &h->main);
    part_clear(h->em, &h->check);
}

static bool landmarks_agree(const halving *h)
{
    const sfgp_em_landmarks *landmarks = h->em->problem->landmarks;
    const double observed = landmarks ? (double)(landmarks->basis.count * landmarks->basis.dimension) : 0;
    return h->misfit <= h->tuning->contradicted * observed;
}

/* ---- rung STARTS ------------------------------------------------------------------------------------- */

/* Large or small sigma2, few or many outliers, points missing in regions or none; what the caller gave
 * counts. Under the stiff prior, if there is one: a wrong pose bends less (ADR 0026). */
static sfgp_em_start start_at(const halving *h, const sfgp_similarity *pose, int k, bool late_mixing)
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

/* What goes on is a start at the pose, or at the motion that its fit has found. */
static sfgp_status try_pose(halving *h, const sfgp_similarity *pose, int count, bool late_mixing, bool move)
{
    sfgp_em_start starts[STARTS];
    /* with landmarks equal fits of two poses differ in their score */
    const sfgp_trial_batch batch = {.iterations = (int64_t)h->tuning->starts_iterations,
                                    .count = count,
                                    .starts = starts,
                                    .duplicates = h->em->problem->landmarks ? NULL : h->duplicates};
    sfgp_trial ends[STARTS];
    for (int k = 0; k < count; k++)
        starts[k] = start_at(h, pose, k, late_mixing);
    sfgp_status status = open_starts(h);
    if (status == SFGP_OK)
        status = sfgp_landmarks_misfit(h->em, pose, &h->misfit);
    if (status == SFGP_OK)
        status = sfgp_trials_run(h->em->context, &batch, &h->main.trials, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        if (move)
            starts[k].pose = ends[k].motion;
        if (ends[k].score > -HUGE_VAL)
            sfgp_contest_enter(&starts[k], &ends[k], h->misfit, landmarks_agree(h), &h->contest);
    }
    return status;
}

static sfgp_status try_unturned(halving *h, bool late_mixing)
{
    const sfgp_similarity in_place = sfgp_similarity_identity(h->em->problem->basis->dimension);
    for (int k = 0; k < STARTS; k++)
        h->duplicates[k].set = false;
    sfgp_status status = try_pose(h, &in_place, STARTS, late_mixing, false);
    return status == SFGP_OK ? try_pose(h, &h->contest.centred, STARTS, late_mixing, false) : status;
}

static sfgp_status try_pose_of_landmarks(halving *h)
{
    sfgp_similarity pose;
    return sfgp_landmarks_pose(h->em->problem->landmarks, &pose) ? try_pose(h, &pose, STARTS, false, false)
                                                                 : SFGP_OK;
}

/* ---- rungs CHECK and TURNS --------------------------------------------------------------------------- */

/* How the poses of a rung are fitted. */
typedef struct pass {
    part *part;
    int64_t iterations;
    double sigma2; /* of the start, unless the caller gave one */
} pass;

static pass check_pass(halving *h, bool again)
{
    const sfgp_tuning *t = h->tuning;
    return (pass){&h->check, (int64_t)t->check_iterations, again ? t->turned_sigma2 : t->check_sigma2};
}

/* Without CHECK before it the turns are those of the table, up to 44 degrees from the right one. */
static pass turns_pass(halving *h)
{
    const sfgp_tuning *t = h->tuning;
    return (pass){&h->main, (int64_t)t->turns_iterations,
                  h->checked ? t->turned_sigma2 : t->start_sigma2_wide};
}

/* Scores of the fits from some poses, less the misfit of the landmarks there. */
static sfgp_status score_poses(halving *h, const pass *r, int count, const sfgp_similarity *poses,
                               sfgp_trial *ends)
{
    sfgp_em_start starts[SFGP_TRIALS] = {{.late_mixing = false}}; /* the compiler cannot see count > 0 */
    const sfgp_trial_batch batch = {.iterations = r->iterations, .count = count, .starts = starts};
    for (int k = 0; k < count; k++) {
        starts[k] = start_at(h, &poses[k], 0, false);
        if (!(h->em->problem->given_sigma2 > 0))
            starts[k].sigma2 = r->sigma2;
    }
    sfgp_status status = part_open(h->em, r->part);
    if (status == SFGP_OK)
        status = sfgp_trials_run(h->em->context, &batch, &r->part->trials, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        status = sfgp_landmarks_misfit(h->em, &poses[k], &h->misfit);
        ends[k].score -= 0.5 * h->misfit;
    }
    return status;
}

/* Of a curve; 0: those of the table, which stay where they are if the shape is its own subset. */
static int turns_of_circle(const halving *h)
{
    return h->em->searched == SFGP_SEARCHED_AS_IS ? 0 : (int)h->tuning->turns_circle;
}

/* A fit from a turn that is off by 40 degrees bends; the rigid motion in it is nearer, and the turn goes on from there. */
static sfgp_status score_turns(halving *h, const pass *r)
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
static sfgp_status check(halving *h)
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

/* Those that are best on the few points of CHECK, and of them the best on more points. */
static sfgp_status try_turned(halving *h)
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
        status =
            try_pose(h, &h->turns.poses[k], (int)h->tuning->turns_starts, false, !h->main.subset.complete);
    return status;
}

/* Some turn is better than none, or nearly as good. */
static bool is_better_turned(const halving *h)
{
    return h->checked && sfgp_turns_score(&h->turns) > h->unturned - h->tuning->check_margin;
}

/* A subset may fit well enough when it is turned the wrong way, as far as its prior bends. */
static sfgp_status try_turned_if_wanted(halving *h)
{
    const sfgp_status status = h->checked ? SFGP_OK : check(h);
    const bool wanted = !h->contest.good || is_better_turned(h);
    return status == SFGP_OK && wanted ? try_turned(h) : status;
}

/* The standard start, and if 150 points cannot tell its pose from another one, it there as well. */
static void list_unturned(halving *h, double in_place)
{
    sfgp_candidate candidate = {sfgp_em_standard_start(h->em->problem), in_place};
    sfgp_shortlist_insert(&candidate, 0, &h->contest.list);
    candidate = (sfgp_candidate){candidate.start, h->unturned};
    candidate.start.pose = h->contest.centred;
    if (h->unturned >= in_place - h->tuning->margin_pose)
        sfgp_shortlist_insert(&candidate, 1, &h->contest.list);
}

/* A glance, on the points of CHECK: no turn is better than none, and the centroid no better than in place. */
static sfgp_status look_in_place(halving *h)
{
    const sfgp_similarity in_place = sfgp_similarity_identity(h->em->problem->basis->dimension);
    sfgp_trial end;
    const pass first = check_pass(h, false);
    sfgp_status status = check(h);
    if (status != SFGP_OK || !h->checked || is_better_turned(h))
        return status;
    status = score_poses(h, &first, 1, &in_place, &end);
    h->in_place = status == SFGP_OK && h->unturned <= end.score + h->tuning->margin;
    if (h->in_place)
        list_unturned(h, end.score);
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

static sfgp_status run(halving *h)
{
    sfgp_status status = try_unturned(h, false);
    if (status == SFGP_OK && h->contest.list.count == 0)
        status = try_unturned(h, true);
    if (status == SFGP_OK && h->em->problem->landmarks && !landmarks_agree(h))
        status = try_pose_of_landmarks(h);
    if (status == SFGP_OK)
        status = try_turned_if_wanted(h);
    if (status == SFGP_OK)
        sfgp_contest_add_other_poses(&h->contest);
    return status;
}

static sfgp_status run_unless_in_place(halving *h)
{
    const sfgp_status status = look_in_place(h);
    return status == SFGP_OK && !h->in_place ? run(h) : status;
}

/* Poses that were found otherwise go on from the motions that fits of the subset find there. */
static sfgp_status try_given(halving *h)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < h->given->count && status == SFGP_OK; k++)
        status = try_pose(h, &h->given->best[k].start.pose, (int)h->tuning->turns_starts, false, true);
    if (status == SFGP_OK)
        sfgp_contest_add_other_poses(&h->contest);
    return status;
}

/* Where a large fit ends depends on its first sigma2, which a subset cannot tell: that of the problem. */
static sfgp_status search(sfgp_em *em, sfgp_status (*rungs)(halving *h), const sfgp_shortlist *given,
                          sfgp_shortlist *list, bool *turned)
{
    halving h;
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
    return search(em, try_turned, NULL, list, &turned);
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
