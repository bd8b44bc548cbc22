/* The rungs of the search, on subsets of both shapes (ADR 0013, 0016, 0017). */
#include "search/halving.h"
#include "em/landmarks.h"
#include "geom/rotations.h"
#include "search/contest.h"
#include "search/trials.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum { STARTS = 8, TURNS = 60 }; /* of a pose; most rotations of the table */

/* A subset with workspaces to fit it. */
typedef struct bench {
    sfgp_subset subset;
    sfgp_trials trials;
} bench;

typedef struct halving {
    sfgp_em *em; /* of the whole */
    const sfgp_tuning *tuning;
    bench main;                        /* rungs TURNS and STARTS */
    bench check;                       /* rung CHECK; no workspaces: not run */
    sfgp_duplicate duplicates[STARTS]; /* of the starts of the first pose */
    sfgp_contest contest;              /* between the starts that were fitted */
    bool checked;                      /* rung CHECK was run */
    bool turned;                       /* rung TURNS was run */
    double misfit;                     /* of the landmarks at the pose that was tried last */
    int turns;                         /* rotations in the table */
    double scores[TURNS]; /* of the last rung over them; the first is no turn; minus infinity: given up */
} halving;

/* ---- subsets ----------------------------------------------------------------------------------------- */

/* So many points, and of the target as many in proportion, within limits. */
static sfgp_status bench_new(sfgp_em *em, const sfgp_tuning *tuning, int64_t points, bench *made)
{
    const int64_t n = em->problem->basis->count, all = em->problem->mesh->count,
                  least = (int64_t)tuning->subset_targets_least, most = (int64_t)tuning->subset_targets_most,
                  share = n > points ? all * points / n : all;
    const sfgp_subset_request request = {.points = points,
                                         .targets = share < least  ? least
                                                    : share > most ? most
                                                                   : share,
                                         .accuracy = n > points ? tuning->subset_accuracy
                                                                : tuning->subset_accuracy_whole,
                                         .tolerance = tuning->subset_tolerance};
    sfgp_status status = sfgp_subset_new(em->context, em->problem, &request, &made->subset);
    return status == SFGP_OK ? sfgp_trials_new(em->context, &made->subset.problem, &made->trials) : status;
}

static void bench_clear(sfgp_em *em, bench *made)
{
    sfgp_trials_count(&made->trials, em);
    sfgp_trials_clear(&made->trials);
    sfgp_subset_clear(&made->subset);
}

static sfgp_status halving_new(sfgp_em *em, halving *h)
{
    *h = (halving){.em = em, .tuning = sfgp_tuning_of(em->problem->basis)};
    sfgp_status status = bench_new(em, h->tuning, (int64_t)h->tuning->subset_points, &h->main);
    if (status == SFGP_OK && !h->main.subset.complete && h->tuning->check_points > 0)
        status = bench_new(em, h->tuning, (int64_t)h->tuning->check_points, &h->check);
    for (int k = 0; k < STARTS && status == SFGP_OK; k++)
        status = sfgp_duplicate_new(em->context, &h->main.subset.basis, &h->duplicates[k]);
    if (status != SFGP_OK)
        return status;
    sfgp_contest_begin(h->tuning, &h->main.subset, &h->contest);
    return SFGP_OK;
}

static void halving_clear(halving *h)
{
    for (int k = 0; k < STARTS; k++)
        sfgp_duplicate_clear(&h->duplicates[k]);
    bench_clear(h->em, &h->main);
    bench_clear(h->em, &h->check);
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
                           .stiff = h->em->problem->stiff != NULL,
                           .late_mixing = late_mixing};
}

static sfgp_status try_pose(halving *h, const sfgp_similarity *pose, bool late_mixing)
{
    /* with landmarks equal fits of two poses differ in their score */
    sfgp_duplicate *duplicates = h->em->problem->landmarks ? NULL : h->duplicates;
    sfgp_em_start starts[STARTS];
    sfgp_trial ends[STARTS];
    for (int k = 0; k < STARTS; k++)
        starts[k] = start_at(h, pose, k, late_mixing);
    sfgp_status status = sfgp_landmarks_misfit(h->em, pose, &h->misfit);
    if (status == SFGP_OK)
        status = sfgp_trials_run(h->em->context, (int64_t)h->tuning->starts_iterations, STARTS, starts,
                                 &h->main.trials, duplicates, ends);
    for (int k = 0; k < STARTS && status == SFGP_OK; k++)
        if (ends[k].score > -HUGE_VAL)
            sfgp_contest_enter(&starts[k], &ends[k], h->misfit, landmarks_agree(h), &h->contest);
    return status;
}

static sfgp_status try_unturned(halving *h, bool late_mixing)
{
    const sfgp_similarity in_place = sfgp_similarity_identity(h->em->problem->basis->dimension);
    for (int k = 0; k < STARTS; k++)
        h->duplicates[k].set = false;
    sfgp_status status = try_pose(h, &in_place, late_mixing);
    return status == SFGP_OK ? try_pose(h, &h->contest.centred, late_mixing) : status;
}

static sfgp_status try_pose_of_landmarks(halving *h)
{
    sfgp_similarity pose;
    return sfgp_landmarks_pose(h->em->problem->landmarks, &pose) ? try_pose(h, &pose, false) : SFGP_OK;
}

