#include "fit/search.h"
#include "base/memory.h"
#include "base/random.h"
#include "fit/landmarks.h"
#include "fit/strays.h"
#include "fit/trials.h"
#include "geom/measure.h"
#include "geom/mesh.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ACCURACY_PART 1e-4 /* of its prior, squared RMS radii */
#define ACCURACY 1e-6

#define ITERATIONS 60    /* of a start */
#define MARGIN 10.0      /* nats between fits of a part that may be chance, */
#define RIVAL 20.0       /* and between poses, which the whole decides */
#define TURNING 10.0     /* cost of a turn by 90 degrees, nats */
#define SPACINGS 1.0     /* labels of a good fit scatter by less, */
#define SPACINGS_2D 0.01 /* on a whole curve by less than this: a wrong turn lies near it as well */
#define EXPLAINED 0.3    /* and leave no more of the target to strays */
#define CONTRADICTED 2.0 /* landmarks: mean square of what the prior expects to be 1 */
#define TARGET_LEAST 50  /* points of the target that are seen, if there are as many */
#define TARGET_MOST 1600 /* ... and no more than these */
#define REACH 10.0       /* RMS radii: a target farther away is another one */
#define LOOK 30          /* iterations of a look at a rotation */
#define TURNS 4          /* rotations that are tried in earnest */
#define SAME 0.5         /* maxima that differ by less are one */

enum { STARTS = 8 };                                              /* of a pose */
static const double NOISES[] = {0.3, 0.1}, OMEGAS[] = {0.1, 0.5}; /* squared RMS radii; shares */

/* A part of the shapes, with solvers of its own. */
typedef struct search {
    sfgp_solver *whole;
    sfgp_model *model;
    sfgp_trials trials;
    bool complete;                     /* the part is all there is */
    bool good;                         /* the best fit explains the target */
    bool near;                         /* the target is in reach */
    sfgp_pose centred;                 /* unturned, at the target's centroid */
    double misfit;                     /* of the landmarks at the pose that is tried */
    struct sfgp_candidate unturned[2]; /* of a part: the best in place, at the centroid */
    sfgp_trail trails[STARTS];         /* of the starts of the first pose */
    sfgp_shortlist list;
} search;

static void search_clear(search *s)
{
    for (int k = 0; k < STARTS; k++)
        sfgp_trail_clear(&s->trails[k]);
    sfgp_trials_clear(&s->trials);
    sfgp_model_free(s->model);
}

static sfgp_status take_part_of_model(search *s)
{
    const sfgp_model *model = s->whole->model;
    int64_t *index = NULL;
    sfgp_status status = sfgp_allocate(s->whole->context, model->count, &index);
    if (status == SFGP_OK) {
        const int64_t count =
            sfgp_random_some((uint64_t)s->whole->settings.seed, model->count, SFGP_SEARCH_POINTS, index);
        status = sfgp_model_select(s->whole->context, model, count, index, &s->model);
    }
    if (status == SFGP_OK)
        sfgp_factor_truncate(s->model->count < model->count ? ACCURACY_PART : ACCURACY, &s->model->scalar);
    sfgp_free(index);
    return status;
}

static sfgp_status take_part_of_target(const search *s, const sfgp_mesh *target, sfgp_mesh **part)
{
    const int64_t n = s->whole->model->count,
                  share = n > SFGP_SEARCH_POINTS ? target->count * SFGP_SEARCH_POINTS / n : target->count,
                  most = share < TARGET_LEAST  ? TARGET_LEAST
                         : share > TARGET_MOST ? TARGET_MOST
                                               : share;
    int64_t *index = NULL;
    sfgp_status status = sfgp_allocate(s->whole->context, target->count, &index);
    const int64_t count = status == SFGP_OK ? sfgp_random_some((uint64_t)s->whole->settings.seed + 1,
                                                               target->count, most, index)
                                            : 0;
    if (status == SFGP_OK)
        status = sfgp_mesh_select(s->whole->context, target, count, index, part);
    sfgp_free(index);
    return status;
}

