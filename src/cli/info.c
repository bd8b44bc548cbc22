/* sfgp info: prints what a file contains. */
#include "cli/landmarks.h"
#include "cli/mesh.h"
#include "cli/output.h"
#include "cli/verb.h"
#include "report/shape.h"

#include <stdio.h>
#include <string.h>

static void print_axis(const sfgp_mesh_info *info, int axis)
{
    char least[SFGP_NUMBER_SIZE], most[SFGP_NUMBER_SIZE], size[SFGP_NUMBER_SIZE];
    printf("  %c          %s to %s, size %s\n", "xyz"[axis], sfgp_number_format(info->low[axis], least),
           sfgp_number_format(info->high[axis], most),
           sfgp_number_format(info->high[axis] - info->low[axis], size));
}

static void print_sizes(const sfgp_mesh *mesh, const sfgp_mesh_info *info)
{
    for (int axis = 0; axis < mesh->dimension; axis++)
        print_axis(info, axis);
    printf("  diagonal   %.6g, of the bounding box\n", info->diagonal);
    printf("  radius     %.6g, root mean square distance from the centroid: the unit of the settings\n",
           info->radius);
    printf("  spacing    %.6g, median distance to the nearest point\n", info->spacing);
    if (info->copies > 0)
        printf("  copies     %lld points lie where another one does%s\n", (long long)info->copies,
               mesh->face_count > 0 ? "; for the holes they are joined" : "");
    if (mesh->face_count == 0)
        return;
    printf("  holes      %lld", (long long)info->holes);
    if (info->open_edges > 0)
        printf(", with %lld edges at one face only", (long long)info->open_edges);
    putchar('\n');
    if (info->knots > 0)
        printf("  knots      %lld edges at more than two faces\n", (long long)info->knots);
}

static void print_mesh(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info)
{
    cli_write_text(stdout, path);
    putchar('\n');
    printf("  format     %s\n", mesh->format);
    printf("  points     %lld\n", (long long)mesh->count);
    printf("  faces      %lld\n", (long long)mesh->face_count);
    printf("  dimension  %d\n", mesh->dimension);
    print_sizes(mesh, info);
}

/* ---- landmarks --------------------------------------------------------------------------------------- */

enum { MOST_SHOWN = 50 };

static void print_landmark(const sfgp_landmarks *landmarks, int64_t k)
{
    char number[SFGP_NUMBER_SIZE];
    fputs("            ", stdout);
    for (int a = 0; a < landmarks->dimension; a++)
        printf(" %s", sfgp_number_format(landmarks->points[k * landmarks->dimension + a], number));
    fputs(landmarks->names[k][0] ? "  " : "", stdout);
    cli_write_text(stdout, landmarks->names[k]);
    putchar('\n');
}

static void print_landmarks(const char *path, const sfgp_landmarks *landmarks, const sfgp_mesh *mesh,
                            const sfgp_mesh_info *info)
{
    cli_write_text(stdout, path);
    printf("\n  format     %s, landmarks\n  dimension  %d\n", landmarks->format, landmarks->dimension);
    if (landmarks->system[0])
        printf("  system     %s\n", landmarks->system);
    print_sizes(mesh, info);
    printf("  landmarks  %lld%s\n", (long long)landmarks->count,
           landmarks->count > MOST_SHOWN ? ", the first fifty of them:" : "");
    for (int64_t k = 0; k < landmarks->count && k < MOST_SHOWN; k++)
        print_landmark(landmarks, k);
}

/* The landmarks as points, for what is told of every shape. */
static sfgp_status describe_landmarks(cli_session *session, const sfgp_landmarks *landmarks, sfgp_mesh **mesh,
                                      sfgp_mesh_info *info)
{
    const size_t numbers = (size_t)landmarks->count * (size_t)landmarks->dimension;
    sfgp_status status = sfgp_mesh_new(session->context, landmarks->count, landmarks->dimension, 0, 0, mesh);
    if (status == SFGP_OK) {
        memcpy((*mesh)->points, landmarks->points, numbers * sizeof *landmarks->points);
        (*mesh)->format = landmarks->format;
        status = sfgp_mesh_describe(session->context, *mesh, info);
    }
    return status;
}

static sfgp_status show_landmarks(cli_session *session, const char *path, json_t *list)
{
    sfgp_landmarks *landmarks = NULL;
    sfgp_mesh *mesh = NULL;
    sfgp_mesh_info info;
    sfgp_status status = sfgp_landmarks_read(session->context, path, &landmarks);
    if (status == SFGP_OK)
        status = describe_landmarks(session, landmarks, &mesh, &info);
    if (status == SFGP_OK && !list)
        print_landmarks(path, landmarks, mesh, &info);
    if (status == SFGP_OK && list)
        json_array_append_new(list, report_landmarks(path, mesh, &info, landmarks));
    sfgp_mesh_free(mesh);
    sfgp_landmarks_free(landmarks);
    return cli_check(session, status);
}

/* ---- every file -------------------------------------------------------------------------------------- */

/* list: receives the file; NULL: it is printed. */
static sfgp_status show_mesh(cli_session *session, const char *path, json_t *list)
{
    sfgp_mesh *mesh = NULL;
    sfgp_mesh_info info;
    sfgp_status status = cli_mesh_read(session, path, &mesh);
    if (status == SFGP_OK)
        status = cli_check(session, sfgp_mesh_describe(session->context, mesh, &info));
    if (status == SFGP_OK && !list)
        print_mesh(path, mesh, &info);
    if (status == SFGP_OK && list)
        json_array_append_new(list, report_shape(path, mesh, &info));
    sfgp_mesh_free(mesh);
    return status;
}

static sfgp_status show(cli_session *session, const char *path, json_t *list)
{
    return cli_landmarks_is_file(session, path) ? show_landmarks(session, path, list)
                                                : show_mesh(session, path, list);
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
    const bool good = first != SFGP_ERROR_PARAMETER;
    json_t *list = session->json && good ? json_array() : NULL;
    for (int k = 0; good && k < files.count; k++) {
        const sfgp_status status = show(session, files.items[k], list);
        first = first == SFGP_OK ? status : first;
    }
    if (list)
        cli_output_json(list);
    cli_list_clear(&files);
    return (int)first;
}

const cli_verb CLI_INFO = {
    "info",
    "what a file holds: format, points, faces, extent, RMS radius, spacing, holes; landmarks with their names",
    "sfgp info FILE... [--json] [--columns X,Y,Z]\n"
    "\nFILE is a shape or a file of landmarks; sfgp model info shows shape models and saved fits.\n"
    "\n" CLI_COLUMNS_USAGE,
    false,
    false,
    "an array with an object for every file that could be read, on standard output",
    run};
