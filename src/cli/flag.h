/* Settings as flags of the command line. */
#ifndef SFGP_CLI_FLAG_H
#define SFGP_CLI_FLAG_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

#define CLI_FLAG_SIZE 64
/* Name of a setting as a flag, without --: _ becomes -. Returns name. */
const char *cli_flag_name(const sfgp_setting *row, char name[CLI_FLAG_SIZE]);
/* A count of 0 or 1 whose default is 0: --NAME alone means 1. */
bool cli_flag_is_switch(const sfgp_setting *row);

#endif
