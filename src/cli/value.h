/* The text of an option as the value that it stands for. */
#ifndef SFGP_CLI_VALUE_H
#define SFGP_CLI_VALUE_H

#include "cli/options.h"

/* Any kind but CLI_PATHS. */
sfgp_status cli_value_option(cli_session *session, const cli_option *option, const char *text);
/* Kernels add up: all but the first are joined to it with +. */
sfgp_status cli_value_setting(cli_session *session, const sfgp_setting *row, bool first, const char *text,
                              sfgp_settings *settings);

#endif
