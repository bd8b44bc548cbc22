/* The table of efforts. */
#include "search/effort.h"
#include "base/settings.h"
#include "search/proposals.h"

#include <math.h>
#include <string.h>

/* clang-format off */
static const sfgp_effort TABLE[] = {
    /* name, points_at_once, level_points, level_iterations, sure_in_place, sure_alone, starts, all_rungs, stiff_widths,
     * proposals, sides, accuracy, warm_rest, anisotropic_iterations, field_points, expected_error_most */
    {"quick",    1500,  1000,     20,    0.85,     0.3,      false,  false,    SFGP_NARROW, SFGP_PROPOSE_NONE, false, 3e-5,     6e-3,     20,   16384,  0.25},
    {"normal",   6000,  1400,     0,     HUGE_VAL, HUGE_VAL, true,   false,    SFGP_BOTH,   SFGP_PROPOSE_ALL,  true,  0,        HUGE_VAL, 40,   131072, 0.17},
    {"thorough", 6000,  1400,     0,     HUGE_VAL, HUGE_VAL, true,   true,     SFGP_BOTH,   SFGP_PROPOSE_ALL,  true,  0,        HUGE_VAL, 40,   131072, 0.17},
};
/* clang-format on */

sfgp_status sfgp_effort_find(sfgp_context *context, const char *name, const sfgp_effort **effort)
{
    for (size_t k = 0; k < sizeof TABLE / sizeof *TABLE; k++)
        if (strcmp(name, TABLE[k].name) == 0) {
            *effort = &TABLE[k];
            return SFGP_OK;
        }
    return sfgp_settings_unknown(context, "effort", name, "quick, normal, thorough");
}
