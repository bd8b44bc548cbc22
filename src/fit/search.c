#include "fit/search.h"
#include "fit/landmarks.h"
#include "fit/strays.h"
#include "fit/part.h"
#include "geom/measure.h"

#include <math.h>
#include <string.h>

#define ITERATIONS 60    /* of a start */
#define MARGIN 10.0      /* nats between fits of a part that may be chance, */
#define RIVAL 20.0       /* and between poses, which the whole decides */
#define TURNING 10.0     /* cost of a turn by 90 degrees, nats */
#define SPACINGS 1.0     /* labels of a good fit scatter by less, */
#define SPACINGS_2D 0.01 /* on a whole curve by less than this: a wrong turn lies near it as well */
#define EXPLAINED 0.3    /* and leave no more of the target to strays */
#define CONTRADICTED 2.0 /* landmarks: mean square of what the prior expects to be 1 */
#define REACH 10.0       /* RMS radii: a target farther away is another one */
#define LOOK 30          /* iterations of a look at a rotation, */
#define GLANCE 12        /* and of a glance */
#define ROTATIONS 60     /* most in a table */
#define TURNS 4          /* rotations that are tried in earnest */
#define SAME 0.5         /* maxima that differ by less are one */

enum { STARTS = 8 };                                              /* of a pose */
static const double NOISES[] = {0.3, 0.1}, OMEGAS[] = {0.1, 0.5}; /* squared RMS radii; shares */

typedef struct search {
    sfgp_solver *whole;
    sfgp_part part;                    /* what the starts are tried with, */
    sfgp_part glance;                  /* and less of it, which tells turns apart, where that is needed */
    bool good;                         /* the best fit explains the target */
    bool near;                         /* the target is in reach */
    sfgp_pose centred;                 /* unturned, at the target's centroid */
    double misfit;                     /* of the landmarks at the pose that is tried */
    struct sfgp_candidate unturned[2]; /* of a part: the best in place, at the centroid */
    sfgp_trail trails[STARTS];         /* of the starts of the first pose */
    int rotations;                     /* that were looked at, */
    double looks[ROTATIONS];           /* and what they count */
    sfgp_shortlist list;
} search;

static void search_clear(search *s)
{
    for (int k = 0; k < STARTS; k++)
        sfgp_trail_clear(&s->trails[k]);
    sfgp_part_clear(&s->part);
    sfgp_part_clear(&s->glance);
}

static sfgp_status search_new(sfgp_solver *whole, const sfgp_mesh *target, search *s)
{
    *s = (search){.whole = whole};
    sfgp_status status = sfgp_part_new(whole, target, SFGP_SEARCH_POINTS, &s->part);
    if (status == SFGP_OK && !s->part.complete && whole->model->pca.modes == 0)
        status = sfgp_part_new(whole, target, SFGP_GLANCE_POINTS, &s->glance);
    for (int k = 0; k < STARTS && status == SFGP_OK; k++)
        status = sfgp_trail_new(whole->context, s->part.model, &s->trails[k]);
    return status;
}

static bool agree_with_landmarks(const search *s)
{
    const sfgp_model *prior = &s->whole->landmarks.prior;
    return s->misfit <= CONTRADICTED * (double)(prior->count * prior->dimension);
}

/* Whether the fit that has ended explains its target well enough not to look further. */
static bool is_good(const search *s, const sfgp_trial *end)
{
    const bool curve = s->part.complete && s->part.model->dimension == 2;
    return sqrt(end->noise) < (curve ? SPACINGS_2D : SPACINGS) * s->part.trials.solvers[0]->spacing &&
           end->omega < 1 - EXPLAINED && agree_with_landmarks(s);
}

/* Where a score belongs in the list: list.count when behind all, -1 when it is there already. */
static int rank_of(const search *s, double score)
{
    int rank = 0;
    while (rank < s->list.count && s->list.best[rank].score >= score - SAME) {
        if (fabs(s->list.best[rank].score - score) <= SAME)
            return -1;
        rank++;
    }
    return rank;
}

static void insert(const struct sfgp_candidate *candidate, int rank, sfgp_shortlist *list)
{
    list->count += list->count < SFGP_SEARCH_LIST;
    for (int k = list->count - 1; k > rank; k--)
        list->best[k] = list->best[k - 1];
    if (rank < SFGP_SEARCH_LIST)
        list->best[rank] = *candidate;
}

static bool is_turned(const search *s, const sfgp_start *start)
{
    return sfgp_pose_angle_cosine(start->pose.rotation, s->part.model->dimension) < 1;
}

