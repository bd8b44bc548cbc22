/* Baselines: published registration methods other than SFGP. Each has its own loop in its own file. All use the same
 * kd-tree and linear algebra, so that `sfgp compare` compares methods and not their implementations. Each is one
 * function here and one row of the table in fit/method.c.
 *
 * Contract of a baseline
 *   in   model->original (N x d, in the unit of the files) or model->reference (in the frame), and the prior for a
 *        method that has one. target: finite points of the dimension of the model. result->settings: checked, with
 *        pmin, prune, threads and max_distance resolved.
 *   out  result->points (N x d) and sd (N, per axis; 0 when the method has no variance), in the unit of the files.
 *        target and probability: the most probable target point of each reference point, and its probability; 0 =
 *        none. The caller classifies points whose probability is at most pmin as missing. iterations, change, outcome,
 *        sigma, explained. result->settings: "auto" is replaced by the value that was used.
 * Points that are not finite, or no label at all, are a failed fit and no error: the caller returns SFGP_NO_OVERLAP.
 * Errors: SFGP_ERROR_PARAMETER (a setting that the method cannot use), _DATA, _MEMORY, _NUMERIC. Same bits on every run
 * and for any number of threads. */
#ifndef SFGP_BASELINE_BASELINE_H
#define SFGP_BASELINE_BASELINE_H

#include "model/model.h"

typedef sfgp_status (*sfgp_baseline)(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                     sfgp_result *result);

/* Coherent point drift (Myronenko, Song, IEEE TPAMI 32(12), 2010) and Bayesian coherent point drift: a similarity and a smooth motion
 * together (Hirose, IEEE TPAMI 43(7) and 43(8), 2021). The row that settings->method names in mixture_methods.c. */
sfgp_status sfgp_baseline_mixture(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                  sfgp_result *result);

/* Maximum a posteriori estimate: mean squared distance to the closest target points and a low-rank Gaussian process
 * prior, minimised by L-BFGS. */
sfgp_status sfgp_baseline_map(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                              sfgp_result *result);

/* Point distribution model, and a mixture whose components are flat along the surface. */
sfgp_status sfgp_baseline_pca_aniso(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                    sfgp_result *result);

#endif
