/* The size of the shape in a scan, by rigid searches at some sizes (ADR 0131, 0132). */
#include "search/poses.h"
#include "search/poses_rigid.h"

#include <math.h>
#include <string.h>

/* Of the shape in the scan, times that of the reference. */
static const double SIZES[] = {0.41, 0.465, 0.53, 0.6,  0.68, 0.775, 0.88,
                               1.14, 1.29,  1.47, 1.67, 1.9,  2.16,  2.46};

static void scale_points(sfgp_oriented *some, double factor)
{
    for (int64_t k = 0; k < 3 * some->count; k++)
        some->points[k] *= factor;
}

/* The score of the best pose of a shape of that size. */
static sfgp_status score_at(sfgp_context *context, double size, sfgp_rigid_shapes *s, double *score)
{
    sfgp_rigid_found found = {0};
    sfgp_rigid_pose best = {.score = 0};
    double middle[3];
    memcpy(middle, s->middle, sizeof middle);
    for (int a = 0; a < 3; a++)
        s->middle[a] /= size;
    scale_points(&s->part, 1 / size);
    scale_points(&s->few, 1 / size);
    const sfgp_status status = sfgp_rigid_find(context, s, &found);
    scale_points(&s->part, size);
    scale_points(&s->few, size);
    if (status == SFGP_OK)
        sfgp_rigid_keep_best(s, found.count, found.each, 1, &best);
    memcpy(s->middle, middle, sizeof middle);
    *score = best.score;
    return status;
}

/* own: the score of the size 1. */
static sfgp_status compare_sizes(sfgp_context *context, double own, sfgp_rigid_shapes *s, double *size)
{
    const sfgp_tuning *t = s->tuning;
    double most = t->size_better * own;
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < (int)(sizeof SIZES / sizeof *SIZES) && status == SFGP_OK; k++) {
        double score;
        status = score_at(context, SIZES[k], s, &score);
        const double rated = score * pow(SIZES[k], -t->size_power);
        if (status == SFGP_OK && score > t->size_least && rated > most) {
            most = rated;
            *size = SIZES[k];
        }
    }
    return status;
}

sfgp_status sfgp_poses_find_size(sfgp_context *context, const sfgp_em_problem *problem, double *size)
{
    sfgp_rigid_shapes s;
    double own = 0;
    *size = 1;
    sfgp_status status = sfgp_rigid_shapes_new(context, problem, problem->basis->mean, &s);
    if (status == SFGP_OK)
        status = score_at(context, 1, &s, &own);
    if (status == SFGP_OK && own < s.tuning->size_sure)
        status = compare_sizes(context, own, &s, size);
    sfgp_rigid_shapes_clear(&s);
    return status;
}
