/* The table of follow-ups: which there are, and when each is asked. */
#include "fit/follow_ups.h"
#include "fit/adapt.h"
#include "fit/asymmetry.h"
#include "fit/beside.h"
#include "fit/closures.h"
#include "fit/clutter.h"
#include "fit/fuzzy.h"
#include "fit/sides.h"
#include "fit/size.h"
#include "fit/walls.h"
#include "search/effort.h"

#include <stddef.h>

/* What a follow-up needs, as bits. MAY_SEARCH: of a surface, whose scan has no clutter, and without a limit of time, which the first search may have
 * used up. */
enum {
    CONVERGED = 1,
    MAY_SEARCH = 2,
    ROUNDED = 4,      /* the scan was rounded: its points can be left out */
    NO_LANDMARKS = 8, /* they give the pose, and show where the shape is bent */
    NOT_QUICK = 16    /* an effort that asks for the other side of the body (search/effort.h) */
};

static unsigned conditions_of(const sfgp_solver *solver, sfgp_outcome outcome)
{
    const sfgp_em_problem *problem = &solver->problem;
    const bool may_search = problem->area > 0 && problem->clutter == 0 && !(solver->settings.max_time > 0);
    return (outcome == SFGP_CONVERGED ? CONVERGED : 0U) | (may_search ? MAY_SEARCH : 0U) |
           (solver->scan.first ? ROUNDED : 0U) | (problem->landmarks ? 0U : NO_LANDMARKS) |
           (problem->effort->sides ? NOT_QUICK : 0U);
}

static sfgp_status check_sides(sfgp_solver *solver, sfgp_outcome *outcome)
{
    return sfgp_sides_check(solver, *outcome);
}

/* A row of the table. */
typedef struct follow_up {
    sfgp_status (*ask)(sfgp_solver *solver, sfgp_outcome *outcome);
    size_t setting; /* a field of the settings that switches it off where it is 0; or ALWAYS */
    unsigned needs;
} follow_up;

#define SETTING(name) offsetof(sfgp_settings, name)
#define ALWAYS SIZE_MAX

/* clang-format off */
static const follow_up TABLE[SFGP_FOLLOW_UPS] = {
    [SFGP_FOLLOW_UP_CLUTTER]   = {sfgp_clutter_try,        ALWAYS,            0},
    [SFGP_FOLLOW_UP_WALLS]     = {sfgp_walls_leave_out,    SETTING(walls),    CONVERGED | MAY_SEARCH | ROUNDED},
    [SFGP_FOLLOW_UP_FUZZY]     = {sfgp_fuzzy_leave_out,    SETTING(fuzzy),    CONVERGED | MAY_SEARCH | ROUNDED},
    [SFGP_FOLLOW_UP_ASYMMETRY] = {sfgp_asymmetry_try,      SETTING(symmetry), CONVERGED | MAY_SEARCH | NO_LANDMARKS},
    [SFGP_FOLLOW_UP_ADAPT]     = {sfgp_adapt_try,          SETTING(adapt),    CONVERGED | MAY_SEARCH | NO_LANDMARKS | NOT_QUICK},
    [SFGP_FOLLOW_UP_CLOSURES]  = {sfgp_closures_leave_out, SETTING(closures), CONVERGED | MAY_SEARCH | ROUNDED},
    [SFGP_FOLLOW_UP_SIDES]     = {check_sides,             ALWAYS,            NOT_QUICK}, /* more conditions in sides.c: other fits ask, too */
    [SFGP_FOLLOW_UP_BESIDE]    = {sfgp_beside_try,         SETTING(reject),   CONVERGED | MAY_SEARCH | NOT_QUICK},
    [SFGP_FOLLOW_UP_SIZE]      = {sfgp_size_try,           SETTING(reject),   NO_LANDMARKS | NOT_QUICK},
};
/* clang-format on */

static bool is_set(const sfgp_settings *settings, size_t field)
{
    return field == ALWAYS || *(const int64_t *)((const char *)settings + field);
}

bool sfgp_follow_up_applies(sfgp_follow_up row, const sfgp_solver *solver, sfgp_outcome outcome)
{
    return is_set(&solver->settings, TABLE[row].setting) &&
           !(TABLE[row].needs & ~conditions_of(solver, outcome));
}

sfgp_status sfgp_follow_up_ask(sfgp_follow_up row, sfgp_solver *solver, sfgp_outcome *outcome)
{
    return sfgp_follow_up_applies(row, solver, *outcome) ? TABLE[row].ask(solver, outcome) : SFGP_OK;
}

sfgp_status sfgp_follow_ups_ask(sfgp_solver *solver, sfgp_outcome *outcome)
{
    sfgp_status status = SFGP_OK;
    for (int row = 0; row < SFGP_FOLLOW_UPS && status == SFGP_OK; row++)
        status = sfgp_follow_up_ask((sfgp_follow_up)row, solver, outcome);
    return status;
}
