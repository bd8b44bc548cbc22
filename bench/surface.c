/* Cost of the kernel "surface", step by step, on an uneven sheet of N points with a relief, one thread, user seconds:
 *
 *     bench/surface 10000 100 [SHEET.bin]     the eigen form, 100 pairs
 *     bench/surface 10000 0 [SMOOTHNESS]      the sparse form: what a model takes, and an iteration
 *
 * SHEET.bin gets the mesh for surface_scipy.py, which does the same with scipy. Peak memory is that of the process, mesh included. */
#include "base/random.h"
#include "base/threads.h"
#include "geom/laplacian.h"
#include "gpr/posterior.h"
#include "kernel/surface.h"
#include "linalg/dense.h"
#include "lowrank/harmonics.h"
#include "lowrank/markov.h"
#include "provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static sfgp_mesh *make_sheet(sfgp_context *context, int side)
{
    const int64_t n = (int64_t)side * side, faces = (int64_t)2 * (side - 1) * (side - 1);
    sfgp_mesh *mesh = NULL;
    sfgp_random random = sfgp_random_of(1);
    if (sfgp_mesh_new(context, n, 3, faces, 3 * faces, &mesh) != SFGP_OK)
        exit(6);
    for (int64_t i = 0; i < n; i++) {
        double *x = mesh->points + 3 * i;
        x[0] = 2 * ((double)(i % side) + 0.5 * (sfgp_random_uniform(&random) - 0.5)) / side - 1;
        x[1] = 2 * ((double)(i / side) + 0.5 * (sfgp_random_uniform(&random) - 0.5)) / side - 1;
        x[2] = 0.1 * sin(5 * x[0]) * cos(7 * x[1]);
    }
    int64_t *corner = mesh->face_points;
    for (int64_t r = 0; r < side - 1; r++)
        for (int64_t c = 0; c < side - 1; c++) {
            const int64_t at = r * side + c,
                          all[6] = {at, at + 1, at + side + 1, at, at + side + 1, at + side};
            for (int k = 0; k < 6; k++)
                *corner++ = all[k];
        }
    for (int64_t f = 0; f <= faces; f++)
        mesh->face_start[f] = 3 * f;
    return mesh;
}

static void write_sheet(const sfgp_mesh *mesh, const char *path)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(&mesh->count, 8, 1, file) != 1 || fwrite(&mesh->face_count, 8, 1, file) != 1 ||
        fwrite(mesh->points, 24, (size_t)mesh->count, file) != (size_t)mesh->count ||
        fwrite(mesh->face_points, 24, (size_t)mesh->face_count, file) != (size_t)mesh->face_count ||
        fclose(file) != 0)
        exit(7);
}

static void print_row(int64_t n, int64_t pairs, const char *what, double value, const char *unit)
{
    printf("%s,%s,sfgp,%lld,%lld,%s,%.4g,%s\n", bench_commit(), bench_machine(), (long long)n,
           (long long)pairs, what, value, unit);
    fflush(stdout);
}

static double peak(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / (1 << 20);
}

/* User seconds of the process. */
static double seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec;
}

static void check(sfgp_context *context, sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "%s\n", sfgp_context_error(context));
    exit((int)status);
}

/* A field of a tenth of the sheet, noise of a tenth of its deviation. */
static void measure_sparse(sfgp_context *context, const sfgp_mesh *mesh, int smoothness)
{
    const struct sfgp_kernel_term term = {&sfgp_kernel_surface, 0.2, 0.01, smoothness, true, false};
    const int64_t n = mesh->count;
    double *weights = malloc((size_t)n * sizeof *weights), *labels = calloc((size_t)(3 * n), sizeof *labels);
    sfgp_markov field;
    sfgp_basis basis;
    sfgp_posterior made;
    double start = seconds();
    check(context, sfgp_markov_new(context, mesh, &term, &field));
    print_row(n, smoothness, "sparse: model", seconds() - start, "user s");
    start = seconds();
    check(context, sfgp_basis_new(context, n, 3, 0, 0, &basis));
    basis.field = &field;
    check(context, sfgp_posterior_new(context, &basis, &made));
    print_row(n, smoothness, "sparse: symbolic", seconds() - start, "user s");
    for (int64_t i = 0; i < n; i++)
        weights[i] = i % 3 ? 1e4 : 0;
    start = seconds();
    check(context, sfgp_posterior_update(context, weights, labels, &made));
    print_row(n, smoothness, "sparse: iteration", seconds() - start, "user s");
    print_row(n, smoothness, "sparse: entries of Q a point",
              (double)sfgp_sparse_start(&field.precision)[n] / (double)n, "1");
    print_row(n, smoothness, "sparse: entries of L a point",
              (double)sfgp_ldl_entries(made.field->ldl) / (double)n, "1");
    print_row(n, smoothness, "sparse: peak", peak(), "GiB");
}

int main(int count, char **argument)
{
    const int side = count > 1 ? (int)sqrt(strtod(argument[1], NULL)) : 100;
    const int64_t pairs = count > 2 ? strtol(argument[2], NULL, 10) : 100;
    sfgp_context *context = NULL;
    sfgp_laplacian laplacian;
    sfgp_ldl *ldl = NULL;
    sfgp_sparse matrix;
    sfgp_harmonics harmonics;
    check(context, sfgp_context_new(NULL, &context));
    check(context, sfgp_dense_prepare(context));
    sfgp_threads_begin(1, 0);
    sfgp_mesh *mesh = make_sheet(context, side);
    const int64_t n = mesh->count;
    if (pairs == 0) {
        measure_sparse(context, mesh, count > 3 ? atoi(argument[3]) : 1);
        return 0;
    }
    if (count > 3)
        write_sheet(mesh, argument[3]);
    double start = seconds();
    check(context, sfgp_laplacian_new(context, mesh, &laplacian));
    print_row(n, pairs, "elements", seconds() - start, "user s");
    start = seconds();
    check(context, sfgp_ldl_new(context, &laplacian.stiffness, &ldl));
    print_row(n, pairs, "symbolic", seconds() - start, "user s");
    start = seconds();
    check(context, sfgp_laplacian_shift(context, &laplacian, 4, &matrix));
    check(context, sfgp_ldl_factorise(context, &matrix, ldl));
    print_row(n, pairs, "numeric", seconds() - start, "user s");
    print_row(n, pairs, "entries of L a point", (double)sfgp_ldl_entries(ldl) / (double)n, "1");
    double *diagonal = calloc((size_t)n, sizeof *diagonal);
    start = seconds();
    check(context, sfgp_ldl_inverse_diagonal(context, ldl, diagonal));
    print_row(n, pairs, "diagonal of the inverse", seconds() - start, "user s");
    print_row(n, pairs, "peak before eigenpairs", peak(), "GiB");
    const sfgp_harmonics_request request = {pairs, 4, 1};
    start = seconds();
    check(context, sfgp_harmonics_new(context, &laplacian, &request, ldl, &harmonics));
    print_row(n, pairs, "eigenpairs", seconds() - start, "user s");
    print_row(n, pairs, "peak", peak(), "GiB");
    print_row(n, pairs, "lambda of the last", harmonics.values[pairs - 1], "1");
    sfgp_harmonics_clear(&harmonics);
    sfgp_ldl_free(ldl);
    sfgp_sparse_clear(&matrix);
    sfgp_laplacian_clear(&laplacian);
    sfgp_mesh_free(mesh);
    sfgp_context_free(context);
    free(diagonal);
    return 0;
}
