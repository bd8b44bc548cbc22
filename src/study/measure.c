/* Measures a fit against the truth: errors, recall and precision of the missing mask, and the share of true points
 * inside the stated 95 % region. */
#include "study/parts.h"

/* Squared radius of the ball that contains 95 % of a standard normal distribution in 2 or 3 dimensions: the quantiles
 * of chi-squared. For d = 2 it is -2 ln 0.05. */
static double region95(int dimension)
{
    return dimension == 2 ? 5.991464547107979 : 7.814727903251179;
}

sfgp_status study_measure_errors(study *s, sfgp_context *context, const study_case *c,
                                 const sfgp_mesh *fitted, study_row *row)
{
    sfgp_evaluation evaluation;
    if (!c->truth)
        return SFGP_OK;
    sfgp_status status = sfgp_evaluate(context, fitted, c->truth, c->missing, &evaluation);
    if (status != SFGP_OK)
        return study_fail_with(s, status, context, "truth");
    row->error = evaluation.all.mean;
    row->observed = c->missing ? evaluation.observed.mean : STUDY_UNKNOWN;
    row->missing = c->missing ? evaluation.missing.mean : STUDY_UNKNOWN;
    return SFGP_OK;
}

static double share(int64_t part, int64_t whole)
{
    return whole > 0 ? (double)part / (double)whole : STUDY_UNKNOWN;
}

void study_measure_mask(const study_case *c, const sfgp_result *result, study_row *row)
{
    int64_t both = 0, gone = 0, found = 0;
    for (int64_t i = 0; c->missing && i < result->count; i++) {
        both += c->missing[i] && result->missing[i];
        gone += c->missing[i];
        found += result->missing[i];
    }
    row->recall = share(both, gone);
    row->precision = c->missing ? share(both, found) : STUDY_UNKNOWN;
}

/* Not known for a fit that states no variance. */
void study_measure_regions(const study_case *c, const sfgp_result *result, study_row *row)
{
    int64_t inside[2] = {0, 0}, all[2] = {0, 0};
    bool stated = false;
    for (int64_t i = 0; c->truth && c->missing && i < result->count; i++) {
        const int part = c->missing[i] != 0, d = result->dimension;
        double distance2 = 0;
        for (int a = 0; a < d; a++) {
            double step = result->points[i * d + a] - c->truth->points[i * d + a];
            distance2 += step * step;
        }
        inside[part] += distance2 <= region95(d) * result->sd[i] * result->sd[i];
        all[part]++;
        stated = stated || result->sd[i] > 0;
    }
    row->inside_observed = stated ? share(inside[0], all[0]) : STUDY_UNKNOWN;
    row->inside_missing = stated ? share(inside[1], all[1]) : STUDY_UNKNOWN;
}
