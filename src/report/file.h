/* Files that are read whole: manifests, studies, records. Only regular ones, so that a pipe or a device
 * neither waits nor is endless, and none that is larger than it may be. */
#ifndef SFGP_REPORT_FILE_H
#define SFGP_REPORT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct report_file {
    char *text; /* zero-terminated; the caller's, free() */
    size_t size;
    const char *problem; /* why there is no text; valid until the next call */
} report_file;

/* False: file->problem says why. */
bool report_file_read(const char *path, int64_t most, report_file *file);
/* As mkdir, with errno; what is put into the new folder survives a power cut. */
bool report_folder_make(const char *path);
/* The stream of a regular file, open for reading; NULL: *problem says why. */
FILE *report_file_open(const char *path, const char **problem);

#endif
