/* Reads whole files: manifests, studies, records. Only regular files up to a size limit are read, because a pipe or a
 * device may wait for ever or never end. */
#ifndef SFGP_REPORT_FILE_H
#define SFGP_REPORT_FILE_H

#include "sfgp/sfgp.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct report_file {
    char *text;          /* ends with a zero byte; the caller frees it */
    size_t size;         /* bytes without the zero byte */
    const char *problem; /* error text when text is NULL; valid until the next call */
    sfgp_status status;  /* SFGP_ERROR_READ or SFGP_ERROR_MEMORY when text is NULL, otherwise SFGP_OK */
} report_file;

/* most: largest size in bytes. False: the error is in file->problem and file->status. */
bool report_file_read(const char *path, int64_t most, report_file *file);
/* Its text, behind the byte order mark that programs of Windows put before UTF-8. */
const char *report_file_content(const report_file *file);
/* A regular file as a stream, for reading. NULL: the error is in *problem. */
FILE *report_file_open(const char *path, const char **problem);

#endif
