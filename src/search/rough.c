/* Rough fits, and those of them that go on (ADR 0074). */
#include "search/rough.h"
#include "base/memory.h"
#include "em/warm.h"
#include "geom/rotations.h"
#include "search/pace.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>

bool sfgp_rough_suits(const sfgp_em_problem *problem)
{
    return !problem->landmarks && !(problem->clutter > 0);
}

bool sfgp_rough_applies(const sfgp_em *whole)
{
    const sfgp_em_problem *problem = whole->problem;
    const sfgp_tuning *tuning = sfgp_tuning_of(problem->basis);
    return tuning->rough_points > 0 && (double)problem->basis->count >= tuning->rough_from &&
           sfgp_rough_suits(problem) && whole->max_iterations > (int64_t)tuning->rough_iterations;
}

int64_t sfgp_rough_targets(int64_t points, int64_t of, int64_t targets)
{
    const int64_t part = sfgp_subset_targets(points, of, targets),
                  least = targets < points / 2 ? targets : points / 2;
    return part > least ? part : least;
}

static sfgp_subset_request request_for(const sfgp_em_problem *problem)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(problem->basis);
    const int64_t points = (int64_t)tuning->rough_points;
    return (sfgp_subset_request){.points = points,
                                 .targets =
                                     sfgp_rough_targets(points, problem->basis->count, problem->mesh->count),
                                 .even = true,
                                 .accuracy = tuning->rough_accuracy,
                                 .tolerance = problem->tolerance};
}

static sfgp_status make_room(sfgp_em *whole, sfgp_rough *rough)
{
    const sfgp_subset_request request = request_for(whole->problem);
    sfgp_status status = sfgp_subset_new(whole->context, whole->problem, &request, &rough->subset);
    if (status == SFGP_OK)
        status = sfgp_em_new(whole->context, &rough->subset.problem, &rough->em);
    if (status == SFGP_OK)
        status = sfgp_em_take_target(rough->em);
    for (int prior = 0; prior < SFGP_PRIORS && status == SFGP_OK; prior++)
        status = sfgp_duplicate_new(whole->context, &rough->subset.basis, &rough->duplicate[prior]);
    if (status == SFGP_OK)
        status = sfgp_allocate(whole->context, whole->regions.count, &rough->nearest);
    return status == SFGP_OK ? sfgp_em_find_nearest(whole, &rough->subset.basis, rough->nearest) : status;
}

sfgp_status sfgp_rough_new(sfgp_em *whole, sfgp_rough *rough)
{
    *rough = (sfgp_rough){0};
    const sfgp_mark mark = sfgp_profile_enter(whole->context, SFGP_STAGE_LEVEL);
    const sfgp_status status = make_room(whole, rough);
    sfgp_profile_leave(whole->context, mark);
    return status;
}

void sfgp_rough_forget(sfgp_rough *rough)
{
    for (int k = 0; k < rough->count; k++)
        sfgp_em_state_clear(&rough->fit[k].state);
    rough->count = rough->seen = 0;
}

void sfgp_rough_clear(sfgp_em *whole, sfgp_rough *rough)
{
    if (rough->em) {
        whole->iterations += rough->em->iterations;
        whole->starts += rough->em->starts;
    }
    sfgp_rough_forget(rough);
    for (int prior = 0; prior < SFGP_PRIORS; prior++)
        sfgp_duplicate_clear(&rough->duplicate[prior]);
    sfgp_free(rough->nearest);
    sfgp_em_free(rough->em);
    sfgp_subset_clear(&rough->subset);
    *rough = (sfgp_rough){0};
}

/* The largest score first. */
static void insert(const sfgp_rough_fit *fit, sfgp_rough *rough)
{
    int k = rough->count++;
    for (; k > 0 && rough->fit[k - 1].score < fit->score; k--)
        rough->fit[k] = rough->fit[k - 1];
    rough->fit[k] = *fit;
}

