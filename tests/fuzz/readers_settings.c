/* Readers of settings: values as the program takes them, kernels, configuration files, the command line of BCPD. */
#include "cli/bcpd.h"
#include "cli/config.h"
#include "fuzz/parts.h"
#include "kernel/kernel.h"
#include "report/file.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of NAME=VALUE. Kernels are parsed, too. */
sfgp_status fuzz_read_settings(sfgp_context *context, const char *path)
{
    sfgp_settings settings;
    sfgp_kernel kernel;
    report_file file;
    sfgp_settings_default(&settings);
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    for (char *line = strtok(file.text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strchr(line, '=');
        if (value)
            *value++ = '\0';
        if (value && sfgp_settings_set(context, &settings, line, value) == SFGP_OK)
            sfgp_kernel_parse(context, settings.kernel, &kernel);
    }
    free(file.text);
    return SFGP_OK;
}

/* ---- the program, whose messages are not wanted ------------------------------------------------------------ */

static FILE *be_silent(void)
{
    static FILE *nowhere;
    FILE *before = stderr;
    if (!nowhere)
        nowhere = fopen("/dev/null", "w");
    fuzz_require(nowhere != NULL, "/dev/null can be opened");
    stderr = nowhere; /* sanitizers write to the descriptor */
    return before;
}

static bool is_omega_given(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "omega") == 0;
}

sfgp_status fuzz_read_config(sfgp_context *context, const char *path)
{
    cli_session session = {.verb = "register", .context = context};
    sfgp_settings settings;
    FILE *before = be_silent();
    sfgp_settings_default(&settings);
    const sfgp_status status = cli_config_read(&session, path, is_omega_given, NULL, &settings);
    stderr = before;
    session.context = NULL; /* the caller's */
    cli_session_close(&session);
    fuzz_require(status == SFGP_OK || status == SFGP_ERROR_FORMAT || status == SFGP_ERROR_READ ||
                     status == SFGP_ERROR_MEMORY,
                 "the code is one of readers");
    return SFGP_OK; /* the text was printed */
}

/* One argument a line. */
sfgp_status fuzz_read_bcpd(sfgp_context *context, const char *path)
{
    enum { MOST = 64 };
    char name[] = "bcpd", *arguments[MOST + 1] = {name};
    int count = 1;
    cli_session session = {.verb = "bcpd", .context = context};
    cli_bcpd_options options;
    report_file file;
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    for (char *line = file.text; line && count < MOST; count++) {
        arguments[count] = line;
        if ((line = strchr(line, '\n')))
            *line++ = '\0';
    }
    FILE *before = be_silent();
    optind = 0; /* from the start */
    sfgp_status status = cli_bcpd_parse(&session, count, arguments, &options);
    if (status == SFGP_OK)
        status = cli_bcpd_choose(&session, &options);
    stderr = before;
    session.context = NULL; /* the caller's */
    cli_session_close(&session);
    free(file.text);
    fuzz_require(status == SFGP_OK || status == SFGP_ERROR_PARAMETER || status == SFGP_ERROR_MEMORY,
                 "the code is one of command lines");
    return SFGP_OK; /* the text was printed */
}
