/* sfgp apply: moves other points by a saved fit. Landmarks stay landmarks, and meshes keep their faces. */
#include "base/platform_clock.h"
#include "base/platform_file.h"
#include "cli/mesh.h"
#include "cli/paths.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <math.h>
#include <stdlib.h>

#define MOST_RADII 10.0
#define LEAST_RADII 0.01

struct job {
    cli_session *session;
    cli_list files; /* RESULT, POINTS */
    const char *output;
    int64_t threads;
    sfgp_deformation *deformation;
    sfgp_mesh *mesh; /* NULL when the file has landmarks */
    sfgp_landmarks *landmarks;
    double *sd;
};

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"RESULT", "POINTS", NULL};
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->output},
                                  {"threads", 0, CLI_COUNT, &job->threads},
                                  CLI_COLUMNS(job->session),
                                  {0}};
    sfgp_status status =
        cli_options_parse(job->session, argc, argv,
                          &(cli_grammar){.options = options, .operands = OPERANDS, .taken = &job->files});
    if (status == SFGP_OK && !job->output)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o OUT is missing");
    return status == SFGP_OK ? cli_paths_check_output(job->session, job->output) : status;
}

/* A mesh that stands first, as the shape that was fitted, is no damaged HDF5 file. */
static sfgp_status check_order(const struct job *job)
{
    const char *result = job->files.items[0], *points = job->files.items[1];
    if (sfgp_model_is_file(result) || sfgp_platform_kind_at(result) != SFGP_PLATFORM_FILE)
        return SFGP_OK;
    if (!sfgp_model_is_file(points))
        return cli_fail(
            job->session, SFGP_ERROR_FORMAT,
            "%s: is no HDF5 file, or cut off or damaged; a fit is kept by sfgp register --save R.h5",
            cli_path_shown(result));
    return cli_fail(job->session, SFGP_ERROR_FORMAT,
                    "%s is no file of sfgp register --save, and %s may be one; are the two swapped?",
                    cli_path_shown(result), cli_path_shown(points));
}

static sfgp_status read_files(struct job *job)
{
    sfgp_context *context = job->session->context;
    const char *points = job->files.items[1];
    bool landmarks = false;
    sfgp_status status = check_order(job);
    if (status != SFGP_OK)
        return status;
    status = sfgp_deformation_read(context, job->files.items[0], &job->deformation);
    if (status == SFGP_OK)
        landmarks = !job->session->read.columns && sfgp_landmarks_is_file(points);
    if (status == SFGP_OK && landmarks)
        status = sfgp_landmarks_read(context, points, &job->landmarks);
    status = cli_check(job->session, status);
    if (status == SFGP_OK && !landmarks &&
        (status = cli_mesh_read_kept(job->session, points, &job->mesh)) == SFGP_OK)
        status = cli_paths_check_mesh(job->session, job->output);
    return status;
}

/* In another unit than the reference, points lie near its centre, or far from it: the fit moves them by what it knows nothing of. */
static void warn_of_place(const struct job *job, int64_t count, const double *points,
                          const sfgp_model_info *info)
{
    const int d = info->dimension;
    double centre[3] = {0}, away2 = 0, square = 0;
    for (int64_t k = 0; k < count * d; k++)
        centre[k % d] += points[k] / (double)count;
    for (int64_t k = 0; k < count * d; k++)
        square += (points[k] - centre[k % d]) * (points[k] - centre[k % d]) / (double)count;
    for (int a = 0; a < d; a++)
        away2 += (centre[a] - info->centre[a]) * (centre[a] - info->centre[a]);
    const double size = sqrt(square) / info->scale, away = sqrt(away2) / info->scale;
    if (away > MOST_RADII || size > MOST_RADII || (count > 2 && size < LEAST_RADII))
        cli_warn(
            job->session,
            "%s: the RMS radius of its points is %.3g times that of the reference of the fit, and their middle lies %.3g of "
            "its RMS radii from it; are they in its unit and coordinates?",
            cli_path_shown(job->files.items[1]), size, away);
}

