/* sfgp evaluate with two files of landmarks. */
#ifndef SFGP_CLI_EVALUATE_LANDMARKS_H
#define SFGP_CLI_EVALUATE_LANDMARKS_H

#include "cli/session.h"

typedef struct cli_landmark_evaluation {
    const char *fitted; /* the two files */
    const char *truth;
    const char *table; /* output: CSV; NULL: none */
    const char *unit;  /* of the files; NULL: not given */
} cli_landmark_evaluation;

/* Pairs the landmarks, writes the table, and prints their distances as JSON. Prints errors. */
sfgp_status cli_evaluate_landmarks(cli_session *session, const cli_landmark_evaluation *files);

#endif
