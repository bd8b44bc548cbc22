/* A short sorted list without duplicates. */
#include "search/shortlist.h"

#include <math.h>

int sfgp_shortlist_rank(const sfgp_shortlist *list, double score, double same)
{
    int rank = 0;
    while (rank < list->count && list->best[rank].score >= score - same) {
        if (fabs(list->best[rank].score - score) <= same)
            return -1;
        rank++;
    }
    return rank;
}

void sfgp_shortlist_insert(const sfgp_candidate *candidate, int rank, sfgp_shortlist *list)
{
    list->count += list->count < SFGP_SHORTLIST;
    for (int k = list->count - 1; k > rank; k--)
        list->best[k] = list->best[k - 1];
    if (rank < SFGP_SHORTLIST)
        list->best[rank] = *candidate;
}
