/* Table of points: finds the first of equal ones. A hash table with open addressing and linear probing, which holds indices into rows
 * of coordinates of the caller. Expected cost O(1) a point, memory 16 to 32 bytes a point. */
#ifndef SFGP_GEOM_POINT_TABLE_H
#define SFGP_GEOM_POINT_TABLE_H

#include "base/context.h"

typedef struct sfgp_point_table {
    int dimension;
    int64_t count;    /* points that are remembered */
    uint64_t *slots;  /* 1 + index of a point, and above it bits of its hash; 0 = free */
    int64_t capacity; /* a power of two, at most half in use */
} sfgp_point_table;

/* *index: that of the remembered point with these coordinates (-0 equals 0), or `next` when there is none. Then the point is remembered,
 * and has to stand in row `next` of rows before the next call. rows may move between calls. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_point_table_find(sfgp_context *context, const double *rows, const double *point,
                                  int64_t next, sfgp_point_table *table, int64_t *index);
/* Room for count points, so that the table is not made again for more of them. */
sfgp_status sfgp_point_table_reserve(sfgp_context *context, int64_t count, const double *rows,
                                     sfgp_point_table *table);
/* Says that this point is looked for soon, so that its slot is in the cache by then. After _reserve. */
void sfgp_point_table_expect(const sfgp_point_table *table, const double *point);
void sfgp_point_table_clear(sfgp_point_table *table);

#endif
