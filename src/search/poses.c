/* Which poses of the rigid search are fitted, and whether another search follows (ADR 0060). */
#include "search/poses.h"
#include "geom/rotations.h"
#include "search/effort.h"
#include "search/poses_rigid.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum {
    RIVALS = 8,                /* most that are compared */
    POSES = SFGP_SHORTLIST - 1 /* most that are fitted, but for the one in place */
};

bool sfgp_poses_apply(const sfgp_em_problem *problem)
{
    const sfgp_tuning *t = sfgp_tuning_of(problem->basis);
    return t->rigid_rotations > 0 && (double)problem->target.count > t->rigid_neighbours &&
           (double)problem->basis->count > t->subset_points;
}

/* The best score of the poses that turn otherwise than the best one. */
static double best_other(const sfgp_tuning *tuning, int count, const sfgp_rigid_pose *best)
{
    for (int k = 1; k < count; k++)
        if (sfgp_rotation_cosine_between(best[0].pose.rotation, best[k].pose.rotation, 3) <=
            tuning->turns_apart)
            return best[k].score;
    return 0;
}

/* The best pose is good; or, where the effort says so, in place is nearly as good, or what turns otherwise is much worse. */
static bool is_sure(const sfgp_em_problem *problem, double unturned, int count, const sfgp_rigid_pose *best)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(problem->basis);
    const sfgp_effort *effort = problem->effort;
    if (count == 0)
        return false;
    const double score = best[0].score, other = best_other(tuning, count, best);
    return other < tuning->rigid_rival * score &&
           (score > tuning->rigid_sure ||
            unturned > fmax(effort->sure_in_place * score, tuning->rigid_least) ||
            (score > effort->sure_alone && other < tuning->rigid_alone * score));
}

static void add(const sfgp_em_problem *problem, const sfgp_rigid_pose *pose, sfgp_shortlist *list)
{
    sfgp_candidate candidate = {sfgp_em_standard_start(problem), pose->score};
    candidate.start.pose = pose->pose;
    sfgp_shortlist_insert(&candidate, list->count, list);
}

/* In place, and at the middle of the scan without a turn: which of two near optima a fit finds depends on where it starts. */
static void add_unturned(const sfgp_rigid_shapes *s, const sfgp_em_problem *problem, double score,
                         sfgp_shortlist *list)
{
    sfgp_rigid_pose none = {sfgp_similarity_identity(3), score};
    add(problem, &none, list);
    memcpy(none.pose.shift, s->middle, sizeof s->middle);
    add(problem, &none, list);
}

/* The best poses. One that is nearly in place is replaced by the two without a turn; if the best one hardly turns, in place
 * starts, too. */
static void list_poses(const sfgp_rigid_shapes *s, const sfgp_em_problem *problem, int count,
                       const sfgp_rigid_pose *best, sfgp_shortlist *list)
{
    const sfgp_rigid_pose none = {.pose = sfgp_similarity_identity(3)};
    bool here = false;
    for (int k = 0; k < count && best[k].score >= s->tuning->rigid_near * best[0].score; k++) {
        const bool same = sfgp_rigid_is_same(s, &best[k].pose, &none.pose);
        if (same && !here)
            add_unturned(s, problem, best[k].score, list);
        else if (!same)
            add(problem, &best[k], list);
        here = here || same;
    }
    if (count > 0 && !here && sfgp_rotation_cosine(best[0].pose.rotation, 3) > s->tuning->turns_apart)
        add(problem, &none, list);
}

sfgp_status sfgp_poses_find(sfgp_context *context, const sfgp_em_problem *problem, const double *points,
                            sfgp_shortlist *list, bool *sure)
{
    sfgp_rigid_found found = {0};
    sfgp_rigid_pose best[RIVALS];
    sfgp_rigid_shapes s;
    int kept = 0;
    sfgp_status status = sfgp_rigid_shapes_new(context, problem, points, &s);
    if (status == SFGP_OK)
        status = sfgp_rigid_find(context, &s, &found);
    if (status == SFGP_OK)
        kept = sfgp_rigid_keep_best(&s, found.count, found.each, RIVALS, best);
    *sure = is_sure(problem, found.unturned, kept, best);
    list_poses(&s, problem, kept < POSES ? kept : POSES, best, list);
    sfgp_rigid_shapes_clear(&s);
    return status;
}
