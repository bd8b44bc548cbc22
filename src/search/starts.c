/* From what the search has found to the starts of rung WHOLE (ADR 0030, 0037). */
#include "search/starts.h"
#include "search/effort.h"
#include "search/tuning.h"

static void add_start(const sfgp_em_start *start, double sigma2, sfgp_starts *list)
{
    sfgp_em_start *added = &list->each[list->count++];
    *added = *start;
    added->sigma2 = sigma2;
    added->prior = list->prior;
}

/* Wide, narrow or both. A narrow sigma2 keeps a scan of a small part of the shape from pulling at all of it (ADR 0030,
 * 0037); what the caller gave counts. */
static unsigned choose_widths(const sfgp_em_problem *problem, sfgp_em_prior prior)
{
    if (!(sfgp_tuning_of(problem->basis)->sigma2_narrow > 0) || problem->given_sigma2 > 0)
        return SFGP_WIDE;
    if (!problem->rescaled[SFGP_PRIOR_STIFF])
        return SFGP_BOTH;
    return prior == SFGP_PRIOR_STIFF ? problem->effort->stiff_widths : SFGP_WIDE;
}

sfgp_starts sfgp_starts_list(const sfgp_em_problem *problem, sfgp_findings *found, sfgp_em_prior prior)
{
    const unsigned widths = choose_widths(problem, prior);
    const double narrow = sfgp_tuning_of(problem->basis)->sigma2_narrow;
    sfgp_em_start pose[SFGP_MOST_POSES];
    int poses = 0;
    for (; poses < found->rungs.count; poses++)
        pose[poses] = found->rungs.best[poses].start;
    for (int k = 0; k < found->rigid.count; k++)
        pose[poses++] = found->rigid.best[k].start;
    if (poses == 0 || problem->effort->all_rungs)
        pose[poses++] = sfgp_em_standard_start(problem);
    sfgp_starts list = {.prior = prior, .ends = &found->ends};
    for (int k = 0; k < poses && (widths & SFGP_WIDE); k++)
        add_start(&pose[k], pose[k].sigma2, &list);
    for (int k = 0; k < poses && (widths & SFGP_NARROW); k++)
        add_start(&pose[k], narrow, &list);
    return list;
}
