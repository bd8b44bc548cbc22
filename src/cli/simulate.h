/* The shapes of sfgp simulate: one row a shape, with the damage that it takes when nothing is asked for. */
#ifndef SFGP_CLI_SIMULATE_H
#define SFGP_CLI_SIMULATE_H

#include "cli/session.h"

/* What the command line asks for. */
typedef struct cli_simulation_request {
    const char *file; /* NULL unless the shape is read from one */
    sfgp_read_options read;
    int64_t seed, resolution;
} cli_simulation_request;

typedef struct cli_simulated_shape {
    const char *name, *words; /* words: how it is called on the command line */
    bool file;                /* a file follows the name */
    bool resolution;          /* --resolution means something */
    int64_t seed;             /* of the standard damage */
    sfgp_damage damage;
    /* Reference and truth, in correspondence; what was made before a failure is the caller's too. */
    sfgp_status (*make)(sfgp_context *context, const cli_simulation_request *request, sfgp_mesh **reference,
                        sfgp_mesh **truth);
} cli_simulated_shape;

/* NULL past the end, and NULL for a name that there is not. */
const cli_simulated_shape *cli_simulate_row(int index);
const cli_simulated_shape *cli_simulate_find(const char *name);

#endif
