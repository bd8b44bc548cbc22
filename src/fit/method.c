#include "base/settings.h"
#include "fit/solver.h"

#include <string.h>

/* Starting variances tuned on fish deformation level 1 and ears 000-005 (docs/adr/0003). */
static const sfgp_method METHODS[] = {
    {"sfgp-full", sfgp_correspond_soft, sfgp_noise_update_each, true, 0.05, 0.3},
    {"sfgp-scalar", sfgp_correspond_soft, sfgp_noise_update_shared, true, 0.05, 0.3},
    {"sfgp-nothreshold", sfgp_correspond_soft, sfgp_noise_update_each, false, 0.05, 0.3},
    {"closest-point", sfgp_correspond_closest, sfgp_noise_keep, true, 1e-2, 1e-2},
};

sfgp_status sfgp_method_find(sfgp_context *context, const char *name, const sfgp_method **method)
{
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++)
        if (strcmp(METHODS[k].name, name) == 0)
            return *method = &METHODS[k], SFGP_OK;
    return sfgp_settings_unknown(context, "method", name,
                                 "sfgp-full, sfgp-scalar, sfgp-nothreshold, closest-point");
}