static bool is_centred(const search *s, const sfgp_start *start)
{
    return memcmp(start->pose.shift, s->centred.shift, sizeof start->pose.shift) == 0;
}

/* Of a part, what is better by more than chance: than all before, and than others of an unturned pose. */
static void take_of_part(search *s, const struct sfgp_candidate *candidate)
{
    struct sfgp_candidate *here = &s->unturned[is_centred(s, &candidate->start)];
    if (s->list.count == 0 || candidate->score > s->list.best[0].score + MARGIN) {
        s->list.count = 1;
        s->list.best[0] = *candidate;
    }
    if (!is_turned(s, &candidate->start) && candidate->score > here->score + MARGIN)
        *here = *candidate;
}

static void take(search *s, const sfgp_start *start, const sfgp_trial *end)
{
    const struct sfgp_candidate candidate = {*start, end->score - 0.5 * s->misfit};
    const int rank = rank_of(s, candidate.score);
    if (s->list.count == 0 || rank == 0)
        s->good = is_good(s, end);
    if (s->part.complete && rank >= 0)
        insert(&candidate, rank, &s->list);
    if (!s->part.complete)
        take_of_part(s, &candidate);
}

/* In place or at the centroid: where a part cannot tell, the whole does. */
static void add_rival(search *s)
{
    const struct sfgp_candidate *best = &s->list.best[0], *other = &s->unturned[!is_centred(s, &best->start)];
    if (s->part.complete || s->list.count == 0 || is_turned(s, &best->start))
        return;
    if (other->score >= best->score - RIVAL)
        insert(other, 1, &s->list);
}

/* All variances, shares and kinds of missing points at a pose. */
static sfgp_status try_pose(search *s, const sfgp_pose *pose, bool slow)
{
    sfgp_trail *trails = s->whole->landmarks.prior.count > 0 ? NULL : s->trails; /* they tell poses apart */
    sfgp_start starts[STARTS];
    sfgp_trial ends[STARTS];
    for (int k = 0; k < STARTS; k++)
        starts[k] = (sfgp_start){*pose, NOISES[k & 1], OMEGAS[k >> 1 & 1], !(k >> 2 & 1), slow};
    sfgp_status status = sfgp_solver_landmark_misfit(s->whole, pose, &s->misfit);
    if (status == SFGP_OK)
        status =
            sfgp_trials_fit(s->whole->context, ITERATIONS, STARTS, starts, &s->part.trials, trails, ends);
    for (int k = 0; k < STARTS && status == SFGP_OK; k++)
        if (ends[k].score > -HUGE_VAL)
            take(s, &starts[k], &ends[k]);
    return status;
}

static sfgp_status try_pose_of_landmarks(search *s)
{
    sfgp_pose pose;
    return sfgp_solver_landmark_pose(s->whole, &pose) ? try_pose(s, &pose, false) : SFGP_OK;
}

/* A short look at some rotations of the table. */
static sfgp_status look_at(search *s, sfgp_part *part, int64_t iterations, int first, int count)
{
    const int d = s->part.model->dimension;
    sfgp_start starts[SFGP_TRIALS] = {{.slow = false}};
    sfgp_trial ends[SFGP_TRIALS];
    for (int k = 0; k < count; k++) {
        starts[k] = (sfgp_start){s->centred, NOISES[0], OMEGAS[0], true, false};
        sfgp_pose_rotations(d, first + k, starts[k].pose.rotation);
    }
    sfgp_status status =
        sfgp_trials_fit(s->whole->context, iterations, count, starts, &part->trials, NULL, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        status = sfgp_solver_landmark_misfit(s->whole, &starts[k].pose, &s->misfit);
        s->looks[first + k] = ends[k].score - 0.5 * s->misfit;
    }
    return status;
}

/* At all of them; the first is none. */
static sfgp_status look_around(search *s, sfgp_part *part, int64_t iterations)
{
    double rotation[9];
    sfgp_status status = SFGP_OK;
    s->rotations = sfgp_pose_rotations(s->part.model->dimension, 0, rotation);
    for (int first = 0; first < s->rotations && status == SFGP_OK; first += SFGP_TRIALS) {
        const int left = s->rotations - first;
        status = look_at(s, part, iterations, first, left < SFGP_TRIALS ? left : SFGP_TRIALS);
    }
    return status;
}

