/* Model files: what is written is what is read, bit by bit; the standard layout says the same as the factor;
 * models of other tools are read in every variant that docs/models.md lists; damage is found. */
#include "io/hdf5_digest.h"
#include "model/file.h"
#include "model/model.h"
#include "support/corrupt.h"
#include "support/damaged_hdf5.h"
#include "support/shapes.h"

#include <fcntl.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define TRAINING 5
#ifdef SFGP_SLOW_BUILD
#define SAMPLED_BITS 2003 /* one bit of so many is flipped; bench/flips.c flips all */
#else
#define SAMPLED_BITS 613
#endif

/* ---- models ------------------------------------------------------------------------------------------ */

static sfgp_mesh *mesh_of(sfgp_context *context, int n, int d, const double *points, bool faces)
{
    sfgp_mesh *mesh;
    const int64_t count = faces ? n - 3 : 0; /* one quadrangle, triangles after it */
    sfgp_assert_ok(context, sfgp_mesh_new(context, n, d, count, 3 * count + faces, &mesh));
    memcpy(mesh->points, points, (size_t)(n * d) * sizeof *points);
    for (int64_t f = 0, k = 0; f < count; f++) {
        for (int64_t corner = 0; corner < 3 + (f == 0); corner++)
            mesh->face_points[k++] = f + corner;
        mesh->face_start[f + 1] = k;
    }
    return mesh;
}

static sfgp_model *build(sfgp_context *context, const test_shapes *shapes, int training, bool faces,
                         const char *kernel, const char *lowrank)
{
    sfgp_mesh *reference = mesh_of(context, shapes->n, shapes->d, shapes->reference, faces),
              *learned[TRAINING];
    sfgp_model *model;
    sfgp_settings settings = test_settings();
    sfgp_assert_ok(context, sfgp_settings_set(context, &settings, "kernel", kernel));
    sfgp_assert_ok(context, sfgp_settings_set(context, &settings, "lowrank", lowrank));
    settings.accuracy = 1e-4;
    for (int t = 0; t < training; t++)
        learned[t] = mesh_of(context, shapes->n, shapes->d, shapes->training[t], false);
    sfgp_assert_ok(context, sfgp_model_new(context, reference, (const sfgp_mesh *const *)learned, training,
                                           &settings, &model));
    for (int t = 0; t < training; t++)
        sfgp_mesh_free(learned[t]);
    sfgp_mesh_free(reference);
    return model;
}

static sfgp_model *write_and_read(sfgp_context *context, const sfgp_model *model, const char *path)
{
    sfgp_model *read;
    sfgp_assert_ok(context, sfgp_model_write(context, model, path));
    assert_int_equal(sfgp_model_is_file(path), 1);
    sfgp_assert_ok(context, sfgp_model_read(context, path, &read));
    return read;
}

static sfgp_result *fit(sfgp_context *context, const sfgp_model *model, const test_shapes *shapes)
{
    sfgp_mesh *target = mesh_of(context, shapes->m, shapes->d, shapes->target, false);
    sfgp_settings settings = test_settings();
    settings.max_iterations = 4;
    sfgp_solver *solver = test_solver(context, model, &settings);
    sfgp_result *result = test_run(context, solver, target);
    sfgp_solver_free(solver);
    sfgp_mesh_free(target);
    return result;
}

static void assert_same_fit(sfgp_context *context, const sfgp_model *a, const sfgp_model *b,
                            const test_shapes *shapes)
{
    sfgp_result *x = fit(context, a, shapes), *y = fit(context, b, shapes);
    assert_int_equal(x->count, y->count);
    assert_memory_equal(x->points, y->points, (size_t)(x->count * x->dimension) * sizeof(double));
    assert_memory_equal(x->sd, y->sd, (size_t)x->count * sizeof(double));
    assert_memory_equal(x->missing, y->missing, (size_t)x->count);
    assert_memory_equal(x->probability, y->probability, (size_t)x->count * sizeof(double));
    assert_string_equal(x->settings->kernel, y->settings->kernel);
    sfgp_result_free(x);
    sfgp_result_free(y);
}

static void assert_same_integers(int64_t count, const int64_t *a, const int64_t *b)
{
    assert_int_equal(a != NULL, b != NULL);
    if (a)
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
}

static void assert_same_model(const sfgp_model *a, const sfgp_model *b)
{
    const size_t n = (size_t)a->count, d = (size_t)a->dimension, real = sizeof(double);
    assert_true(a->count == b->count && a->dimension == b->dimension && a->face_count == b->face_count);
    assert_true(a->basis.scalar.rank == b->basis.scalar.rank && a->basis.pca.modes == b->basis.pca.modes);
    assert_memory_equal(&a->frame.centre, &b->frame.centre, d * real);
    assert_memory_equal(&a->frame.scale, &b->frame.scale, real);
    assert_memory_equal(a->original, b->original, n * d * real);
    assert_memory_equal(a->reference, b->reference, n * d * real);
    assert_memory_equal(a->basis.mean, b->basis.mean, n * d * real);
    if (a->basis.scalar.rank > 0)
        assert_memory_equal(a->basis.scalar.values, b->basis.scalar.values,
                            n * (size_t)a->basis.scalar.rank * real);
    if (a->basis.pca.modes > 0)
        assert_memory_equal(a->basis.pca.factor, b->basis.pca.factor,
                            n * d * (size_t)a->basis.pca.modes * real);
    assert_memory_equal(&a->basis.scalar.residual, &b->basis.scalar.residual, real);
    assert_same_integers(a->basis.scalar.rank, a->basis.scalar.pivots, b->basis.scalar.pivots);
    assert_same_integers(a->face_count + 1, a->face_start, b->face_start);
    assert_same_integers(a->face_count ? a->face_start[a->face_count] : 0, a->face_points, b->face_points);
    assert_int_equal(a->kernel_terms.count, b->kernel_terms.count);
    for (int k = 0; k < a->kernel_terms.count; k++) {
        assert_ptr_equal(a->kernel_terms.terms[k].type, b->kernel_terms.terms[k].type);
        assert_true(a->kernel_terms.terms[k].length == b->kernel_terms.terms[k].length);
        assert_true(a->kernel_terms.terms[k].variance == b->kernel_terms.terms[k].variance);
    }
    assert_string_equal(a->kernel, b->kernel);
}

static char *small_file(sfgp_context *context, sfgp_model **model, size_t *size)
{
    const char *path = test_path("small.h5");
    test_shapes *shapes = test_shapes_new(8, 2, 0, 2);
    *model = build(context, shapes, 0, true, "se:length=2,variance=1", "cholesky");
    sfgp_assert_ok(context, sfgp_model_write(context, *model, path));
    test_shapes_free(shapes);
    return sfgp_test_read(path, size);
}

