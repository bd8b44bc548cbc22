/* A closed curve without symmetry, its scan among outliers, and a solver that is about to fit the one to the
 * other. */
#ifndef SFGP_TESTS_CURVE_H
#define SFGP_TESTS_CURVE_H

#include "fit/solver.h"
#include "support/support.h"

enum { TEST_CURVE = 60, TEST_CURVE_OUTLIERS = 12 }; /* points; most outliers of a scan */

/* The truth is the reference, turned about its middle by so many degrees and shifted by so many mm. The
 * scan is the truth without so many points, and so many outliers all over a box about it. */
typedef struct test_curve_scan {
    double degrees, shift;
    int missing, outliers;
} test_curve_scan;

typedef struct test_curve {
    double reference[2 * TEST_CURVE], truth[2 * TEST_CURVE], target[2 * (TEST_CURVE + TEST_CURVE_OUTLIERS)];
    int targets, first, end; /* points first .. end - 1 are missing */
    sfgp_mesh *mesh;         /* the scan */
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_em *em; /* of the solver */
} test_curve;

/* Defaults, on one thread, and pruned next to nothing; the target is not loaded. */
test_curve test_curve_new(sfgp_context *context, test_curve_scan how);
void test_curve_free(test_curve *curve);
/* Root mean square distance to the truth, RMS radii. */
double test_curve_error(const test_curve *curve, const double *points);
/* Sum over the points. */
double test_curve_total(const double *x);

/* A curve with 20 missing points after one iteration from outlier weight 0.3, whose masses of
 * responsibilities are set: none where points are missing, more than half of one elsewhere. */
test_curve test_curve_with_masses(sfgp_context *context, bool regional);
/* Means of x over the `size` points nearest to each point, by sorting. */
void test_curve_smooth(const test_curve *curve, int size, const double *x, double *means);

#endif
