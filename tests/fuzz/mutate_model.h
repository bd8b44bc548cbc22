/* A file of ours taken apart: mutate_model.c changes its table, mutate_model_data.c what the rows name. */
#ifndef SFGP_TESTS_FUZZ_MUTATE_MODEL_H
#define SFGP_TESTS_FUZZ_MUTATE_MODEL_H

#include "base/random.h"
#include "io/hdf5_table.h"

#include <stddef.h>

typedef struct model_parts {
    sfgp_hdf5_table table;
    unsigned char *bytes;
    size_t size, room;
    bool broken; /* the text of the table gets a wrong byte */
} model_parts;

/* A row of the table, which is not empty. */
sfgp_hdf5_row *model_row(model_parts *m, sfgp_random *random);
/* Writes the data set of a row behind the end, of the size and type that it has now, from the numbers of the old row. One that
 * is too large, or for which there is no room, stays as it is. */
void model_renew(model_parts *m, const sfgp_hdf5_row *old, sfgp_hdf5_row *row);

/* A size in all rows that have it, such as the number of points; the shape of one data set; a shape that the bytes do not have. */
void model_change_dimension(model_parts *m, sfgp_random *random);
void model_change_shape(model_parts *m, sfgp_random *random);
void model_claim_shape(model_parts *m, sfgp_random *random);
void model_change_numbers(model_parts *m, sfgp_random *random);
void model_change_text(model_parts *m, sfgp_random *random);

#endif
