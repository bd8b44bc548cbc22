/* The name of a setting as a flag. */
#include "cli/flag.h"

#include <string.h>

const char *cli_flag_name(const sfgp_setting *row, char name[CLI_FLAG_SIZE])
{
    size_t k = 0;
    for (; k + 1 < CLI_FLAG_SIZE && row->name[k]; k++)
        name[k] = row->name[k];
    name[k] = '\0';
    for (char *c = name; (c = strchr(c, '_'));)
        *c = '-';
    return name;
}

bool cli_flag_is_switch(const sfgp_setting *row)
{
    return row->kind == SFGP_SETTING_COUNT && row->least == 0 && row->most == 1 &&
           strcmp(row->standard, "0") == 0;
}
