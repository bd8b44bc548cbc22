/* Baselines: published registration methods other than SFGP. Each has a loop of its own in a file of its own,
 * and `sfgp compare` measures all with the same kd-tree, linear algebra and data. One function each; the rows
 * are in fit/method.c.
 *
 * Contract of a baseline
 *   in   model->original (N x d, unit of the files) or model->reference (in the frame), its prior where the
 *        method has one; target: finite points of the model's dimension; result->settings: checked, pmin,
 *        prune, threads and max_distance resolved.
 *   out  result->points (N x d) and sd (N, per axis, 0 where the method states none) in the unit of the
 *        files; target and probability: the most probable target point of each reference point and its
 *        probability, 0 = none. The caller marks points whose probability is not above pmin as missing.
 *        iterations, change, outcome, sigma, explained; result->settings: what "auto" has become.
 * Points that are not finite, or no label at all, are a failed fit, not an error: the caller turns them into
 * SFGP_NO_OVERLAP. Errors: SFGP_ERROR_PARAMETER (a setting the method cannot take), _DATA, _MEMORY, _NUMERIC.
 * Same bits on every run and any number of threads. */
#ifndef SFGP_BASELINE_BASELINE_H
#define SFGP_BASELINE_BASELINE_H

#include "model/model.h"

typedef sfgp_status (*sfgp_baseline)(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                     sfgp_result *result);

/* Bayesian coherent point drift: similarity and smooth motion together (Hirose, IEEE TPAMI 43(7), 2021); with
 * a low-rank prior and a pruned P (Hirose, 2021, section 4.8); fitted to a part of the points and
 * interpolated (Hirose, IEEE TPAMI 43(8), 2021: BCPD++). */
sfgp_status sfgp_baseline_bcpd(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                               sfgp_result *result);
sfgp_status sfgp_baseline_bcpd_accelerated(sfgp_context *context, const sfgp_model *model,
                                           const sfgp_mesh *target, sfgp_result *result);
sfgp_status sfgp_baseline_bcpdpp(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                 sfgp_result *result);

/* Coherent point drift (Myronenko, Song, IEEE TPAMI 32(12), 2010). */
sfgp_status sfgp_baseline_cpd_rigid(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                    sfgp_result *result);
sfgp_status sfgp_baseline_cpd_affine(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                     sfgp_result *result);
sfgp_status sfgp_baseline_cpd(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                              sfgp_result *result);
sfgp_status sfgp_baseline_cpd_lowrank(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                      sfgp_result *result);

/* Maximum a posteriori: mean squared distance to the closest target point, low-rank Gaussian process, L-BFGS.
 */
sfgp_status sfgp_baseline_map(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                              sfgp_result *result);

/* Point distribution model and a mixture whose variances lie along the surface. */
sfgp_status sfgp_baseline_pca_aniso(sfgp_context *context, const sfgp_model *model, const sfgp_mesh *target,
                                    sfgp_result *result);

#endif
