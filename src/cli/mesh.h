/* Meshes as the verbs read them: with the options of the command line on how. */
#ifndef SFGP_CLI_MESH_H
#define SFGP_CLI_MESH_H

#include "cli/options.h"

/* The row of a verb's options for --columns. */
#define CLI_COLUMNS(session)                                                                                 \
    {                                                                                                        \
        "columns", 0, CLI_PATH, &(session)->read.columns                                                     \
    }

/* Its line in a verb's usage. */
#define CLI_COLUMNS_USAGE                                                                                    \
    "  --columns X,Y,Z      text and NPY: the columns of the coordinates, by number from 1 or by name\n"

/* Says what is wrong. Errors: those of sfgp_mesh_read_with. */
sfgp_status cli_mesh_read(cli_session *session, const char *path, sfgp_mesh **mesh);
/* Warns when --columns was given and only files were read that name their coordinates. */
void cli_mesh_warn_unused(cli_session *session);

#endif
