/* Roughness of points. Equations in roughness.h. */
#include "geom/roughness.h"
#include "base/memory.h"
#include "base/quantile.h"
#include "geom/vector.h"
#include "linalg/dense.h"

#include <math.h>

enum { TERMS = 6 }; /* of a quadric */
#define FOLD 0.5    /* cosine of 60 degrees */
#define RIDGE 1e-6  /* of the number of neighbours: for places that determine no quadric */
#define UPRIGHT 0.6 /* of a unit vector there is an entry that is smaller */

/* Two unit vectors across the normal. */
static void axes_across(const double normal[3], double first[3], double second[3])
{
    const int a = fabs(normal[0]) < UPRIGHT ? 0 : fabs(normal[1]) < UPRIGHT ? 1 : 2;
    for (int k = 0; k < 3; k++)
        first[k] = (k == a) - normal[a] * normal[k];
    const double length = sqrt(sfgp_dot3(first, first));
    for (int k = 0; k < 3; k++)
        first[k] /= length;
    for (int k = 0; k < 3; k++)
        second[k] = normal[(k + 1) % 3] * first[(k + 2) % 3] - normal[(k + 2) % 3] * first[(k + 1) % 3];
}

/* The neighbours of point i about their mean: `local` gets u, v and h. Returns the largest distance. */
static double find_local(const sfgp_neighbours *neighbours, const double *points, const double normal[3],
                         int64_t i, double local[][3])
{
    const int32_t *index = neighbours->index + i * neighbours->size;
    double axis[3][3], mean[3] = {0}, far2 = 0;
    axes_across(normal, axis[0], axis[1]);
    for (int a = 0; a < 3; a++)
        axis[2][a] = normal[a];
    for (int k = 0; k < neighbours->size; k++)
        for (int a = 0; a < 3; a++)
            mean[a] += points[3 * (int64_t)index[k] + a] / neighbours->size;
    for (int k = 0; k < neighbours->size; k++) {
        double shift[3];
        for (int a = 0; a < 3; a++)
            shift[a] = points[3 * (int64_t)index[k] + a] - mean[a];
        for (int a = 0; a < 3; a++)
            local[k][a] = sfgp_dot3(axis[a], shift);
        far2 = fmax(far2, sfgp_dot3(shift, shift));
    }
    return sqrt(far2);
}

/* Root mean square of what the quadric leaves of h. far: the unit of u and v. */
static sfgp_status leave_quadric(sfgp_context *context, int size, double local[][3], double far, double *left)
{
    double terms[SFGP_ROUGHNESS_MOST][TERMS], heights[SFGP_ROUGHNESS_MOST],
        gram[TERMS * TERMS] = {0}, c[TERMS] = {0}, sum = 0;
    for (int k = 0; k < size; k++) {
        const double u = local[k][0] / far, v = local[k][1] / far,
                     row[TERMS] = {1, u, v, u * u, u * v, v * v};
        for (int t = 0; t < TERMS; t++)
            terms[k][t] = row[t];
        heights[k] = local[k][2];
    }
    sfgp_dense_gram(size, TERMS, 1, terms[0], gram);
    sfgp_dense_cross(size, TERMS, 1, 1, terms[0], heights, c);
    for (int t = 0; t < TERMS; t++)
        gram[t * TERMS + t] += RIDGE * size;
    const sfgp_status status = sfgp_dense_cholesky(context, "the quadric of a point", TERMS, gram);
    if (status != SFGP_OK)
        return status;
    sfgp_dense_solve_lower(TERMS, 1, gram, c);
    sfgp_dense_solve_lower_transposed(TERMS, 1, gram, c);
    for (int k = 0; k < size; k++) {
        double rest = heights[k];
        for (int t = 0; t < TERMS; t++)
            rest -= c[t] * terms[k][t];
        sum += rest * rest;
    }
    *left = sqrt(sum / (size - TERMS));
    return SFGP_OK;
}

sfgp_status sfgp_roughness_of(sfgp_context *context, const sfgp_neighbours *neighbours, const double *points,
                              double *roughness)
{
    double local[SFGP_ROUGHNESS_MOST][3], *normals = NULL;
    sfgp_status status = sfgp_allocate(context, 3 * neighbours->count, &normals);
    if (status == SFGP_OK)
        sfgp_normals_estimate(neighbours, points, normals);
    for (int64_t i = 0; status == SFGP_OK && i < neighbours->count; i++) {
        const double far = find_local(neighbours, points, normals + 3 * i, i, local);
        roughness[i] = 0;
        if (far > 0)
            status = leave_quadric(context, neighbours->size, local, far, roughness + i);
    }
    sfgp_free(normals);
    return status;
}

/* ---- beside another surface, and medians ------------------------------------------------------------------ */

static double median_of(int count, double *values)
{
    sfgp_sort(count, values);
    return count > 0 ? sfgp_quantile(count, values, 0.5) : 0;
}

void sfgp_roughness_beside(const sfgp_neighbours *neighbours, const sfgp_heights *heights, double *roughness)
{
    const double *height = heights->height;
    for (int64_t i = 0; i < neighbours->count; i++) {
        double steps[SFGP_ROUGHNESS_MOST];
        int count = 0;
        for (int k = 1; k < neighbours->size; k++) { /* the first one is the point itself */
            const int64_t j = neighbours->index[i * neighbours->size + k];
            const double agree = sfgp_dot3(heights->normal + 3 * i, heights->normal + 3 * j);
            if (fabs(agree) > FOLD)
                steps[count++] = fabs((agree > 0 ? height[j] : -height[j]) - height[i]);
        }
        roughness[i] = median_of(count, steps);
    }
}

void sfgp_roughness_smooth(const sfgp_neighbours *neighbours, const double *roughness, double *smooth)
{
    double values[SFGP_ROUGHNESS_MOST];
    for (int64_t i = 0; i < neighbours->count; i++) {
        for (int k = 0; k < neighbours->size; k++)
            values[k] = roughness[neighbours->index[i * neighbours->size + k]];
        smooth[i] = median_of(neighbours->size, values);
    }
}
