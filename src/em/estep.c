/* E-step of a fit: which way responsibilities are made, and the evidence bound that they give. */
#include "em/estep.h"
#include "em/thinning.h"

#include <math.h>

static sfgp_estep_rule rule_of(const sfgp_em *em, sfgp_tiles *tiles)
{
    const sfgp_em_problem *problem = em->problem;
    const double count = (double)problem->target.count;
    return (sfgp_estep_rule){.omega = em->state.omega,
                             .density = problem->volume_density ? problem->target.density : 1 / count,
                             .clutter = problem->volume_density ? problem->target.clutter : NULL,
                             .stride = em->state.thinning,
                             .least_clutter = SFGP_TARGET_STRAYS,
                             .pmin = problem->variant->threshold ? problem->pmin : 0,
                             .prune = problem->prune,
                             .share = problem->variant->learns ? 0 : problem->prune,
                             .reach = em->schedule->reach,
                             .reach_least = em->schedule->reach_least * problem->target.spacing,
                             .max_distance = problem->max_distance,
                             .mixing = em->state.mixing,
                             .tiles = tiles,
                             .normals = em->normals,
                             .stretch = em->stretch};
}

static sfgp_status make_responsibilities(sfgp_em *em, sfgp_tiles *tiles)
{
    const sfgp_estep_rule rule = rule_of(em, tiles);
    const sfgp_estep_state state = {em->state.points, em->state.variance, em->state.sigma2};
    const sfgp_mark mark = sfgp_profile_enter(em->context, SFGP_STAGE_ESTEP);
    const sfgp_status status = em->problem->variant->estep(em->context, &rule, em->view.tree, em->view.points,
                                                           state, &em->responsibilities);
    sfgp_profile_leave(em->context, mark);
    return status;
}

sfgp_status sfgp_em_estep_whole(sfgp_em *em)
{
    const sfgp_status status = sfgp_thinning_tree(em);
    return status == SFGP_OK ? make_responsibilities(em, NULL) : status;
}

/* Whether sigma is too small for single precision. Where points of the target coincide, their spacing is 0
 * and the extent of sixteen reference points counts instead. */
static bool is_fine(const sfgp_em *em)
{
    const double spacing = fmax(em->problem->target.spacing, 1 / sqrt((double)em->problem->basis->count));
    return sqrt(em->state.sigma2[0]) < em->schedule->tiles_sigma_least * spacing;
}

sfgp_status sfgp_em_estep(sfgp_em *em)
{
    sfgp_tiles *tiles = em->view.tiles;
    const sfgp_status status =
        tiles && !is_fine(em) ? make_responsibilities(em, tiles) : sfgp_em_estep_whole(em);
    const sfgp_responsibilities *r = &em->responsibilities;
    if (status == SFGP_OK && r->missing < r->count)
        em->state.bound = em->label_weight * r->log_likelihood - em->state.divergence;
    return status;
}
