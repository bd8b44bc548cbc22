/* Reads meshes with the options of the command line. */
#ifndef SFGP_CLI_MESH_H
#define SFGP_CLI_MESH_H

#include "cli/options.h"

/* A row for the option --columns. */
#define CLI_COLUMNS(session)                                                                                 \
    {                                                                                                        \
        "columns", 0, CLI_TEXT, &(session)->read.columns                                                     \
    }

/* Its line in the usage of a verb. */
#define CLI_COLUMNS_USAGE                                                                                    \
    "  --columns X,Y,Z      text and NPY: the columns of the coordinates, by number from 1 or by name\n"

/* The same for --target-scale, of verbs that fit. */
#define CLI_TARGET_SCALE(session)                                                                            \
    {                                                                                                        \
        "target-scale", 0, CLI_REAL, &(session)->target_scale                                                \
    }
#define CLI_TARGET_SCALE_USAGE                                                                                             \
    "  --target-scale S     the target and its landmarks are multiplied by S: 1000 for a scan in metres and a reference\n" \
    "                       in millimetres; all results are in the unit of the reference\n"

/* Prints an error where --target-scale is no factor: SFGP_ERROR_PARAMETER. */
sfgp_status cli_mesh_check_target_scale(cli_session *session);
/* Prints what a mesh is. role: of the file, as "target". */
void cli_mesh_tell(cli_session *session, const char *role, const char *path, const sfgp_mesh *mesh);
/* Prints errors, and with --verbose what was read. The errors are those of sfgp_mesh_read_with. */
sfgp_status cli_mesh_read(cli_session *session, const char *path, sfgp_mesh **mesh);
/* Likewise, and keeps colours, texture, groups and materials for an output of the same format. */
sfgp_status cli_mesh_read_kept(cli_session *session, const char *path, sfgp_mesh **mesh);
/* Likewise, multiplied by --target-scale. */
sfgp_status cli_mesh_read_target(cli_session *session, const char *path, sfgp_mesh **mesh);
/* Warns when --columns was given but no text or NPY file was read. */
void cli_mesh_warn_unused(cli_session *session);

#endif
