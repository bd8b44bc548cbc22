/* sfgp simulate ear: a reference, a true shape, a damaged scan of it, and what the scan lost. */
#include "cli/options.h"
#include "cli/paths.h"
#include "cli/verb.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEGREE (3.14159265358979323846 / 180)
#define SCAN_SEED_STEP 10 /* shape and damage draw from different streams */

struct job {
    cli_session *session;
    cli_list family;
    const char *folder;
    int64_t seed, resolution;
    sfgp_damage damage; /* rotation in degrees until the scan is made */
    sfgp_mesh *reference, *truth, *scan;
    unsigned char *mask;
};

/* The defaults make the demonstration of data/demo. */
static const struct job STANDARD = {.seed = 4,
                                    .resolution = 38,
                                    .damage = {.holes = 3,
                                               .hole_radius = 0.5,
                                               .noise = 0.003,
                                               .outliers = 0.05,
                                               .rotation = 3,
                                               .translation = 0.03,
                                               .scale = 0.02}};

static sfgp_status parse(struct job *job, int argc, char **argv)
{
    static const char *const OPERANDS[] = {"what to simulate (ear)", NULL};
    sfgp_damage *damage = &job->damage;
    const cli_option options[] = {{"output", 'o', CLI_PATH, &job->folder},
                                  {"seed", 0, CLI_COUNT, &job->seed},
                                  {"resolution", 0, CLI_COUNT, &job->resolution},
                                  {"holes", 0, CLI_COUNT, &damage->holes},
                                  {"hole-radius", 0, CLI_REAL, &damage->hole_radius},
                                  {"noise", 0, CLI_REAL, &damage->noise},
                                  {"outliers", 0, CLI_REAL, &damage->outliers},
                                  {"rotation", 0, CLI_REAL, &damage->rotation},
                                  {"translation", 0, CLI_REAL, &damage->translation},
                                  {"scale", 0, CLI_REAL, &damage->scale},
                                  {0}};
    const cli_grammar grammar = {.options = options, .operands = OPERANDS, .taken = &job->family};
    sfgp_status status = cli_options_parse(job->session, argc, argv, &grammar);
    if (status == SFGP_OK && strcmp(job->family.items[0], "ear") != 0)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "'%.60s' is no shape of the simulator: use ear",
                        job->family.items[0]);
    if (status == SFGP_OK && !job->folder)
        return cli_fail(job->session, SFGP_ERROR_PARAMETER, "-o FOLDER is missing");
    return status;
}

static sfgp_status make_folder(struct job *job)
{
    struct stat status;
    if (mkdir(job->folder, 0777) == 0 ||
        (errno == EEXIST && stat(job->folder, &status) == 0 && S_ISDIR(status.st_mode)))
        return SFGP_OK;
    return cli_fail(job->session, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s",
                    cli_path_shown(job->folder), strerror(errno));
}

static sfgp_status simulate(struct job *job)
{
    sfgp_context *context = job->session->context;
    sfgp_damage damage = job->damage;
    damage.rotation *= DEGREE;
    damage.seed = (uint64_t)job->seed + SCAN_SEED_STEP;
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_simulate_ear(context, job->resolution, 0, &job->reference)) != SFGP_OK ||
        (status = sfgp_simulate_ear(context, job->resolution, (uint64_t)job->seed, &job->truth)) != SFGP_OK)
        return cli_check(job->session, status);
    job->mask = malloc((size_t)job->truth->count);
    if (!job->mask)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    return cli_check(job->session, sfgp_simulate_scan(context, job->truth, &damage, &job->scan, job->mask));
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

/* One line, 0 or 1, a point. */
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
    struct job job = STANDARD;
    sfgp_status status;
    job.session = session;
    if ((status = parse(&job, argc, argv)) == SFGP_OK && (status = simulate(&job)) == SFGP_OK &&
        (status = make_folder(&job)) == SFGP_OK)
        status = write_files(&job);
    cli_list_clear(&job.family);
    sfgp_mesh_free(job.reference);
    sfgp_mesh_free(job.truth);
    sfgp_mesh_free(job.scan);
    free(job.mask);
    return (int)status;
}

const cli_verb CLI_SIMULATE = {
    "simulate", "a damaged scan with a known truth",
    "sfgp simulate ear -o FOLDER [options]\n"
    "\nWrites into FOLDER, which is made if need be: reference.ply, the mean ear; truth.ply, another ear, "
    "point by\n"
    "point the same, where the scan has it; scan.ply, the truth damaged; truth_missing.txt, 1 = not in the "
    "scan.\n"
    "\n  -o, --output FOLDER\n"
    "  --seed S           which ear, and which damage (default 4; 0 is the mean ear)\n"
    "  --resolution R     rings of points (default 38: 2965 points)\n"
    "  --holes N          balls cut out around random points (default 3)\n"
    "  --hole-radius L    in RMS radii of the truth, as all lengths (default 0.5)\n"
    "  --noise L          standard deviation per axis (default 0.003)\n"
    "  --outliers SHARE   stray points, uniform in the bounding box (default 0.05 of the points)\n"
    "  --rotation ANGLE   degrees, about a random axis (default 3)\n"
    "  --translation L    in a random direction (default 0.03)\n"
    "  --scale SHARE      larger by this share (default 0.02)\n",
    false, run};
