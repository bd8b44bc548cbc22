/* Landmarks of two shapes, as --landmarks names their files. */
#ifndef SFGP_CLI_LANDMARKS_H
#define SFGP_CLI_LANDMARKS_H

#include "cli/options.h"

/* Reads the two files and pairs what is in them; says errors. Free with sfgp_landmark_pairs_free. */
sfgp_status cli_landmarks_read(cli_session *session, const cli_list *files, sfgp_landmark_pairs **pairs);

#endif
