/* Compares the poses at which the fits of a search have ended. Rule in rivals.h. */
#include "search/rivals.h"
#include "geom/rotations.h"
#include "search/score.h"
#include "search/tuning.h"

#include <math.h>

void sfgp_rivals_note(sfgp_em *em, double score, sfgp_rivals *rivals)
{
    sfgp_similarity motion;
    if (rivals->count == SFGP_RIVALS || !(score > -HUGE_VAL) || !sfgp_em_motion(em, &motion))
        return;
    rivals->each[rivals->count].motion = motion;
    rivals->each[rivals->count++].score = score;
}

static bool turns_otherwise(const sfgp_similarity *a, const sfgp_similarity *b, double cosine)
{
    return sfgp_rotation_cosine_between(a->rotation, b->rotation, a->dimension) < cosine;
}

sfgp_status sfgp_rivals_compare(sfgp_em *em, const sfgp_rivals *rivals)
{
    const double cosine = sfgp_tuning_of(em->problem->basis)->rival_turn;
    double score, best = -HUGE_VAL;
    sfgp_similarity motion;
    const sfgp_status status = sfgp_search_tempered_score(em, &score);
    const bool knows = status == SFGP_OK && sfgp_em_motion(em, &motion);
    for (int k = 0; knows && k < rivals->count; k++)
        if (turns_otherwise(&rivals->each[k].motion, &motion, cosine))
            best = fmax(best, rivals->each[k].score);
    em->facts.pose_margin =
        knows ? (score - best) / (em->label_weight * (double)em->problem->target.count) : HUGE_VAL;
    return status;
}
