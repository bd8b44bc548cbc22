/* Whether the length of a long shape is a guess. Equations in length.h. */
#include "outcome/length.h"
#include "geom/measure.h"
#include "search/stretch.h"
#include "search/tuning.h"

/* The middle of the points that are missing, or of those that are not; how many there are. */
static int64_t middle_of(const sfgp_em *em, const double *points, bool missing, double middle[3])
{
    const sfgp_responsibilities *r = &em->responsibilities;
    const int d = em->problem->basis->dimension;
    int64_t count = 0;
    for (int a = 0; a < d; a++)
        middle[a] = 0;
    for (int64_t i = 0; i < r->count; i++)
        if ((r->best_target[i] < 0) == missing) {
            count++;
            for (int a = 0; a < d; a++)
                middle[a] += points[i * d + a];
        }
    for (int a = 0; a < d && count > 0; a++)
        middle[a] /= (double)count;
    return count;
}

/* From the middle of what is seen to that of what is missing; 0: all or none is. share: of the points that are missing. */
static double distance_to_missing(const sfgp_em *em, const double *points, double *share)
{
    double seen[3], missing[3];
    const int64_t here = middle_of(em, points, false, seen), there = middle_of(em, points, true, missing);
    *share = (double)there / (double)(here + there);
    return here > 0 && there > 0 ? sfgp_points_distance(em->problem->basis->dimension, seen, missing) : 0;
}

bool sfgp_length_is_doubtful(sfgp_em *em)
{
    const sfgp_tuning *tuning = sfgp_tuning_of(em->problem->basis);
    const double *mean = em->problem->basis->mean, *points = em->state.points;
    double share;
    if (!(tuning->hidden_far > 0) || !em->problem->variant->learns || em->problem->landmarks)
        return false;
    const double far = distance_to_missing(em, mean, &share);
    if (!(far > tuning->hidden_far))
        return false;
    const double near = distance_to_missing(em, points, &share) / sfgp_stretch_size(em, points, mean);
    return share * (far - near) > tuning->hidden_shift;
}
