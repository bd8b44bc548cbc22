/* sfgp help: the list of verbs, and the arguments and options of one verb. */
#include "cli/help.h"
#include "cli/settings.h"

#include <stdio.h>

void cli_help_list(const cli_verb *const *verbs)
{
    puts("sfgp: fit a reference shape to a damaged scan, point by point, with an honest uncertainty.\n"
         "\nusage: sfgp VERB [arguments]\n");
    for (; *verbs; verbs++)
        printf("  %-9s %s\n", (*verbs)->name, (*verbs)->summary);
    puts(
        "\n  sfgp help VERB, sfgp VERB --help: arguments and options of a verb\n"
        "  sfgp --version\n"
        "\nexit codes: 0 ok, 1 ran but flagged (not converged, no overlap; the result is written), 2 usage,\n"
        "3 cannot read, 4 malformed file, 5 invalid data, 6 out of memory, 7 cannot write, 8 numerical");
}

void cli_help_print(const cli_verb *verb)
{
    printf("usage: %s", verb->usage);
    if (!verb->settings)
        return;
    puts("\nsettings (lengths in RMS radii of the reference, so that they do not depend on the unit):");
    cli_settings_plain();
}

static int run(cli_session *session, int argc, char **argv)
{
    const cli_verb *verb = argc > 1 ? cli_verb_find(session->verbs, argv[1]) : NULL;
    if (argc > 2)
        return (int)cli_fail(session, SFGP_ERROR_PARAMETER, "one verb at most, not also '%.60s'", argv[2]);
    if (argc > 1 && !verb)
        return (int)cli_fail(session, SFGP_ERROR_PARAMETER, "there is no verb '%.60s'", argv[1]);
    if (verb)
        cli_help_print(verb);
    else
        cli_help_list(session->verbs);
    return 0;
}

const cli_verb CLI_HELP = {"help", "what the verbs are, or how one is used", "sfgp help [VERB]\n", false,
                           run};
