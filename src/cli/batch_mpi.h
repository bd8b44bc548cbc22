/* A batch under mpirun: rank 0 hands out the cases one by one, the others run them. The only place that knows
 * MPI; without -DSFGP_MPI=ON it says so. */
#ifndef SFGP_CLI_BATCH_MPI_H
#define SFGP_CLI_BATCH_MPI_H

#include "batch/batch.h"
#include "cli/session.h"

/* Whether mpirun started this process among others. */
bool cli_mpi_started(void);
/* Opens, plans and runs; says errors. *speaks: this rank has the totals and is to say how it ended. */
sfgp_status cli_mpi_run(cli_session *session, batch *b, bool *speaks);

#endif
