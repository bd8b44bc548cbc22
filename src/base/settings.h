/* Settings: the table of sfgp.h turned into defaults, text in and out, and range checks. */
#ifndef SFGP_BASE_SETTINGS_H
#define SFGP_BASE_SETTINGS_H

#include "base/context.h"

#define SFGP_SETTING_AUTO 1

/* Checks every number against its range; the texts are checked by sfgp_settings_check (fit/check.c). */
sfgp_status sfgp_settings_check_numbers(sfgp_context *context, const sfgp_settings *settings);

/* The error for a name that is no row of its table; choices lists the rows. */
sfgp_status sfgp_settings_unknown(sfgp_context *context, const char *setting, const char *value,
                                  const char *choices);

#endif
