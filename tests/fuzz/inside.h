/* libhdf5 in this process instead of one of its own, which is a hundred times faster. Only for files that libhdf5 has written
 * itself: damaged ones may end it. There are no limits of memory and time then but those of libFuzzer. */
#ifndef SFGP_TESTS_FUZZ_INSIDE_H
#define SFGP_TESTS_FUZZ_INSIDE_H

#include <stdbool.h>

/* From now on sfgp_child_start (base/platform_child.h) starts no process: what the child does runs on a stack of its own whenever
 * the parent waits for it, and bytes pass in memory. The linker puts the functions of inside.c in front of those of
 * platform_child.c (tests/CMakeLists.txt). Without it, one process is kept for many files (kept.h). With SFGP_FUZZ_FORKS in the
 * environment each file has a process of its own: valgrind does not follow a change of stacks. */
void fuzz_inside(bool inside);

#endif
