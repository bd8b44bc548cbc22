/* A simulated ear and its scan. */
#ifndef SFGP_TESTS_EAR_H
#define SFGP_TESTS_EAR_H

#include "support/support.h"

typedef struct test_ear {
    sfgp_mesh *reference, *truth, *target;
    unsigned char *missing; /* of the truth */
} test_ear;

/* What is done to the scan: its own random numbers, a turn in degrees, noise in radii. */
typedef struct test_ear_damage {
    uint64_t seed;
    double rotation, noise;
} test_ear_damage;

/* Ear `seed` with three holes, noise and outliers, against the mean ear; the truth is turned like the scan. */
test_ear test_ear_new(sfgp_context *context, int resolution, uint64_t seed, test_ear_damage how);
void test_ear_free(test_ear *ear);
/* The scan of an ear on a plate of ten times its area, below it and as dense as it. The points of the scan come first. sfgp_mesh_free. */
sfgp_mesh *test_ear_on_plate(sfgp_context *context, const sfgp_mesh *scan);

#endif
