/* What the systems and processors differ in: every #if about one stands here. Each name is 1 or 0, but for the
 * pause of a loop. The calls themselves are in
 * platform_*.c; docs/platforms.md says what each file needs. */
#ifndef SFGP_BASE_PLATFORM_H
#define SFGP_BASE_PLATFORM_H

#include <stdint.h> /* any header of the C library: it says which one it is */

/* ---- systems for which something has to be written first ----------------------------------------------- */

#if defined(_WIN32)
#error                                                                                                       \
    "Windows lacks fork, poll, mmap, fcntl, O_TMPFILE, newlocale, getopt_long: platform_*.c needs a second body of each"
#elif defined(__APPLE__)
#error                                                                                                       \
    "macOS: st_mtim is st_mtimespec, fdatasync is fsync, MSG_NOSIGNAL is SO_NOSIGPIPE, ru_maxrss counts bytes, "          \
       "_DARWIN_C_SOURCE shows MAP_ANONYMOUS, RLIMIT_AS is not kept: change these in platform_*.c"
#endif

/* ---- systems ------------------------------------------------------------------------------------------- */

#if defined(__linux__)
#define SFGP_PLATFORM_AFFINITY 1      /* sched_getaffinity; else all processors count */
#define SFGP_PLATFORM_PARENT_SIGNAL 1 /* prctl ends children with their parent; else they go on */
#define SFGP_PLATFORM_UNNAMED_FILE 1  /* O_TMPFILE; else a file has a name of its own while it is written */
#else
#define SFGP_PLATFORM_AFFINITY 0
#define SFGP_PLATFORM_PARENT_SIGNAL 0
#define SFGP_PLATFORM_UNNAMED_FILE 0
#endif

/* ---- start of a program ---------------------------------------------------------------------------------- */

/* A function that runs before the libraries are started, of a program of glibc. Sanitizers, which clang does not name, are not ready then. */
#if defined(__GLIBC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&                           \
    !defined(__SANITIZE_THREAD__)
#define SFGP_PLATFORM_FIRST(function)                                                                        \
    __attribute__((section(".preinit_array"), used)) static void (*const sfgp_platform_first)(void) = function
#else
#define SFGP_PLATFORM_FIRST(function) struct sfgp_platform_first
#endif

/* ---- processors ---------------------------------------------------------------------------------------- */

/* A function can be compiled for several instruction sets, of which the loader chooses: x86-64, glibc and gcc 12. Sanitizers
 * are not ready when the loader chooses, and clang renames the function. A coverage build
 * counts one version of each, for a processor runs only one. */
#if defined(__x86_64__) && defined(__GLIBC__) && defined(__GNUC__) && __GNUC__ >= 12 &&                      \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) &&                \
    !defined(SFGP_COVERAGE)
#define SFGP_PLATFORM_CLONES 1
#else
#define SFGP_PLATFORM_CLONES 0
#endif

/* The compiler can ask an x86-64 what it has. */
#if defined(__x86_64__) && defined(__GNUC__)
#define SFGP_PLATFORM_X86 1
#else
#define SFGP_PLATFORM_X86 0
#endif

/* Tells the processor that a loop waits. */
#if defined(__x86_64__) || defined(__i386__)
#define SFGP_PLATFORM_PAUSE() __builtin_ia32_pause()
#elif defined(__aarch64__)
#define SFGP_PLATFORM_PAUSE() __asm__ volatile("isb")
#else
#define SFGP_PLATFORM_PAUSE() ((void)0)
#endif

#endif