/* ---- our own files ----------------------------------------------------------------------------------- */

static const struct {
    int d, training;
    bool faces;
    const char *kernel, *lowrank;
} KINDS[] = {{3, 0, true, "auto", "cholesky"},
             {2, 0, false, "matern32:length=0.7,variance=0.3", "nystrom"},
             {3, TRAINING, false, "auto", "eigen"},
             {2, TRAINING, true, "se:length=3,variance=0.1+imq:length=1.3,variance=0.017", "cholesky"},
             {3, TRAINING, true, "none", "cholesky"}};

static void a_model_read_back_gives_the_same_bits(void **state)
{
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++) {
        test_shapes *shapes = test_shapes_new(60, KINDS[k].d, TRAINING, k + 1);
        sfgp_model *model =
            build(*state, shapes, KINDS[k].training, KINDS[k].faces, KINDS[k].kernel, KINDS[k].lowrank);
        sfgp_model *read = write_and_read(*state, model, test_path("same.h5"));
        assert_same_model(model, read);
        assert_same_fit(*state, model, read, shapes);
        sfgp_model_free(model);
        sfgp_model_free(read);
        test_shapes_free(shapes);
    }
}

/* As a file of before ADR 0067, which has no such number. */
static void what_is_not_spanned_may_be_unknown(void **state)
{
    test_shapes *shapes = test_shapes_new(60, 3, TRAINING, 5);
    sfgp_model *model = build(*state, shapes, TRAINING, true, "auto", "cholesky");
    assert_true(model->basis.pca.unspanned > 0);
    model->basis.pca.unspanned = -1;
    sfgp_model *read = write_and_read(*state, model, test_path("unknown.h5"));
    assert_true(read->basis.pca.unspanned < 0);
    sfgp_model_free(model);
    sfgp_model_free(read);
    test_shapes_free(shapes);
}

static void equal_models_are_equal_files(void **state)
{
    char first[4096];
    test_shapes *shapes = test_shapes_new(50, 3, TRAINING, 3);
    sfgp_model *model = build(*state, shapes, TRAINING, true, "auto", "cholesky");
    snprintf(first, sizeof first, "%s", test_path("first.h5"));
    sfgp_model *read = write_and_read(*state, model, first);
    for (int k = 0; k < 2; k++) {
        size_t a, b;
        const char *again = test_path("again.h5");
        sfgp_assert_ok(*state, sfgp_model_write(*state, k ? read : model, again));
        char *x = sfgp_test_read(first, &a), *y = sfgp_test_read(again, &b);
        assert_int_equal(a, b);
        assert_memory_equal(x, y, a);
        free(x);
        free(y);
    }
    sfgp_model_free(model);
    sfgp_model_free(read);
    test_shapes_free(shapes);
}

static sfgp_array *array(sfgp_context *context, const char *path, const char *name, int rank, int64_t rows,
                         int64_t columns)
{
    sfgp_array *found;
    sfgp_assert_ok(context, sfgp_array_read(context, path, name, &found));
    assert_int_equal(found->rank, rank);
    assert_int_equal(found->shape[0], rows);
    assert_int_equal(found->shape[1], columns);
    return found;
}

/* B B' entry by entry in the frame, squared radii. */
static double framed_covariance(const sfgp_model *model, int64_t row, int64_t column)
{
    const int64_t d = model->dimension, s = model->basis.scalar.rank, p = model->basis.pca.modes;
    double sum = 0;
    for (int64_t k = 0; row % d == column % d && k < s; k++)
        sum += model->basis.scalar.values[row / d * s + k] * model->basis.scalar.values[column / d * s + k];
    for (int64_t k = 0; k < p; k++)
        sum += model->basis.pca.factor[row * p + k] * model->basis.pca.factor[column * p + k];
    return sum;
}

/* A' B B' A entry by entry, for the axes A: in the files, squared unit. */
static double covariance(const sfgp_model *model, int64_t row, int64_t column)
{
    const int64_t d = model->dimension;
    double sum = 0;
    for (int64_t a = 0; a < d; a++)
        for (int64_t b = 0; b < d; b++)
            sum += model->frame.axes[a * d + row % d] * model->frame.axes[b * d + column % d] *
                   framed_covariance(model, row / d * d + a, column / d * d + b);
    return sum * model->frame.scale * model->frame.scale;
}

/* Single precision keeps 2^-24 of an entry of U, and |u_rk| sqrt(lambda_k) <= sqrt(K_rr): a product is off by
 * 4 x 2^-24 x sqrt(K_rr K_cc) at most; the dropped modes add 1e-10 of the largest variance each. */
static void assert_covariance(const sfgp_model *model, const sfgp_array *basis, const sfgp_array *variance)
{
    const int64_t size = model->count * model->dimension, modes = variance->shape[0];
    const double dropped = 1e-10 * variance->values[0] * (double)size;
    for (int64_t r = 0; r < size; r++)
        for (int64_t c = 0; c <= r; c++) {
            double sum = 0, scale = sqrt(covariance(model, r, r) * covariance(model, c, c));
            for (int64_t k = 0; k < modes; k++)
                sum += basis->values[r * modes + k] * variance->values[k] * basis->values[c * modes + k];
            assert_true(fabs(sum - covariance(model, r, c)) < 4 * 0x1p-24 * scale + dropped);
        }
}

/* Each of the n d products of two rounded entries is off by 2^-23 |u_rk u_rl|, their sum by 2^-23; rounding
 * of B'B makes a mode of relative variance v fuzzy by 1e-15 / v. */
static void assert_orthonormal(const sfgp_array *basis, const sfgp_array *variance)
{
    const int64_t size = basis->shape[0], modes = basis->shape[1];
    for (int64_t k = 0; k < modes; k++)
        for (int64_t l = 0; l <= k; l++) {
            double sum = 0, fuzz = 1e-14 * variance->values[0] / variance->values[k];
            for (int64_t r = 0; r < size; r++)
                sum += basis->values[r * modes + k] * basis->values[r * modes + l];
            assert_true(fabs(sum - (k == l)) < 2 * 0x1p-23 + fuzz);
        }
}

