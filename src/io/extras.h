/* Extras: normals and colours behind x y z, in a text that has no header to say so. 6 columns are x y z and
 * three more, 7 have an intensity before or behind these, 9 have six more. They are told by their values: three
 * numbers that are a unit vector in every row, or whole numbers of 0 to 255 in every row while the coordinates
 * are not all whole. Other tables stay refused: a wrong guess would move the points without a word. */
#ifndef SFGP_IO_EXTRAS_H
#define SFGP_IO_EXTRAS_H

#include <stdbool.h>
#include <stdint.h>

enum { SFGP_EXTRAS_MOST = 9 }; /* columns */

typedef struct sfgp_extras {
    int64_t columns;             /* 6, 7 or 9; 0: there is nothing to tell */
    bool normals[3], colours[3]; /* whether columns 4-6, 5-7, 7-9 may be such in all rows so far */
    bool whole;                  /* whether all coordinates so far are whole numbers */
} sfgp_extras;

/* columns is 0 unless a table of that many may be told. */
sfgp_extras sfgp_extras_start(int64_t columns);
/* values: of a whole row. False when no reading of the columns is left. */
bool sfgp_extras_add(sfgp_extras *extras, const double *values);
/* After the last row: whether there is a safe reading. */
bool sfgp_extras_told(const sfgp_extras *extras);

#endif
