/* Poses of a shape that has the proportions of a fit. Equations in proportions.h. */
#include "search/proportions.h"
#include "geom/affine.h"
#include "geom/rotations.h"
#include "search/poses.h"
#include "search/tuning.h"

#include <math.h>

/* x -> S x. */
static bool fit_stretch(const sfgp_em *em, sfgp_affine *stretch)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_pairs pairs = {
        .count = basis->count, .dimension = 3, .from = basis->mean, .to = em->state.points};
    sfgp_affine map = sfgp_affine_identity(3);
    const bool found = sfgp_affine_fit(&pairs, &map);
    *stretch = sfgp_affine_stretch(&map);
    return found;
}

/* |S - s I| / s. */
static double change_of(const sfgp_affine *stretch)
{
    const double s = (stretch->linear[0] + stretch->linear[4] + stretch->linear[8]) / 3;
    double square = 0;
    for (int k = 0; k < 9; k++) {
        const double off = stretch->linear[k] - (k % 4 == 0 ? s : 0);
        square += off * off;
    }
    return sqrt(square) / s;
}

sfgp_status sfgp_proportions_find(sfgp_em *em, sfgp_shortlist *list)
{
    const sfgp_basis *basis = em->problem->basis;
    const sfgp_tuning *tuning = sfgp_tuning_of(basis);
    sfgp_affine stretch;
    sfgp_similarity motion;
    sfgp_shortlist found = {0};
    bool sure;
    list->count = 0;
    if (!sfgp_em_motion(em, &motion) || !fit_stretch(em, &stretch) ||
        !(change_of(&stretch) > tuning->proportions_least))
        return SFGP_OK;
    sfgp_affine_apply(&stretch, basis->count, basis->mean, em->deltas);
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_SEARCH);
    const sfgp_status status = sfgp_poses_find(em->context, em->problem, em->deltas, &found, &sure);
    sfgp_profile_leave(em->context, mark);
    for (int k = 0; k < found.count; k++)
        if (sfgp_rotation_cosine_between(found.best[k].start.pose.rotation, motion.rotation, 3) <=
            tuning->rigid_turn)
            sfgp_shortlist_insert(&found.best[k], list->count, list);
        else if (k == 0)
            break;
    return status;
}
