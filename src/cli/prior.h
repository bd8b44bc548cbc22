/* The reference of a verb. It is a mesh, from which a model is built with or without training shapes, or a model file
 * (HDF5: of sfgp model build, or of another program). */
#ifndef SFGP_CLI_PRIOR_H
#define SFGP_CLI_PRIOR_H

#include "cli/options.h"

typedef struct cli_prior {
    cli_list train;       /* files and folders of the command line */
    cli_list train_files; /* the files */
    sfgp_mesh *reference;
    sfgp_mesh **training; /* training shapes */
    sfgp_model *model;    /* set by cli_prior_read for a model file, else by cli_prior_build */
} cli_prior;

/* Reads REFERENCE or MODEL.h5, and the training shapes. A model file has its own prior: with it, training shapes and
 * settings of the prior other than the defaults are SFGP_ERROR_PARAMETER. */
sfgp_status cli_prior_read(cli_session *session, const char *path, const sfgp_settings *settings,
                           cli_prior *prior);
/* Builds the model unless it was read. */
sfgp_status cli_prior_build(cli_session *session, const sfgp_settings *settings, cli_prior *prior);
void cli_prior_clear(cli_prior *prior);

#endif
