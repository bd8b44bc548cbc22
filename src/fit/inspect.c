/* Warnings of a finished fit. */
#include "fit/inspect.h"
#include "geom/inspect.h"

/* Explained by scans that were taken for the reference: 0.62 to 0.75 of the shape; by references: 0.77 of a scan or more. */
#define SWAPPED 0.76
/* Of both shapes. Ears in a head are found by 0.55 or more of the reference, quarters of a head explain 0.8 of the scan. */
#define LITTLE 0.5

/* A scan that is taken for the reference has no faces, and explains no more of the whole shape than it shows. */
static void warn_swapped(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                         const sfgp_result *result)
{
    if (model->face_count == 0 && target->face_count > 0 && result->explained < SWAPPED)
        sfgp_warn(
            context,
            "the fit explains %.0f %% of the target, which has faces, and the reference has none; are the "
            "two swapped?",
            100 * result->explained);
}

/* A part of one lies on a part of the other. */
static void warn_little(sfgp_context *context, const sfgp_result *result)
{
    const double found = 1 - (double)result->missing_count / (double)result->count;
    if (result->explained < LITTLE && found < LITTLE)
        sfgp_warn(
            context,
            "fit: it explains %.0f %% of the target by %.0f %% of the reference; is the target of another size or "
            "shape? landmarks (--landmarks) give the pose",
            100 * result->explained, 100 * found);
}

void sfgp_fit_inspect(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                      const sfgp_result *result)
{
    if (result->outcome == SFGP_NO_OVERLAP || result->iterations == 0)
        return;
    sfgp_inspect_fitted(context, model->dimension, model->count, model->original, result->points);
    warn_swapped(context, model, target, result);
    warn_little(context, result);
}
