/* Settings by their names and values, for the program, which has the public header only. */
#ifndef SFGP_REPORT_SETTINGS_H
#define SFGP_REPORT_SETTINGS_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

/* The row of a setting; - in the name stands for _, as in flags. NULL: there is no such setting. */
const sfgp_setting *report_setting_find(const char *name);
/* Whether two settings have the same value of a row. */
bool report_setting_same(const sfgp_settings *a, const sfgp_settings *b, const sfgp_setting *row);

#endif
