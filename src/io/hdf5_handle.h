/* The handle of an HDF5 file on this side of the socket, for the files that ask (hdf5_read.c,
 * hdf5_write.c). Made and freed in hdf5_handle.c; the functions below are in hdf5_request.c, the sums in
 * hdf5_write.c. */
#ifndef SFGP_IO_HDF5_HANDLE_H
#define SFGP_IO_HDF5_HANDLE_H

#include "base/platform_child.h"
#include "io/hdf5_wire.h"

struct sfgp_hdf5 {
    sfgp_context *context;
    const char *path; /* NULL: a new file */
    bool verified;    /* its digest agrees */
    sfgp_child process;
    bool broken;        /* the process answers no more */
    sfgp_status status; /* of the failure that is kept */
    char words[SFGP_HDF5_WORDS];
    uint64_t checksum;
};

/* Keeps the error of the context: every later request fails with it. Returns status. */
sfgp_status sfgp_hdf5_keep_error(sfgp_hdf5 *file, sfgp_status status);
/* A request for name. SFGP_ERROR_FORMAT when the name is too long; the error that is kept. */
sfgp_status sfgp_hdf5_request_new(sfgp_hdf5 *file, sfgp_hdf5_verb verb, const char *name,
                                  sfgp_hdf5_request *request);
/* Sends the request and request->size bytes behind it (bytes NULL: nothing). */
sfgp_status sfgp_hdf5_send(sfgp_hdf5 *file, const sfgp_hdf5_request *request, const void *bytes);
/* Receives an answer, which is an error if the other side says so, and bytes behind it. */
sfgp_status sfgp_hdf5_receive(sfgp_hdf5 *file, sfgp_hdf5_answer *answer);
sfgp_status sfgp_hdf5_receive_bytes(sfgp_hdf5 *file, void *bytes, int64_t size);
/* Ends the requests: an error of this side came between a request and its answer. */
void sfgp_hdf5_abandon(sfgp_hdf5 *file);

/* Add to the running checksum. */
void sfgp_hdf5_sum_numbers(sfgp_hdf5 *file, int64_t count, const double *values);
void sfgp_hdf5_sum_text(sfgp_hdf5 *file, const char *text);

#endif
