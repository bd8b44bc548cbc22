/* What the files of readers share: the function of each row of the table (readers.c). All of them read the file and free what
 * they have read. */
#ifndef SFGP_TESTS_FUZZ_PARTS_H
#define SFGP_TESTS_FUZZ_PARTS_H

#include <stdbool.h>

#include "sfgp/sfgp.h"

enum { FUZZ_MOST_MEMORY = 1 << 26 }; /* bytes */

/* Ends the process by abort() when a promise does not hold. */
void fuzz_require(bool holds, const char *promise);

/* readers_library.c */
sfgp_status fuzz_read_mesh(sfgp_context *context, const char *path);
sfgp_status fuzz_read_columns(sfgp_context *context, const char *path);
sfgp_status fuzz_read_mask(sfgp_context *context, const char *path);
sfgp_status fuzz_read_landmarks(sfgp_context *context, const char *path);
sfgp_status fuzz_read_model(sfgp_context *context, const char *path);
sfgp_status fuzz_read_deformation(sfgp_context *context, const char *path);
sfgp_status fuzz_read_array(sfgp_context *context, const char *path);

/* readers_hdf5.c */
sfgp_status fuzz_read_table(sfgp_context *context, const char *path);
sfgp_status fuzz_read_model_table(sfgp_context *context, const char *path);
sfgp_status fuzz_read_fit_table(sfgp_context *context, const char *path);
sfgp_status fuzz_read_recipe(sfgp_context *context, const char *path);

/* readers_settings.c */
sfgp_status fuzz_read_settings(sfgp_context *context, const char *path);
sfgp_status fuzz_read_config(sfgp_context *context, const char *path);
sfgp_status fuzz_read_bcpd(sfgp_context *context, const char *path);

/* readers_program.c */
sfgp_status fuzz_read_manifest(sfgp_context *context, const char *path);
sfgp_status fuzz_read_record(sfgp_context *context, const char *path);
sfgp_status fuzz_read_row(sfgp_context *context, const char *path);
sfgp_status fuzz_read_study(sfgp_context *context, const char *path);
sfgp_status fuzz_read_journal(sfgp_context *context, const char *path);

#endif
