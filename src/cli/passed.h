/* The files of a folder that are passed over, since their formats are not read. */
#ifndef SFGP_CLI_PASSED_H
#define SFGP_CLI_PASSED_H

#include "cli/options.h"

/* Warns of those that may be shapes, with how many there are of each extension. Nothing is said of hidden files, names without
 * an extension, pictures, notes and what stands beside shapes usually. Errors: SFGP_ERROR_READ, _MEMORY. */
sfgp_status cli_passed_tell(cli_session *session, const char *folder);
/* Of each folder among these paths. Errors as above. */
sfgp_status cli_passed_tell_all(cli_session *session, const cli_list *given);

#endif
