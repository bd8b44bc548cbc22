/* Shapes larger than rung STARTS sees, their scans, and solvers that are about to fit them. */
#ifndef SFGP_TESTS_FIT_H
#define SFGP_TESTS_FIT_H

#include "fit/solver.h"
#include "support/support.h"

typedef struct test_fit {
    sfgp_mesh *reference, *truth, *target; /* truth NULL: not known */
    unsigned char *missing;                /* of the truth; NULL: not known */
    int64_t n, d;                          /* of the reference */
    sfgp_settings settings;
    sfgp_model *model;
    sfgp_solver *solver; /* the target is not loaded */
    sfgp_em *em;         /* of the solver */
} test_fit;

/* A simulated ear without training shapes, or with 20 of them, on two threads: 2943 points, no levels. The
 * scan has holes and outliers, is turned by so many degrees, and has so much noise, in radii. */
test_fit test_fit_ear(sfgp_context *context, uint64_t seed, double degrees, double noise, bool trained);
/* A noisy ear of some 500 points without holes, moved by `shift` RMS radii; its target is loaded. */
test_fit test_fit_moved_ear(sfgp_context *context, uint64_t seed, double shift);
/* An ear of 7261 points, which is fitted by levels. */
test_fit test_fit_dense_ear(sfgp_context *context, double degrees, int threads);
/* An ear of so many rings; it has twice their square of points, and some. */
test_fit test_fit_fine_ear(sfgp_context *context, int rings);
/* A closed curve, fitted by levels, and some of the points of its scan. */
test_fit test_fit_dense_curve(sfgp_context *context, int64_t points, int64_t targets);
/* A damaged scan of a family of ../shared/data/families, by its number; skips the test where they are not there. */
test_fit test_fit_family(sfgp_context *context, const char *family, int number);
void test_fit_free(test_fit *fit);

/* Mean distance of points (n x d) to the truth, mm. An ear is 60 mm long. */
double test_fit_error(const test_fit *fit, const double *points);
bool test_fit_is_turned(const test_fit *fit);
/* Successive halving runs rung TURNS, or not; the run finds an ear that is turned. */
void test_fit_assert_found(sfgp_context *context, const test_fit *fit, bool turns);

#endif
