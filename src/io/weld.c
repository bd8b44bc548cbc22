/* Joins equal points of triangle soups (STL). */
#include "io/weld.h"

sfgp_status sfgp_weld_point(sfgp_weld *weld, const double point[3], int64_t *index)
{
    sfgp_builder *builder = weld->builder;
    const int64_t next = builder->count;
    const double *rows = (const double *)(const void *)builder->points.bytes;
    const sfgp_status status =
        sfgp_point_table_find(builder->points.context, rows, point, next, &weld->table, index);
    if (status != SFGP_OK)
        return status;
    if (*index == next)
        sfgp_builder_point(builder, point);
    return sfgp_builder_status(builder);
}

void sfgp_weld_clear(sfgp_weld *weld)
{
    sfgp_point_table_clear(&weld->table);
}