static void the_standard_layout_says_the_same_as_the_factor(void **state)
{
    for (size_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++) {
        const int d = KINDS[kind].d, n = 40;
        const char *path = test_path("layout.h5");
        test_shapes *shapes = test_shapes_new(n, d, TRAINING, kind + 1);
        sfgp_model *model = build(*state, shapes, KINDS[kind].training, KINDS[kind].faces, KINDS[kind].kernel,
                                  KINDS[kind].lowrank);
        sfgp_array *variances, *basis, *variance, *points, *mean;
        sfgp_mesh *shape;
        sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
        sfgp_assert_ok(*state, sfgp_model_variances(*state, model, &variances));
        const int64_t modes = variances->shape[0];
        points = array(*state, path, "/representer/points", 2, d, n);
        mean = array(*state, path, "/model/mean", 1, n * d, 1);
        basis = array(*state, path, "/model/pcaBasis", 2, n * d, modes);
        variance = array(*state, path, "/model/pcaVariance", 1, modes, 1);
        sfgp_array_free(array(*state, path, "/model/noiseVariance", 0, 1, 1));
        sfgp_assert_ok(*state, sfgp_model_mean(*state, model, &shape));
        for (int64_t k = 0; k < n * d; k++) {
            assert_true(points->values[k % d * n + k / d] == (double)(float)shapes->reference[k]);
            assert_true(mean->values[k] == (double)(float)shape->points[k]);
        }
        for (int64_t k = 0; k < modes; k++)
            assert_true(variance->values[k] == (double)(float)variances->values[k]);
        if (KINDS[kind].faces) /* a quadrangle is two triangles */
            sfgp_array_free(array(*state, path, "/representer/cells", 2, 3, model->face_count + 1));
        assert_covariance(model, basis, variance);
        assert_orthonormal(basis, variance);
        sfgp_array *all[] = {variances, basis, variance, points, mean};
        for (int k = 0; k < 5; k++)
            sfgp_array_free(all[k]);
        sfgp_mesh_free(shape);
        sfgp_model_free(model);
        test_shapes_free(shapes);
    }
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

static void components_are_orthogonal_and_as_long_as_their_variance_says(void **state)
{
    test_shapes *shapes = test_shapes_new(40, 3, TRAINING, 7);
    for (int training = 0; training <= TRAINING; training += TRAINING) {
        sfgp_model *model = build(*state, shapes, training, true, "auto", "cholesky");
        sfgp_array *variances;
        sfgp_mesh *mean, *first[3], *none = (sfgp_mesh *)&none;
        double trace = 0, sum = 0;
        sfgp_assert_ok(*state, sfgp_model_variances(*state, model, &variances));
        sfgp_assert_ok(*state, sfgp_model_mean(*state, model, &mean));
        for (int64_t k = 0; k < 120; k++)
            trace += covariance(model, k, k);
        for (int64_t k = 0; k < variances->shape[0]; k++)
            sum += variances->values[k];
        assert_true(fabs(sum - trace) < 1e-8 * trace); /* what the dropped modes hold */
        for (int k = 0; k < 3; k++)
            sfgp_assert_ok(*state, sfgp_model_component(*state, model, k, k == 1 ? -2 : 1, &first[k]));
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                double dot = 0, length = (k == 1 ? -2 : 1) * (l == 1 ? -2 : 1) * variances->values[k];
                for (int64_t i = 0; i < 120; i++)
                    dot += (first[k]->points[i] - mean->points[i]) * (first[l]->points[i] - mean->points[i]);
                assert_true(fabs(dot - (k == l ? length : 0)) < 1e-10 * variances->values[0]);
            }
        assert_int_equal(first[0]->face_count, 37);
        sfgp_assert_status(*state, sfgp_model_component(*state, model, variances->shape[0], 1, &none),
                           SFGP_ERROR_PARAMETER);
        assert_null(none);
        sfgp_assert_status(*state, sfgp_model_component(*state, model, 0, (double)NAN, &none),
                           SFGP_ERROR_PARAMETER);
        sfgp_assert_status(*state, sfgp_model_component(*state, model, 0, (double)-INFINITY, &none),
                           SFGP_ERROR_PARAMETER);
        assert_string_equal(sfgp_context_error(*state), "component: -inf deviations are not finite");
        assert_null(none);
        for (int k = 0; k < 3; k++)
            sfgp_mesh_free(first[k]);
        sfgp_mesh_free(mean);
        sfgp_array_free(variances);
        sfgp_model_free(model);
    }
    test_shapes_free(shapes);
}

/* The mean of 2000 squares of a normal variable has the relative standard deviation sqrt(2 / 2000) = 0.032;
 * five of them are room for the largest of a few dozen. */
static void samples_have_the_prior_variance_and_equal_seeds_are_equal(void **state)
{
    enum { SAMPLES = 2000, N = 20 };
    test_shapes *shapes = test_shapes_new(N, 2, TRAINING, 9);
    sfgp_model *model = build(*state, shapes, TRAINING, false, "auto", "cholesky");
    double squares[2 * N] = {0};
    sfgp_mesh *mean, *a, *b;
    sfgp_assert_ok(*state, sfgp_model_mean(*state, model, &mean));
    for (int s = 0; s < SAMPLES; s++) {
        sfgp_assert_ok(*state, sfgp_model_sample(*state, model, (uint64_t)s, &a));
        for (int k = 0; k < 2 * N; k++)
            squares[k] += pow(a->points[k] - mean->points[k], 2) / SAMPLES;
        sfgp_mesh_free(a);
    }
    for (int k = 0; k < 2 * N; k++)
        assert_true(fabs(squares[k] / covariance(model, k, k) - 1) < 5 * 0.032);
    sfgp_assert_ok(*state, sfgp_model_sample(*state, model, 4, &a));
    sfgp_assert_ok(*state, sfgp_model_sample(*state, model, 4, &b));
    assert_memory_equal(a->points, b->points, 2 * N * sizeof(double));
    sfgp_mesh_free(b);
    sfgp_assert_ok(*state, sfgp_model_sample(*state, model, 5, &b));
    assert_memory_not_equal(a->points, b->points, 2 * N * sizeof(double));
    sfgp_mesh_free(a);
    sfgp_mesh_free(b);
    sfgp_mesh_free(mean);
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

/* ---- files of others --------------------------------------------------------------------------------- */

static void put(hid_t file, const char *name, hid_t type, int rank, const hsize_t *shape,
                const double *values)
{
    hid_t space = rank > 0 ? H5Screate_simple(rank, shape, NULL) : H5Screate(H5S_SCALAR);
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    assert_true(H5Pset_create_intermediate_group(links, 1) >= 0);
    hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set), H5Pclose(links), H5Sclose(space);
}

static void put_text(hid_t file, const char *name, const char *text, bool variable)
{
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1), links = H5Pcreate(H5P_LINK_CREATE);
    assert_true(H5Pset_create_intermediate_group(links, 1) >= 0);
    assert_true(H5Tset_size(type, variable ? H5T_VARIABLE : strlen(text)) >= 0);
    if (!variable)
        assert_true(H5Tset_strpad(type, H5T_STR_SPACEPAD) >= 0);
    hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                         variable ? (const void *)&text : (const void *)text) >= 0);
    H5Dclose(set), H5Tclose(type), H5Pclose(links), H5Sclose(space);
}

/* A model of N points in 3D with MODES modes, two triangles; what may vary is in the fields. */
enum { N = 6, MODES = 2 };

