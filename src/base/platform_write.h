/* Writing into what is open, or cannot be replaced: streams, pipes, devices, and files that grow line by line. After a
 * failure errno says why. */
#ifndef SFGP_BASE_PLATFORM_WRITE_H
#define SFGP_BASE_PLATFORM_WRITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All bytes into an open file, however often the system takes only a part. */
bool sfgp_platform_write_all(int file, const char *bytes, size_t size);
/* Closes a file. Whether that and everything before (good) went well; errno is that of the first failure. */
bool sfgp_platform_close_after(int file, bool good);

/* Into a pipe or device. A pipe that nobody reads is an error, not a wait; one that somebody reads slowly is waited for. */
bool sfgp_platform_write_into(const char *path, const void *bytes, size_t size);
bool sfgp_platform_write_output(const void *bytes, size_t size); /* to standard output */

/* Opens for appending, made if it is not there; as a pipe, as sfgp_platform_write_into. Returns a descriptor, or -1. */
int sfgp_platform_open_append(const char *path);
/* In one call of the system, so that processes may share a file. False: not all was written. */
bool sfgp_platform_append_line(int file, const char *line, size_t size);

/* Opens a file that is read and appended to, made if it is not there. Returns a descriptor, or -1. */
int sfgp_platform_open_journal(const char *path);
/* What was written survives a power failure, where the file system supports that. */
bool sfgp_platform_append_synced(int file, const char *bytes, size_t size);
bool sfgp_platform_cut(int file, int64_t size); /* drops what is behind */

#endif
