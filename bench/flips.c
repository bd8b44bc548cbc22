/* Every single bit of HDF5 files flipped, one after the other, and what reading then does.
 *
 *   flips [STEP]     default 1; STEP takes every STEP-th bit only
 *
 * Five files of a small shape: a model and a saved fit as they are written, both without their digest, and a model in
 * the Statismo layout alone. One CSV row a file: bits flipped; how many files were read as the same model or fit, as
 * another one without a word, as another one with a warning; how many were refused as malformed, as invalid data,
 * and for any other reason; how many of the refusals were a process of libhdf5 that broke down; seconds. A file
 * that ends this program would leave no row. */
#include "io/hdf5.h"
#include "model/statismo.h"
#include "provenance.h"
#include "sfgp/sfgp.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POINTS = 8, DIGEST = 4096 };

typedef enum answer { SAME, OTHER, WARNED, MALFORMED, INVALID, ELSE, ANSWERS } answer;

typedef struct file {
    const char *name;
    bool fit;
    char *bytes;
    size_t size;
    double expected[3 * POINTS];
} file;

static sfgp_context *context;
static char folder[] = "/tmp/sfgp-flips-XXXXXX";

static void check(sfgp_status status)
{
    if (status == SFGP_OK)
        return;
    fprintf(stderr, "flips: %s: %s\n", sfgp_status_text(status), sfgp_context_error(context));
    exit(status);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s.h5", folder, name);
    return path;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(bytes, 1, size, out) != size || fclose(out) != 0)
        exit(SFGP_ERROR_WRITE);
}

/* ---- the files --------------------------------------------------------------------------------------- */

static sfgp_mesh *make_shape(double height)
{
    sfgp_mesh *mesh;
    check(sfgp_mesh_new(context, POINTS, 3, POINTS - 2, 3 * (POINTS - 2), &mesh));
    for (int i = 0; i < POINTS; i++)
        memcpy(mesh->points + 3 * i, (const double[]){i / 2, i % 2, height * i * i}, 3 * sizeof(double));
    for (int f = 0; f < POINTS - 2; f++) {
        for (int k = 0; k < 3; k++)
            mesh->face_points[3 * f + k] = f + k;
        mesh->face_start[f + 1] = 3 * (f + 1);
    }
    return mesh;
}

static sfgp_model *make_model(const sfgp_mesh *reference)
{
    sfgp_model *model;
    sfgp_settings settings;
    sfgp_settings_default(&settings);
    check(sfgp_settings_set(context, &settings, "kernel", "se:length=2,variance=1"));
    check(sfgp_model_new(context, reference, NULL, 0, &settings, &model));
    return model;
}

static void write_fit(const sfgp_model *model, const char *path)
{
    sfgp_mesh *target = make_shape(0.02);
    sfgp_settings settings;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *fit;
    sfgp_settings_default(&settings);
    settings.max_iterations = 4;
    check(sfgp_solver_new(context, model, &settings, &solver));
    check(sfgp_solver_run(solver, target, &result));
    check(sfgp_solver_deformation(solver, result, &fit));
    check(sfgp_deformation_write(context, fit, path));
    sfgp_deformation_free(fit);
    sfgp_result_free(result);
    sfgp_solver_free(solver);
    sfgp_mesh_free(target);
}

static void write_statismo(const sfgp_model *model, const char *path)
{
    sfgp_hdf5 *out;
    sfgp_modes modes;
    check(sfgp_modes_new(context, model, &modes));
    check(sfgp_hdf5_new(context, &out));
    check(sfgp_statismo_write(context, out, model, &modes));
    check(sfgp_hdf5_save(out, path));
    sfgp_hdf5_free(out);
    sfgp_modes_clear(&modes);
}