typedef struct variant {
    const char *root; /* "" or "/name" */
    bool points_turned, cells_turned, basis_turned, wide /* double, int64 */, no_cells, column_mean,
        no_version;
    double noise, major, minor;
    double spoil; /* value of one entry of what spoil_name names, when that is not NULL */
    const char *spoil_name, *leave_out;
} variant;

static const double MEAN[3 * N] = {0, 0, 0, 10, 0, 1, 10, 10, 0, 0, 10, 2, 5, 5, 7, 4, 3, 2};
static const double MOVE[3 * N] = {1, 0, 0, 0, 1, 0, 0, 0, 1, -1, 0, 0, 0, -1, 0, 0.5, 0, 0};
static const double CELLS[6] = {0, 1, 2, 0, 2, 3};

static double basis_at(int row, int mode)
{
    return mode == 0 ? 0.1 * (row + 1) : row % 2 ? -0.25 : 0.5;
}

static bool left_out(const variant *v, const char *name)
{
    return v->leave_out && strcmp(v->leave_out, name) == 0;
}

static void put_named(hid_t file, const variant *v, const char *name, hid_t type, int rank,
                      const hsize_t *shape, double *values)
{
    char whole[200];
    snprintf(whole, sizeof whole, "%s%s", v->root, name);
    if (v->spoil_name && strcmp(v->spoil_name, name) == 0)
        values[1] = v->spoil;
    if (!left_out(v, name))
        put(file, whole, type, rank, shape, values);
}

static void put_representer(hid_t file, const variant *v)
{
    const hid_t real = v->wide ? H5T_IEEE_F64BE : H5T_IEEE_F32LE;
    const hid_t whole = v->wide ? H5T_STD_I64LE : H5T_STD_U32LE;
    double points[3 * N], cells[6];
    for (int k = 0; k < 3 * N; k++)
        points[v->points_turned ? k : k % 3 * N + k / 3] = MEAN[k] - MOVE[k];
    for (int k = 0; k < 6; k++)
        cells[v->cells_turned ? k : k % 3 * 2 + k / 3] = CELLS[k];
    put_named(file, v, "/representer/points", real, 2,
              v->points_turned ? (const hsize_t[]){N, 3} : (const hsize_t[]){3, N}, points);
    if (!v->no_cells)
        put_named(file, v, "/representer/cells", whole, 2,
                  v->cells_turned ? (const hsize_t[]){2, 3} : (const hsize_t[]){3, 2}, cells);
}

static void put_model(hid_t file, const variant *v)
{
    const hid_t real = v->wide ? H5T_IEEE_F64LE : H5T_IEEE_F32LE;
    double mean[3 * N], basis[3 * N * MODES], variance[MODES] = {4, 0.25}, noise[2] = {v->noise};
    const bool scaled = v->no_version || (v->major == 0 && v->minor == 8);
    memcpy(mean, MEAN, sizeof mean);
    for (int row = 0; row < 3 * N; row++)
        for (int mode = 0; mode < MODES; mode++)
            basis[v->basis_turned ? mode * 3 * N + row : row * MODES + mode] =
                basis_at(row, mode) * (scaled ? sqrt(variance[mode]) : 1);
    put_named(file, v, "/model/mean", real, v->column_mean ? 2 : 1, (const hsize_t[]){3 * N, 1}, mean);
    put_named(file, v, "/model/pcaBasis", real, 2,
              v->basis_turned ? (const hsize_t[]){MODES, 3 * N} : (const hsize_t[]){3 * N, MODES}, basis);
    put_named(file, v, "/model/pcaVariance", real, 1, (const hsize_t[]){MODES}, variance);
    put_named(file, v, "/model/noiseVariance", real, v->wide, (const hsize_t[]){1}, noise);
}

static const char *write_variant(const variant *v)
{
    const char *path = test_path("variant.h5");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_representer(file, v);
    put_model(file, v);
    if (!v->no_version) {
        put(file, "/version/majorVersion", H5T_STD_I32LE, 0, NULL, &v->major);
        put(file, "/version/minorVersion", H5T_STD_I32LE, 0, NULL, &v->minor);
    }
    if (v->root[0]) {
        put_text(file, "/catalog/second/modelPath", "/nowhere", true);
        put_text(file, "/catalog/first/modelPath", v->root, v->wide);
        put_text(file, "/catalog/first/modelType", "POLYGON_MESH_MODEL", false);
    }
    put_text(file, "/elsewhere/remark", "not ours", false);
    H5Fclose(file);
    return path;
}

/* In single precision to 6 digits of the largest coordinate. */
static void assert_is_the_variant(sfgp_context *context, const sfgp_model *model, const variant *v)
{
    const double tolerance = 1e-6 * 10;
    sfgp_mesh *reference, *mean;
    sfgp_assert_ok(context, sfgp_model_reference(context, model, &reference));
    sfgp_assert_ok(context, sfgp_model_mean(context, model, &mean));
    assert_int_equal(reference->count, N);
    assert_int_equal(reference->face_count, v->no_cells ? 0 : 2);
    assert_true(model->basis.pca.unspanned < 0); /* not known */
    for (int k = 0; k < 3 * N; k++) {
        assert_true(fabs(reference->points[k] - (MEAN[k] - MOVE[k])) < tolerance);
        assert_true(fabs(mean->points[k] - MEAN[k]) < tolerance);
    }
    for (int k = 0; k < 6 && !v->no_cells; k++)
        assert_int_equal(reference->face_points[k], CELLS[k]);
    for (int r = 0; r < 3 * N; r++)
        for (int c = 0; c < 3 * N; c++) {
            double expected = 4 * basis_at(r, 0) * basis_at(c, 0) + 0.25 * basis_at(r, 1) * basis_at(c, 1);
            assert_true(fabs(covariance(model, r, c) - expected) < tolerance * 4);
        }
    sfgp_mesh_free(reference);
    sfgp_mesh_free(mean);
}

static void models_of_others_are_read_in_every_variant(void **state)
{
    const variant variants[] = {
        {.root = "", .minor = 9},
        {.root = "", .minor = 8},
        {.root = "", .major = 1, .minor = 3},
        {.root = "", .no_version = true},
        {.root = "", .minor = 9, .points_turned = true},
        {.root = "", .minor = 9, .cells_turned = true},
        {.root = "", .minor = 9, .basis_turned = true},
        {.root = "", .minor = 9, .no_cells = true, .column_mean = true},
        {.root = "", .minor = 9, .wide = true, .points_turned = true, .cells_turned = true},
        {.root = "", .minor = 9, .leave_out = "/model/noiseVariance"},
        {.root = "/deep/model", .minor = 9},
        {.root = "/deep/model", .minor = 9, .wide = true},
    };
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        sfgp_model *model;
        const char *path = write_variant(&variants[k]);
        sfgp_assert_ok(*state, sfgp_model_read(*state, path, &model));
        assert_is_the_variant(*state, model, &variants[k]);
        sfgp_model_free(model);
    }
}

