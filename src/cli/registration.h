/* A registration: the state of sfgp register. */
#ifndef SFGP_CLI_REGISTRATION_H
#define SFGP_CLI_REGISTRATION_H

#include "cli/options.h"

/* What is asked for, and what one step hands to the next. */
typedef struct cli_registration {
    cli_session *session;
    sfgp_settings settings;
    cli_list files; /* REFERENCE, TARGET */
    cli_list train; /* as given: files and folders */
    cli_list train_files;
    const char *fitted, *table, *report; /* outputs; the last two may be NULL */
    bool quiet;
    sfgp_mesh *reference, *target, **training;
    sfgp_model *model;
    sfgp_result *result;
    double start, seconds_read, seconds_model, seconds_fit, seconds_write;
} cli_registration;

/* FITTED, then the table, then the report; says it when the fit is flagged. */
sfgp_status cli_registration_write(cli_registration *job);

#endif
