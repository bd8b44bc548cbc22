/* A registration: the state of sfgp register. */
#ifndef SFGP_CLI_REGISTRATION_H
#define SFGP_CLI_REGISTRATION_H

#include "cli/prior.h"

/* What is asked for, and what one step hands to the next. */
typedef struct cli_registration {
    cli_session *session;
    sfgp_settings settings;
    cli_list files; /* REFERENCE or MODEL.h5, TARGET */
    cli_prior prior;
    const char *fitted, *table, *report, *save; /* outputs; all but the first may be NULL */
    cli_list landmarks;                         /* none, or the files of REFERENCE and TARGET */
    double landmark_sd;
    bool quiet;
    sfgp_mesh *target;
    sfgp_result *result;
    sfgp_landmark_pairs *pairs;
    sfgp_deformation *deformation; /* with save */
    bool profile;
    sfgp_memory memory; /* predicted, where it is asked for */
} cli_registration;

/* Before anything is built, where it is asked for: what the run will take, and whether that is allowed. Errors:
 * SFGP_ERROR_MEMORY, and those of the prediction. */
sfgp_status cli_registration_predict(cli_registration *job);
/* FITTED, the table, the saved fit, then the report; says it when the fit is flagged. */
sfgp_status cli_registration_write(cli_registration *job);
double cli_peak_mib(void); /* of the process, so far */

#endif