/* Takes the content of a file over, with or without its digest. */
static file load(const char *name, bool fit, const char *path, size_t from)
{
    file loaded = {.name = name, .fit = fit};
    FILE *in = fopen(path, "rb");
    if (!in || fseek(in, 0, SEEK_END) != 0)
        exit(SFGP_ERROR_READ);
    loaded.size = (size_t)ftell(in) - from;
    loaded.bytes = malloc(loaded.size);
    if (!loaded.bytes || fseek(in, (long)from, SEEK_SET) != 0 ||
        fread(loaded.bytes, 1, loaded.size, in) != loaded.size)
        exit(SFGP_ERROR_READ);
    fclose(in);
    return loaded;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static sfgp_status sample_model(const char *path, double *points)
{
    sfgp_model *model;
    sfgp_mesh *shape = NULL;
    sfgp_status status = sfgp_model_read(context, path, &model);
    if (status == SFGP_OK && (status = sfgp_model_sample(context, model, 1, &shape)) == SFGP_OK &&
        shape->count == POINTS && shape->dimension == 3)
        memcpy(points, shape->points, 3 * POINTS * sizeof *points);
    sfgp_mesh_free(shape);
    sfgp_model_free(model);
    return status;
}

static sfgp_status carry_by_fit(const char *path, double *points)
{
    sfgp_deformation *fit;
    sfgp_mesh *shape = make_shape(0.01);
    sfgp_status status = sfgp_deformation_read(context, path, &fit);
    if (status == SFGP_OK)
        status = sfgp_deformation_apply(context, fit, POINTS, shape->points, 1, points, NULL);
    sfgp_deformation_free(fit);
    sfgp_mesh_free(shape);
    return status;
}

static answer try_file(const file *tried, const char *path, bool *broke)
{
    double points[3 * POINTS] = {0};
    const int64_t warnings = sfgp_context_warnings(context);
    sfgp_status status = (tried->fit ? carry_by_fit : sample_model)(path, points);
    *broke = status != SFGP_OK && strstr(sfgp_context_error(context), "broke down");
    if (status != SFGP_OK)
        return status == SFGP_ERROR_FORMAT ? MALFORMED : status == SFGP_ERROR_DATA ? INVALID : ELSE;
    if (memcmp(points, tried->expected, sizeof points) == 0)
        return SAME;
    return sfgp_context_warnings(context) > warnings ? WARNED : OTHER;
}

static double seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void flip_all(file *flipped, size_t step)
{
    int64_t answers[ANSWERS] = {0}, broken = 0, bits = 0;
    const char *path = path_of("flipped");
    const double start = seconds();
    write_bytes(path, flipped->bytes, flipped->size);
    check((flipped->fit ? carry_by_fit : sample_model)(path, flipped->expected));
    for (size_t bit = 0; bit < 8 * flipped->size; bit += step, bits++) {
        bool broke = false;
        flipped->bytes[bit / 8] ^= (char)(1 << bit % 8);
        write_bytes(path, flipped->bytes, flipped->size);
        answers[try_file(flipped, path, &broke)]++;
        broken += broke;
        flipped->bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    printf("%s,%s,%s,%zu,%lld", bench_commit(), bench_machine(), flipped->name, flipped->size,
           (long long)bits);
    for (int k = 0; k < ANSWERS; k++)
        printf(",%lld", (long long)answers[k]);
    printf(",%lld,%.0f\n", (long long)broken, seconds() - start);
    fflush(stdout);
    free(flipped->bytes);
}

int main(int argc, char **argv)
{
    const long step = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
    char model_path[128], fit_path[128];
    if (step < 1 || !mkdtemp(folder) || sfgp_context_new(NULL, &context) != SFGP_OK)
        return SFGP_ERROR_PARAMETER;
    H5open(); /* the processes that read inherit it, which takes half of their time away */
    sfgp_mesh *reference = make_shape(0.01);
    sfgp_model *model = make_model(reference);
    snprintf(model_path, sizeof model_path, "%s", path_of("model"));
    snprintf(fit_path, sizeof fit_path, "%s", path_of("fit"));
    check(sfgp_model_write(context, model, model_path));
    write_fit(model, fit_path);
    write_statismo(model, path_of("statismo"));
    file files[] = {load("model", false, model_path, 0), load("fit", true, fit_path, 0),
                    load("statismo", false, path_of("statismo"), DIGEST),
                    load("fit without digest", true, fit_path, DIGEST),
                    load("model without digest", false, model_path, DIGEST)};
    puts("commit,machine,file,bytes,bits,same,other,warned,malformed,invalid,else,broken,seconds");
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        flip_all(&files[k], (size_t)step);
    unlink(model_path), unlink(fit_path), unlink(path_of("statismo")), unlink(path_of("flipped"));
    rmdir(folder);
    sfgp_model_free(model);
    sfgp_mesh_free(reference);
    sfgp_context_free(context);
    return 0;
}
