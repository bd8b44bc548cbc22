/* Requests to the process that runs HDF5 and its answers: structs over a socket. Both ends are the same
 * program, so the structs are sent as they lie in memory. What follows a struct is as long as its size
 * says. */
#ifndef SFGP_IO_HDF5_WIRE_H
#define SFGP_IO_HDF5_WIRE_H

#include "io/hdf5.h"

enum { SFGP_HDF5_RANK = 4, SFGP_HDF5_NAME = 512, SFGP_HDF5_WORDS = 1024 };

typedef enum sfgp_hdf5_verb {
    SFGP_HDF5_END, /* no answer: the process ends */
    SFGP_HDF5_HAS,
    SFGP_HDF5_READ,        /* one answer with the shape, then one with every part of the numbers */
    SFGP_HDF5_READ_TEXT,   /* size: most bytes, the zero included; the text follows the answer */
    SFGP_HDF5_FIND_MEMBER, /* size: index; the name follows the answer, none past the end */
    SFGP_HDF5_FINISH,      /* two answers, with the table behind the first, the file behind the second */
    SFGP_HDF5_WRITE, /* numbers follow; no answer to writes: the answers above are an error after one that failed */
    SFGP_HDF5_WRITE_INTEGERS,
    SFGP_HDF5_WRITE_TEXT,
    SFGP_HDF5_WRITE_GROUP
} sfgp_hdf5_verb;

typedef struct sfgp_hdf5_request {
    sfgp_hdf5_verb verb;
    sfgp_hdf5_type type; /* of what is written, in the file */
    int rank;
    int64_t shape[SFGP_HDF5_RANK];
    int64_t size; /* bytes that follow, or as the verb says */
    char name[SFGP_HDF5_NAME];
} sfgp_hdf5_request;

/* All of its bytes are sent: it has no padding, which nobody would write. */
typedef struct sfgp_hdf5_answer {
    sfgp_status status;
    int rank;
    int64_t shape[SFGP_HDF5_RANK];
    int64_t size;    /* bytes that follow: of an error its words; HAS: 1 or 0 and nothing follows */
    int64_t starved; /* of an error: 1, the process has seen an allocation fail */
} sfgp_hdf5_answer;

#endif
