#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUTLIER 2.5 /* mm off the surface makes a point of the scan an outlier */

_Noreturn void die(const char *what, const char *why)
{
    fprintf(stderr, "picture: %s: %s\n", what, why);
    exit(1);
}

void *grab(size_t count, size_t size)
{
    void *block = calloc(count, size);
    if (!block)
        die("memory", "there is none left");
    return block;
}

static sfgp_mesh *read_mesh(sfgp_context *context, const char *path)
{
    sfgp_mesh *mesh;
    if (sfgp_mesh_read(context, path, &mesh) != SFGP_OK)
        die(path, sfgp_context_error(context));
    if (mesh->dimension != 3 || mesh->count == 0)
        die(path, "points in 3D are needed");
    return mesh;
}

/* Index of the column in a header line, or die. */
static int find_column(const char *path, const char *header, const char *name)
{
    size_t length = strlen(name);
    int column = 0;
    for (const char *at = header; at; at = strchr(at, ','), at = at ? at + 1 : NULL, column++)
        if (strncmp(at, name, length) == 0 && strchr(",\r\n", at[length]))
            return column;
    die(path, "columns sd and missing are needed");
}

static double field(const char *line, int column)
{
    for (; line && column > 0; column--)
        line = (line = strchr(line, ',')) ? line + 1 : NULL;
    return line ? strtod(line, NULL) : 0;
}

static void read_table(const char *path, struct scene *scene)
{
    char line[1024];
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, sizeof line, file))
        die(path, "cannot read");
    int sd = find_column(path, line, "sd"), missing = find_column(path, line, "missing");
    scene->sd = grab((size_t)scene->fit->count, sizeof *scene->sd);
    scene->missing = grab((size_t)scene->fit->count, sizeof *scene->missing);
    for (int64_t k = 0; k < scene->fit->count; k++) {
        if (!fgets(line, sizeof line, file))
            die(path, "has fewer rows than the fit has points");
        scene->sd[k] = field(line, sd);
        scene->missing[k] = field(line, missing);
        scene->worst = fmax(scene->worst, scene->sd[k]);
    }
    fclose(file);
}

/* Squared distance from p to the nearest point of the mesh; every point is tried. */
static double nearest(const sfgp_mesh *mesh, const double p[3])
{
    double least = INFINITY;
    for (int64_t k = 0; k < mesh->count; k++) {
        const double *q = mesh->points + 3 * k;
        double dx = q[0] - p[0], dy = q[1] - p[1], dz = q[2] - p[2];
        least = fmin(least, dx * dx + dy * dy + dz * dz);
    }
    return least;
}

static void find_outliers(struct scene *scene)
{
    scene->outlier = grab((size_t)scene->scan->count, sizeof *scene->outlier);
    for (int64_t i = 0; i < scene->scan->count; i++)
        scene->outlier[i] = nearest(scene->fit, scene->scan->points + 3 * i) > OUTLIER * OUTLIER;
}

struct scene scene_read(sfgp_context *context, const char *scan, const char *fit, const char *table)
{
    struct scene scene = {.scan = read_mesh(context, scan)};
    scene.fit = read_mesh(context, fit);
    read_table(table, &scene);
    find_outliers(&scene);
    return scene;
}

void scene_free(struct scene *scene)
{
    free(scene->sd), free(scene->missing), free(scene->outlier);
    sfgp_mesh_free(scene->scan), sfgp_mesh_free(scene->fit);
}