static sfgp_status search_new(sfgp_solver *whole, const sfgp_mesh *target, search *s)
{
    sfgp_settings settings = whole->settings;
    sfgp_mesh *part = NULL;
    *s = (search){.whole = whole};
    snprintf(settings.kernel, sizeof settings.kernel, "auto"); /* the model is what counts */
    settings.tolerance = 1e-3;
    settings.pmin = settings.prune = 0;
    sfgp_status status = take_part_of_model(s);
    s->complete = s->model && s->model->count == whole->model->count;
    if (status == SFGP_OK)
        status = take_part_of_target(s, target, &part);
    if (status == SFGP_OK)
        status = sfgp_trials_new(whole->context, s->model, &settings, part, (int)whole->settings.threads,
                                 &s->trials);
    for (int k = 0; k < STARTS && status == SFGP_OK; k++)
        status = sfgp_trail_new(s->trials.solvers[0], &s->trails[k]);
    sfgp_mesh_free(part);
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
    const bool curve = s->complete && s->model->dimension == 2;
    return sqrt(end->noise) < (curve ? SPACINGS_2D : SPACINGS) * s->trials.solvers[0]->spacing &&
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
    return sfgp_pose_angle_cosine(start->pose.rotation, s->model->dimension) < 1;
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
    if (s->complete && rank >= 0)
        insert(&candidate, rank, &s->list);
    if (!s->complete)
        take_of_part(s, &candidate);
}

/* In place or at the centroid: where a part cannot tell, the whole does. */
static void add_rival(search *s)
{
    const struct sfgp_candidate *best = &s->list.best[0], *other = &s->unturned[!is_centred(s, &best->start)];
    if (s->complete || s->list.count == 0 || is_turned(s, &best->start))
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
        status = sfgp_trials_fit(s->whole->context, ITERATIONS, STARTS, starts, &s->trials, trails, ends);
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

typedef struct turn {
    int index;
    double score;
} turn;

/* Keeps the best, in order. */
static void keep_turn(int index, double score, turn *best)
{
    int at = TURNS;
    while (at > 0 && score > best[at - 1].score)
        at--;
    for (int k = TURNS - 1; k > at; k--)
        best[k] = best[k - 1];
    if (at < TURNS)
        best[at] = (turn){index, score};
}

/* A short look at some rotations of the table. */
static sfgp_status look_at(search *s, int first, int count, turn *best)
{
    const int d = s->model->dimension;
    sfgp_start starts[SFGP_TRIALS];
    sfgp_trial ends[SFGP_TRIALS];
    for (int k = 0; k < count; k++) {
        starts[k] = (sfgp_start){s->centred, NOISES[0], OMEGAS[0], true, false};
        sfgp_pose_rotations(d, first + k, starts[k].pose.rotation);
    }
    sfgp_status status = sfgp_trials_fit(s->whole->context, LOOK, count, starts, &s->trials, NULL, ends);
    for (int k = 0; k < count && status == SFGP_OK; k++) {
        status = sfgp_solver_landmark_misfit(s->whole, &starts[k].pose, &s->misfit);
        keep_turn(first + k, ends[k].score - 0.5 * s->misfit, best);
    }
    return status;
}

static sfgp_status look_around(search *s, turn *best)
{
    double rotation[9];
    const int count = sfgp_pose_rotations(s->model->dimension, 0, rotation);
    sfgp_status status = SFGP_OK;
    for (int first = 1; first < count && status == SFGP_OK; first += SFGP_TRIALS)
        status = look_at(s, first, count - first < SFGP_TRIALS ? count - first : SFGP_TRIALS, best);
    return status;
}

static sfgp_status try_turned(search *s)
{
    sfgp_pose pose = s->centred;
    turn best[TURNS];
    s->list.turned = true;
    for (int k = 0; k < TURNS; k++)
        best[k] = (turn){0, -HUGE_VAL};
    sfgp_status status = look_around(s, best);
    for (int k = 0; k < TURNS && best[k].score > -HUGE_VAL && status == SFGP_OK; k++) {
        sfgp_pose_rotations(s->model->dimension, best[k].index, pose.rotation);
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
    const sfgp_pose in_place = sfgp_pose_identity(s->model->dimension);
    for (int k = 0; k < STARTS; k++)
        s->trails[k].laid = false;
    sfgp_status status = try_pose(s, &in_place, slow);
    return status == SFGP_OK && s->near ? try_pose(s, &s->centred, slow) : status;
}

/* The middle of the target, and whether that is near. */
static void set_out(search *s)
{
    const int d = s->model->dimension;
    s->centred = sfgp_pose_identity(d);
    s->unturned[0].score = s->unturned[1].score = -HUGE_VAL;
    sfgp_points_extent(s->trials.solvers[0]->target_count, d, s->trials.solvers[0]->scan, s->centred.shift);
    s->near = norm(d, s->centred.shift) <= REACH;
}

static sfgp_status explore(search *s)
{
    set_out(s);
    sfgp_status status = try_unturned(s, false);
    if (status == SFGP_OK && s->list.count == 0)
        status = try_unturned(s, true);
    if (status == SFGP_OK && s->near && !agree_with_landmarks(s))
        status = try_pose_of_landmarks(s);
    if (status == SFGP_OK && s->near && !s->good)
        status = try_turned(s);
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
