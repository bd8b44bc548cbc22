/* An alignment as JSON. */
#include "report/transform.h"
#include "report/json_text.h"

static json_t *row_of(int count, const double *values)
{
    json_t *row = json_array();
    for (int k = 0; k < count; k++)
        json_array_append_new(row, json_real(values[k]));
    return row;
}

static json_t *matrix_of(int d, const double *values)
{
    json_t *rows = json_array();
    for (int a = 0; a < d; a++)
        json_array_append_new(rows, row_of(d, values + a * d));
    return rows;
}

char *report_transform(const report_alignment *alignment)
{
    const sfgp_similarity *map = &alignment->map;
    json_t *object = json_pack("{s:s, s:f, s:o, s:o, s:I, s:f, s:f}", "kind", alignment->kind, "scale",
                               map->scale, "rotation", matrix_of(map->dimension, map->rotation), "shift",
                               row_of(map->dimension, map->shift), "pairs", (json_int_t)alignment->pairs,
                               "rms_before", alignment->before, "rms_after", alignment->after);
    char *text = report_json_dump(object, 17);
    json_decref(object);
    return text;
}