static void one_model_of_a_catalogue_is_taken_by_name(void **state)
{
    char path[4096];
    const variant v = {.root = "/deep", .minor = 9};
    sfgp_model *model;
    snprintf(path, sizeof path, "%s:first", write_variant(&v));
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &model));
    assert_int_equal(sfgp_model_is_file(path), 1);
    assert_null(strstr(sfgp_test_warning(), "is taken"));
    sfgp_model_free(model);
    *strrchr(path, ':') = '\0';
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &model));
    sfgp_assert_has(sfgp_test_warning(), "'first' is taken");
    sfgp_model_free(model);
    strcat(path, ":third");
    sfgp_assert_error(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_FORMAT,
                      "/catalog/third/modelPath");
}

static void noise_is_left_out_with_a_warning(void **state)
{
    const variant v = {.root = "", .minor = 9, .noise = 0.5};
    sfgp_model *model;
    sfgp_assert_ok(*state, sfgp_model_read(*state, write_variant(&v), &model));
    sfgp_assert_has(sfgp_test_warning(), "noise variance 0.5");
    assert_is_the_variant(*state, model, &v);
    sfgp_model_free(model);
}

/* The old files keep the reference as a VTK file; the mean stands in for it. */
static void a_model_that_cannot_move_is_refused(void **state)
{
    const char *path = test_path("stiff.h5");
    sfgp_mesh *reference = sfgp_sample_mesh(*state, 3);
    sfgp_model *read;
    for (int64_t k = 0; k < 3 * reference->count; k++)
        reference->points[k] = (double)(k * k % 5);
    sfgp_settings settings = test_settings();
    sfgp_model *model = test_model(*state, reference, &settings);
    sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
    sfgp_test_remove_digest(path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "/sfgp/scalar", H5P_DEFAULT);
    if (H5Lexists(file, "/sfgp/pivots", H5P_DEFAULT) > 0)
        H5Ldelete(file, "/sfgp/pivots", H5P_DEFAULT);
    H5Fclose(file);
    sfgp_assert_error(*state, sfgp_model_read(*state, path, &read), SFGP_ERROR_FORMAT,
                      "a model without a factor cannot move");
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
}

static void a_model_without_points_takes_its_mean(void **state)
{
    const variant v = {.root = "", .no_version = true, .no_cells = true, .leave_out = "/representer/points"};
    const char *path = write_variant(&v);
    sfgp_model *model;
    sfgp_assert_status(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_FORMAT);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    put(file, "/representer/reference", H5T_STD_I8LE, 1, (const hsize_t[]){2}, (const double[]){35, 32});
    H5Fclose(file);
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &model));
    sfgp_assert_has(sfgp_test_warning(), "VTK");
    for (int k = 0; k < 3 * N; k++)
        assert_true(fabs(model->original[k] - MEAN[k]) < 1e-5);
    sfgp_model_free(model);
}

