/* The cells of a manifest: texts, settings and errors of a case. */
#include "batch/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

sfgp_status batch_fail_cell(batch *b, int64_t number, const char *column, const char *message)
{
    return batch_fail(b, SFGP_ERROR_FORMAT, "%s: line %lld, column '%s': %s", b->path,
                      (long long)b->manifest.lines[number], column, message);
}

const char *batch_cell(const batch_manifest *m, int64_t number, batch_role role)
{
    if (role == BATCH_ID && m->ids)
        return m->ids[number];
    for (int k = 0; k < m->column_count; k++)
        if (m->columns[k].role == role)
            return m->cells[number * m->column_count + k];
    return "";
}

double batch_target_scale(const batch *b, int64_t number)
{
    const char *cell = batch_cell(&b->manifest, number, BATCH_TARGET_SCALE);
    return cell[0] ? strtod(cell, NULL) : b->target_scale;
}

/* As the option. The decimal sign is always a point, because the program never calls setlocale. */
sfgp_status batch_target_scale_check(batch *b, int64_t number)
{
    const char *cell = batch_cell(&b->manifest, number, BATCH_TARGET_SCALE);
    char *end;
    const double scale = strtod(cell, &end);
    if (!cell[0] || (!*end && !strpbrk(cell, "xX") && scale > 0 && isfinite(scale)))
        return SFGP_OK;
    return batch_fail_cell(
        b, number, "target_scale",
        "is no factor; give a number above 0, as 1000 for a scan in metres and a reference "
        "in millimetres");
}

sfgp_status batch_settings(batch *b, int64_t number, sfgp_settings *settings)
{
    const batch_manifest *m = &b->manifest;
    *settings = b->settings;
    for (int k = 0; k < m->column_count; k++) {
        const char *cell = m->cells[number * m->column_count + k];
        if (m->columns[k].role == BATCH_SETTING && cell[0] &&
            sfgp_settings_set(b->context, settings, m->columns[k].name, cell) != SFGP_OK)
            return batch_fail_cell(b, number, m->columns[k].name, sfgp_context_error(b->context));
    }
    if (sfgp_settings_check(b->context, settings) != SFGP_OK)
        return batch_fail(b, SFGP_ERROR_FORMAT, "%s: line %lld: %s", b->path, (long long)m->lines[number],
                          sfgp_context_error(b->context));
    return SFGP_OK;
}
