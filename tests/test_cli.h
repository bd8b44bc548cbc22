/* What the tests of the program share: files made from points, and what is expected of a run. */
#ifndef SFGP_TESTS_CLI_H
#define SFGP_TESTS_CLI_H

#include "support/shapes.h"
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points as a file in the format of name's extension; faces: a strip of triangles over them. */
static inline const char *cli_mesh(const char *name, int64_t n, int d, const double *points, bool faces)
{
    const char *path = test_path(name);
    sfgp_context *context = NULL;
    sfgp_mesh *mesh = NULL;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    int64_t count = faces ? n - 2 : 0;
    assert_int_equal(sfgp_mesh_new(context, n, d, count, 3 * count, &mesh), SFGP_OK);
    memcpy(mesh->points, points, (size_t)(n * d) * sizeof *points);
    for (int64_t f = 0; f < count; f++)
        for (int k = 0; k < 3; k++) {
            mesh->face_points[3 * f + k] = f + k;
            mesh->face_start[f + 1] = 3 * (f + 1);
        }
    sfgp_assert_ok(context, sfgp_mesh_write(context, path, mesh, NULL, 0));
    sfgp_mesh_free(mesh);
    sfgp_context_free(context);
    return path;
}

static inline const char *cli_points(const char *name, int64_t n, int d, const double *points)
{
    return cli_mesh(name, n, d, points, false);
}

static inline sfgp_mesh *cli_read(const char *path)
{
    sfgp_context *context = NULL;
    sfgp_mesh *mesh = NULL;
    assert_int_equal(sfgp_context_new(NULL, &context), SFGP_OK);
    sfgp_assert_ok(context, sfgp_mesh_read(context, path, &mesh));
    sfgp_context_free(context);
    return mesh;
}

static inline bool cli_exists(const char *path)
{
    char *text = sfgp_test_read(path, NULL);
    free(text);
    return text != NULL;
}

static inline void cli_assert_same_files(const char *a, const char *b)
{
    size_t first = 0, second = 0;
    char *x = sfgp_test_read(a, &first), *y = sfgp_test_read(b, &second);
    assert_true(x && y);
    assert_int_equal(first, second);
    assert_memory_equal(x, y, first);
    free(x);
    free(y);
}

/* Frees the run. words, if not NULL, has to be in stderr. */
static inline void cli_expect(sfgp_run run, int exit_code, const char *words)
{
    if (run.exit_code != exit_code)
        fail_msg("exit code %d, expected %d; stderr: %s", run.exit_code, exit_code, run.err);
    if (words && !strstr(run.err, words))
        fail_msg("'%s' is not in stderr: %s", words, run.err);
    sfgp_run_free(&run);
}

/* Number after "key": in JSON, from text on; fails the test when there is none. */
static inline double cli_json_number(const char *text, const char *key)
{
    char quoted[64], *end = NULL;
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *found = strstr(text, quoted);
    if (!found)
        fail_msg("%s is not in %s", quoted, text);
    double value = strtod(found + strlen(quoted), &end);
    if (end == found + strlen(quoted))
        fail_msg("%s is no number in %.60s", quoted, found);
    return value;
}

#endif
