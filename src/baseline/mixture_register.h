/* The arguments of a baseline as a mixture, and its result: frames, values of "auto", the prior. */
#ifndef SFGP_BASELINE_MIXTURE_REGISTER_H
#define SFGP_BASELINE_MIXTURE_REGISTER_H

#include "baseline/baseline.h"
#include "baseline/mixture.h"

/* Both shapes in the frames of the method. */
typedef struct sfgp_mixture_frames {
    sfgp_frame from;   /* of the reference */
    sfgp_frame to;     /* of the target and of the result */
    sfgp_model *model; /* the reference in `from`, with the prior of the method */
    double *target;    /* N_S x d in `to` */
} sfgp_mixture_frames;

/* settings: "auto" is replaced by the value that is used. Errors: SFGP_ERROR_PARAMETER, _DATA, _MEMORY, _NUMERIC.
 * Clear also after an error. */
sfgp_status sfgp_mixture_frames_new(sfgp_context *context, const sfgp_mixture_method *method,
                                    const sfgp_model *model, const sfgp_mesh *target, sfgp_settings *settings,
                                    sfgp_mixture_frames *frames);
void sfgp_mixture_frames_clear(sfgp_mixture_frames *frames);

/* Fills the result from a mixture over all reference points; NaN when it collapsed. */
void sfgp_mixture_fill_result(const sfgp_mixture *mixture, const sfgp_mixture_frames *frames,
                              const sfgp_model *model, sfgp_result *result);

/* The whole registration of all points. */
sfgp_status sfgp_mixture_register(sfgp_context *context, const sfgp_mixture_method *method,
                                  const sfgp_model *model, const sfgp_mesh *target, sfgp_result *result);

/* Draws min(subset, count) of count x d points, with the same probability in dense and thin regions. index:
 * ascending; the caller frees it, also after an error. Reads the settings subset, seed, threads. SFGP_ERROR_MEMORY.
 * bcpd_subset.c */
sfgp_status sfgp_mixture_draw(sfgp_context *context, int d, int64_t count, const double *points,
                              const sfgp_settings *settings, int64_t **index);
/* The whole registration of a subset that is drawn in this way, interpolated to all points. */
sfgp_status sfgp_mixture_register_subset(sfgp_context *context, const sfgp_mixture_method *method,
                                         const sfgp_model *model, const sfgp_mesh *target,
                                         sfgp_result *result);

#endif