/* ---- rungs CHECK and TURNS --------------------------------------------------------------------------- */

static void consider_all_turns(halving *h)
{
    double rotation[9];
    h->turns = sfgp_rotation_table(h->em->problem->basis->dimension, 0, rotation);
    memset(h->scores, 0, sizeof h->scores);
}

/* Gives all but the best of them up. */
static void keep_best_turns(halving *h, int most)
{
    double scores[TURNS];
    memcpy(scores, h->scores, sizeof scores);
    for (int k = 0; k < h->turns; k++) {
        int better = 0;
        for (int other = 0; other < h->turns; other++)
            better += scores[other] > scores[k];
        if (better >= most)
            h->scores[k] = -HUGE_VAL;
    }
}

static sfgp_status score_some_turns(halving *h, bench *rung, int64_t iterations, int count, const int *turn)
{
    const int d = h->em->problem->basis->dimension;
    sfgp_em_start starts[SFGP_TRIALS] = {{.late_mixing = false}}; /* the compiler cannot see count > 0 */
    sfgp_trial ends[SFGP_TRIALS];
    for (int k = 0; k < count; k++) {
        starts[k] = start_at(h, &h->contest.centred, 0, false);
        sfgp_rotation_table(d, turn[k], starts[k].pose.rotation);
    }
    sfgp_status status =
        sfgp_trials_run(h->em->context, iterations, count, starts, &rung->trials, NULL, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        status = sfgp_landmarks_misfit(h->em, &starts[k].pose, &h->misfit);
        h->scores[turn[k]] = ends[k].score - 0.5 * h->misfit;
    }
    return status;
}

/* Scores of the turns that are not given up. */
static sfgp_status score_turns(halving *h, bench *rung, int64_t iterations)
{
    int turn[TURNS], count = 0;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < h->turns; k++)
        if (h->scores[k] > -HUGE_VAL)
            turn[count++] = k;
    for (int first = 0; first < count && status == SFGP_OK; first += SFGP_TRIALS) {
        const int left = count - first;
        status = score_some_turns(h, rung, iterations, left < SFGP_TRIALS ? left : SFGP_TRIALS, turn + first);
    }
    return status;
}

/* The turn with the largest score; 0 when none leads anywhere. */
static int best_turn(const halving *h)
{
    int best = 0;
    for (int k = 1; k < h->turns; k++)
        if (h->scores[k] > (best > 0 ? h->scores[best] : -HUGE_VAL))
            best = k;
    return best;
}

static sfgp_status check_turns(halving *h)
{
    consider_all_turns(h);
    h->checked = h->check.trials.count > 0;
    return h->checked ? score_turns(h, &h->check, (int64_t)h->tuning->check_iterations) : SFGP_OK;
}

/* Those that are best on the few points of CHECK, and of them the best on more points. */
static sfgp_status try_turned(halving *h)
{
    const int kept = (int)h->tuning->turns_kept;
    sfgp_similarity pose = h->contest.centred;
    sfgp_status status = h->checked ? SFGP_OK : check_turns(h);
    int best;
    if (h->checked)
        keep_best_turns(h, (int)h->tuning->check_kept);
    if (status == SFGP_OK)
        status = score_turns(h, &h->main, (int64_t)h->tuning->turns_iterations);
    h->turned = true;
    for (int k = 0; k < kept && (best = best_turn(h)) > 0 && status == SFGP_OK; k++) {
        sfgp_rotation_table(h->em->problem->basis->dimension, best, pose.rotation);
        h->scores[best] = -HUGE_VAL;
        status = try_pose(h, &pose, false);
    }
    return status;
}

static bool is_better_turned(const halving *h, double margin)
{
    return h->checked && h->scores[best_turn(h)] > h->scores[0] + margin;
}

/* A subset may fit well enough when it is turned the wrong way, as far as its prior bends. The prior of
 * training shapes does not bend so far, and has no rung CHECK. */
static sfgp_status try_turned_if_wanted(halving *h)
{
    sfgp_status status = check_turns(h);
    const bool wanted = !h->contest.good || is_better_turned(h, 0);
    return status == SFGP_OK && wanted ? try_turned(h) : status;
}

static sfgp_status only_check(halving *h)
{
    const sfgp_status status = check_turns(h);
    h->turned = status == SFGP_OK && is_better_turned(h, h->tuning->margin);
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
        sfgp_contest_add_other_pose(&h->contest);
    return status;
}

/* Where a large fit ends depends on its first sigma2, which a subset cannot tell: that of the problem. */
static sfgp_status search(sfgp_em *em, sfgp_status (*rungs)(halving *h), sfgp_shortlist *list, bool *turned)
{
    halving h;
    sfgp_status status = halving_new(em, &h);
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
    return search(em, run, list, turned);
}

sfgp_status sfgp_halving_run_turned(sfgp_em *em, sfgp_shortlist *list)
{
    bool turned;
    return search(em, try_turned, list, &turned);
}

sfgp_status sfgp_halving_check(sfgp_em *em, bool *turned)
{
    sfgp_shortlist none;
    return search(em, only_check, &none, turned);
}