/* The rotation that looks best; 0 when none leads anywhere. */
static int best_turn(const search *s)
{
    int best = 0;
    for (int k = 1; k < s->rotations; k++)
        if (s->looks[k] > (best > 0 ? s->looks[best] : -HUGE_VAL))
            best = k;
    return best;
}

/* Those that look best in earnest. */
static sfgp_status try_turned(search *s)
{
    sfgp_pose pose = s->centred;
    sfgp_status status = look_around(s, &s->part, LOOK);
    int best;
    s->list.turned = true;
    for (int k = 0; k < TURNS && (best = best_turn(s)) > 0 && status == SFGP_OK; k++) {
        sfgp_pose_rotations(s->part.model->dimension, best, pose.rotation);
        s->looks[best] = -HUGE_VAL;
        status = try_pose(s, &pose, false);
    }
    return status;
}

static double norm(int d, const double *x)
{
    return d == 2 ? hypot(x[0], x[1]) : hypot(hypot(x[0], x[1]), x[2]);
}

/* In place and at the centroid; the latter unless it is too far away. */
static sfgp_status try_unturned(search *s, bool slow)
{
    const sfgp_pose in_place = sfgp_pose_identity(s->part.model->dimension);
    for (int k = 0; k < STARTS; k++)
        s->trails[k].laid = false;
    sfgp_status status = try_pose(s, &in_place, slow);
    return status == SFGP_OK && s->near ? try_pose(s, &s->centred, slow) : status;
}

/* The middle of the target, and whether that is near. */
static void set_out(search *s)
{
    const int d = s->part.model->dimension;
    s->centred = sfgp_pose_identity(d);
    s->unturned[0].score = s->unturned[1].score = -HUGE_VAL;
    sfgp_points_extent(s->part.trials.solvers[0]->target_count, d, s->part.trials.solvers[0]->scan,
                       s->centred.shift);
    s->near = norm(d, s->centred.shift) <= REACH;
}

/* Whether a glance at a few points all around finds better than no turn: a part may fit well enough turned
 * the wrong way, as far as its prior bends. That of training shapes does not bend so far. */
static sfgp_status glance_around(search *s, bool *turned)
{
    *turned = false;
    if (!s->glance.model)
        return SFGP_OK;
    const sfgp_status status = look_around(s, &s->glance, GLANCE);
    *turned = status == SFGP_OK && s->looks[best_turn(s)] > s->looks[0];
    return status;
}

static sfgp_status turn_if_wanted(search *s)
{
    bool turned = !s->good;
    const sfgp_status status = s->near && s->good ? glance_around(s, &turned) : SFGP_OK;
    return status == SFGP_OK && s->near && turned ? try_turned(s) : status;
}

static sfgp_status explore(search *s)
{
    set_out(s);
    sfgp_status status = try_unturned(s, false);
    if (status == SFGP_OK && s->list.count == 0)
        status = try_unturned(s, true);
    if (status == SFGP_OK && s->near && !agree_with_landmarks(s))
        status = try_pose_of_landmarks(s);
    if (status == SFGP_OK)
        status = turn_if_wanted(s);
    if (status == SFGP_OK)
        add_rival(s);
    return status;
}

static sfgp_status explore_turned(search *s)
{
    set_out(s);
    return s->near ? try_turned(s) : SFGP_OK;
}

sfgp_status sfgp_search_score(sfgp_solver *solver, double *score)
{
    const double turning =
        TURNING * (1 - sfgp_pose_angle_cosine(solver->pose.rotation, solver->model->dimension));
    const bool fitted = solver->labels.missing < solver->labels.count && !sfgp_strays_all(solver);
    double misfit = 0;
    sfgp_status status = sfgp_solver_landmark_misfit(solver, &solver->pose, &misfit);
    *score = fitted ? solver->evidence - sfgp_strays_price(solver) - turning - 0.5 * misfit : -HUGE_VAL;
    return status;
}

typedef sfgp_status explorer(search *s);

static sfgp_status run(sfgp_solver *solver, const sfgp_mesh *target, explorer *way, sfgp_shortlist *list)
{
    search s;
    sfgp_status status = search_new(solver, target, &s);
    if (status == SFGP_OK)
        status = way(&s);
    *list = s.list;
    search_clear(&s);
    return status;
}

sfgp_status sfgp_search_starts(sfgp_solver *solver, const sfgp_mesh *target, sfgp_shortlist *list)
{
    return run(solver, target, explore, list);
}

sfgp_status sfgp_search_turned(sfgp_solver *solver, const sfgp_mesh *target, sfgp_shortlist *list)
{
    return run(solver, target, explore_turned, list);
}
