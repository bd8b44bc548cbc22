/* sfgp evaluate: distances between a fit and the truth, point by point and from surface to surface, as JSON on stdout. */
#include "cli/evaluate_landmarks.h"
#include "cli/landmarks.h"
#include "cli/mesh.h"
#include "base/platform_text.h"
#include "cli/paths.h"
#include "cli/verb.h"
#include "report/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
    cli_session *session;
    cli_list files;        /* FITTED, TRUTH */
    const char *mask_path; /* NULL: no mask */
    const char *unit;      /* of the files; NULL: not given */
    const char *table;     /* output: distances of landmarks; NULL: none */
    const char *map;       /* output: FITTED with distances; NULL: none */
    bool surface;          /* surfaces only: no correspondence */
    sfgp_mesh *fitted;
    sfgp_mesh *truth;
    unsigned char *mask;
    sfgp_evaluation evaluation;
    sfgp_surface_evaluation surfaces;
};

/* Whether a file of this name holds numbers beside the coordinates: .ply or .vtp, also packed, not standard output. */
static bool holds_numbers(const char *path)
{
    const size_t length = strlen(path),
                 gz = length > 3 && sfgp_text_same_nocase(path + length - 3, ".gz", 3) ? 3 : 0;
    const char *extension = length > gz + 4 ? path + length - gz - 4 : "";
    return path[0] != '-' &&
           (sfgp_text_same_nocase(extension, ".ply", 4) || sfgp_text_same_nocase(extension, ".vtp", 4));
}

static sfgp_status check_map(const struct job *job)
{
    if (!job->map)
        return SFGP_OK;
    if (!holds_numbers(job->map))
        return cli_fail(job->session, SFGP_ERROR_PARAMETER,
                        "--distance-map: %s: give a .ply or .vtp file; other formats hold no distances",
                        cli_path_shown(job->map));
    return cli_paths_check_mesh(job->session, job->map);
}

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"FITTED", "TRUTH", NULL};
    const cli_option options[] = {{"missing", 0, CLI_INPUT, &job->mask_path},
                                  {"surface", 0, CLI_SWITCH, &job->surface},
                                  {"distance-map", 0, CLI_OUTPUT, &job->map},
                                  {"table", 0, CLI_OUTPUT, &job->table},
                                  {"unit", 0, CLI_TEXT, &job->unit},
                                  CLI_COLUMNS(job->session),
                                  {0}};
    sfgp_status status =
        cli_options_parse(job->session, argc, argv,
                          &(cli_grammar){.options = options, .operands = OPERANDS, .taken = &job->files});
    if (status == SFGP_OK && job->surface && job->mask_path)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER,
                        "--surface compares no points: leave out --missing");
    return status == SFGP_OK ? check_map(job) : status;
}

/* ---- landmarks --------------------------------------------------------------------------------------- */

/* Whether both files are landmarks; the options that are about shapes say that they are not. */
static bool has_landmarks(const struct job *job)
{
    return !job->surface && !job->mask_path && !job->map &&
           cli_landmarks_is_file(job->session, job->files.items[0]) &&
           cli_landmarks_is_file(job->session, job->files.items[1]);
}

static sfgp_status evaluate_landmarks(const struct job *job)
{
    const cli_landmark_evaluation files = {job->files.items[0], job->files.items[1], job->table, job->unit};
    const sfgp_status status = cli_paths_check_output(job->session, job->table);
    return status == SFGP_OK ? cli_evaluate_landmarks(job->session, &files) : status;
}

/* ---- shapes ------------------------------------------------------------------------------------------ */

static sfgp_status check_table(const struct job *job)
{
    if (!job->table)
        return SFGP_OK;
    return cli_fail(
        job->session, SFGP_ERROR_PARAMETER,
        "--table lists landmarks, and one of the files has none; for shapes --distance-map has the "
        "distance of every point");
}

static sfgp_status read_files(struct job *job)
{
    sfgp_context *context = job->session->context;
    sfgp_status status = cli_mesh_read(job->session, job->files.items[0], &job->fitted);
    if (status == SFGP_OK)
        status = cli_mesh_read(job->session, job->files.items[1], &job->truth);
    if (status != SFGP_OK || !job->mask_path)
        return status;
    return cli_check(job->session, sfgp_mask_read(context, job->mask_path, job->truth->count, &job->mask));
}

