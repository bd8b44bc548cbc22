/* Field of a rigid search: the normals n times the square root of w (rigid_search.h) at the middles of the cells of a grid near
 * the whole. Internal to the search.
 *
 * Cell c of an axis reaches from c to c + 1 cells above the middle of the whole. A row has the cells along one axis, and SFGP_RIGID_SHIFTS
 * more without field on either side, so that a row of shifts of any cell that it can reach is read from it. It is the axis with the most
 * shifts, as SFGP_RIGID_SHIFTS are read, however few are tried: thin shapes have 6 to 9 along their thinnest one (ADR 0137). */
#ifndef SFGP_GEOM_RIGID_FIELD_H
#define SFGP_GEOM_RIGID_FIELD_H

#include "geom/oriented.h"

#include <stdbool.h>

enum {
    SFGP_RIGID_HALF = 24,                     /* most cells of the grid on either side of the middle */
    SFGP_RIGID_REACH = 8,                     /* most shifts on either side of none, in cells */
    SFGP_RIGID_SHIFTS = 2 * SFGP_RIGID_REACH, /* most each way */
    SFGP_RIGID_PARTS = 3                      /* of a normal */
};

/* Whole numbers first .. end - 1. */
typedef struct sfgp_rigid_range {
    int first, end;
} sfgp_rigid_range;

typedef struct sfgp_rigid_field {
    double middle[3];          /* of the whole */
    double cell, width;        /* width: s of w */
    sfgp_rigid_range cells[3]; /* that are near the whole */
    sfgp_rigid_range shifts
        [3]; /* in cells, that bring the middle of a part into the box of the whole, or one cell beside it */
    int along, across[2]; /* axis of the rows, and the others */
    int row;              /* cells of a row */
    float *nearest2;      /* rows x row: squared distance to the nearest point of the whole */
    bool *used;           /* of each row: it has field */
    float *parts;         /* rows x SFGP_RIGID_PARTS x row: the parts of sqrt(w) n */
} sfgp_rigid_field;

/* O(whole.count (width / cell)^3). SFGP_ERROR_MEMORY. Clear also after an error. */
sfgp_status sfgp_rigid_field_new(sfgp_context *context, const sfgp_oriented *whole, double cell, double width,
                                 sfgp_rigid_field *field);
void sfgp_rigid_field_clear(sfgp_rigid_field *field);

/* Mean of the points. */
void sfgp_rigid_middle(const sfgp_oriented *points, double middle[3]);
/* What is in both. */
sfgp_rigid_range sfgp_rigid_both(sfgp_rigid_range a, sfgp_rigid_range b);

/* Number of the row of the cells i, j of the axes across. */
static inline int64_t sfgp_rigid_row(const sfgp_rigid_field *field, int i, int j)
{
    const sfgp_rigid_range first = field->cells[field->across[0]], second = field->cells[field->across[1]];
    return (int64_t)(i - first.first) * (second.end - second.first) + j - second.first;
}

#endif
