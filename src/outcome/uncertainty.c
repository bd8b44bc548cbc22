/* The stated variance (ADR 0013, 0015). Equation in uncertainty.h. */
#include "outcome/uncertainty.h"
#include "base/parallel.h"
#include "em/amplitude.h"
#include "em/information.h"
#include "outcome/missing.h"
#include "search/curve.h"
#include "search/tuning.h"

#include <math.h>
#include <string.h>

#define GRAIN 256 /* points that a thread takes at a time */

/* A tree over the fitted points that are not missing; NULL when there are none. */
static sfgp_status seen_points(sfgp_em *em, sfgp_kdtree **tree)
{
    const int d = em->problem->basis->dimension;
    double *seen = em->deltas; /* free between steps */
    int64_t count = 0;
    for (int64_t i = 0; i < em->problem->basis->count; i++)
        if (em->responsibilities.best_target[i] >= 0)
            memcpy(seen + d * count++, em->state.points + d * i, (size_t)d * sizeof *seen);
    *tree = NULL;
    return count > 0 ? sfgp_kdtree_new(em->context, count, d, seen, tree) : SFGP_OK;
}

/* sigma2, or of a warm fit the geometric mean of it and that of the smallest level, which is larger: a dense
 * scan tells more, but not of how a surface slides along itself. */
static double sigma2_of_levels(const sfgp_em *em)
{
    const double sigma2 = em->state.sigma2[0];
    return sfgp_em_is_warm(em) ? sqrt(sigma2) * em->coarse.sigma : sigma2;
}

/* So many labels count as one in the information: neighbours err together. The labels of a curve that is sampled err along it, and what
 * they say does not grow with the number of its points; the prior as it is follows them far enough without (ADR 0091). */
static double temper_of_information(const sfgp_em *em)
{
    const sfgp_tuning *t = sfgp_tuning_of(em->problem->basis);
    const bool follows = em->state.start.prior != SFGP_PRIOR_STIFF && em->problem->basis->pca.modes == 0;
    return follows || !(t->information_points > 0) || !sfgp_curve_is_sampled(em)
               ? t->information_temper
               : fmax(t->information_temper, sfgp_curve_temper(em));
}

/* p_i *= a bend^2 / E bend^2; of curves a is 0 but under the stiff prior, and the information stays as it is. */
static sfgp_status scale_by_amplitude(sfgp_em *em)
{
    const sfgp_tuning *t = sfgp_tuning_of(em->problem->basis);
    const double factor = em->state.start.prior == SFGP_PRIOR_STIFF   ? t->amplitude_stiff
                          : em->state.start.prior == SFGP_PRIOR_LOOSE ? t->amplitude_loose
                                                                      : t->amplitude;
    double ratio;
    if (!(factor > 0))
        return SFGP_OK;
    const sfgp_status status = sfgp_amplitude_of_fit(em, &ratio);
    for (int64_t i = 0; status == SFGP_OK && i < em->problem->basis->count; i++)
        em->state.variance[i] *= factor * ratio;
    return status;
}

/* What the prior cannot express, of one target and one sigma2. */
typedef struct unexpressed {
    const sfgp_em *em;       /* the seen points are its deltas */
    const sfgp_kdtree *seen; /* the seen points; NULL: none, or all */
    double noise;            /* c sigma2 */
    double growth;           /* g c sigma2 of each spacing */
    double unspanned;        /* l u */
    double hole;             /* g */
    double most;             /* f^2 */
    double slope;            /* k */
} unexpressed;

/* v / sqrt(1 + v / f^2), v = l u (1 + g h) */
static double unspanned_variance(const unexpressed *u, double spacings)
{
    const double whole = u->unspanned * (1 + u->hole * spacings);
    return whole / sqrt(1 + whole / u->most);
}

static void add_some(const void *data, int64_t first, int64_t end)
{
    const unexpressed *u = data;
    const sfgp_em *em = u->em;
    const int d = em->problem->basis->dimension;
    const double spacing = em->problem->target.spacing;
    int64_t nearest = -1;
    for (int64_t i = first; i < end; i++) {
        double distance2 = 0;
        if (u->seen && em->responsibilities.best_target[i] < 0)
            nearest =
                sfgp_kdtree_follow(u->seen, em->deltas, d, nearest, em->state.points + i * d, &distance2);
        const double spacings = spacing > 0 ? sqrt(distance2) / spacing : 0;
        em->state.variance[i] += u->noise + u->growth * spacings + unspanned_variance(u, spacings) +
                                 u->slope * u->slope * distance2;
    }
}

static unexpressed unexpressed_of(const sfgp_em *em, const sfgp_kdtree *seen)
{
    const sfgp_tuning *t = sfgp_tuning_of(em->problem->basis);
    const double unspanned = em->problem->basis->pca.unspanned, /* negative: a file that does not know it */
        noise = unspanned < 0                               ? t->unexpressed_unknown
                : em->state.start.prior == SFGP_PRIOR_STIFF ? t->unexpressed_stiff
                                                            : t->unexpressed;
    return (unexpressed){.em = em,
                         .seen = seen,
                         .noise = noise * sigma2_of_levels(em),
                         .growth = t->hole_variance_growth * noise * em->state.sigma2[0],
                         .unspanned = t->unspanned * fmax(unspanned, 0),
                         .hole = t->hole_variance_growth,
                         .most = t->unspanned_most * t->unspanned_most,
                         .slope = t->hole_deviation_slope};
}

/* + c sigma2 (1 + g h_i) + v_i / sqrt(1 + v_i / f^2) + (k h_i s)^2 */
static sfgp_status add_unexpressed(sfgp_em *em)
{
    sfgp_kdtree *tree;
    sfgp_status status = seen_points(em, &tree);
    if (status != SFGP_OK)
        return status;
    const unexpressed all = unexpressed_of(em, tree);
    sfgp_parallel_for(em->problem->basis->count, GRAIN, add_some, &all);
    sfgp_kdtree_free(tree);
    return SFGP_OK;
}

sfgp_status sfgp_outcome_finish(sfgp_em *em)
{
    const size_t n = (size_t)em->problem->basis->count;
    sfgp_status status = SFGP_OK;
    if (sfgp_em_is_warm(em))
        memcpy(em->state.variance, em->coarse.variance, n * sizeof(double));
    else
        status = sfgp_em_information_variance(em, temper_of_information(em));
    if (status == SFGP_OK)
        status = scale_by_amplitude(em);
    if (status == SFGP_OK)
        status = sfgp_missing_classify(em);
    return status == SFGP_OK ? add_unexpressed(em) : status;
}