static sfgp_status move_points(struct job *job)
{
    sfgp_model_info info;
    const int dimension = job->mesh ? job->mesh->dimension : job->landmarks->dimension;
    const int64_t count = job->mesh ? job->mesh->count : job->landmarks->count;
    double *points = job->mesh ? job->mesh->points : job->landmarks->points;
    sfgp_model_describe(sfgp_deformation_model(job->deformation), &info);
    if (dimension != info.dimension)
        return cli_fail(job->session, SFGP_ERROR_DATA, "%s: %dD, the fit is %dD",
                        cli_path_shown(job->files.items[1]), dimension, info.dimension);
    warn_of_place(job, count, points, &info);
    job->sd = malloc((size_t)count * sizeof *job->sd);
    if (!job->sd)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    if (job->mesh && sfgp_deformation_mirrors(job->deformation))
        sfgp_mesh_turn_faces(job->mesh);
    sfgp_context *context = job->session->context;
    const sfgp_status status =
        sfgp_deformation_apply(context, job->deformation, count, points, job->threads, points, job->sd);
    return status == SFGP_ERROR_DATA
               ? cli_fail(job->session, status, "%s: %s", cli_path_shown(job->files.items[1]),
                          sfgp_context_error(context))
               : cli_check(job->session, status);
}

static sfgp_status write_output(struct job *job)
{
    sfgp_context *context = job->session->context;
    const sfgp_attribute sd[] = {{"sd", job->sd, 0},
                                 {"quality", job->sd, 0}}; /* MeshLab shows quality as colours */
    return cli_check(job->session, job->mesh
                                       ? sfgp_mesh_write(context, job->output, job->mesh, sd, 2)
                                       : sfgp_landmarks_write(context, job->output, job->landmarks, job->sd));
}

static bool flagged(const struct job *job)
{
    return sfgp_deformation_outcome(job->deformation) == SFGP_NO_OVERLAP;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session};
    const double start = sfgp_platform_seconds();
    sfgp_status status;
    if ((status = parse(&job, argc, argv)) == SFGP_OK && (status = read_files(&job)) == SFGP_OK &&
        (status = move_points(&job)) == SFGP_OK && (status = write_output(&job)) == SFGP_OK) {
        if (flagged(&job))
            cli_warn(session, "no_overlap: the fit matched nothing; the points are written as they were");
        if (!session->quiet)
            cli_tell(session, "%lld %s moved, %.2f s: %s",
                     (long long)(job.mesh ? job.mesh->count : job.landmarks->count),
                     job.mesh ? "points" : "landmarks", sfgp_platform_seconds() - start,
                     cli_path_shown(job.output));
    }
    const int code = status == SFGP_OK && flagged(&job) ? CLI_FLAGGED : (int)status;
    sfgp_deformation_free(job.deformation);
    sfgp_mesh_free(job.mesh);
    sfgp_landmarks_free(job.landmarks);
    free(job.sd);
    cli_list_clear(&job.files);
    return code;
}

const cli_verb CLI_APPLY = {
    "apply",
    "move other points by a fit",
    "sfgp apply RESULT POINTS|MESH|LANDMARKS -o OUT [--threads N]\n"
    "\nRESULT is a file of sfgp register --save. Points are in the coordinates of the reference of that fit, in its\n"
    "unit; order, faces and names are kept. Each gets its standard deviation: a property sd (PLY), a column sd (CSV\n"
    "of landmarks), or sd=... in the description (Slicer). Landmarks are .mrk.json, .fcsv, .json, .pp, .tps, .nts, or a\n"
    ".csv with names (a first row that starts with one, or a header with name, label, landmark, id, lm or point); another\n"
    ".csv has points. Of -, standard input, the content tells. The format is kept.\n"
    "\n  -o, --output OUT     output; its extension gives the format; another file than POINTS\n"
    "  --threads N          0: all cores; results are the same for any number\n" CLI_COLUMNS_USAGE
    "\nExit code 1: the fit had no overlap, points are written unchanged.\n",
    false,
    false,
    NULL,
    run};
