/* Paths: expands folders of training shapes, and checks outputs before a long fit begins. */
#ifndef SFGP_CLI_PATHS_H
#define SFGP_CLI_PATHS_H

#include "cli/options.h"

/* Lists the files that the paths in given name. A folder stands for its mesh files, sorted by name. Free with
 * cli_paths_clear. Errors: SFGP_ERROR_READ (a folder that cannot be read, or has no meshes). */
sfgp_status cli_paths_expand(cli_session *session, const cli_list *given, cli_list *files);
void cli_paths_clear(cli_list *files);
/* Whether a file of this name in a folder is one of its mesh files. */
bool cli_paths_is_mesh(const char *name);
/* Adds the files of a folder whose names are wanted, sorted by name. Errors: SFGP_ERROR_READ, _MEMORY. */
sfgp_status cli_paths_list(cli_session *session, const char *folder, bool (*wanted)(const char *name),
                           cli_list *files);

/* Checks that a file can be written there, as far as this is possible without writing. NULL is allowed.
 * Errors: SFGP_ERROR_WRITE. */
sfgp_status cli_paths_check_output(cli_session *session, const char *path);
/* The same for a mesh, whose extension must be that of a format. Errors: also SFGP_ERROR_PARAMETER. */
sfgp_status cli_paths_check_mesh(cli_session *session, const char *path);
/* The same for what is written as HDF5, under .h5 or .hdf5. Errors: also SFGP_ERROR_PARAMETER. */
sfgp_status cli_paths_check_hdf5(cli_session *session, const char *path);
/* Refuses two paths of the same file, unless it is a device. Errors: SFGP_ERROR_PARAMETER. */
sfgp_status cli_paths_check_distinct(cli_session *session, const char *a, const char *b);

/* Whether an output of this name is standard output: "-" or "-.EXTENSION". */
bool cli_paths_is_stream(const char *path);

/* Takes off the slashes at the end of a folder of the command line, so that messages have none twice. */
void cli_paths_trim(char *folder);
/* folder/name. The caller frees it. NULL: out of memory. */
char *cli_paths_join(const char *folder, const char *name);

#endif
