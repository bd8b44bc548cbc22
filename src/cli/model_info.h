/* What a model file holds, in words: sfgp model info. */
#ifndef SFGP_CLI_MODEL_INFO_H
#define SFGP_CLI_MODEL_INFO_H

#include "cli/session.h"

/* Prints sizes, prior, rank and principal components of a model, which was read from path, to standard output; of a saved fit also that it
 * is one. Prints errors: SFGP_ERROR_MEMORY, and those of the variances. */
sfgp_status cli_model_info(cli_session *session, const char *path, const sfgp_model *model);

#endif
