/* Functions of libhdf5 that fail: the k-th call of one of them, in this process and those that it starts. */
#ifndef SFGP_TESTS_FAILING_HDF5_H
#define SFGP_TESTS_FAILING_HDF5_H

enum { FAILING_HDF5_MOST = 100 }; /* functions */
const char *failing_hdf5_name(int function);

/* From now on calls are counted, and the k-th of the function fails: k = 0, 1, ...; function -1: none. */
void failing_hdf5_start(int function, long k);
/* Until now. How often each function was called, unless NULL; 0 behind the last one. */
void failing_hdf5_stop(long calls[FAILING_HDF5_MOST]);

#endif
