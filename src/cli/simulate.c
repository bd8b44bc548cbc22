/* sfgp simulate: writes a reference, a true shape, a damaged scan of it, and the mask of its missing points. */
#include "cli/simulate.h"
#include "base/platform_file.h"
#include "base/platform_folder.h"
#include "cli/flag.h"
#include "cli/inputs.h"
#include "cli/mesh.h"
#include "cli/paths.h"
#include "cli/verb.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SCAN_SEED_STEP 10 /* seed of the damage less that of the shape, so that their random numbers differ */
#define RESOLUTION 38
#define MOST_DAMAGES 40
#define OWN_OPTIONS 4       /* without the damages */
#define NOT_GIVEN INT64_MIN /* a count that the command line cannot have; for numbers this is NaN */

struct job {
    cli_session *session;
    cli_list shape; /* name of the shape, and its file */
    const char *folder;
    const cli_simulated_shape *row;
    cli_simulation_request request;
    sfgp_damage damage;
    sfgp_mesh *reference;
    sfgp_mesh *truth;
    sfgp_mesh *scan;
    unsigned char *mask; /* missing points of the truth */
};

/* ---- the command line -------------------------------------------------------------------------------- */

/* Makes one option for each row of the table of damages. names holds the texts of their flags. */
static void add_damages(sfgp_damage *damage, cli_option *options, char (*names)[CLI_FLAG_SIZE])
{
    const sfgp_setting *row;
    for (int k = 0; k < MOST_DAMAGES && (row = sfgp_damage_row(k)); k++) {
        void *field = (char *)damage + row->offset;
        if (row->kind == SFGP_SETTING_COUNT)
            *(int64_t *)field = NOT_GIVEN;
        else
            *(double *)field = (double)NAN;
        options[k] = (cli_option){cli_flag_name(row, names[k]), 0,
                                  row->kind == SFGP_SETTING_COUNT ? CLI_COUNT : CLI_REAL, field};
    }
}

/* Replaces the values of the shape by those that were given. */
static void override_damage(const sfgp_damage *given, sfgp_damage *damage)
{
    const sfgp_setting *row;
    for (int k = 0; (row = sfgp_damage_row(k)); k++) {
        const void *from = (const char *)given + row->offset;
        void *to = (char *)damage + row->offset;
        if (row->kind == SFGP_SETTING_COUNT && *(const int64_t *)from != NOT_GIVEN)
            *(int64_t *)to = *(const int64_t *)from;
        if (row->kind == SFGP_SETTING_REAL && !isnan(*(const double *)from))
            *(double *)to = *(const double *)from;
    }
}

static sfgp_status find_shape(struct job *job)
{
    char **arguments = job->shape.items;
    const int count = job->shape.count;
    job->row = cli_simulate_find(arguments[0]);
    if (!job->row)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER,
                        "'%.60s' is no shape of the simulator: use ear, fish or shape FILE", arguments[0]);
    if (job->row->file && count < 2)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "FILE is missing");
    if (count > 1 + job->row->file)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "one argument too many: '%.100s'",
                        arguments[1 + job->row->file]);
    job->request.file = job->row->file ? arguments[1] : NULL;
    job->request.read = job->session->read;
    return SFGP_OK;
}

/* Fills in what was not given: seed, resolution and damage of the shape. */
static sfgp_status fill_defaults(struct job *job, const sfgp_damage *given)
{
    cli_simulation_request *request = &job->request;
    if (request->resolution != NOT_GIVEN && !job->row->resolution)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "--resolution: only an ear has one, not %s",
                        job->row->usage);
    request->resolution = request->resolution == NOT_GIVEN ? RESOLUTION : request->resolution;
    request->seed = request->seed == NOT_GIVEN ? job->row->seed : request->seed;
    job->damage = job->row->damage;
    override_damage(given, &job->damage);
    job->damage.seed = (uint64_t)request->seed + SCAN_SEED_STEP;
    return SFGP_OK;
}

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"what to simulate (ear, fish, shape FILE)", NULL};
    char names[MOST_DAMAGES][CLI_FLAG_SIZE];
    cli_option options[OWN_OPTIONS + MOST_DAMAGES + 1] = {
        {"output", 'o', CLI_FOLDER, &job->folder},
        {"seed", 0, CLI_COUNT, &job->request.seed},
        {"resolution", 0, CLI_COUNT, &job->request.resolution},
        CLI_COLUMNS(job->session)};
    const cli_grammar grammar = {
        .options = options, .operands = OPERANDS, .more = true, .taken = &job->shape};
    sfgp_damage given;
    job->request = (cli_simulation_request){.seed = NOT_GIVEN, .resolution = NOT_GIVEN};
    add_damages(&given, options + OWN_OPTIONS, names);
    sfgp_status status = cli_options_parse(job->session, argc, argv, &grammar);
    if (status == SFGP_OK)
        status = find_shape(job);
    if (status == SFGP_OK && !job->folder)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o FOLDER is missing");
    return status == SFGP_OK ? fill_defaults(job, &given) : status;
}

/* ---- shapes and files -------------------------------------------------------------------------------- */

static sfgp_status simulate(struct job *job)
{
    sfgp_context *context = job->session->context;
    sfgp_status status = job->row->make(context, &job->request, &job->reference, &job->truth);
    if (status != SFGP_OK)
        return cli_check(job->session, status);
    job->mask = malloc((size_t)job->truth->count);
    if (!job->mask)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    return cli_check(job->session,
                     sfgp_simulate_scan(context, job->truth, &job->damage, &job->scan, job->mask));
}

