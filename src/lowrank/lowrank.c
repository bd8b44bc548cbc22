/* The table of low-rank methods. A new method is one file and one row here. */
#include "lowrank/lowrank.h"
#include "base/settings.h"

#include <string.h>

static const sfgp_lowrank_method *const METHODS[] = {&sfgp_lowrank_eigen, &sfgp_lowrank_nystrom,
                                                     &sfgp_lowrank_cholesky};

sfgp_status sfgp_lowrank_find(sfgp_context *context, const char *name, const sfgp_lowrank_method **method)
{
    for (size_t k = 0; k < sizeof METHODS / sizeof *METHODS; k++)
        if (strcmp(METHODS[k]->name, name) == 0)
            return *method = METHODS[k], SFGP_OK;
    return sfgp_settings_unknown(context, "lowrank", name, "eigen, nystrom, cholesky");
}
