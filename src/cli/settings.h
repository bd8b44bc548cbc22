/* The settings table as text on stdout. */
#ifndef SFGP_CLI_SETTINGS_H
#define SFGP_CLI_SETTINGS_H

void cli_settings_plain(void);
void cli_settings_markdown(void);

#endif
