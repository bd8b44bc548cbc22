/* Small shapes with known deformation, for tests: numbers, meshes, models. */
#ifndef SFGP_TESTS_SHAPES_H
#define SFGP_TESTS_SHAPES_H

#include "sfgp/sfgp.h"

typedef struct test_shapes {
    int n, m, d, training_count;
    double *reference;      /* n d: a wavy sheet (3D) or a closed curve (2D), in mm */
    double *truth;          /* n d: smoothly deformed */
    double *target;         /* m d: truth without a ball, with noise and outliers, shuffled */
    unsigned char *missing; /* n */
    double **training;      /* training_count deformed references */
} test_shapes;

test_shapes *test_shapes_new(int n, int d, int training_count, uint64_t seed);
void test_shapes_free(test_shapes *shapes);

/* A mesh of n points in d axes, without faces. sfgp_mesh_free. */
sfgp_mesh *test_mesh(sfgp_context *context, int64_t n, int d, const double *points);
/* The other side, in space or in the plane: the first coordinate changes its sign. */
void test_mesh_mirror(sfgp_mesh *mesh);
/* x -> middle + size (x - middle) */
void test_mesh_scale(sfgp_mesh *mesh, const double *middle, double size);
/* Of points that belong to each other, n x d both. */
double test_mean_distance(int64_t n, int64_t d, const double *a, const double *b);
/* The file of the evaluation data by a format and its number, such as "ears/scan/%03d.ply"; skips the test where there is none.
 * sfgp_mesh_free. */
sfgp_mesh *test_data_mesh(sfgp_context *context, const char *format, int number);
/* A reference fitted to a target, without training shapes. sfgp_result_free. */
sfgp_result *test_fit_of(sfgp_context *context, const sfgp_mesh *reference, const sfgp_mesh *target,
                         const sfgp_settings *settings);
/* The same; frees both. */
sfgp_result *test_fit_meshes(sfgp_context *context, sfgp_mesh *reference, sfgp_mesh *target,
                             const sfgp_settings *settings);
/* The model of the reference and of the first `training` training shapes. sfgp_model_free. */
sfgp_model *test_shapes_model(sfgp_context *context, const test_shapes *shapes, int training,
                              const sfgp_settings *settings);
/* The reference fitted to the target, without training shapes. sfgp_result_free. */
sfgp_result *test_shapes_fit(sfgp_context *context, const test_shapes *shapes, const sfgp_settings *settings);

#endif
