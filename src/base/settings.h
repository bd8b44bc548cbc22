/* Settings: the table of sfgp.h turned into defaults, text in and out, and range checks. */
#ifndef SFGP_BASE_SETTINGS_H
#define SFGP_BASE_SETTINGS_H

#include "base/context.h"

#include <stdbool.h>

#define SFGP_SETTING_AUTO 1

/* Checks every number against its range; the texts are checked by sfgp_settings_check (fit/check.c). */
sfgp_status sfgp_settings_check_numbers(sfgp_context *context, const sfgp_settings *settings);

/* The error for a name that is no row of its table; choices lists the rows. */
sfgp_status sfgp_settings_unknown(sfgp_context *context, const char *setting, const char *value,
                                  const char *choices);

/* A number of a record (sfgp_settings, sfgp_damage) by its row, and whether the row allows a value. */
double sfgp_row_load(const void *record, const sfgp_setting *row);
void sfgp_row_store(void *record, const sfgp_setting *row, double value);
bool sfgp_row_allows(const sfgp_setting *row, double value);

#endif
