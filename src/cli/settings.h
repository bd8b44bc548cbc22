/* The settings table as flags and as text on stdout. */
#ifndef SFGP_CLI_SETTINGS_H
#define SFGP_CLI_SETTINGS_H

#include "sfgp/sfgp.h"

/* Name of a setting as a flag, without --: _ becomes -. */
#define CLI_FLAG_SIZE 64
const char *cli_flag_name(const sfgp_setting *row, char name[CLI_FLAG_SIZE]);

void cli_settings_plain(void);
void cli_settings_markdown(void);

#endif
