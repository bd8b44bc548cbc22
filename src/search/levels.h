/* Levels: how a dense shape is fitted.
 *
 * The prior has some hundred degrees of freedom, and a few thousand points settle them: the labels of the
 * millionth point only sharpen what is known. So a dense shape is fitted by an eighth of its points first,
 * which are fitted by an eighth of those, and so on. Where an eighth would not be dense, the next level has 3000 evenly spread
 * points. On a surface these begin from 1400 points, unless the scan has fewer than 3000 points, clutter or landmarks
 * (ADR 0096). Only the smallest level is searched. Each larger one is a warm start from the one below: 10 to 30 iterations for the
 * details.
 *
 * These are cheap: the search radius is 4 sigma, the target is thinned while that leaves enough of it, the
 * variance is made again only when sigma2 changes, and no P is held. The variance by the information is that
 * of the smallest level: it was calibrated on fits with so many points. ADR 0015. */
#ifndef SFGP_SEARCH_LEVELS_H
#define SFGP_SEARCH_LEVELS_H

#include "search/subset.h"
#include "search/tuning.h"

/* Points of the reference in the level below one of so many points; points of the target in a level of `part` of them. */
int64_t sfgp_levels_points(const sfgp_effort *effort, int64_t points);
int64_t sfgp_levels_targets(const sfgp_effort *effort, int64_t points, int64_t part, int64_t targets);
/* Whether a level of so many points of a dense shape begins from a smaller one, if a part of them may go first (search/rough.h). */
bool sfgp_levels_go_on(const sfgp_effort *effort, const sfgp_tuning *tuning, int64_t points, int64_t targets);
/* A level and its workspace. Of a shape that is not dense the solver keeps it for the next target. */
struct sfgp_level {
    sfgp_subset subset;
    sfgp_em *em; /* NULL: it is not made yet */
};

void sfgp_level_clear(sfgp_level *level);

/* A fit of a variant that learns, its target brought in: by levels if it is dense, else by one search.
 * Errors: those of the search, SFGP_ERROR_MEMORY. */
sfgp_status sfgp_levels_run(sfgp_em *em, sfgp_outcome *outcome);

#endif
