/* What a batch is asked to do: the manifest or folder, and the references with what belongs to them. */
#ifndef SFGP_CLI_BATCH_SOURCE_H
#define SFGP_CLI_BATCH_SOURCE_H

#include "batch/batch.h"
#include "cli/options.h"

/* Options that may be repeated. The second and third have one file for each of the first, or none. */
typedef struct cli_batch_references {
    cli_list references;
    cli_list applied;
    cli_list landmarks;
} cli_batch_references;

/* Checks the options and sets b->references. SFGP_ERROR_PARAMETER. */
sfgp_status cli_batch_references_set(cli_session *session, const cli_batch_references *asked, batch *b);
void cli_batch_references_clear(cli_batch_references *asked);

/* Sets b->path; of a folder, which may lack the final /, also b->text: its meshes as a manifest. The other files of the
 * landmarks of the references must be set. SFGP_ERROR_READ, _DATA, _MEMORY. */
sfgp_status cli_batch_source(cli_session *session, const char *path, batch *b);

#endif
