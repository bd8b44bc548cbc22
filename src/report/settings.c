/* Settings by their names and values. */
#include "report/settings.h"

#include <string.h>

static bool is_name(const char *name, const char *given)
{
    for (; *name && (*name == *given || (*name == '_' && *given == '-')); name++)
        given++;
    return *name == *given;
}

const sfgp_setting *report_setting_find(const char *name)
{
    const sfgp_setting *row;
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (is_name(row->name, name))
            return row;
    return NULL;
}

bool report_setting_same(const sfgp_settings *a, const sfgp_settings *b, const sfgp_setting *row)
{
    const char *x = (const char *)a + row->offset, *y = (const char *)b + row->offset;
    return row->kind == SFGP_SETTING_TEXT ? strcmp(x, y) == 0 : memcmp(x, y, 8) == 0;
}