static sfgp_status evaluate(struct job *job)
{
    sfgp_context *context = job->session->context;
    sfgp_status status = SFGP_OK;
    if (!job->surface)
        status = sfgp_evaluate(context, job->fitted, job->truth, job->mask, &job->evaluation);
    if (status == SFGP_OK)
        status = sfgp_evaluate_surfaces(context, job->fitted, job->truth, &job->surfaces);
    return cli_check(job->session, status);
}

/* MeshLab shows quality as colours. */
static sfgp_status write_map(struct job *job)
{
    sfgp_context *context = job->session->context;
    if (!job->map)
        return SFGP_OK;
    double *distance = malloc(((size_t)job->fitted->count + 1) * sizeof *distance);
    if (!distance)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    const sfgp_attribute attributes[] = {{"distance", distance, 0}, {"quality", distance, 0}};
    sfgp_status status = sfgp_distances(context, job->fitted, job->truth, distance);
    if (status == SFGP_OK)
        status = sfgp_mesh_write(context, job->map, job->fitted, attributes, 2);
    free(distance);
    return cli_check(job->session, status);
}

static void print(const struct job *job)
{
    const report_errors errors = {job->surface ? NULL : &job->evaluation, job->mask != NULL, &job->surfaces,
                                  job->unit};
    char *text = report_evaluation(&errors);
    fputs(text, stdout);
    free(text);
}

static sfgp_status evaluate_shapes(struct job *job)
{
    sfgp_status status = check_table(job);
    if (status == SFGP_OK && (status = read_files(job)) == SFGP_OK && (status = evaluate(job)) == SFGP_OK &&
        (status = write_map(job)) == SFGP_OK)
        print(job);
    return status;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session};
    sfgp_status status = parse(&job, argc, argv);
    if (status == SFGP_OK)
        status = has_landmarks(&job) ? evaluate_landmarks(&job) : evaluate_shapes(&job);
    cli_list_clear(&job.files);
    sfgp_mesh_free(job.fitted);
    sfgp_mesh_free(job.truth);
    sfgp_mask_free(job.mask);
    return (int)status;
}

const cli_verb CLI_EVALUATE = {
    "evaluate",
    "distances between a fit and the truth, or between landmarks",
    "sfgp evaluate FITTED TRUTH [--missing MASK] [--surface] [--distance-map OUT.ply] [--table T.csv] [--unit UNIT] [--columns X,Y,Z]\n"
    "\nPoint i of FITTED is compared with point i of TRUTH. JSON on stdout, in the unit of the files:\n"
    "{\"all\": {\"count\", \"mean\", \"median\", \"p95\"}}, and the same for \"observed\" and \"missing\" with a mask;\n"
    "\"surface\": distances from the points of each shape to the surface of the other (its nearest point where it has no\n"
    "faces): \"fitted_to_truth\", \"truth_to_fitted\" and both together, \"symmetric\", each with \"count\", \"mean\", \"rms\",\n"
    "\"p95\" and \"largest\"; the largest of \"symmetric\" is the Hausdorff distance.\n"
    "Two files of landmarks are compared by the names of the landmarks, or in their order where one file has no names:\n"
    "{\"landmarks\": {\"count\", \"mean\", \"median\", \"p95\", \"largest\"}}. Those of a CSV are points with --columns.\n"
    "\n  --missing MASK       text, one line, 0 or 1, for every point; 1 = missing from the scan\n"
    "  --surface            only \"surface\": the shapes may have different points\n"
    "  --distance-map OUT.ply  FITTED with its distances to TRUTH for every point, as distance and quality (PLY or VTP)\n"
    "  --table T.csv        of landmarks: landmark,distance,dx,dy,dz for every one, FITTED less TRUTH\n"
    "  --unit UNIT          the unit of the files, as mm, which is written behind the distances: \"unit\"\n" CLI_COLUMNS_USAGE,
    false,
    false,
    "as without it: the distances are JSON",
    run};
