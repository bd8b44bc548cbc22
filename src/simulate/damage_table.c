/* The table of damages of sfgp.h: defaults, values by name, ranges, and lengths in the frame. */
#include "base/memory.h"
#include "base/settings.h"
#include "simulate/damage.h"

#include <stdbool.h>
#include <string.h>

#define AUTO_LENGTH 1.28 /* RMS radii: the Fish benchmark has 0.3 at a radius of 0.235 */

enum { FIXED = 0, AUTO = SFGP_SETTING_AUTO };

#define ROW_REAL(name, standard, least, most, automatic, unit, help)                                         \
    {#name, SFGP_SETTING_REAL, offsetof(sfgp_damage, name), #standard, least, most, automatic, unit, "",     \
     help},
#define ROW_COUNT(name, standard, least, most, automatic, unit, help)                                        \
    {#name, SFGP_SETTING_COUNT, offsetof(sfgp_damage, name), #standard, least, most, automatic, unit, "",    \
     help},

static const sfgp_setting ROWS[] = {SFGP_DAMAGE(ROW_REAL, ROW_COUNT)};
enum { ROW_COUNT_ALL = sizeof ROWS / sizeof *ROWS };

#define DEFAULT(name, standard, least, most, automatic, unit, help) damage->name = standard;

static void fill_in(sfgp_damage *damage)
{
    *damage = (sfgp_damage){0};
    SFGP_DAMAGE(DEFAULT, DEFAULT)
}

void sfgp_damage_default_sized(sfgp_damage *damage, size_t size)
{
    sfgp_damage whole;
    fill_in(&whole);
    sfgp_struct_copy(&whole, sizeof whole, size, damage);
}

sfgp_status sfgp_damage_complete(sfgp_context *context, const sfgp_damage *given, size_t size,
                                 sfgp_damage *whole)
{
    fill_in(whole);
    return sfgp_struct_take(context, "damage", given, size, whole, sizeof *whole);
}

const sfgp_setting *sfgp_damage_row(int index)
{
    return index >= 0 && index < ROW_COUNT_ALL ? &ROWS[index] : NULL;
}

static sfgp_status check_value(sfgp_context *context, const sfgp_setting *row, double value)
{
    bool whole = row->kind == SFGP_SETTING_COUNT;
    if ((row->automatic && value == 0) || sfgp_row_allows(row, value))
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: %.15g is not a%s between %.15g and %.15g%s",
                     row->name, value, whole ? " whole number" : " number", row->least, row->most,
                     row->automatic ? ", or 0 for auto" : "");
}

sfgp_status sfgp_damage_set_sized(sfgp_context *context, sfgp_damage *damage, size_t size, const char *name,
                                  double value)
{
    if (!context || !damage || !name)
        return SFGP_ERROR_PARAMETER;
    for (const sfgp_setting *row = ROWS; row < ROWS + ROW_COUNT_ALL; row++) {
        if (strcmp(row->name, name) != 0)
            continue;
        if (row->offset >= size)
            return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                             "%s: the program was compiled without this damage", name);
        sfgp_status status = check_value(context, row, value);
        if (status == SFGP_OK)
            sfgp_row_store(damage, row, value);
        return status;
    }
    return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%.60s: no such damage; see: sfgp help simulate", name);
}

sfgp_status sfgp_damage_check(sfgp_context *context, const sfgp_damage *damage)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < ROW_COUNT_ALL && status == SFGP_OK; k++)
        status = check_value(context, &ROWS[k], sfgp_row_load(damage, &ROWS[k]));
    return status;
}

sfgp_damage sfgp_damage_in_frame(const sfgp_damage *damage, double scale)
{
    sfgp_damage framed = *damage;
    for (const sfgp_setting *row = ROWS; damage->file_unit && row < ROWS + ROW_COUNT_ALL; row++)
        if (strcmp(row->unit, "length") == 0)
            sfgp_row_store(&framed, row, sfgp_row_load(damage, row) / scale);
    if (framed.deformation_length == 0)
        framed.deformation_length = AUTO_LENGTH;
    return framed;
}
