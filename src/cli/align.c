/* sfgp align: brings one shape into the pose of another by landmarks or by points that correspond. */
#include "cli/landmarks.h"
#include "cli/mesh.h"
#include "cli/output.h"
#include "cli/paths.h"
#include "cli/verb.h"
#include "report/transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct job {
    cli_session *session;
    cli_list files;     /* MOVING, FIXED */
    cli_list landmarks; /* landmark files of MOVING and FIXED, or none */
    const char *output;
    const char *transform; /* output: JSON; NULL: none */
    const char *kind;      /* "rigid" or "similarity" */
    sfgp_mesh *moving;
    sfgp_mesh *fixed;
    sfgp_landmark_pairs *pairs; /* NULL: all points are pairs, by index */
    report_alignment alignment;
};

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"MOVING", "FIXED", NULL};
    const cli_option options[] = {{"output", 'o', CLI_OUTPUT, &job->output},
                                  {"kind", 0, CLI_TEXT, &job->kind},
                                  {"landmarks", 0, CLI_PATHS, &job->landmarks},
                                  {"transform", 0, CLI_OUTPUT, &job->transform},
                                  CLI_COLUMNS(job->session),
                                  {0}};
    cli_session *session = job->session;
    sfgp_status status = cli_options_parse(
        session, argc, argv, &(cli_grammar){.options = options, .operands = OPERANDS, .taken = &job->files});
    if (status != SFGP_OK)
        return status;
    if (!job->output)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "-o OUT is missing");
    if (strcmp(job->kind, "rigid") != 0 && strcmp(job->kind, "similarity") != 0)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--kind: '%.60s' is not rigid or similarity",
                        job->kind);
    if (job->landmarks.count != 0 && job->landmarks.count != 2)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--landmarks: takes two files, those of MOVING and those of FIXED, not %d",
                        job->landmarks.count);
    if (session->json && job->transform)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--json: the transform is already written by --transform");
    if (session->json)
        job->transform = "-";
    return SFGP_OK;
}

static sfgp_status check_outputs(struct job *job)
{
    sfgp_status status = cli_paths_check_distinct(job->session, job->output, job->transform);
    if (status == SFGP_OK)
        status = cli_paths_check_mesh(job->session, job->output);
    return status == SFGP_OK ? cli_paths_check_output(job->session, job->transform) : status;
}

/* ---- read -------------------------------------------------------------------------------------------- */

static sfgp_status check_points(struct job *job)
{
    const sfgp_mesh *moving = job->moving, *fixed = job->fixed;
    if (moving->dimension != fixed->dimension)
        return cli_fail(job->session, SFGP_ERROR_DATA, "%s is in %dD, %s in %dD",
                        cli_path_shown(job->files.items[0]), moving->dimension,
                        cli_path_shown(job->files.items[1]), fixed->dimension);
    if (job->pairs && job->pairs->dimension != moving->dimension)
        return cli_fail(job->session, SFGP_ERROR_DATA, "the landmarks of %s are in %dD, the shapes in %dD",
                        cli_path_shown(job->landmarks.items[0]), job->pairs->dimension, moving->dimension);
    if (!job->pairs && moving->count != fixed->count)
        return cli_fail(job->session, SFGP_ERROR_DATA,
                        "%s has %lld points and %s %lld: they do not correspond; give --landmarks, or let "
                        "sfgp register --method cpd-rigid find the pose",
                        cli_path_shown(job->files.items[0]), (long long)moving->count,
                        cli_path_shown(job->files.items[1]), (long long)fixed->count);
    return SFGP_OK;
}

static sfgp_status read_files(struct job *job)
{
    sfgp_status status = cli_mesh_read_kept(job->session, job->files.items[0], &job->moving);
    if (status == SFGP_OK)
        status = cli_mesh_read(job->session, job->files.items[1], &job->fixed);
    if (status == SFGP_OK && job->landmarks.count > 0)
        status = cli_landmarks_read(job->session, &job->landmarks, &job->pairs);
    return status == SFGP_OK ? check_points(job) : status;
}

