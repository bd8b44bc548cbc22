/* A registration: the state of sfgp register. */
#ifndef SFGP_CLI_REGISTRATION_H
#define SFGP_CLI_REGISTRATION_H

#include "cli/prior.h"

/* The command line, and what its steps share. */
typedef struct cli_registration {
    cli_session *session;
    sfgp_settings settings;
    cli_list files; /* REFERENCE or MODEL.h5, TARGET */
    cli_prior prior;
    const char *fitted; /* output: mesh */
    const char *table;  /* output: CSV; NULL: none */
    const char *report; /* output: JSON; NULL: none */
    const char *html;   /* output: page; NULL: none */
    const char *unit;   /* of the files, for the page; NULL: not given */
    const char *save;   /* output: saved fit; NULL: none */
    cli_list landmarks; /* landmark files of REFERENCE and TARGET, or none */
    double landmark_sd;
    bool profile; /* print the times of all stages */
    bool dry_run; /* print what is read and predicted, and stop */
    sfgp_mesh *target;
    sfgp_result *result;
    sfgp_landmark_pairs *pairs;
    sfgp_deformation *deformation; /* NULL without save */
    sfgp_run_size size;            /* with memory */
    sfgp_memory memory;            /* predicted; zero when the prediction was not needed */
} cli_registration;

/* Before anything is built: predicts the memory of the run when an option requires it, and compares it with the limit.
 * Errors: SFGP_ERROR_MEMORY, and those of the prediction. */
sfgp_status cli_registration_predict(cli_registration *job);
/* Writes FITTED, the table, the saved fit, the page, then the report. Warns when the fit is flagged. */
sfgp_status cli_registration_write(cli_registration *job);
/* Prints how the fit has ended, and with job->profile the times of all stages. After the results are written. */
void cli_registration_summarise(const cli_registration *job);
/* Prints what is read, the rank, the memory, and what is written. After the prediction. */
void cli_registration_tell(const cli_registration *job);
double cli_peak_mib(void); /* largest memory of the process so far */

#endif
