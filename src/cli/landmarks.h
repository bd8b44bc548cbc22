/* The landmark files of two shapes: option --landmarks; and files that are landmarks or a shape. */
#ifndef SFGP_CLI_LANDMARKS_H
#define SFGP_CLI_LANDMARKS_H

#include "cli/options.h"

/* Reads the two files and pairs their landmarks; the second ones are multiplied by --target-scale. Prints errors. Free with sfgp_landmark_pairs_free. */
sfgp_status cli_landmarks_read(cli_session *session, const cli_list *files, sfgp_landmark_pairs **pairs);
/* Whether a file that may be a shape holds landmarks. A CSV with a column of names may be a table of points all the same: it has
 * landmarks if it can be read so, and none with --columns. */
bool cli_landmarks_is_file(cli_session *session, const char *path);

#endif
