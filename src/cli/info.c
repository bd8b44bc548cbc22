/* sfgp info: prints what a file contains. */
#include "cli/info_shape.h"
#include "cli/mesh.h"
#include "cli/verb.h"

#include <math.h>
#include <stdio.h>

static void print_axis(const sfgp_mesh *mesh, int axis)
{
    char least[SFGP_NUMBER_SIZE], most[SFGP_NUMBER_SIZE], size[SFGP_NUMBER_SIZE];
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int64_t i = 0; i < mesh->count; i++) {
        low = fmin(low, mesh->points[i * mesh->dimension + axis]);
        high = fmax(high, mesh->points[i * mesh->dimension + axis]);
    }
    printf("  %c          %s to %s, size %s\n", "xyz"[axis], sfgp_number_format(low, least),
           sfgp_number_format(high, most), sfgp_number_format(high - low, size));
}

static void print_shape(const sfgp_mesh *mesh)
{
    cli_shape shape;
    if (!cli_shape_measure(mesh, &shape))
        return;
    printf("  diagonal   %.6g, of the bounding box\n", shape.diagonal);
    printf("  radius     %.6g, root mean square distance from the centroid: the unit of the settings\n",
           shape.radius);
    printf("  spacing    %.6g, median distance to the nearest point\n", shape.spacing);
    if (mesh->face_count == 0)
        return;
    printf("  holes      %lld", (long long)shape.holes);
    if (shape.rim > 0)
        printf(", with %lld edges at one face only", (long long)shape.rim);
    putchar('\n');
    if (shape.knots > 0)
        printf("  knots      %lld edges at more than two faces\n", (long long)shape.knots);
}

static void print_mesh(const char *path, const sfgp_mesh *mesh)
{
    cli_write_text(stdout, path);
    putchar('\n');
    printf("  format     %s\n", mesh->format);
    printf("  points     %lld\n", (long long)mesh->count);
    printf("  faces      %lld\n", (long long)mesh->face_count);
    printf("  dimension  %d\n", mesh->dimension);
    for (int axis = 0; axis < mesh->dimension; axis++)
        print_axis(mesh, axis);
    print_shape(mesh);
}

static sfgp_status show(cli_session *session, const char *path)
{
    sfgp_mesh *mesh = NULL;
    sfgp_status status = cli_mesh_read(session, path, &mesh);
    if (status == SFGP_OK)
        print_mesh(path, mesh);
    sfgp_mesh_free(mesh);
    return status;
}

/* Continues after a file that cannot be read. The exit code is that of the first such file. */
static int run(cli_session *session, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"FILE", NULL};
    const cli_option options[] = {CLI_COLUMNS(session), {0}};
    cli_list files = {NULL, 0};
    sfgp_status first = cli_options_parse(
        session, argc, argv,
        &(cli_grammar){.options = options, .operands = OPERANDS, .more = true, .taken = &files});
    for (int k = 0; first != SFGP_ERROR_PARAMETER && k < files.count; k++) {
        sfgp_status status = show(session, files.items[k]);
        first = first == SFGP_OK ? status : first;
    }
    cli_list_clear(&files);
    return (int)first;
}

const cli_verb CLI_INFO = {"info",
                           "what a file holds: format, points, faces, extent, RMS radius, spacing, holes",
                           "sfgp info FILE... [--columns X,Y,Z]\n\n" CLI_COLUMNS_USAGE, false, run};
