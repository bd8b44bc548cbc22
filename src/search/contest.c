/* Which starts are kept: by score, with margins in nats (search/tuning.h, ADR 0013 and 0016). */
#include "search/contest.h"
#include "geom/measure.h"
#include "geom/rotations.h"

#include <math.h>
#include <string.h>

void sfgp_contest_begin(const sfgp_tuning *tuning, const sfgp_subset *subset, sfgp_contest *contest)
{
    const sfgp_target *target = &subset->problem.target;
    *contest = (sfgp_contest){.tuning = tuning, .subset = subset};
    contest->centred = sfgp_similarity_identity(target->dimension);
    sfgp_points_extent(target->count, target->dimension, target->points, contest->centred.shift);
    contest->unturned[0].score = contest->unturned[1].score = -HUGE_VAL;
    contest->turned[0].score = contest->turned[1].score = -HUGE_VAL;
}

static bool is_good(const sfgp_contest *contest, const sfgp_trial *end)
{
    const sfgp_subset *subset = contest->subset;
    const double spacings =
        subset->complete ? contest->tuning->good_fit_sigma_whole : contest->tuning->good_fit_sigma;
    return sqrt(end->sigma2) < spacings * subset->problem.target.spacing &&
           end->omega < 1 - contest->tuning->good_fit_explained * (1 - subset->problem.clutter);
}

static bool is_turned(const sfgp_em_start *start)
{
    return sfgp_rotation_cosine(start->pose.rotation, start->pose.dimension) < 1;
}

static bool is_centred(const sfgp_contest *contest, const sfgp_em_start *start)
{
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): a copy of it, or another */
    return memcmp(start->pose.shift, contest->centred.shift, sizeof start->pose.shift) == 0;
}

static bool is_near(const sfgp_contest *contest, const sfgp_candidate *a, const sfgp_candidate *b)
{
    return b->score > -HUGE_VAL &&
           sfgp_rotation_cosine_between(a->start.pose.rotation, b->start.pose.rotation,
                                        a->start.pose.dimension) > contest->tuning->turns_apart;
}

static void enter_turned(const sfgp_candidate *candidate, sfgp_contest *contest)
{
    sfgp_candidate *best = contest->turned, *other = best + 1;
    const bool better = candidate->score > best->score;
    if (better && !is_near(contest, candidate, best))
        *other = *best;
    if (better)
        *best = *candidate;
    else if (candidate->score > other->score && !is_near(contest, candidate, best))
        *other = *candidate;
}

static void enter_smaller(const sfgp_candidate *candidate, sfgp_contest *contest)
{
    const double margin = contest->tuning->margin_subset;
    sfgp_candidate *here = &contest->unturned[is_centred(contest, &candidate->start)];
    if (contest->list.count == 0 || candidate->score > contest->list.best[0].score + margin) {
        contest->list.count = 1;
        contest->list.best[0] = *candidate;
    }
    if (is_turned(&candidate->start))
        enter_turned(candidate, contest);
    else if (candidate->score > here->score + margin)
        *here = *candidate;
}

void sfgp_contest_enter(const sfgp_em_start *start, const sfgp_trial *end, double misfit,
                        bool landmarks_agree, sfgp_contest *contest)
{
    const sfgp_candidate candidate = {*start, end->score - 0.5 * misfit};
    const int rank = sfgp_shortlist_rank(&contest->list, candidate.score, contest->tuning->same_maximum);
    if (contest->list.count == 0 || rank == 0)
        contest->good = landmarks_agree && is_good(contest, end);
    if (!contest->subset->complete)
        enter_smaller(&candidate, contest);
    else if (rank >= 0)
        sfgp_shortlist_insert(&candidate, rank, &contest->list);
}

/* Of the poses without a turn, another one than that of the best start. */
static const sfgp_candidate *other_unturned(const sfgp_contest *contest)
{
    const sfgp_candidate *best = &contest->list.best[0], *unturned = contest->unturned;
    if (is_turned(&best->start))
        return &unturned[unturned[1].score > unturned[0].score];
    return &unturned[!is_centred(contest, &best->start)];
}

static void add_if_near(const sfgp_candidate *other, double margin, sfgp_shortlist *list)
{
    if (other->score >= list->best[0].score - margin)
        sfgp_shortlist_insert(other, list->count, list);
}

void sfgp_contest_add_other_poses(sfgp_contest *contest)
{
    const sfgp_tuning *tuning = contest->tuning;
    sfgp_shortlist *list = &contest->list;
    if (contest->subset->complete || list->count == 0)
        return;
    const bool turned = is_turned(&list->best[0].start);
    add_if_near(other_unturned(contest), turned ? tuning->margin_turned : tuning->margin_pose, list);
    if (turned)
        add_if_near(&contest->turned[is_near(contest, &list->best[0], &contest->turned[0])],
                    tuning->margin_pose, list);
}
