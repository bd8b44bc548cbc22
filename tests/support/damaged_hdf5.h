/* For the one source of a test program that has HDF5 read damaged files: what the sanitizers have to know. */
#ifndef SFGP_TESTS_DAMAGED_HDF5_H
#define SFGP_TESTS_DAMAGED_HDF5_H

/* HDF5 asks malloc for what a damaged header says, and has to be told no, as it is without a sanitizer. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

#endif