/* ---- align ------------------------------------------------------------------------------------------- */

static double rms_distance(int64_t count, int d, const double *a, const double *b)
{
    double sum = 0;
    for (int64_t k = 0; k < count * d; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]) / (double)count;
    return sqrt(sum);
}

static sfgp_status align(struct job *job)
{
    const int d = job->moving->dimension;
    const int64_t count = job->pairs ? job->pairs->count : job->moving->count;
    const double *moving = job->pairs ? job->pairs->first : job->moving->points;
    const double *fixed = job->pairs ? job->pairs->second : job->fixed->points;
    report_alignment *alignment = &job->alignment;
    double *moved = malloc((size_t)(count * d) * sizeof *moved);
    if (!moved)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    alignment->kind = job->kind;
    alignment->pairs = count;
    sfgp_status status =
        sfgp_align(job->session->context, job->kind[0] == 'r' ? SFGP_ALIGN_RIGID : SFGP_ALIGN_SIMILARITY,
                   count, d, moving, fixed, NULL, &alignment->map);
    if (status == SFGP_OK) {
        alignment->before = rms_distance(count, d, moving, fixed);
        sfgp_similarity_apply(&alignment->map, count, moving, moved);
        alignment->after = rms_distance(count, d, moved, fixed);
        sfgp_similarity_apply(&alignment->map, job->moving->count, job->moving->points, job->moving->points);
    }
    free(moved);
    return cli_check(job->session, status);
}

/* ---- write ------------------------------------------------------------------------------------------- */

static sfgp_status write_transform(struct job *job)
{
    return cli_output_text(job->session, job->transform,
                           job->transform ? report_transform(&job->alignment) : NULL);
}

static sfgp_status write_files(struct job *job)
{
    sfgp_status status =
        cli_check(job->session, sfgp_mesh_write(job->session->context, job->output, job->moving, NULL, 0));
    return status == SFGP_OK ? write_transform(job) : status;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session, .kind = "rigid"};
    sfgp_status status;
    if ((status = parse(&job, argc, argv)) == SFGP_OK && (status = check_outputs(&job)) == SFGP_OK &&
        (status = read_files(&job)) == SFGP_OK && (status = align(&job)) == SFGP_OK &&
        (status = write_files(&job)) == SFGP_OK && !session->quiet)
        cli_tell(session, "%s by %lld %s, RMS distance %.4g -> %.4g: %s", job.kind,
                 (long long)job.alignment.pairs, job.pairs ? "landmarks" : "points", job.alignment.before,
                 job.alignment.after, cli_path_shown(job.output));
    sfgp_mesh_free(job.moving);
    sfgp_mesh_free(job.fixed);
    sfgp_landmark_pairs_free(job.pairs);
    cli_list_clear(&job.files);
    cli_list_clear(&job.landmarks);
    return (int)status;
}

const cli_verb CLI_ALIGN = {
    "align",
    "bring a shape into the pose of another",
    "sfgp align MOVING FIXED -o OUT [--kind rigid|similarity] [--landmarks MOVING_L FIXED_L] [--transform T.json]\n"
    "\nLeast squares over pairs: landmarks of the same name or, without landmarks, point i of MOVING and "
    "point i of FIXED.\n"
    "OUT is MOVING in the pose of FIXED, with its order and its faces.\n"
    "\n  -o, --output OUT     output; its extension gives the format\n"
    "  --kind KIND          rigid (rotation and shift) | similarity (with scale); default rigid\n"
    "  --landmarks A B      CSV, .mrk.json, .fcsv, .json, .pp, .pts, .tps or .nts, of MOVING and of FIXED\n"
    "  --transform T.json   scale, rotation and shift: x -> scale rotation x + shift\n" CLI_COLUMNS_USAGE,
    false,
    false,
    "the transform on standard output, for other programs",
    run};
