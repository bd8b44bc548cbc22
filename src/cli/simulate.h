/* The shapes of sfgp simulate: one row for each, with its standard damage. */
#ifndef SFGP_CLI_SIMULATE_H
#define SFGP_CLI_SIMULATE_H

#include "cli/session.h"

/* The values of the command line that make a shape. */
typedef struct cli_simulation_request {
    const char *file;       /* NULL unless the shape is read from a file */
    sfgp_read_options read; /* options for reading it */
    int64_t seed;
    int64_t resolution; /* rings of an ear */
} cli_simulation_request;

typedef struct cli_simulated_shape {
    const char *name;
    const char *usage;  /* its arguments on the command line */
    bool file;          /* a file follows the name */
    bool resolution;    /* has the option --resolution */
    int64_t seed;       /* standard seed */
    sfgp_damage damage; /* standard damage */
    /* Makes reference and truth, which correspond point by point. The caller frees both, also after an error. */
    sfgp_status (*make)(sfgp_context *context, const cli_simulation_request *request, sfgp_mesh **reference,
                        sfgp_mesh **truth);
} cli_simulated_shape;

/* A row by index or by name; NULL: none. */
const cli_simulated_shape *cli_simulate_find(const char *name);

#endif
