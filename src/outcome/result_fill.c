/* Fills a result from the state of a fit, or from what a baseline left. */
#include "outcome/result.h"
#include "base/parallel.h"
#include "em/mixing.h"
#include "em/thinning.h"
#include "model/standard.h"
#include "outcome/expected.h"
#include "outcome/holes.h"
#include "outcome/overlap.h"
#include "outcome/result_pose.h"
#include "search/tuning.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define GRAIN 4096 /* points that a thread takes at a time */

/* What a result is made of. */
typedef struct source {
    const sfgp_em *em;
    const sfgp_model *model;
    const sfgp_frame *frame; /* of the fit */
    sfgp_result *result;
} source;

static void copy_some_labels(const void *data, int64_t first, int64_t end)
{
    const source *s = data;
    const sfgp_responsibilities *r = &s->em->responsibilities;
    for (int64_t i = first; i < end; i++) {
        const bool seen = r->best_target[i] >= 0;
        s->result->missing[i] = !seen;
        s->result->target[i] = seen ? sfgp_thinning_original(s->em, r->best_target[i]) : -1;
        s->result->probability[i] = seen ? r->best[i] : 0;
    }
}

static void copy_labels(const sfgp_em *em, sfgp_result *result)
{
    const source all = {.em = em, .result = result};
    result->missing_count = em->responsibilities.missing;
    sfgp_parallel_for(result->count, GRAIN, copy_some_labels, &all);
}

/* The scan tells nothing: the uncertainty of the prior, and every point missing. */
static void set_unseen(const sfgp_model *model, sfgp_result *result)
{
    result->missing_count = result->count;
    for (int64_t i = 0; i < result->count; i++) {
        result->sd[i] = model->frame.scale * sqrt(sfgp_basis_variance(&model->basis, i));
        result->missing[i] = 1;
        result->target[i] = -1;
        result->probability[i] = 0;
    }
}

/* Nothing matched: the reference as it came and where it was. */
static void copy_reference(const sfgp_model *model, sfgp_result *result)
{
    sfgp_result_set_in_place(result);
    memcpy(result->points, model->original, (size_t)(result->count * result->dimension) * sizeof(double));
    set_unseen(model, result);
}

/* What the frame took from the points of the reference, so that a shape that does not move is the reference. */
static void add_rounding(const sfgp_model *model, int64_t i, double *point)
{
    const int d = model->dimension;
    double rounded[3];
    sfgp_frame_leave(&model->frame, 1, model->reference + i * d, rounded);
    for (int a = 0; a < d; a++)
        point[a] += model->original[i * d + a] - rounded[a];
}

static void copy_some_points(const void *data, int64_t first, int64_t end)
{
    const source *s = data;
    const int64_t at = first * s->result->dimension;
    double *points = s->result->points;
    sfgp_similarity_apply(&s->em->state.pose, end - first, s->em->state.points + at, points + at);
    sfgp_frame_leave(s->frame, end - first, points + at, points + at);
    for (int64_t i = first; i < end; i++) {
        add_rounding(s->model, i, points + i * s->result->dimension);
        s->result->sd[i] = s->frame->scale * sqrt(s->em->state.variance[i]);
    }
}

/* Points and deviations in the unit of the files. */
static void copy_points(const sfgp_em *em, const sfgp_model *model, const sfgp_frame *frame,
                        sfgp_result *result)
{
    const source all = {em, model, frame, result};
    sfgp_parallel_for(result->count, GRAIN, copy_some_points, &all);
}

/* The kernel of another prior. */
static void set_kernel(const sfgp_model *model, const sfgp_em *em, sfgp_result *result)
{
    const sfgp_tuning *t = sfgp_tuning_of(em->problem->basis);
    const sfgp_kernel kernel = em->state.start.prior == SFGP_PRIOR_STIFF
                                   ? sfgp_model_rescaled_kernel(model, t->stiff_affine, t->stiff)
                                   : sfgp_model_rescaled_kernel(model, 1, t->loose);
    char text[SFGP_KERNEL_SIZE];
    sfgp_kernel_format(&kernel, text);
    snprintf(result->settings->kernel, sizeof result->settings->kernel, "%.500s", text);
}

/* Per target point in use, times all of them. Each counts in full, so that references with other numbers of points can be compared. A
 * density in the frame is one in the unit of the files, times scale^d. */
static double evidence_of(const sfgp_em *em, const sfgp_frame *frame)
{
    const double used = (double)em->responsibilities.targets, all = (double)em->problem->mesh->count;
    if (!em->problem->variant->learns || em->state.iteration == 0)
        return (double)NAN;
    const double likelihood = (em->state.bound + em->state.divergence) / em->label_weight;
    return (likelihood - em->state.divergence - sfgp_mixing_bic(em)) * all / used -
           all * frame->dimension * log(frame->scale);
}

