/* Files: what stands at a path, and reading. After a failure errno says why. */
#ifndef SFGP_BASE_PLATFORM_FILE_H
#define SFGP_BASE_PLATFORM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SFGP_PLATFORM_PATH = 4096 }; /* room for a path, with its final 0 */

/* ---- paths ------------------------------------------------------------------------------------------- */

typedef enum sfgp_platform_kind {
    SFGP_PLATFORM_NOTHING, /* errno: why */
    SFGP_PLATFORM_FILE,
    SFGP_PLATFORM_FOLDER,
    SFGP_PLATFORM_OTHER /* pipe, device, socket */
} sfgp_platform_kind;

/* What stands at a path; of a link, what it leads to. */
sfgp_platform_kind sfgp_platform_kind_at(const char *path);
bool sfgp_platform_is_link(const char *path);
bool sfgp_platform_exists(const char *path);
/* Whether both paths lead to one file, or folder, that is there: also by links and other spellings. */
bool sfgp_platform_same_file(const char *a, const char *b);
bool sfgp_platform_may_read(const char *path);
bool sfgp_platform_may_write(const char *path); /* also for root: not a file that its owner may not write */
bool sfgp_platform_may_make_in(const char *folder); /* files */
bool sfgp_platform_may_run(const char *path);
bool sfgp_platform_remove(const char *path); /* a file */
/* The path without links, dots and double slashes. The caller frees it. NULL: nothing stands there, or no memory. */
char *sfgp_platform_resolve(const char *path);

/* Size of a file and when it was last written. */
typedef struct sfgp_platform_stamp {
    int64_t size;
    int64_t seconds; /* since 1970 */
    long nanoseconds;
} sfgp_platform_stamp;
bool sfgp_platform_stamp_of(const char *path, sfgp_platform_stamp *stamp);

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Opens for reading, and never waits, for the writer of a pipe for example. Returns a descriptor, or -1. */
int sfgp_platform_open(const char *path, sfgp_platform_kind *kind, int64_t *size);
int64_t sfgp_platform_size_of(int file); /* -1: an error */
/* Reads up to length bytes, fewer at the end of the file only. Returns how many, -1: an error. */
int64_t sfgp_platform_read_at(int file, int64_t offset, void *bytes, int64_t length);
/* The next bytes of standard input, 0 at its end, -1: an error. */
int64_t sfgp_platform_read_input(void *bytes, size_t length);
/* The file as a stream for reading, which closes it. NULL: an error, and it is open as before. */
FILE *sfgp_platform_stream(int file);
void sfgp_platform_close(int file); /* -1 is allowed */
/* Whether another program has locked the file for writing by flock, as libhdf5 does. */
bool sfgp_platform_is_locked(const char *path);

#endif
