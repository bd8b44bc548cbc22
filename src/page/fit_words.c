/* What became of a fit, in sentences that need no manual. */
#include "page/fit_page_parts.h"
#include "page/text.h"

#include <math.h>
#include <stdlib.h>

/* Writes a paragraph and frees the text. */
static void write_paragraph(page *p, char *text)
{
    page_text(p, text ? text : "out of memory");
    free(text);
}

static char *describe_doubt(const fit_page *f)
{
    const sfgp_result *r = f->result;
    if (r->doubts & SFGP_DOUBT_MIRROR)
        return report_format(
            "The fit is doubtful: the mirror image of the scan fits better. If the scan is of the other side of the "
            "body, set mirror to %d.",
            r->settings->mirror ? 0 : 1);
    if (r->doubts & SFGP_DOUBT_DISTANCE)
        return report_format(
            "The fit is doubtful: the points of the scan lie %.2g%s from it, which is much for a shape with so many "
            "points. Either its pose or shape is wrong, or the scan is very noisy, uneven, or shows other things as well. Landmarks give the pose.",
            r->sigma, f->unit);
    if (r->doubts & SFGP_DOUBT_POSE)
        return report_format(
            "The fit is doubtful: at another pose, turned by more than 20 degrees, the shape explains the scan nearly as "
            "well. Its pose may be wrong. Landmarks give the pose.");
    if (r->doubts & SFGP_DOUBT_BESIDE)
        return report_format(
            "The fit is doubtful: it takes %.0f %% of the scan for noise and other surfaces beside the shape, as a fit to "
            "all of the scan is doubtful, too. Look at the fit, and cut the scan to the shape.",
            100 * r->omega);
    if (r->doubts & SFGP_DOUBT_LENGTH)
        return report_format(
            "The fit is doubtful: the scan does not show one end of this long shape, and the fit is shorter than the "
            "reference there. Its length is a guess. Landmarks at that end or training shapes tell it.");
    return report_format(
        "The fit is doubtful: the scan says too little of this shape. By the stated deviations its points are %.2g%s from "
        "the true ones in the mean. Training shapes or landmarks say more.",
        r->expected_error, f->unit);
}

static void write_outcome(const fit_page *f)
{
    const sfgp_result *r = f->result;
    char *text = NULL;
    if (r->outcome == SFGP_CONVERGED)
        write_paragraph(
            f->p, report_format("The fit converged after %lld iterations: its points do not move any more.",
                                (long long)r->iterations));
    else if (r->outcome == SFGP_MAX_ITERATIONS)
        text = report_format(
            "The fit has not converged. It was stopped after %lld iterations, and its points may still move: "
            "the setting max_iterations allows more.",
            (long long)r->iterations);
    else if (r->outcome == SFGP_MAX_TIME)
        text = report_format(
            "The fit was ended by its limit of time, after %.3g s. The result is the best that was found until "
            "then, and a better one may exist: the setting max_time allows more.",
            r->seconds);
    else if (r->outcome == SFGP_DOUBTFUL)
        text = describe_doubt(f);
    else
        text = report_format(
            "No overlap: too little of the scan matches the reference. The result is the reference, unchanged.");
    if (text)
        page_note(f->p, text);
    free(text);
}

/* A sentence of the standard deviation; "" where the method states none. */
static char *describe_deviation(const fit_page *f, double mean, const char *what)
{
    return mean > 0 ? report_format("%s a standard deviation of %.2g%s in the mean", what, mean, f->unit)
                    : report_format("%s", "");
}

static void write_missing(const fit_page *f)
{
    const sfgp_result *r = f->result;
    const double share = 100 * (double)r->missing_count / (double)r->count;
    char *with = describe_deviation(f, f->values.quantities[FIT_SD].missing, ", with");
    if (with && r->missing_count == 0)
        write_paragraph(f->p,
                        report_format("The scan shows all %lld points of the shape.", (long long)r->count));
    else if (with && r->missing_count == r->count)
        write_paragraph(
            f->p, report_format("The scan shows no point of the shape. All of it is predicted%s.", with));
    else if (with)
        write_paragraph(
            f->p,
            report_format("%.2g %% of the shape (%lld of %lld points) is not in the scan; it is predicted%s.",
                          share < 99.5 ? share : 99, (long long)r->missing_count, (long long)r->count, with));
    free(with);
}

static void write_observed(const fit_page *f)
{
    const fit_quantity *distance = &f->values.quantities[FIT_DISTANCE];
    char *with = describe_deviation(f, f->values.quantities[FIT_SD].observed, ", and has");
    if (with && isfinite(distance->observed))
        write_paragraph(
            f->p,
            report_format("Where the scan shows the shape, the fit is %.2g%s from the scan in the mean%s.",
                          distance->observed, f->unit, with));
    free(with);
}

static void write_explained(const fit_page *f)
{
    const double share = 100 * f->result->explained;
    const long long count = (long long)f->in->scan->count;
    if (f->result->outcome == SFGP_NO_OVERLAP || !isfinite(share))
        return;
    if (share >= 99.95)
        write_paragraph(
            f->p, report_format("All %lld points of the scan lie on the shape: none is taken for an outlier.",
                                count));
    else
        write_paragraph(
            f->p,
            report_format("%.3g %% of the %lld points of the scan lie on the shape. The others are taken for "
                          "outliers: noise, or things that the reference does not have.",
                          share, count));
}

static void write_motion(const fit_page *f)
{
    const fit_values *v = &f->values;
    const fit_quantity *left = &v->quantities[FIT_DEVIATION];
    if (f->result->outcome == SFGP_NO_OVERLAP)
        return;
    write_paragraph(
        f->p,
        report_format("The %s was turned by %.3g degrees and its centroid moved by %.3g%s. What is left "
                      "is deformation: %.2g%s in the mean, %.2g%s at most.",
                      f->image ? "mirror image of the reference" : "reference", v->turn, v->shift, f->unit,
                      left->mean, f->unit, left->largest, f->unit));
}

static void write_warnings(const fit_page *f)
{
    const sfgp_page_options *options = &f->in->options;
    for (int64_t k = 0; k < options->warning_count; k++) {
        char *text = report_format("Warning: %s", options->warnings[k]);
        page_note(f->p, text ? text : options->warnings[k]);
        free(text);
    }
}

static void write_thinned(const fit_page *f)
{
    const sfgp_mesh *reference = f->in->reference, *scan = f->in->scan;
    if (f->shape.mesh->count < reference->count)
        write_paragraph(
            f->p, report_format(
                      "Views and pictures show %lld of the %lld points of the fit; numbers are those of all.",
                      (long long)f->shape.mesh->count, (long long)reference->count));
    if (f->scan.mesh->count < scan->count)
        write_paragraph(f->p, report_format("Views and pictures show %lld of the %lld points of the scan.",
                                            (long long)f->scan.mesh->count, (long long)scan->count));
}

void fit_page_write_words(const fit_page *f)
{
    write_outcome(f);
    write_warnings(f);
    write_missing(f);
    write_observed(f);
    write_explained(f);
    write_motion(f);
    write_thinned(f);
    if (!f->unit[0])
        page_text(f->p, "Lengths are in the unit of the files.");
}
