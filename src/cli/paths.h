/* Paths: folders of training shapes, and outputs that have to have a place before a long fit begins. */
#ifndef SFGP_CLI_PATHS_H
#define SFGP_CLI_PATHS_H

#include "cli/options.h"

/* The files that given names: a folder stands for the mesh files in it, sorted by name. All items of files
 * are the caller's: cli_paths_clear. Errors: SFGP_ERROR_READ (a folder that cannot be read or has none). */
sfgp_status cli_paths_expand(cli_session *session, const cli_list *given, cli_list *files);
void cli_paths_clear(cli_list *files);

/* Whether a file can be put there, as far as that is known without doing it; NULL is taken.
 * Errors: SFGP_ERROR_WRITE. */
sfgp_status cli_paths_check_output(cli_session *session, const char *path);
/* The same for a mesh, whose extension has to be that of a format. Errors: also SFGP_ERROR_PARAMETER. */
sfgp_status cli_paths_check_mesh(cli_session *session, const char *path);
/* Refuses two outputs that are one file, however it is spelled, and no device. Errors: SFGP_ERROR_PARAMETER. */
sfgp_status cli_paths_check_distinct(cli_session *session, const char *a, const char *b);

/* folder/name, free(); NULL when out of memory. */
char *cli_paths_join(const char *folder, const char *name);

#endif
