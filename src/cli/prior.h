/* What a verb is given as its reference: a mesh, with training shapes or without, from which a model is
 * built, or a model that is built already (HDF5: sfgp model build, or another program's). */
#ifndef SFGP_CLI_PRIOR_H
#define SFGP_CLI_PRIOR_H

#include "cli/options.h"

typedef struct cli_prior {
    cli_list train; /* as given: files and folders */
    cli_list train_files;
    sfgp_mesh *reference, **training;
    sfgp_model *model; /* set by cli_prior_read for a model file, else by cli_prior_build */
} cli_prior;

/* Reads REFERENCE or MODEL.h5, and the training shapes. A model has its prior: training shapes, and settings
 * of the prior that are not the default, are SFGP_ERROR_PARAMETER then. */
sfgp_status cli_prior_read(cli_session *session, const char *path, const sfgp_settings *settings,
                           cli_prior *prior);
/* Builds the model unless it was read. */
sfgp_status cli_prior_build(cli_session *session, const sfgp_settings *settings, cli_prior *prior);
void cli_prior_clear(cli_prior *prior);

#endif
