/* The list of turns that the rungs CHECK and TURNS make shorter (search/halving.c). */
#include "search/turns.h"
#include "geom/rotations.h"

#include <math.h>

static int rotation_of(int d, int steps, int index, double rotation[9])
{
    return steps > 0 ? sfgp_rotation_circle(steps, index, rotation) : sfgp_rotation_table(d, index, rotation);
}

void sfgp_turns_list(const sfgp_similarity *unturned, int steps, sfgp_turns *turns)
{
    double none[9];
    const int d = unturned->dimension, count = rotation_of(d, steps, 0, none);
    turns->count = count - 1;
    for (int k = 0; k < turns->count; k++) {
        turns->poses[k] = *unturned;
        rotation_of(d, steps, k + 1, turns->poses[k].rotation);
    }
}

static int find_best(const sfgp_turns *turns)
{
    int best = 0;
    for (int k = 1; k < turns->count; k++)
        if (turns->scores[k] > turns->scores[best])
            best = k;
    return best;
}

double sfgp_turns_score(const sfgp_turns *turns)
{
    return turns->count > 0 ? turns->scores[find_best(turns)] : -HUGE_VAL;
}

static bool is_near_one(const sfgp_turns *turns, double cosine, const sfgp_similarity *pose)
{
    for (int k = 0; k < turns->count; k++)
        if (sfgp_rotation_cosine_between(pose->rotation, turns->poses[k].rotation, pose->dimension) > cosine)
            return true;
    return false;
}

void sfgp_turns_keep(int most, double cosine, sfgp_turns *turns)
{
    sfgp_turns from = *turns;
    turns->count = 0;
    while (turns->count < most && sfgp_turns_score(&from) > -HUGE_VAL) {
        const int best = find_best(&from);
        if (!is_near_one(turns, cosine, &from.poses[best])) {
            turns->poses[turns->count] = from.poses[best];
            turns->scores[turns->count++] = from.scores[best];
        }
        from.scores[best] = -HUGE_VAL;
    }
}
