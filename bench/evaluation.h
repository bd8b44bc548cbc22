/* The evaluation data, in ../shared/data or $SFGP_DATA. */
#ifndef SFGP_BENCH_EVALUATION_H
#define SFGP_BENCH_EVALUATION_H

#include "sfgp/sfgp.h"

/* ears/KIND/NUMBER.ply, or ears/KIND.ply for a number below 0. What cannot be read ends the program with the
 * library's words and its status. sfgp_mesh_free. */
sfgp_mesh *bench_ear(sfgp_context *context, const char *kind, int number);

#endif
