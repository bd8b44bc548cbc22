/* What the process that runs libhdf5 does: it opens its file, says so, and answers requests until the end. */
#ifndef SFGP_IO_HDF5_SERVE_H
#define SFGP_IO_HDF5_SERVE_H

#include "io/hdf5.h"

/* The file of one process, as the parent knows it. */
typedef struct sfgp_hdf5_job {
    const char *path;       /* NULL: a new file in memory */
    int64_t size;           /* bytes of the file */
    int64_t unpacked_limit; /* bytes that its numbers may take, all together */
    int64_t memory_limit;   /* bytes that they may take by the caller's limit */
    int64_t taken;          /* bytes of numbers that a process before this one has sent */
    bool verified;          /* its digest agrees */
} sfgp_hdf5_job;

/* job: a sfgp_hdf5_job. Returns when the other end is gone or says so. */
void sfgp_hdf5_serve(void *job, int socket);

#endif
