/* The handle of an HDF5 file on this side of the socket, for the files that ask (hdf5_read.c,
 * hdf5_write.c). Made and freed in hdf5_handle.c; the functions below are in hdf5_request.c but those that name another
 * file, the sums in hdf5_write.c. */
#ifndef SFGP_IO_HDF5_HANDLE_H
#define SFGP_IO_HDF5_HANDLE_H

#include "base/platform_child.h"
#include "io/hdf5_rows.h"
#include "io/hdf5_serve.h"

struct sfgp_hdf5 {
    sfgp_context *context;
    const char *path;     /* NULL: a new file */
    bool verified;        /* its digest agrees */
    sfgp_hdf5_rows *rows; /* its data sets, read without the process; NULL: by the process */
    sfgp_hdf5_job job;    /* of the process */
    sfgp_child process;   /* id -1: not started yet, or at its end */
    bool broken;          /* the process answers no more */
    bool unsure;          /* the last failure may be one of the file, or a lack of memory in the process */
    bool repeated;        /* the process was started anew after such a failure */
    sfgp_status status;   /* of the failure that is kept */
    char words[SFGP_HDF5_WORDS];
    uint64_t checksum;
};

/* Bytes that the numbers of a file of this size may take. */
int64_t sfgp_hdf5_unpacked_limit(int64_t size);
/* Starts the process for file->job and receives its first answer: the file is open. SFGP_ERROR_MEMORY, and those of the file. */
sfgp_status sfgp_hdf5_begin(sfgp_hdf5 *file);

/* Keeps the error of the context: every later request fails with it. Returns status. */
sfgp_status sfgp_hdf5_keep_error(sfgp_hdf5 *file, sfgp_status status);
/* A request for name. SFGP_ERROR_FORMAT when the name is too long; the error that is kept. */
sfgp_status sfgp_hdf5_request_new(sfgp_hdf5 *file, sfgp_hdf5_verb verb, const char *name,
                                  sfgp_hdf5_request *request);
/* Sends the request and request->size bytes behind it (bytes NULL: nothing). Starts the process where there is none. */
sfgp_status sfgp_hdf5_send(sfgp_hdf5 *file, const sfgp_hdf5_request *request, const void *bytes);
/* Receives an answer, which is an error if the other side says so, and bytes behind it. */
sfgp_status sfgp_hdf5_receive(sfgp_hdf5 *file, sfgp_hdf5_answer *answer);
sfgp_status sfgp_hdf5_receive_bytes(sfgp_hdf5 *file, void *bytes, int64_t size);
/* Of an answer that no sound process gives: ends the requests. Returns the error, which is kept. */
sfgp_status sfgp_hdf5_fail_answer(sfgp_hdf5 *file);
/* After a request of reading that ended with *status: whether it is to be made again, in a new process (hdf5_repeat.c). */
bool sfgp_hdf5_repeats(sfgp_hdf5 *file, sfgp_status *status);
/* Ends the requests: an error of this side came between a request and its answer. */
void sfgp_hdf5_abandon(sfgp_hdf5 *file);

/* Add to the running checksum. */
void sfgp_hdf5_sum_numbers(sfgp_hdf5 *file, int64_t count, const double *values);
void sfgp_hdf5_sum_text(sfgp_hdf5 *file, const char *text);

#endif