static sfgp_status make_folder(struct job *job)
{
    if (sfgp_folder_make(job->folder) ||
        (errno == EEXIST && sfgp_platform_kind_at(job->folder) == SFGP_PLATFORM_FOLDER))
        return SFGP_OK;
    return cli_fail(job->session, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s",
                    cli_path_shown(job->folder), strerror(errno));
}

/* The shape may be a file of an earlier simulation. */
static sfgp_status spare_shape(struct job *job)
{
    static const char *const NAMES[] = {"reference.ply", "truth.ply", "scan.ply", "truth_missing.txt", NULL};
    return cli_inputs_spare_in(job->session, job->folder, NAMES, (cli_file){"FILE", job->request.file});
}

static sfgp_status write_mesh(struct job *job, const char *name, const sfgp_mesh *mesh)
{
    char *path = cli_paths_join(job->folder, name);
    sfgp_status status =
        path ? cli_check(job->session, sfgp_mesh_write(job->session->context, path, mesh, NULL, 0))
             : cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    free(path);
    return status;
}

/* Writes one line, 0 or 1, for each point. */
static sfgp_status write_mask(struct job *job)
{
    const int64_t count = job->truth->count;
    char *path = cli_paths_join(job->folder, "truth_missing.txt"), *text = malloc(2 * (size_t)count);
    sfgp_status status = SFGP_ERROR_MEMORY;
    for (int64_t i = 0; text && i < count; i++) {
        text[2 * i] = job->mask[i] ? '1' : '0';
        text[2 * i + 1] = '\n';
    }
    if (path && text)
        status =
            cli_check(job->session, sfgp_file_write(job->session->context, path, text, 2 * (size_t)count));
    else
        cli_fail(job->session, status, "out of memory");
    free(path);
    free(text);
    return status;
}

static sfgp_status write_files(struct job *job)
{
    sfgp_status status = SFGP_OK;
    if ((status = write_mesh(job, "reference.ply", job->reference)) == SFGP_OK &&
        (status = write_mesh(job, "truth.ply", job->truth)) == SFGP_OK &&
        (status = write_mesh(job, "scan.ply", job->scan)) == SFGP_OK)
        status = write_mask(job);
    return status;
}

static int run(cli_session *session, int argc, char **argv)
{
    struct job job = {.session = session};
    sfgp_status status;
    if ((status = parse(&job, argc, argv)) == SFGP_OK && (status = spare_shape(&job)) == SFGP_OK &&
        (status = simulate(&job)) == SFGP_OK && (status = make_folder(&job)) == SFGP_OK)
        status = write_files(&job);
    cli_list_clear(&job.shape);
    sfgp_mesh_free(job.reference);
    sfgp_mesh_free(job.truth);
    sfgp_mesh_free(job.scan);
    free(job.mask);
    return (int)status;
}

/* A test compares the flags with the table of damages. */
const cli_verb CLI_SIMULATE = {
    "simulate",
    "a damaged scan with a known truth",
    "sfgp simulate ear|fish|shape FILE -o FOLDER [options]\n"
    "\nWrites into FOLDER, which is created when it does not exist: reference.ply; truth.ply, in correspondence with it\n"
    "and in the pose of the scan; scan.ply, the damaged truth; truth_missing.txt, 1 = missing from the scan.\n"
    "\n  ear                the reference is the mean ear, the truth another one; in mm\n"
    "  fish               an outline in the plane, 98 points in the unit square; the truth is the reference warped\n"
    "  shape FILE         any mesh or points; the truth is the shape, moved as the options say\n"
    "\n  -o, --output FOLDER\n"
    "  --seed S           random damage, and ear (0: the mean); default: ear 4, fish and shape 1\n" CLI_COLUMNS_USAGE
    "  --resolution R     ear: rings of points (default 38: 2965 points)\n"
    "\nsteps, in this order; lengths in RMS radii of the truth (defaults: ear; fish; a shape has no damage)\n"
    "  --deformation L    warp by 12 Gaussian bumps: standard deviation of each, per axis (0; 0.05)\n"
    "  --deformation-length L   bumps are exp(-r^2/L^2); 0: 1.28 RMS radii (0; 0.3)\n"
    "  --affine S         standard deviation of the entries of a random affine map (0; 0.2)\n"
    "  --rotation ANGLE   degrees, about a random axis (3; 0)\n"
    "  --translation L    in a random direction (0.03; 0)\n"
    "  --scale SHARE      larger by this share (0.02; 0)\n"
    "  --holes N          balls cut out around random points (3; 0)\n"
    "  --hole-radius L    of every ball (0.5; 0)\n"
    "  --box-width L      side of a box along the axes that is cut out around a point (0; 0.2)\n"
    "  --box-point I      that point, counted from 0 (random; random)\n"
    "  --missing-share SHARE    of the points, left out at random (0; 0)\n"
    "  --noise L          standard deviation per axis (0.003; 0.01)\n"
    "  --outliers SHARE   outliers, uniform in the bounding box, for each point (0.05; 0)\n"
    "  --file-unit 0|1    1: lengths are in the unit of the file, not in RMS radii (0; 1)\n",
    false,
    false,
    NULL,
    run};
