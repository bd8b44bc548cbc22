/* One process of libhdf5 for many files, instead of one for each: starting one costs ten times what reading a small file does. It is
 * forked when there is none, reads the files of a reader one after the other, and is started anew after it broke down and after some
 * hundred files. What a damaged file has done to libhdf5 may show with a later one, which is an answer like any other for the reader. */
#ifndef SFGP_TESTS_FUZZ_KEPT_H
#define SFGP_TESTS_FUZZ_KEPT_H

#include "base/platform_child.h"

/* As sfgp_child_start and _finish, for tasks of files that are read. task->user: a sfgp_hdf5_job. One file is open at a time. */
bool fuzz_kept_start(const sfgp_child_task *task, sfgp_child *child);
sfgp_child_end fuzz_kept_finish(sfgp_child *child, bool force);
bool fuzz_kept_has(const sfgp_child *child);

/* Closes what libhdf5 of this process has open; now and then it starts anew, for it keeps what a process would have freed at its
 * end. */
void fuzz_close_hdf5(void);

#endif
