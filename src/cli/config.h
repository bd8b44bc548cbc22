/* Settings from a file: --config FILE. */
#ifndef SFGP_CLI_CONFIG_H
#define SFGP_CLI_CONFIG_H

#include "cli/options.h"

/* Reads {"omega": 0.2, "kernel": "se:length=2,variance=1"}, or a report of sfgp register or batch, whose member "settings" is
 * what was given then. is_given: settings of the command line, which the file does not change. SFGP_ERROR_READ, _FORMAT,
 * _PARAMETER. */
sfgp_status cli_config_read(cli_session *session, const char *path,
                            bool (*is_given)(void *user, const char *name), void *user,
                            sfgp_settings *settings);

#endif
