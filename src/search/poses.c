/* The poses of a rigid search, best first (ADR 0060). */
#include "search/poses.h"
#include "base/memory.h"
#include "geom/measure.h"
#include "geom/rigid_refine.h"
#include "geom/rotations.h"
#include "geom/vector.h"
#include "search/effort.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

enum {
    KEPT = 30,                 /* most poses that are refined */
    RIVALS = 8,                /* most that are compared */
    POSES = SFGP_SHORTLIST - 1 /* most that are fitted, but for the one in place */
};

/* What the search compares poses by. */
typedef struct judge {
    const sfgp_tuning *tuning;
    double middle[3]; /* of the scan */
} judge;

/* Both turn alike, and have the middle of the scan at one place of the shape. */
static bool is_same(const judge *j, const sfgp_similarity *a, const sfgp_similarity *b)
{
    const double shift = j->tuning->rigid_shift;
    double here[3], there[3];
    sfgp_similarity_undo(a, 1, j->middle, here);
    sfgp_similarity_undo(b, 1, j->middle, there);
    return sfgp_rotation_cosine_between(a->rotation, b->rotation, 3) > j->tuning->rigid_turn &&
           sfgp_square_between(3, here, there) < shift * shift;
}

static bool is_new(const judge *j, const sfgp_similarity *pose, int count, const sfgp_rigid_pose *kept)
{
    for (int k = 0; k < count; k++)
        if (is_same(j, pose, &kept[k].pose))
            return false;
    return true;
}

/* Of count poses the best ones that differ, best first; how many, at most `most`. Overwrites their scores, of which minus infinity is none. */
static int keep(const judge *j, int count, sfgp_rigid_pose *poses, int most, sfgp_rigid_pose *kept)
{
    int found = 0;
    for (int tried = 0; tried < count && found < most; tried++) {
        int best = 0;
        for (int k = 1; k < count; k++)
            best = poses[k].score > poses[best].score ? k : best;
        if (poses[best].score == -HUGE_VAL)
            break;
        if (is_new(j, &poses[best].pose, found, kept))
            kept[found++] = poses[best];
        poses[best].score = -HUGE_VAL;
    }
    return found;
}

/* ---- the search ------------------------------------------------------------------------------------------ */

/* What a search compares. */
typedef struct shapes {
    sfgp_oriented whole, scan, part, few; /* the shape; the scan; some points of it, and fewer */
    sfgp_kdtree *tree;                    /* over the shape */
    sfgp_rigid_pose *poses;               /* of all turns */
} shapes;

static sfgp_status shapes_new(sfgp_context *context, const sfgp_em_problem *problem, const double *points,
                              shapes *s)
{
    const sfgp_tuning *t = sfgp_tuning_of(problem->basis);
    const sfgp_target *target = &problem->target;
    const int64_t most = (int64_t)t->rigid_whole;
    const int near = (int)t->rigid_neighbours;
    sfgp_status status = sfgp_oriented_new(context, problem->basis->count, points, most, near, &s->whole);
    if (status == SFGP_OK)
        status = sfgp_oriented_new(context, target->count, target->points, most, near, &s->scan);
    if (status == SFGP_OK)
        status = sfgp_oriented_choose(context, &s->scan, (int64_t)t->rigid_refined, &s->part);
    if (status == SFGP_OK)
        status = sfgp_oriented_choose(context, &s->scan, (int64_t)t->rigid_points, &s->few);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, (int64_t)t->rigid_rotations, &s->poses);
    return status == SFGP_OK ? sfgp_kdtree_new(context, s->whole.count, 3, s->whole.points, &s->tree)
                             : status;
}

static void shapes_clear(shapes *s)
{
    sfgp_oriented_clear(&s->whole);
    sfgp_oriented_clear(&s->scan);
    sfgp_oriented_clear(&s->part);
    sfgp_oriented_clear(&s->few);
    sfgp_kdtree_free(s->tree);
    sfgp_free(s->poses);
}

/* What is found: poses that are turned, then the two without a turn. */
typedef struct poses {
    int count;
    double unturned; /* the larger score of these two */
    sfgp_rigid_pose each[KEPT + 2];
} poses;

/* Of the turned poses those that are best after some iterations with few points of the scan; where they were found. */
static void leave_best(const shapes *s, const sfgp_tuning *t, int most, poses *found)
{
    const sfgp_rigid_target glance = {&s->whole, s->tree, t->rigid_first, t->rigid_width,
                                      (int)t->rigid_glance};
    sfgp_rigid_pose tried[KEPT];
    int left = 0;
    memcpy(tried, found->each, (size_t)found->count * sizeof *tried);
    sfgp_rigid_refine(&glance, &s->few, found->count, tried);
    for (int k = 0; k < found->count; k++) {
        int better = 0;
        for (int other = 0; other < found->count; other++)
            better += tried[other].score > tried[k].score;
        if (better < most)
            found->each[left++] = found->each[k];
    }
    found->count = left;
}

