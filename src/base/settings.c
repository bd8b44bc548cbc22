/* The settings: defaults, values from text and range checks, all made from the table SFGP_SETTINGS of sfgp.h.
 */
#include "base/settings.h"
#include "base/memory.h"
#include "base/number.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { FIXED = 0, AUTO = SFGP_SETTING_AUTO };

#define ROW_TEXT(name, standard, readers, help)                                                              \
    {#name, SFGP_SETTING_TEXT, offsetof(sfgp_settings, name), standard, 0, 0, FIXED, "", readers, help},
#define ROW_REAL(name, standard, least, most, automatic, unit, readers, help)                                \
    {#name,                                                                                                  \
     SFGP_SETTING_REAL,                                                                                      \
     offsetof(sfgp_settings, name),                                                                          \
     #standard,                                                                                              \
     least,                                                                                                  \
     most,                                                                                                   \
     automatic,                                                                                              \
     unit,                                                                                                   \
     readers,                                                                                                \
     help},
#define ROW_COUNT(name, standard, least, most, automatic, unit, readers, help)                               \
    {#name,                                                                                                  \
     SFGP_SETTING_COUNT,                                                                                     \
     offsetof(sfgp_settings, name),                                                                          \
     #standard,                                                                                              \
     least,                                                                                                  \
     most,                                                                                                   \
     automatic,                                                                                              \
     unit,                                                                                                   \
     readers,                                                                                                \
     help},

static const sfgp_setting ROWS[] = {SFGP_SETTINGS(ROW_TEXT, ROW_REAL, ROW_COUNT)};
enum { ROW_COUNT_ALL = sizeof ROWS / sizeof *ROWS };

#define LEAST_SIZE                                                                                           \
    (offsetof(sfgp_settings, method) + SFGP_TEXT_SIZE) /* a program knows one setting at least */

#define DEFAULT_TEXT(name, standard, readers, help) strcpy(settings->name, standard);
#define DEFAULT_NUMBER(name, standard, least, most, automatic, unit, readers, help) settings->name = standard;

static void fill_in(sfgp_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->size = sizeof *settings;
    SFGP_SETTINGS(DEFAULT_TEXT, DEFAULT_NUMBER, DEFAULT_NUMBER)
}

void sfgp_settings_default_sized(sfgp_settings *settings, size_t size)
{
    sfgp_settings whole;
    fill_in(&whole);
    sfgp_struct_copy(&whole, sizeof whole, size, settings);
    settings->size = size;
}

sfgp_status sfgp_settings_complete(sfgp_context *context, const sfgp_settings *given, sfgp_settings *whole)
{
    fill_in(whole);
    if (given->size < LEAST_SIZE)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "settings: of %zu bytes; call sfgp_settings_default",
                         given->size);
    const sfgp_status status =
        sfgp_struct_take(context, "settings", given, given->size, whole, sizeof *whole);
    whole->size = sizeof *whole;
    return status;
}

const sfgp_setting *sfgp_settings_row(int index)
{
    return index >= 0 && index < ROW_COUNT_ALL ? &ROWS[index] : NULL;
}

static const sfgp_setting *find_row(const char *name)
{
    for (int k = 0; k < ROW_COUNT_ALL; k++)
        if (strcmp(ROWS[k].name, name) == 0)
            return &ROWS[k];
    return NULL;
}

bool sfgp_settings_same(const sfgp_setting *row, const sfgp_settings *a, const sfgp_settings *b)
{
    const char *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;
    return row->kind == SFGP_SETTING_TEXT ? strcmp(x, y) == 0
                                          : sfgp_row_load(a, row) == sfgp_row_load(b, row);
}

const sfgp_setting *sfgp_settings_prior_change(const sfgp_settings *settings, const sfgp_settings *other)
{
    static const char *const NAMES[] = {"kernel", "align_training", "lowrank", "rank", "accuracy"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (!sfgp_settings_same(find_row(NAMES[k]), settings, other))
            return find_row(NAMES[k]);
    return NULL;
}

static bool is_bytes(const sfgp_setting *row)
{
    return strcmp(row->unit, "bytes") == 0;
}

static sfgp_status fail_range(sfgp_context *context, const sfgp_setting *row, const char *value)
{
    char most[SFGP_NUMBER_SIZE];
    if (is_bytes(row))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "%s: '%.60s' is not a number of bytes, such as 500M or 2G, or 'auto'", row->name,
                         value);
    sfgp_number_format(row->most, most);
    return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: '%.60s' is not a%s between %.15g and %s%s",
                     row->name, value, row->kind == SFGP_SETTING_COUNT ? " whole number" : " number",
                     row->least, most, row->automatic ? ", or 'auto'" : "");
}

