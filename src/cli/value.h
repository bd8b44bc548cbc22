/* Converts the text of an option to its value. */
#ifndef SFGP_CLI_VALUE_H
#define SFGP_CLI_VALUE_H

#include "cli/options.h"

/* For all kinds except CLI_PATHS. */
sfgp_status cli_value_option(cli_session *session, const cli_option *option, const char *text);
/* Sets a setting. A repeated --kernel is a sum: with first false, + and the text are appended to the value. */
sfgp_status cli_value_setting(cli_session *session, const sfgp_setting *row, bool first, const char *text,
                              sfgp_settings *settings);

#endif
