/* Small shapes with known deformation, for tests. */
#ifndef SFGP_TESTS_SHAPES_H
#define SFGP_TESTS_SHAPES_H

#include "sfgp/sfgp.h"

typedef struct test_shapes {
    int n, m, d, training_count;
    double *reference;      /* n d: a wavy sheet (3D) or a closed curve (2D), in mm */
    double *truth;          /* n d: smoothly deformed */
    double *target;         /* m d: truth without a ball, with noise and strays, shuffled */
    unsigned char *missing; /* n */
    double **training;      /* training_count deformed references */
} test_shapes;

test_shapes *test_shapes_new(int n, int d, int training_count, uint64_t seed);
void test_shapes_free(test_shapes *shapes);

#endif
