/* The settings table as text. */
#ifndef SFGP_CLI_SETTINGS_H
#define SFGP_CLI_SETTINGS_H

#include "sfgp/sfgp.h"

#define CLI_SETTINGS_UNIT "lengths in RMS radii of the reference, so that they do not depend on the unit"

/* Print the table to stdout. */
void cli_settings_plain(void);
void cli_settings_markdown(void);
void cli_settings_json(void);

enum { CLI_RANGE_SIZE = 80 };
const char *cli_settings_default(const sfgp_setting *row);
/* Returns text; "" for a setting that is a text. */
const char *cli_settings_range(const sfgp_setting *row, char text[CLI_RANGE_SIZE]);

#endif
