#include "fit/uncertainty.h"
#include "fit/strays.h"
#include "geom/kdtree.h"
#include "gpr/information.h"

#include <math.h>
#include <string.h>

#define TEMPER 2.0              /* T */
#define UNEXPRESSED_SURFACE 7.0 /* c */
#define UNEXPRESSED_TRAINED 0.02
#define HOLE 0.5 /* grows by so much of c a spacing */
#define CONE 0.4 /* k */

static double unexpressed(const sfgp_model *model)
{
    if (model->pca.modes > 0)
        return UNEXPRESSED_TRAINED;
    return model->dimension == 3 ? UNEXPRESSED_SURFACE : 0;
}

static double cone(const sfgp_model *model)
{
    return model->dimension == 2 && model->pca.modes == 0 ? CONE : 0;
}

static sfgp_status label_at(sfgp_solver *solver, double noise)
{
    for (int64_t i = 0; i < solver->model->count; i++)
        solver->noise[i] = noise;
    return sfgp_solver_label_whole(solver);
}

/* A tree over the fitted points that are not missing; NULL when there are none. */
static sfgp_status seen_points(sfgp_solver *solver, sfgp_kdtree **tree)
{
    const int d = solver->model->dimension;
    double *seen = solver->deltas; /* no longer needed */
    int64_t count = 0;
    for (int64_t i = 0; i < solver->model->count; i++)
        if (solver->labels.weight[i] > 0)
            memcpy(seen + d * count++, solver->fitted + d * i, (size_t)d * sizeof *seen);
    *tree = NULL;
    return count > 0 ? sfgp_kdtree_new(solver->context, count, d, seen, tree) : SFGP_OK;
}

/* v, or halfway to that of the smallest part, which is wider: a dense scan tells more, but not of how a
 * surface slides along itself. */
static double noise_of_levels(const sfgp_solver *solver)
{
    const double v = solver->noise[0];
    return solver->carried ? sqrt(v) * solver->scatter : v;
}

/* + c v (1 + h_i / 2) + (k h_i s)^2 */
static sfgp_status add_unexpressed(sfgp_solver *solver, double *variance)
{
    const double c = unexpressed(solver->model), rest = c * noise_of_levels(solver),
                 growth = HOLE * c * solver->noise[0], slope = cone(solver->model);
    sfgp_kdtree *tree;
    sfgp_status status = seen_points(solver, &tree);
    if (status != SFGP_OK)
        return status;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < solver->model->count; i++) {
        double distance2 = 0;
        if (tree != NULL && solver->labels.weight[i] == 0)
            sfgp_kdtree_nearest(tree, solver->fitted + i * solver->model->dimension, &distance2);
        const double spacings = solver->spacing > 0 ? sqrt(distance2) / solver->spacing : 0;
        variance[i] += rest + growth * spacings + slope * slope * distance2;
    }
    sfgp_kdtree_free(tree);
    return SFGP_OK;
}

sfgp_status sfgp_solver_inform(sfgp_solver *solver)
{
    const size_t n = (size_t)solver->model->count;
    const double v = solver->noise[0];
    double *variance = solver->weights; /* no longer needed; the labels still need the other */
    memcpy(variance, solver->variance, n * sizeof *variance);
    sfgp_status status = label_at(solver, solver->settled ? TEMPER * v : v);
    if (status == SFGP_OK)
        status = sfgp_information_variance(solver->context, &solver->posterior, &solver->labels,
                                           solver->target, solver->fitted, solver->noise, variance);
    if (status == SFGP_OK)
        status = label_at(solver, v);
    if (status == SFGP_OK)
        memcpy(solver->variance, variance, n * sizeof *variance);
    return status;
}

sfgp_status sfgp_solver_finish(sfgp_solver *solver)
{
    const size_t n = (size_t)solver->model->count;
    sfgp_status status = solver->carried ? SFGP_OK : sfgp_solver_inform(solver);
    if (status != SFGP_OK)
        return status;
    if (solver->carried)
        memcpy(solver->variance, solver->stated, n * sizeof(double));
    sfgp_strays_judge(solver);
    return add_unexpressed(solver, solver->variance);
}