/* Those of the search and the two without a turn, refined. */
static sfgp_status find_poses(sfgp_context *context, const judge *j, shapes *s, poses *found)
{
    const sfgp_tuning *t = j->tuning;
    const int rotations = (int)t->rigid_rotations;
    const sfgp_rigid_table table = {rotations, (int)t->rigid_kept, t->rigid_cell, t->rigid_wide};
    const sfgp_rigid_target target = {&s->whole, s->tree, t->rigid_first, t->rigid_width,
                                      (int)t->rigid_iterations};
    const sfgp_status status = sfgp_rigid_search(context, &s->whole, &s->few, &table, s->poses);
    if (status != SFGP_OK)
        return status;
    found->count = keep(j, rotations, s->poses, KEPT, found->each);
    leave_best(s, t, (int)t->rigid_finished, found);
    sfgp_rigid_pose *const unturned = found->each + found->count;
    unturned[0].pose = unturned[1].pose = sfgp_similarity_identity(3);
    memcpy(unturned[1].pose.shift, j->middle, sizeof j->middle);
    found->count += 2;
    sfgp_rigid_refine(&target, &s->part, found->count, found->each);
    found->unturned = fmax(unturned[0].score, unturned[1].score);
    return SFGP_OK;
}

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
static void add_unturned(const judge *j, const sfgp_em_problem *problem, double score, sfgp_shortlist *list)
{
    sfgp_rigid_pose none = {sfgp_similarity_identity(3), score};
    add(problem, &none, list);
    memcpy(none.pose.shift, j->middle, sizeof j->middle);
    add(problem, &none, list);
}

/* The best poses. One that is nearly in place is replaced by the two without a turn; if the best one hardly turns, in place
 * starts, too. */
static void list_poses(const judge *j, const sfgp_em_problem *problem, int count, const sfgp_rigid_pose *best,
                       sfgp_shortlist *list)
{
    const sfgp_rigid_pose none = {.pose = sfgp_similarity_identity(3)};
    bool here = false;
    for (int k = 0; k < count && best[k].score >= j->tuning->rigid_near * best[0].score; k++) {
        const bool same = is_same(j, &best[k].pose, &none.pose);
        if (same && !here)
            add_unturned(j, problem, best[k].score, list);
        else if (!same)
            add(problem, &best[k], list);
        here = here || same;
    }
    if (count > 0 && !here && sfgp_rotation_cosine(best[0].pose.rotation, 3) > j->tuning->turns_apart)
        add(problem, &none, list);
}

sfgp_status sfgp_poses_find(sfgp_context *context, const sfgp_em_problem *problem, const double *points,
                            sfgp_shortlist *list, bool *sure)
{
    judge j = {.tuning = sfgp_tuning_of(problem->basis)};
    poses found = {0};
    sfgp_rigid_pose best[RIVALS];
    shapes s = {0};
    int kept = 0;
    sfgp_points_extent(problem->target.count, 3, problem->target.points, j.middle);
    sfgp_status status = shapes_new(context, problem, points, &s);
    if (status == SFGP_OK)
        status = find_poses(context, &j, &s, &found);
    if (status == SFGP_OK)
        kept = keep(&j, found.count, found.each, RIVALS, best);
    *sure = is_sure(problem, found.unturned, kept, best);
    list_poses(&j, problem, kept < POSES ? kept : POSES, best, list);
    shapes_clear(&s);
    return status;
}

/* ---- the size -------------------------------------------------------------------------------------------- */

/* Of the shape in the scan, times that of the reference. */
static const double SIZES[] = {0.41, 0.465, 0.53, 0.6,  0.68, 0.775, 0.88,
                               1.14, 1.29,  1.47, 1.67, 1.9,  2.16,  2.46};

static void scale_points(sfgp_oriented *some, double factor)
{
    for (int64_t k = 0; k < 3 * some->count; k++)
        some->points[k] *= factor;
}

/* The score of the best pose of a shape of that size. */
static sfgp_status score_at(sfgp_context *context, const judge *j, shapes *s, double size, double *score)
{
    judge own = *j;
    poses found = {0};
    sfgp_rigid_pose best = {.score = 0};
    for (int a = 0; a < 3; a++)
        own.middle[a] /= size;
    scale_points(&s->part, 1 / size);
    scale_points(&s->few, 1 / size);
    const sfgp_status status = find_poses(context, &own, s, &found);
    scale_points(&s->part, size);
    scale_points(&s->few, size);
    if (status == SFGP_OK)
        keep(&own, found.count, found.each, 1, &best);
    *score = best.score;
    return status;
}

/* own: the score of the size 1. */
static sfgp_status compare_sizes(sfgp_context *context, const judge *j, shapes *s, double own, double *size)
{
    const sfgp_tuning *t = j->tuning;
    double most = t->size_better * own;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < (int)(sizeof SIZES / sizeof *SIZES) && status == SFGP_OK; k++) {
        double score;
        status = score_at(context, j, s, SIZES[k], &score);
        const double rated = score * pow(SIZES[k], -t->size_power);
        if (status == SFGP_OK && score > t->size_least && rated > most) {
            most = rated;
            *size = SIZES[k];
        }
    }
    return status;
}

sfgp_status sfgp_poses_find_size(sfgp_context *context, const sfgp_em_problem *problem, double *size)
{
    judge j = {.tuning = sfgp_tuning_of(problem->basis)};
    shapes s = {0};
    double own = 0;
    *size = 1;
    sfgp_points_extent(problem->target.count, 3, problem->target.points, j.middle);
    sfgp_status status = shapes_new(context, problem, problem->basis->mean, &s);
    if (status == SFGP_OK)
        status = score_at(context, &j, &s, 1, &own);
    if (status == SFGP_OK && own < j.tuning->size_sure)
        status = compare_sizes(context, &j, &s, own, size);
    shapes_clear(&s);
    return status;
}
