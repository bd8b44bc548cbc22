/* sfgp VERB [arguments]: exit codes are 0, 1 (ran, but flagged) and the values of sfgp_status. */
#include "cli/help.h"
#include "base/platform.h"
#include "base/platform_cores.h"
#include "base/platform_leave.h"
#include "base/platform_process.h"
#include "base/platform_terminal.h"
#include "cli/mesh.h"
#include "cli/verb.h"
#include "report/json_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cli_verb *const VERBS[] = {&CLI_REGISTER, &CLI_APPLY,   &CLI_MODEL,    &CLI_ALIGN,
                                        &CLI_EVALUATE, &CLI_INFO,    &CLI_SIMULATE, &CLI_BATCH,
                                        &CLI_COLLECT,  &CLI_COMPARE, &CLI_BCPD,     &CLI_METHODS,
                                        &CLI_SETTINGS, &CLI_HELP,    NULL};

/* -h of bcpd is an option of BCPD. */
static bool asks_for_help(const cli_verb *verb, int argc, char **argv)
{
    for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; k++)
        if (strcmp(argv[k], "--help") == 0 || (strcmp(argv[k], "-h") == 0 && verb != &CLI_BCPD))
            return true;
    return false;
}

static int run_verb(cli_session *session, int argc, char **argv)
{
    const cli_verb *verb = cli_verb_find(session->verbs, argv[0]);
    if (!verb)
        return (int)cli_verb_refuse(session, argv[0]);
    session->verb = verb->name;
    if (asks_for_help(verb, argc, argv))
        return cli_help_print(verb), 0;
    const int code = verb->run(session, argc, argv);
    cli_mesh_warn_unused(session);
    return code;
}

/* Version of the program, and of what it is built of, for reports of problems. */
static void print_version(void)
{
#ifdef SFGP_MPI
    const char *const mpi = "MPI";
#else
    const char *const mpi = "no MPI";
#endif
    printf("sfgp %s\nlibraries: %s\nbuilt with: %s, %s, %d-bit, compiler %s\n", SFGP_VERSION, SFGP_LIBRARIES,
           SFGP_FEATURES, mpi, (int)(8 * sizeof(void *)), __VERSION__);
}

static int run(cli_session *session, int argc, char **argv)
{
    if (argc < 2)
        return (int)cli_fail(session, SFGP_ERROR_PARAMETER, "a verb is missing");
    if (strcmp(argv[1], "--version") == 0)
        return print_version(), 0;
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return cli_help_list(VERBS), 0;
    return run_verb(session, argc - 1, argv + 1);
}

/* Output may still be in the buffer. Only after the flush is it known whether it was written. */
static int finish_output(cli_session *session, int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return (int)cli_fail(session, SFGP_ERROR_WRITE, "standard output: cannot write: %s",
                         errno ? strerror(errno) : "an earlier write failed");
}

SFGP_PLATFORM_FIRST(sfgp_terminal_hold_interrupts);

/* OpenBLAS starts its threads when it is loaded, and sfgp does not use them. Each spins for some 0.02 s, and maps a buffer of 2^27 bytes. Where
 * the system refuses it, it asks again for ever, so that nothing that waits for it ends: a fork, and the end of the program. So sfgp is loaded
 * again without them (docs/adr/0092-no-threads-of-openblas.md). */
static bool has_threads_of_openblas(void)
{
    const char *number = getenv("OPENBLAS_NUM_THREADS");
    return !number || strcmp(number, "1") != 0;
}

/* It then chooses its routines, too: on processors that it does not know those for SSE3, and with AVX-512 those that are slow for small matrices.
 * The ones for AVX2 are the fastest of them here (docs/adr/0102-routines-of-openblas.md). What the caller has chosen stays. */
static bool may_choose_routines(void)
{
    return !getenv("OPENBLAS_CORETYPE") && sfgp_platform_has_avx2();
}

static void load_openblas_again(char **argv)
{
    const sfgp_process_variable variables[] = {{"OPENBLAS_NUM_THREADS", "1"},
                                               {"OPENBLAS_CORETYPE", "Haswell"}};
    const bool chooses = may_choose_routines();
    if (has_threads_of_openblas() || chooses)
        sfgp_process_begin_again(argv, chooses ? 2 : 1, variables);
}

/* Ends the program. Without memory this is done at once: at an orderly end OpenBLAS waits for its threads, and for one that waits for
 * memory it would wait for ever. */
static int leave(int code)
{
    if (code == SFGP_ERROR_MEMORY)
        sfgp_platform_leave(code);
    return code;
}

int main(int argc, char **argv)
{
    cli_session session;
    sfgp_terminal_release_interrupts();
    load_openblas_again(argv);
    sfgp_terminal_fill_closed_streams();
    sfgp_terminal_turn_signals_into_errors(); /* exit code 7 */
    report_json_guard_memory();
    if (cli_session_open(&session) != SFGP_OK)
        return fputs("sfgp: error: out of memory\n", stderr), SFGP_ERROR_MEMORY;
    session.verbs = VERBS;
    int code = finish_output(&session, run(&session, argc, argv));
    cli_session_close(&session);
    return leave(code);
}
