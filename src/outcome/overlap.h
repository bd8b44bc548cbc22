/* Overlap: whether anything speaks for a fit (ADR 0005). */
#ifndef SFGP_OUTCOME_OVERLAP_H
#define SFGP_OUTCOME_OVERLAP_H

#include "em/em.h"

/* sigma. Of a variant with one sigma for each point it is the median over the labelled points, as a few unmatched points
 * reach any size. 0 without labels. Overwrites em->weights. */
double sfgp_overlap_sigma(sfgp_em *em);
/* Whether the fit labels next to no point, or has settled with labels that scatter over a good part of the
 * shape. */
bool sfgp_overlap_is_none(sfgp_em *em, sfgp_outcome outcome);
/* Warns of labels that scatter by more than those of a fit in place: 0.2 to 0.6 spacings on real ears, 0.6 to
 * 1.9 when the scan is mirrored or upside down. For fits whose doubts are not asked, or not all of them (ADR 0099). */
void sfgp_overlap_warn(sfgp_em *em, double unit);
/* Warns of a part of the scan that is a surface away from the fit (search/unreached.h), and of one that took the loose prior. */
void sfgp_overlap_warn_of_unreached(const sfgp_em *em);
/* Warns of a fit of a second search, beside other surfaces (fit/beside.h), and of a scan with clutter (ADR 0035). */
void sfgp_overlap_warn_of_beside(const sfgp_em *em);
/* Whether the scan lies too far from the fit of a surface (search/doubt.h). Of a dense shape the smallest level counts. */
bool sfgp_overlap_is_far(sfgp_em *em);
/* Whether the mirror image of the scan is better by more than `mirror_margin` (fit/sides.h). */
bool sfgp_overlap_is_mirrored(const sfgp_em *em);
/* What speaks against a converged fit, a sum of sfgp_doubt:
 *
 *     DISTANCE  sfgp_overlap_is_far
 *     POSE      fits of other poses of a surface are nearly as good (search/rivals.h)
 *     ERROR     the expected error (expected.h, in radii) is large; not asked where the stated deviations are not calibrated
 *     MIRROR    sfgp_overlap_is_mirrored
 *     BESIDE    of a second search, beside other surfaces (fit/beside.h): the expected error is not small, or what the fit leaves over lies
 *               over the inside of the shape (search/inside.h)
 *     LENGTH    a long shape is shortened (length.h) */
unsigned sfgp_overlap_doubts(sfgp_em *em, double expected_error);
/* Whether all of these doubts are asked: of a surface whose spacing was measured, by a method that learns, with an effort that
 * compares the mirror image. */
bool sfgp_overlap_is_judged(const sfgp_em *em);
/* How far the labels scatter, in spacings of the target; 0 where the fit or the target tells nothing of it. */
double sfgp_overlap_scatter(sfgp_em *em);
/* Whether the labels scatter by more than `residual_most` spacings of the target: what sfgp_overlap_warn warns of. */
bool sfgp_overlap_scatters(sfgp_em *em);

#endif
