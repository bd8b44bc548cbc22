/* sfgp bcpd: the command line of the program BCPD (Hirose, github.com/ohirose/bcpd), its meaning and its files.
 * ADR 0028 has the table of its options. */
#ifndef SFGP_CLI_BCPD_H
#define SFGP_CLI_BCPD_H

#include "cli/session.h"

/* A command line, read. */
typedef struct cli_bcpd_options {
    const char *target;  /* -x */
    const char *source;  /* -y */
    const char *prefix;  /* -o, of the outputs */
    const char *map;     /* -T */
    const char *kernel;  /* -G; NULL: Gaussian */
    char normalise;      /* -u */
    int64_t sample;      /* -D, the largest number of points; 0: all */
    bool sample_differs; /* -D: not the same number of points of both shapes, or not of both */
    bool automatic;      /* --auto */
    bool usage;          /* -v */
    bool outliers;       /* -w is above 0 */
    bool given[128];     /* letters of the command line */
    bool saved[128];     /* letters of -s; A: all */
    sfgp_settings settings;
} cli_bcpd_options;

/* Reads the command line, with the defaults of BCPD. Errors: SFGP_ERROR_PARAMETER. */
sfgp_status cli_bcpd_parse(cli_session *session, int argc, char **argv, cli_bcpd_options *options);
/* Chooses the method and completes the settings. Names what is not honoured: a warning where the answer stays, an
 * error where it would be another one. */
sfgp_status cli_bcpd_choose(cli_session *session, cli_bcpd_options *options);

/* One run, and what it owns. */
typedef struct cli_bcpd_run {
    cli_session *session;
    cli_bcpd_options options;
    sfgp_mesh *source;
    sfgp_mesh *target;
    sfgp_model *model;
    sfgp_result *result;
    double seconds[3]; /* reading, fitting, processor time of the fit */
} cli_bcpd_run;

/* Writes the files that BCPD would write. Errors: SFGP_ERROR_MEMORY, _WRITE. */
sfgp_status cli_bcpd_write(const cli_bcpd_run *run);

#endif
