/* A batch under mpirun: rank 0 hands out the cases one by one, and the others run them. Only this file uses MPI. A
 * build without -DSFGP_MPI=ON prints an error instead. */
#ifndef SFGP_CLI_BATCH_MPI_H
#define SFGP_CLI_BATCH_MPI_H

#include "batch/batch.h"
#include "cli/session.h"

/* Whether mpirun has started more than one process. */
bool cli_mpi_started(void);
/* Opens, plans and runs the batch, and prints errors. *speaks: this is the rank that prints the totals. */
sfgp_status cli_mpi_run(cli_session *session, batch *b, bool *speaks);

#endif
