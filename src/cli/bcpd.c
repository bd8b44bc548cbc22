/* sfgp bcpd: a fit with the command line of BCPD, for scripts and programs that call it. */
#include "cli/bcpd.h"
#include "base/platform_clock.h"
#include "base/platform_file.h"
#include "cli/help.h"
#include "cli/mesh.h"
#include "cli/progress.h"
#include "cli/verb.h"

#include <string.h>
#include <time.h>

#define NO_PRIOR "se:length=1000,variance=1" /* one column is enough */

static sfgp_status read_shapes(cli_bcpd_run *j)
{
    const double start = sfgp_platform_seconds();
    sfgp_status status = cli_mesh_read(j->session, j->options.source, &j->source);
    if (status == SFGP_OK)
        status = cli_mesh_read(j->session, j->options.target, &j->target);
    j->seconds[0] = sfgp_platform_seconds() - start;
    return status;
}

/* BCPD makes its own prior, so that the model needs none. */
static sfgp_status build_model(cli_bcpd_run *j)
{
    sfgp_settings settings = j->options.settings;
    if (!j->options.automatic) {
        strcpy(settings.kernel, NO_PRIOR);
        settings.accuracy = 0.1;
    }
    return cli_check(j->session,
                     sfgp_model_new(j->session->context, j->source, NULL, 0, &settings, &j->model));
}

static sfgp_status fit(cli_bcpd_run *j)
{
    const double start = sfgp_platform_seconds();
    const clock_t processor = clock();
    sfgp_solver *solver = NULL;
    cli_progress progress;
    if (!j->options.given['q'])
        cli_progress_start(j->session, &progress);
    sfgp_status status = sfgp_solver_new(j->session->context, j->model, &j->options.settings, &solver);
    if (status == SFGP_OK)
        status = sfgp_solver_run(solver, j->target, &j->result);
    sfgp_solver_free(solver);
    cli_progress_stop(j->session);
    j->seconds[1] = sfgp_platform_seconds() - start;
    j->seconds[2] = (double)(clock() - processor) / CLOCKS_PER_SEC;
    return cli_check(j->session, status);
}

/* As in BCPD, a fit that stops at -n is no failure. */
static void print_summary(const cli_bcpd_run *j)
{
    const sfgp_result *result = j->result;
    if (result->outcome == SFGP_NO_OVERLAP)
        cli_warn(j->session, "no_overlap: too little of the target matches; %sy.txt is the source, unchanged",
                 j->options.prefix);
    if (!j->options.given['q'])
        cli_tell(j->session, "%s after %lld iterations, sigma %.3g, %.2f s: %sy.txt",
                 sfgp_outcome_name(result->outcome), (long long)result->iterations, result->sigma,
                 result->seconds, cli_path_shown(j->options.prefix));
}

static sfgp_status run_steps(cli_bcpd_run *j)
{
    sfgp_status status;
    if ((status = cli_bcpd_choose(j->session, &j->options)) != SFGP_OK ||
        (status = cli_check(j->session, sfgp_settings_check(j->session->context, &j->options.settings))) !=
            SFGP_OK ||
        (status = read_shapes(j)) != SFGP_OK || (status = build_model(j)) != SFGP_OK ||
        (status = fit(j)) != SFGP_OK)
        return status;
    if ((status = cli_bcpd_write(j)) == SFGP_OK)
        print_summary(j);
    return status;
}

/* Without arguments BCPD reads X.txt and Y.txt; where they are not, somebody asks what the verb does. */
static sfgp_status check_defaults(const cli_bcpd_run *j, int argc)
{
    if (argc > 1 || sfgp_platform_exists(j->options.target) || sfgp_platform_exists(j->options.source))
        return SFGP_OK;
    cli_help_print(&CLI_BCPD);
    return cli_fail(j->session, SFGP_ERROR_PARAMETER, "-x TARGET and -y SOURCE are missing");
}

static int run(cli_session *session, int argc, char **argv)
{
    cli_bcpd_run j = {.session = session};
    sfgp_status status = cli_bcpd_parse(session, argc, argv, &j.options);
    if (status == SFGP_OK)
        status = check_defaults(&j, argc);
    if (status == SFGP_OK && j.options.usage)
        return cli_help_print(&CLI_BCPD), 0;
    if (status == SFGP_OK)
        status = run_steps(&j);
    const bool flagged = status == SFGP_OK && j.result->outcome == SFGP_NO_OVERLAP;
    sfgp_result_free(j.result);
    sfgp_model_free(j.model);
    sfgp_mesh_free(j.target);
    sfgp_mesh_free(j.source);
    return flagged ? CLI_FLAGGED : (int)status;
}

const cli_verb CLI_BCPD = {
    "bcpd",
    "a fit with the command line of BCPD, and its files",
    "sfgp bcpd -x TARGET -y SOURCE [options of BCPD] [--auto]\n"
    "\nReads the command line of the program BCPD and writes its files: output_y.txt, output_info.txt, output_comptime.txt\n"
    "and those that -s names. docs/coming-from.md has every option and what differs. -h is BCPD's: help is --help or -v.\n"
    "\n  --auto  fit by the default method instead, which needs no parameters; -x, -y, -o and -s are kept\n"
    "  -q, --quiet  no progress bar and no summary line\n"
    "\n-x -y files (X.txt, Y.txt); -o prefix of the outputs (output_); -s letters of files: y x v a c e P T A;\n"
    "-w omega (0); -l lambda (2); -b beta (2); -g gamma (1); -k kappa (equal weights); -T srn or sr; -G 1 or 2 (Gaussian);\n"
    "-u e, x, y or n; -c tolerance (1e-4); -n most iterations (500); -K rank; -A, -J, -p: accelerated; -D B,POINTS,RADIUS:\n"
    "BCPD++; -W no warnings.\n",
    false,
    true,
    NULL,
    run};
