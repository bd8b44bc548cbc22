/* The rigid search of one shape in one scan. Steps in poses_rigid.h. */
#include "search/poses_rigid.h"
#include "base/memory.h"
#include "geom/measure.h"
#include "geom/rigid_refine.h"
#include "geom/rotations.h"
#include "geom/vector.h"

#include <math.h>
#include <string.h>

sfgp_status sfgp_rigid_shapes_new(sfgp_context *context, const sfgp_em_problem *problem, const double *points,
                                  sfgp_rigid_shapes *s)
{
    const sfgp_target *target = &problem->target;
    const sfgp_tuning *t = sfgp_tuning_of(problem->basis);
    const int64_t most = (int64_t)t->rigid_whole;
    const int near = (int)t->rigid_neighbours;
    *s = (sfgp_rigid_shapes){.tuning = t};
    sfgp_points_extent(target->count, 3, target->points, s->middle);
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

void sfgp_rigid_shapes_clear(sfgp_rigid_shapes *s)
{
    sfgp_oriented_clear(&s->whole);
    sfgp_oriented_clear(&s->scan);
    sfgp_oriented_clear(&s->part);
    sfgp_oriented_clear(&s->few);
    sfgp_kdtree_free(s->tree);
    sfgp_free(s->poses);
}

/* ---- poses that differ --------------------------------------------------------------------------------------- */

bool sfgp_rigid_is_same(const sfgp_rigid_shapes *s, const sfgp_similarity *a, const sfgp_similarity *b)
{
    const double shift = s->tuning->rigid_shift;
    double here[3], there[3];
    sfgp_similarity_undo(a, 1, s->middle, here);
    sfgp_similarity_undo(b, 1, s->middle, there);
    return sfgp_rotation_cosine_between(a->rotation, b->rotation, 3) > s->tuning->rigid_turn &&
           sfgp_square_between(3, here, there) < shift * shift;
}

static bool is_new(const sfgp_rigid_shapes *s, const sfgp_similarity *pose, int count,
                   const sfgp_rigid_pose *kept)
{
    for (int k = 0; k < count; k++)
        if (sfgp_rigid_is_same(s, pose, &kept[k].pose))
            return false;
    return true;
}

static int best_of(int count, const sfgp_rigid_pose *poses)
{
    int best = 0;
    for (int k = 1; k < count; k++)
        best = poses[k].score > poses[best].score ? k : best;
    return best;
}

int sfgp_rigid_keep_best(const sfgp_rigid_shapes *s, int count, sfgp_rigid_pose *poses, int most,
                         sfgp_rigid_pose *kept)
{
    int found = 0;
    for (int tried = 0; tried < count && found < most; tried++) {
        const int best = best_of(count, poses);
        if (poses[best].score == -HUGE_VAL)
            break;
        if (is_new(s, &poses[best].pose, found, kept))
            kept[found++] = poses[best];
        poses[best].score = -HUGE_VAL;
    }
    return found;
}

/* ---- the search ------------------------------------------------------------------------------------------ */

/* Of the turned poses those that are best after some iterations with few points of the scan; where they were found. */
static void leave_best(const sfgp_rigid_shapes *s, sfgp_rigid_found *found)
{
    const sfgp_tuning *t = s->tuning;
    const int most = (int)t->rigid_finished;
    const sfgp_rigid_target glance = {&s->whole, s->tree, t->rigid_first, t->rigid_width,
                                      (int)t->rigid_glance};
    sfgp_rigid_pose tried[SFGP_RIGID_KEPT];
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

/* The best pose after half a turn of the shape about each axis of its frame, which is a principal one (geom/frame.h). */
static void add_half_turns(const sfgp_rigid_target *target, const sfgp_rigid_shapes *s,
                           sfgp_rigid_found *found)
{
    const sfgp_rigid_pose best = found->each[best_of(found->count, found->each)];
    sfgp_rigid_pose *const turned = found->each + found->count;
    for (int axis = 0; axis < 3; axis++) {
        turned[axis] = best;
        for (int k = 0; k < 9; k++)
            if (k % 3 != axis)
                turned[axis].pose.rotation[k] *= -1;
    }
    sfgp_rigid_refine(target, &s->part, 3, turned);
    found->count += 3;
}

sfgp_status sfgp_rigid_find(sfgp_context *context, sfgp_rigid_shapes *s, sfgp_rigid_found *found)
{
    const sfgp_tuning *t = s->tuning;
    const int rotations = (int)t->rigid_rotations;
    const sfgp_rigid_table table = {rotations, (int)t->rigid_kept, t->rigid_cell, t->rigid_wide};
    const sfgp_rigid_target target = {&s->whole, s->tree, t->rigid_first, t->rigid_width,
                                      (int)t->rigid_iterations};
    const sfgp_status status = sfgp_rigid_search(context, &s->whole, &s->few, &table, s->poses);
    if (status != SFGP_OK)
        return status;
    found->count = sfgp_rigid_keep_best(s, rotations, s->poses, SFGP_RIGID_KEPT, found->each);
    leave_best(s, found);
    sfgp_rigid_pose *const unturned = found->each + found->count;
    unturned[0].pose = unturned[1].pose = sfgp_similarity_identity(3);
    memcpy(unturned[1].pose.shift, s->middle, sizeof s->middle);
    found->count += 2;
    sfgp_rigid_refine(&target, &s->part, found->count, found->each);
    found->unturned = fmax(unturned[0].score, unturned[1].score);
    add_half_turns(&target, s, found);
    return SFGP_OK;
}
