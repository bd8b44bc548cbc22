/* Byte order of the machine that runs the tests. */
#ifndef SFGP_TESTS_ENDIAN_H
#define SFGP_TESTS_ENDIAN_H

#include <stddef.h>

/* Copies count numbers of so many bytes each, from the order of the machine to little-endian, or back. */
void sfgp_test_copy_little(void *to, const void *from, size_t count, size_t size);

#endif