bool sfgp_row_allows(const sfgp_setting *row, double value)
{
    return value >= row->least && value <= row->most &&
           (row->kind == SFGP_SETTING_REAL || value == floor(value));
}

void sfgp_row_store(void *record, const sfgp_setting *row, double value)
{
    char *field = (char *)record + row->offset;
    int64_t count = row->kind == SFGP_SETTING_COUNT ? (int64_t)value : 0;
    if (row->kind == SFGP_SETTING_COUNT)
        memcpy(field, &count, sizeof count);
    else
        memcpy(field, &value, sizeof value);
}

double sfgp_row_load(const void *record, const sfgp_setting *row)
{
    const char *field = (const char *)record + row->offset;
    int64_t count;
    double value;
    if (row->kind == SFGP_SETTING_COUNT)
        return memcpy(&count, field, sizeof count), (double)count;
    return memcpy(&value, field, sizeof value), value;
}

/* A number of bytes may have a unit: 500M, 500MB and 500MiB are 500 x 2^20. Takes it off; returns the power of two. */
static int take_unit(const char *text, size_t *length)
{
    static const char UNITS[] = "KMGT", *const ENDS[] = {"iB", "B", ""};
    for (size_t k = 0; k < sizeof ENDS / sizeof *ENDS; k++) {
        const size_t size = strlen(ENDS[k]) + 1;
        const char *unit = NULL;
        if (*length > size && strcmp(text + *length - size + 1, ENDS[k]) == 0)
            unit = strchr(UNITS, text[*length - size]);
        if (unit) {
            *length -= size;
            return 10 * (int)(unit - UNITS + 1);
        }
    }
    return 0;
}

static sfgp_number parse_number(const sfgp_setting *row, const char *text, double *number)
{
    size_t length = strlen(text);
    const int power = is_bytes(row) ? take_unit(text, &length) : 0;
    sfgp_number kind = sfgp_number_parse(text, length, number);
    if (power > 0)
        *number = ldexp(*number, power);
    return kind;
}

sfgp_status sfgp_settings_set(sfgp_context *context, sfgp_settings *settings, const char *name,
                              const char *value)
{
    const sfgp_setting *row = find_row(name);
    double number = 0;
    if (!row)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: no such setting", name);
    if (row->offset >= settings->size)
        return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: the program was compiled without this setting",
                         name);
    if (row->kind == SFGP_SETTING_TEXT) {
        if (strlen(value) >= SFGP_TEXT_SIZE)
            return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: text longer than %d", name,
                             SFGP_TEXT_SIZE - 1);
        strcpy((char *)settings + row->offset, value);
        return SFGP_OK;
    }
    if (!(row->automatic && strcmp(value, "auto") == 0) &&
        (parse_number(row, value, &number) != SFGP_NUMBER_OK || !sfgp_row_allows(row, number)))
        return fail_range(context, row, value);
    sfgp_row_store(settings, row, number);
    return SFGP_OK;
}

sfgp_status sfgp_settings_check_numbers(sfgp_context *context, const sfgp_settings *settings)
{
    char text[SFGP_NUMBER_SIZE];
    for (const sfgp_setting *row = ROWS; row < ROWS + ROW_COUNT_ALL; row++) {
        if (row->kind == SFGP_SETTING_TEXT)
            continue;
        double value = sfgp_row_load(settings, row);
        sfgp_number_format(value, text);
        if (!(row->automatic && value == 0) && !sfgp_row_allows(row, value))
            return fail_range(context, row, text);
    }
    return SFGP_OK;
}

sfgp_status sfgp_settings_unknown(sfgp_context *context, const char *setting, const char *value,
                                  const char *choices)
{
    return sfgp_fail(context, SFGP_ERROR_PARAMETER, "%s: '%.60s' is none of: %s", setting, value, choices);
}
