/* Settings: range checks and access to single values, from the table of sfgp.h. */
#ifndef SFGP_BASE_SETTINGS_H
#define SFGP_BASE_SETTINGS_H

#include "base/context.h"

#include <stdbool.h>

#define SFGP_SETTING_AUTO 1

/* What a public function was given, as a struct of this version: with the defaults of settings that the program was
 * compiled without. SFGP_ERROR_PARAMETER for settings without a size and for those of a newer version. */
sfgp_status sfgp_settings_complete(sfgp_context *context, const sfgp_settings *given, sfgp_settings *whole);

/* Checks every number against its range. sfgp_settings_check checks the texts. */
sfgp_status sfgp_settings_check_numbers(sfgp_context *context, const sfgp_settings *settings);

/* Whether two settings have the same value in a row. */
bool sfgp_settings_same(const sfgp_setting *row, const sfgp_settings *a, const sfgp_settings *b);

/* The error for a name that is not in its table. choices lists the names of the table. */
sfgp_status sfgp_settings_unknown(sfgp_context *context, const char *setting, const char *value,
                                  const char *choices);

/* Reads or writes the number that a row describes in its record (sfgp_settings, sfgp_damage); and whether the
 * row allows a value. */
double sfgp_row_load(const void *record, const sfgp_setting *row);
void sfgp_row_store(void *record, const sfgp_setting *row, double value);
bool sfgp_row_allows(const sfgp_setting *row, double value);

#endif