/* The deviations of other methods are not calibrated: they are smaller than the errors. */
static void expect(const sfgp_em *em, sfgp_result *result)
{
    if (em->problem->variant->learns)
        sfgp_result_expect(result);
}

/* Where all doubts are asked there is no warning of the scatter as well: good fits of real scans have it, too. */
static void judge(sfgp_em *em, double unit, sfgp_result *result)
{
    const bool asked = result->outcome == SFGP_CONVERGED && result->settings->reject;
    if (!asked || !sfgp_overlap_is_judged(em))
        sfgp_overlap_warn(em, unit);
    sfgp_overlap_warn_of_unreached(em);
    if (asked)
        result->doubts = sfgp_overlap_doubts(em, result->expected_error / unit);
    if (!(result->doubts & SFGP_DOUBT_BESIDE))
        sfgp_overlap_warn_of_beside(em);
    if (result->doubts)
        result->outcome = SFGP_DOUBTFUL;
}

/* What does not depend on the unit of the files. */
static void copy_numbers(const sfgp_em *em, const sfgp_model *model, sfgp_result *result)
{
    result->iterations = em->state.iteration;
    result->fits = em->starts > 0 ? em->starts : 1; /* the paper's methods do not count theirs */
    result->total_iterations = em->iterations;
    result->change = em->change;
    result->omega = em->state.omega;
    result->symmetric = em->problem->symmetric;
    result->rank = model->basis.scalar.rank + model->basis.pca.modes;
    result->pose_margin = em->facts.pose_margin;
    result->explained = sfgp_responsibilities_explained(&em->responsibilities);
}

/* Pose, points, deviations and sigma in the unit of the files. */
static void copy_shape(sfgp_em *em, const sfgp_model *model, const sfgp_frame *frame, sfgp_result *result)
{
    result->evidence = evidence_of(em, frame);
    result->sigma = frame->scale * sfgp_overlap_sigma(em);
    sfgp_result_set_pose(frame, &em->state.pose, result);
    sfgp_result_set_similarity(frame, result);
    copy_points(em, model, frame, result);
    copy_labels(em, result);
}

/* Next to nothing speaks for the fit. */
static void reject(const sfgp_em *em, const sfgp_model *model, sfgp_result *result)
{
    result->outcome = SFGP_NO_OVERLAP;
    result->size = 1;
    result->evidence = (double)NAN;
    result->detail = result->detail_length = 0;
    result->detail_points = 0;
    copy_reference(model, result);
    expect(em, result);
}

void sfgp_result_fill(sfgp_em *em, const sfgp_model *model, sfgp_result *result)
{
    const sfgp_frame frame = sfgp_frame_resized(&model->frame, result->size);
    copy_numbers(em, model, result);
    copy_shape(em, model, &frame, result);
    if (em->state.start.prior != SFGP_PRIOR_AS_IS)
        set_kernel(model, em, result);
    if (result->iterations == 0)
        set_unseen(model, result);
    expect(em, result);
    const bool rejected =
        result->settings->reject && result->iterations > 0 && sfgp_overlap_is_none(em, result->outcome);
    if (result->outcome == SFGP_NO_OVERLAP || rejected)
        reject(em, model, result);
    else if (result->iterations > 0)
        judge(em, frame.scale, result);
}

sfgp_status sfgp_result_mask(sfgp_em *em, sfgp_result *result)
{
    if (!em->problem->variant->learns || result->outcome == SFGP_NO_OVERLAP || result->iterations == 0)
        return SFGP_OK;
    const sfgp_status status = sfgp_holes_classify(em);
    copy_labels(em, result);
    expect(em, result);
    return status;
}

static bool all_finite(const sfgp_result *result)
{
    bool finite = true;
    for (int64_t k = 0; k < result->count * result->dimension; k++)
        finite = finite && isfinite(result->points[k]);
    return finite;
}

void sfgp_result_judge(const sfgp_model *model, sfgp_result *result)
{
    const sfgp_similarity identity = sfgp_similarity_identity(result->dimension);
    sfgp_result_set_pose(&model->frame, &identity, result);
    result->evidence = (double)NAN;
    result->fits = 1;
    result->total_iterations = result->iterations;
    result->omega = result->settings->omega;
    result->rank = result->settings->rank;
    result->missing_count = 0;
    for (int64_t i = 0; i < result->count; i++) {
        result->missing[i] = !(result->probability[i] > result->settings->pmin);
        result->missing_count += result->missing[i];
        if (result->missing[i])
            result->target[i] = -1, result->probability[i] = 0;
    }
    if (!all_finite(result) || (result->settings->reject && result->missing_count == result->count)) {
        result->outcome = SFGP_NO_OVERLAP;
        copy_reference(model, result);
    }
}
