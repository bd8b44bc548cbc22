/* The landmark files of two shapes: option --landmarks. */
#ifndef SFGP_CLI_LANDMARKS_H
#define SFGP_CLI_LANDMARKS_H

#include "cli/options.h"

/* Reads the two files and pairs their landmarks; the second ones are multiplied by --target-scale. Prints errors. Free with sfgp_landmark_pairs_free. */
sfgp_status cli_landmarks_read(cli_session *session, const cli_list *files, sfgp_landmark_pairs **pairs);

#endif