static sfgp_status keep(double score, sfgp_rough *rough)
{
    sfgp_rough_fit fit = {.score = score};
    const sfgp_status status = sfgp_em_state_new(rough->em->context, &rough->subset.basis, true, &fit.state);
    if (status != SFGP_OK)
        return status;
    sfgp_em_state_copy(&rough->em->state, &fit.state);
    insert(&fit, rough);
    return SFGP_OK;
}

static sfgp_status run(const sfgp_em_start *start, sfgp_rough *rough)
{
    const int64_t most = (int64_t)sfgp_tuning_of(&rough->subset.basis)->rough_iterations;
    bool same = false;
    double score = -HUGE_VAL;
    sfgp_outcome outcome;
    sfgp_status status =
        sfgp_duplicate_run(rough->em, start, most, &rough->duplicate[start->prior], &same, &outcome);
    if (status == SFGP_OK && !same && outcome != SFGP_NO_OVERLAP)
        status = sfgp_search_tempered_score(rough->em, &score);
    return status == SFGP_OK && score > -HUGE_VAL ? keep(score, rough) : status;
}

sfgp_status sfgp_rough_run(const sfgp_em_start *start, sfgp_rough *rough)
{
    const sfgp_status status = rough->count < SFGP_ROUGH_FITS ? run(start, rough) : SFGP_OK;
    return status == SFGP_ERROR_NUMERIC ? SFGP_OK : status;
}

/* Two fits stand at one place, and lead to one fit. Overwrites a duplicate, which only starts ask for. */
static bool are_one(sfgp_rough *rough, const sfgp_em_state *a, const sfgp_em_state *b)
{
    const sfgp_basis *basis = &rough->subset.basis;
    sfgp_duplicate *other = &rough->duplicate[SFGP_PRIOR_AS_IS];
    sfgp_duplicate_remember(basis, b, other);
    return sfgp_duplicate_is_near(basis, a, other, sfgp_tuning_of(basis)->rough_same, rough->em->deltas);
}

/* Beside those that go on: how many there are under its prior, whether it stands elsewhere than these, and whether it began at
 * another turn than all. */
typedef struct comparison {
    int going_on;
    bool is_new, is_turned;
} comparison;

static void compare_with(sfgp_rough *rough, const sfgp_em_state *state, const sfgp_em_state *other,
                         comparison *c)
{
    const double cosine = sfgp_tuning_of(&rough->subset.basis)->rival_turn;
    const sfgp_similarity *pose = &state->start.pose;
    c->is_turned = c->is_turned && sfgp_rotation_cosine_between(pose->rotation, other->start.pose.rotation,
                                                                pose->dimension) < cosine;
    if (state->start.prior != other->start.prior)
        return;
    c->going_on++;
    c->is_new = c->is_new && !are_one(rough, state, other);
}

static bool goes_on(sfgp_rough *rough, const sfgp_rough_fit *fit)
{
    comparison c = {.is_new = true, .is_turned = true};
    for (int k = 0; k < rough->seen; k++)
        if (rough->fit[k].goes_on)
            compare_with(rough, &fit->state, &rough->fit[k].state, &c);
    return c.going_on == 0 || (c.going_on == 1 && c.is_new && c.is_turned);
}

int sfgp_rough_next(sfgp_rough *rough)
{
    const double margin = sfgp_tuning_of(&rough->subset.basis)->rough_behind;
    for (; rough->seen < rough->count; rough->seen++) {
        sfgp_rough_fit *fit = &rough->fit[rough->seen];
        if (sfgp_pace_is_behind(rough->em, margin, rough->fit[0].score, fit->score))
            return -1;
        fit->goes_on = goes_on(rough, fit);
        if (fit->goes_on)
            return rough->seen++;
    }
    return -1;
}

sfgp_status sfgp_rough_go_on(const sfgp_rough *rough, int k, sfgp_em *whole)
{
    const sfgp_status status =
        sfgp_em_go_on(whole, &rough->subset.basis, rough->nearest, &rough->fit[k].state);
    whole->starts--; /* it was counted when it began */
    return status;
}