static void what_is_wrong_is_named(void **state)
{
    const struct {
        variant v;
        const char *words;
    } wrong[] = {
        {{.root = "", .minor = 9, .leave_out = "/model/mean"}, "'/model/mean'"},
        {{.root = "", .minor = 9, .leave_out = "/model/pcaBasis"}, "'/model/pcaBasis'"},
        {{.root = "", .minor = 9, .leave_out = "/model/pcaVariance"}, "'/model/pcaVariance'"},
        {{.root = "", .minor = 9, .leave_out = "/representer/points"}, "'/representer/points'"},
        {{.root = "", .minor = 7}, "version 0.7"},
        {{.root = "", .major = 2, .minor = 0}, "version 2.0"},
        {{.root = "", .minor = 9, .spoil_name = "/model/pcaVariance", .spoil = -1}, "below 0"},
        {{.root = "", .minor = 9, .spoil_name = "/model/pcaVariance", .spoil = (double)NAN}, "not finite"},
        {{.root = "", .minor = 9, .spoil_name = "/model/mean", .spoil = (double)INFINITY}, "not finite"},
        {{.root = "", .minor = 9, .spoil_name = "/model/pcaBasis", .spoil = (double)NAN}, "not finite"},
        {{.root = "", .minor = 9, .spoil_name = "/representer/points", .spoil = (double)NAN}, "not finite"},
        {{.root = "", .minor = 9, .spoil_name = "/representer/cells", .spoil = N}, "not there"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        sfgp_model *model = (sfgp_model *)&model;
        const char *path = write_variant(&wrong[k].v);
        sfgp_assert_status(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_FORMAT);
        assert_null(model);
        sfgp_assert_has(sfgp_context_error(*state), wrong[k].words);
    }
}

static void replace(const char *path, const char *name, const hsize_t *shape)
{
    const int rank = shape[1] > 0 ? 2 : 1;
    double *ones = calloc(shape[0] * (shape[1] + 1) + 1, sizeof *ones);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (hsize_t k = 0; k < shape[0] * (shape[1] + 1); k++)
        ones[k] = 1;
    assert_true(H5Ldelete(file, name, H5P_DEFAULT) >= 0);
    put(file, name, H5T_IEEE_F64LE, rank, shape, ones);
    H5Fclose(file);
    free(ones);
}

static void assert_named(sfgp_context *context, const char *path, const char *name)
{
    sfgp_model *model;
    sfgp_assert_status(context, sfgp_model_read(context, path, &model), SFGP_ERROR_FORMAT);
    assert_null(model);
    if (!strstr(sfgp_context_error(context), name) || strstr(sfgp_context_error(context), "checksum"))
        fail_msg("'%s' does not name '%s'", sfgp_context_error(context), name);
}

/* Row 42: no covariance of 3N numbers has more than 3N components, and a factor of none moves nothing. The modes of a posterior are
 * up to four times as many: memory is bounded by the size of the file. */
static void a_rank_that_cannot_be_is_refused(void **state)
{
    const variant v = {.root = "", .minor = 9};
    sfgp_model *model;
    for (hsize_t modes = 0; modes <= 3 * N + 1; modes += 3 * N + 1) {
        const char *path = write_variant(&v);
        replace(path, "/model/pcaVariance", (const hsize_t[]){modes, 0});
        if (modes > 0)
            replace(path, "/model/pcaBasis", (const hsize_t[]){3 * N, modes});
        assert_named(*state, path, "'/model/pcaVariance'");
    }
    const char *path = test_path("wide.h5");
    test_shapes *shapes = test_shapes_new(20, 3, TRAINING, 4);
    model = build(*state, shapes, TRAINING, false, "se:length=1,variance=0.1", "eigen");
    for (int k = 0; k < 2; k++) {
        sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
        sfgp_test_remove_digest(path);
        replace(path, k ? "/sfgp/pca" : "/sfgp/scalar",
                k ? (const hsize_t[]){60, 241} : (const hsize_t[]){20, 21});
        assert_named(*state, path, k ? "'/sfgp/pca'" : "'/sfgp/scalar'");
    }
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

/* Of 0.8 is what has no version, not what has half of one: the basis would be scaled twice. */
/* Arrays whose shapes do not fit the others are named before anything is read past their end. */
static void shapes_that_do_not_fit_are_named(void **state)
{
    static const struct {
        const char *name;
        hsize_t shape[2];
    } OTHERS[] = {{"/model/mean", {4, 4}},
                  {"/representer/points", {4, 4}},
                  {"/representer/points", {3, N - 1}},
                  {"/model/pcaBasis", {3 * N, MODES + 1}},
                  {"/model/pcaBasis", {MODES * 3 * N, 0}},
                  {"/model/pcaBasis", {N * MODES, 3}}},
      OURS[] = {{"/sfgp/frame", {3, 0}},    {"/sfgp/reference", {20, 4}}, {"/sfgp/reference", {60, 0}},
                {"/sfgp/mean", {19, 3}},    {"/sfgp/mean", {20, 2}},      {"/sfgp/mean", {60, 0}},
                {"/sfgp/residual", {2, 0}}, {"/sfgp/axes", {3, 3}},       {"/sfgp/axes", {3, 2}}};
    const variant v = {.root = "", .minor = 9};
    test_shapes *shapes = test_shapes_new(20, 3, TRAINING, 4);
    sfgp_model *model = build(*state, shapes, TRAINING, false, "se:length=1,variance=0.1", "eigen");
    const char *path = test_path("shapes.h5");
    for (size_t k = 0; k < sizeof OTHERS / sizeof *OTHERS; k++) {
        const char *other = write_variant(&v);
        replace(other, OTHERS[k].name, OTHERS[k].shape);
        assert_named(*state, other, OTHERS[k].name);
    }
    for (size_t k = 0; k < sizeof OURS / sizeof *OURS; k++) {
        sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
        sfgp_test_remove_digest(path);
        replace(path, OURS[k].name, OURS[k].shape);
        assert_named(*state, path, OURS[k].name);
    }
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

/* Axes are of a frame in 3D. A file of before ADR 0083 has none, and its frame those of the file. */
static void axes_may_be_missing_but_not_in_the_plane(void **state)
{
    const char *path = test_path("axes.h5");
    for (int d = 2; d <= 3; d++) {
        test_shapes *shapes = test_shapes_new(20, d, 0, 4);
        sfgp_model *model = build(*state, shapes, 0, false, "se:length=1,variance=0.1", "eigen"), *read;
        sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
        sfgp_test_remove_digest(path);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        const double axes[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, old = 1;
        assert_true(H5Ldelete(file, d == 2 ? "/sfgp/checksum" : "/sfgp/axes", H5P_DEFAULT) >= 0);
        if (d == 2) {
            put(file, "/sfgp/axes", H5T_IEEE_F64LE, 2, (const hsize_t[]){3, 3}, axes);
        } else {
            assert_true(H5Ldelete(file, "/sfgp/version", H5P_DEFAULT) >= 0);
            put(file, "/sfgp/version", H5T_STD_I32LE, 0, NULL, &old);
        }
        H5Fclose(file);
        if (d == 2) {
            assert_named(*state, path, "'/sfgp/axes'");
        } else {
            sfgp_assert_error(*state, sfgp_model_read(*state, path, &read), SFGP_ERROR_FORMAT,
                              "checksum"); /* all else is read */
        }
        sfgp_model_free(model);
        test_shapes_free(shapes);
    }
}

/* A field in the sparse form: an ordering that has a row twice or is too short, and variances that are 0 or too few. */
static void a_field_that_does_not_fit_is_named(void **state)
{
    static const struct {
        const char *name;
        hsize_t count;
        double value;
    } WRONG[] = {{"/sfgp/field/order", 20, 3},
                 {"/sfgp/field/order", 19, 3},
                 {"/sfgp/field/variance", 20, 0},
                 {"/sfgp/field/variance", 19, 1}};
    test_shapes *shapes = test_shapes_new(20, 3, 0, 4);
    sfgp_model *model = build(*state, shapes, 0, false, "surface:length=1,form=sparse", "cholesky");
    const char *path = test_path("field.h5");
    for (size_t k = 0; k < sizeof WRONG / sizeof *WRONG; k++) {
        double values[20];
        for (int i = 0; i < 20; i++)
            values[i] = WRONG[k].value;
        sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
        sfgp_test_remove_digest(path);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(file, WRONG[k].name, H5P_DEFAULT) >= 0);
        put(file, WRONG[k].name, H5T_IEEE_F64LE, 1, &WRONG[k].count, values);
        H5Fclose(file);
        assert_named(*state, path, WRONG[k].name);
    }
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

static void half_a_version_is_refused(void **state)
{
    static const char *const NAMES[] = {"/version/majorVersion", "/version/minorVersion"};
    for (int k = 0; k < 2; k++) {
        const char *path = write_variant(&(variant){.root = "", .minor = 9});
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(H5Ldelete(file, NAMES[k], H5P_DEFAULT) >= 0);
        H5Fclose(file);
        assert_named(*state, path, NAMES[k]);
    }
}

static void control_characters_are_refused(void **state)
{
    size_t size;
    sfgp_model *model;
    free(small_file(*state, &model, &size));
    const char *path = test_path("small.h5");
    sfgp_test_remove_digest(path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, "/sfgp/prior", H5P_DEFAULT) >= 0);
    put_text(file, "/sfgp/prior", "\x1b[2J", false);
    H5Fclose(file);
    assert_named(*state, path, "'/sfgp/prior'");
    sfgp_model_free(model);
}

/* Without the group of our own a model of ours is one of theirs. */
static void our_model_without_our_group_is_a_plain_one(void **state)
{
    const char *path = test_path("plain.h5");
    test_shapes *shapes = test_shapes_new(30, 3, TRAINING, 4);
    sfgp_model *model = build(*state, shapes, TRAINING, true, "auto", "cholesky"), *read;
    sfgp_assert_ok(*state, sfgp_model_write(*state, model, path));
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Ldelete(file, SFGP_MODEL_GROUP, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    sfgp_assert_status(*state, sfgp_model_read(*state, path, &read), SFGP_ERROR_FORMAT); /* edited */
    sfgp_assert_has(sfgp_context_error(*state), "the checksum at its start");
    sfgp_test_remove_digest(path);
    sfgp_assert_ok(*state, sfgp_model_read(*state, path, &read));
    sfgp_assert_has(sfgp_test_warning(), "lost its group");
    assert_int_equal(read->basis.scalar.rank, 0);
    assert_int_equal(read->face_count, model->face_count + 1);
    for (int64_t r = 0; r < 90; r++) { /* as in assert_covariance */
        double scale = covariance(model, r, r);
        assert_true(fabs(covariance(read, r, r) - scale) < 1e-6 * scale + 90e-10 * 1e4);
    }
    sfgp_model_free(read);
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

/* ---- damage ------------------------------------------------------------------------------------------ */

/* From one bit to the next, and from one length to the next: each is read by a process of its own. The step is odd and prime
 * to 8: all bits of a byte have their turn. */
static size_t sampled_bits(void)
{
    return getenv("SFGP_EMULATED") ? 8009 : SAMPLED_BITS;
}

static size_t sampled_lengths(void)
{
    return getenv("SFGP_EMULATED") ? 997 : 97;
}

typedef struct damaged {
    sfgp_context *context;
    const sfgp_model *model; /* undamaged */
    int found;
    int64_t warnings;
} damaged;

/* Refused, or where nothing hangs on the byte the same model; where the name of our group is hit, a plain
 * model and a warning. */
static void try_bytes(void *user, const char *bytes, size_t size, size_t place)
{
    damaged *d = user;
    sfgp_model *read;
    const char *path = test_path("damaged.h5");
    (void)place;
    sfgp_test_write(path, bytes, size);
    sfgp_status status = sfgp_model_read(d->context, path, &read);
    if (status == SFGP_OK) {
        if (sfgp_context_warnings(d->context) == d->warnings)
            assert_same_model(d->model, read);
        d->warnings = sfgp_context_warnings(d->context);
        sfgp_model_free(read);
        return;
    }
    d->found++;
    assert_null(read);
    sfgp_assert_error(d->context, status, SFGP_ERROR_FORMAT, "damaged.h5");
    assert_null(strstr(sfgp_context_error(d->context), "by itself")); /* our code did not fail */
}

/* Flips in the first bytes of a file, or in all behind them. */
typedef struct first_bytes {
    damaged *damaged;
    const char *bytes; /* of the whole file */
    size_t count;      /* of it, or of its first bytes */
} first_bytes;

static void try_first_bytes(void *user, const char *bytes, size_t size, size_t place)
{
    const first_bytes *f = user;
    char *whole = malloc(f->count);
    memcpy(whole, f->bytes, f->count);
    memcpy(whole, bytes, size);
    try_bytes(f->damaged, whole, f->count, place);
    free(whole);
}

static void try_last_bytes(void *user, const char *bytes, size_t size, size_t place)
{
    const first_bytes *f = user;
    char *whole = malloc(f->count + size);
    memcpy(whole, f->bytes, f->count);
    memcpy(whole + f->count, bytes, size);
    try_bytes(f->damaged, whole, f->count + size, place);
    free(whole);
}

/* With its digest, every flipped bit but those of the first 12 bytes is found: they say that there is a digest. */
static void every_flipped_bit_is_found(void **state)
{
    size_t size;
    damaged d = {.context = *state};
    sfgp_model *model;
    char *bytes = small_file(*state, &model, &size);
    d.model = model;
    sfgp_each_flip(bytes, 12, 1, try_first_bytes, &(first_bytes){&d, bytes, size});
    assert_int_equal(d.found, 0);
    sfgp_each_flip(bytes + 12, size - 12, sampled_bits(), try_last_bytes, &(first_bytes){&d, bytes, 12});
    assert_int_equal(d.found, (8 * (size - 12) + sampled_bits() - 1) / sampled_bits());
    free(bytes);
    sfgp_model_free(model);
}

/* Without it the checksum of the numbers finds most, and no bit makes libhdf5 end the program. */
static void a_flipped_bit_of_a_file_without_digest_is_found_or_harmless(void **state)
{
    size_t size;
    damaged d = {.context = *state};
    sfgp_model *model;
    char *bytes = small_file(*state, &model, &size);
    d.model = model;
    sfgp_each_flip(bytes + SFGP_HDF5_DIGEST_SIZE, size - SFGP_HDF5_DIGEST_SIZE, sampled_bits(), try_bytes,
                   &d);
    assert_true((size_t)d.found > 10000 / sampled_bits()); /* bits of the numbers alone are more */
    free(bytes);
    sfgp_model_free(model);
}

static void count_answers(void *user, const char *bytes, size_t size, size_t place)
{
    const char *path = test_path("flipped.h5");
    int *answers = user;
    sfgp_context *context;
    sfgp_model *read;
    (void)place;
    sfgp_test_write(path, bytes, size);
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_status status = sfgp_model_read(context, path, &read);
    assert_true(status == SFGP_OK || (status == SFGP_ERROR_FORMAT || status == SFGP_ERROR_DATA));
    assert_true(status == SFGP_OK || !read);
    answers[status != SFGP_OK]++;
    sfgp_model_free(read);
    sfgp_context_free(context);
}

/* Their files have no checksum, so that a number may be another one. */
static void a_flipped_bit_of_a_model_of_others_is_an_error_or_another_number(void **state)
{
    int answers[2] = {0};
    size_t size;
    char *bytes = sfgp_test_read(write_variant(&(variant){.root = "", .minor = 9}), &size);
    (void)state;
    sfgp_each_flip(bytes, size, sampled_bits(), count_answers, answers);
    assert_true(answers[0] > 0 && answers[1] > 0);
    free(bytes);
}

static void every_truncation_is_found(void **state)
{
    size_t size;
    damaged d = {.context = *state};
    sfgp_model *model;
    char *bytes = small_file(*state, &model, &size);
    d.model = model;
    int tried = 0;
    for (size_t length = 0; length < size; length += sampled_lengths(), tried++)
        try_bytes(&d, bytes, length, length);
    assert_int_equal(d.found, tried);
    free(bytes);
    sfgp_model_free(model);
}

/* Numbers that were edited with another tool: the sum finds them, whichever of the two groups they are in. */
static void edited_numbers_are_found(void **state)
{
    static const char *const NAMES[] = {"/representer/points", "/representer/cells", "/model/mean",
                                        "/model/pcaBasis",     "/model/pcaVariance", "/sfgp/reference",
                                        "/sfgp/mean",          "/sfgp/scalar",       "/sfgp/face_points"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        size_t size;
        double values[4096];
        sfgp_model *model, *read;
        free(small_file(*state, &model, &size));
        const char *path = test_path("small.h5");
        sfgp_test_remove_digest(path);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(file, NAMES[k], H5P_DEFAULT);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        values[2] += 1;
        assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
        H5Dclose(set), H5Fclose(file);
        sfgp_assert_error(*state, sfgp_model_read(*state, path, &read), SFGP_ERROR_FORMAT, "checksum");
        sfgp_model_free(model);
    }
}

static void what_is_no_model_is_refused(void **state)
{
    sfgp_model *model;
    const char *path = test_path("points.txt");
    sfgp_test_write(path, "1 2 3\n", 6);
    assert_int_equal(sfgp_model_is_file(path), 0);
    assert_int_equal(sfgp_model_is_file(sfgp_test_folder()), 0);
    assert_int_equal(sfgp_model_is_file("/nowhere/model.h5"), 0);
    sfgp_assert_status(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_FORMAT);
    sfgp_assert_status(*state, sfgp_model_read(*state, sfgp_test_folder(), &model), SFGP_ERROR_READ);
    sfgp_assert_status(*state, sfgp_model_read(*state, "/nowhere/model.h5", &model), SFGP_ERROR_READ);
    path = test_path("empty.h5");
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    assert_int_equal(sfgp_model_is_file(path), 1);
    sfgp_assert_error(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_FORMAT, "/model/mean");
}

static void a_file_that_is_being_written_is_said_to_be(void **state)
{
    sfgp_model *model;
    const char *path = test_path("open.h5");
    H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
    int writer = open(path, O_RDWR);
    assert_int_equal(flock(writer, LOCK_EX), 0);
    sfgp_assert_error(*state, sfgp_model_read(*state, path, &model), SFGP_ERROR_READ, "writing");
    close(writer);
}

static void what_single_precision_cannot_hold_is_refused(void **state)
{
    const char *path = test_path("huge.h5");
    test_shapes *shapes = test_shapes_new(20, 2, 0, 2);
    for (int k = 0; k < 40; k++)
        shapes->reference[k] *= 1e40;
    sfgp_model *model = build(*state, shapes, 0, false, "auto", "cholesky");
    sfgp_assert_status(*state, sfgp_model_write(*state, model, path), SFGP_ERROR_DATA);
    assert_null(sfgp_test_read(path, NULL));
    sfgp_model_free(model);
    test_shapes_free(shapes);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

static sfgp_status use_model(sfgp_context *context, void *user)
{
    const char *path = test_path("sweep.h5");
    sfgp_model *model = NULL;
    sfgp_mesh *component = NULL, *sample = NULL;
    sfgp_array *variances = NULL;
    sfgp_status status = sfgp_model_write(context, user, path);
    if (status == SFGP_OK && (status = sfgp_model_read(context, path, &model)) == SFGP_OK &&
        (status = sfgp_model_component(context, model, 0, 1, &component)) == SFGP_OK &&
        (status = sfgp_model_sample(context, model, 1, &sample)) == SFGP_OK)
        status = sfgp_model_variances(context, model, &variances);
    sfgp_model_free(model);
    sfgp_mesh_free(component);
    sfgp_mesh_free(sample);
    sfgp_array_free(variances);
    return status;
}

static sfgp_status read_variant(sfgp_context *context, void *user)
{
    sfgp_model *model = NULL;
    sfgp_status status = sfgp_model_read(context, user, &model);
    sfgp_model_free(model);
    return status;
}

static void every_failing_allocation_is_reported(void **state)
{
    char path[4096];
    test_shapes *shapes = test_shapes_new(20, 3, TRAINING, 6);
    for (int training = 0; training <= TRAINING; training += TRAINING) {
        sfgp_model *model = build(*state, shapes, training, true, "auto", "cholesky");
        assert_true(sfgp_sweep_allocations(*state, use_model, model) > 40);
        sfgp_model_free(model);
    }
    snprintf(path, sizeof path, "%s", write_variant(&(variant){.root = "/deep", .minor = 9, .wide = true}));
    assert_true(sfgp_sweep_allocations(*state, read_variant, path) > 15);
    test_shapes_free(shapes);
}

static void a_model_with_faces_needs_memory_for_them(void **state)
{
    sfgp_mesh *reference = sfgp_sample_mesh(*state, 3);
    sfgp_model *model = NULL;
    int failures = 0;
    for (int64_t k = 0; k < 3 * reference->count; k++)
        reference->points[k] = (double)(k * k % 5);
    assert_true(reference->face_count > 0);
    sfgp_settings settings = test_settings();
    for (sfgp_status status = SFGP_ERROR_MEMORY; status != SFGP_OK; failures++) {
        sfgp_memory_counters.fail_at = failures;
        status = sfgp_model_new(*state, reference, NULL, 0, &settings, &model);
        sfgp_memory_counters.fail_at = -1;
        assert_true(status == SFGP_OK || status == SFGP_ERROR_MEMORY);
    }
    assert_true(failures > 5);
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        sfgp_unit_test(a_model_with_faces_needs_memory_for_them),
        sfgp_unit_test(a_model_read_back_gives_the_same_bits),
        sfgp_unit_test(what_is_not_spanned_may_be_unknown),
        sfgp_unit_test(equal_models_are_equal_files),
        sfgp_unit_test(the_standard_layout_says_the_same_as_the_factor),
        sfgp_unit_test(components_are_orthogonal_and_as_long_as_their_variance_says),
        sfgp_unit_test(samples_have_the_prior_variance_and_equal_seeds_are_equal),
        sfgp_unit_test(models_of_others_are_read_in_every_variant),
        sfgp_unit_test(one_model_of_a_catalogue_is_taken_by_name),
        sfgp_unit_test(noise_is_left_out_with_a_warning),
        sfgp_unit_test(a_model_that_cannot_move_is_refused),
        sfgp_unit_test(a_model_without_points_takes_its_mean),
        sfgp_unit_test(what_is_wrong_is_named),
        sfgp_unit_test(a_rank_that_cannot_be_is_refused),
        sfgp_unit_test(shapes_that_do_not_fit_are_named),
        sfgp_unit_test(axes_may_be_missing_but_not_in_the_plane),
        sfgp_unit_test(a_field_that_does_not_fit_is_named),
        sfgp_unit_test(half_a_version_is_refused),
        sfgp_unit_test(control_characters_are_refused),
        sfgp_unit_test(our_model_without_our_group_is_a_plain_one),
        sfgp_unit_test(every_flipped_bit_is_found),
        sfgp_unit_test(a_flipped_bit_of_a_file_without_digest_is_found_or_harmless),
        sfgp_unit_test(a_flipped_bit_of_a_model_of_others_is_an_error_or_another_number),
        sfgp_unit_test(every_truncation_is_found),
        sfgp_unit_test(edited_numbers_are_found),
        sfgp_unit_test(what_is_no_model_is_refused),
        sfgp_unit_test(a_file_that_is_being_written_is_said_to_be),
        sfgp_unit_test(what_single_precision_cannot_hold_is_refused),
        sfgp_unit_test(every_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
