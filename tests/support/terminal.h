/* The program on a pseudo terminal. */
#ifndef SFGP_TESTS_TERMINAL_H
#define SFGP_TESTS_TERMINAL_H

#include <stddef.h>

/* Runs the program with the words behind its name, NULL at the end, and waits for it. seen: what its terminal gets, cut to room - 1
 * characters. Returns the exit code, or 128 and the signal. Skips the test where there are no pseudo terminals. */
int test_terminal_run(const char *const *words, size_t room, char *seen);

#endif
