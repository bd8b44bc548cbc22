/* Reads whole regular files without ever waiting. */
#include "report/file.h"
#include "base/platform_file.h"
#include "base/platform_status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A descriptor, or -1 with *problem. */
static int open_regular(const char *path, int64_t *size, const char **problem)
{
    sfgp_platform_kind kind;
    const int file = sfgp_platform_open(path, &kind, size);
    *problem = file < 0                       ? strerror(errno)
               : kind == SFGP_PLATFORM_FOLDER ? "is a folder"
               : kind != SFGP_PLATFORM_FILE   ? "is not a regular file (pipes and devices are not read)"
                                              : NULL;
    if (*problem)
        sfgp_platform_close(file);
    return *problem ? -1 : file;
}

bool report_file_read(const char *path, int64_t most, report_file *file)
{
    int64_t size = 0;
    *file = (report_file){0};
    errno = 0;
    const int open = open_regular(path, &size, &file->problem);
    file->status = open < 0 ? sfgp_system_status(SFGP_ERROR_READ) : SFGP_ERROR_READ;
    if (open < 0)
        return false;
    if (size > most)
        file->problem = "is larger than such a file may be";
    else if (!(file->text = malloc((size_t)size + 1)))
        file->problem = "out of memory", file->status = SFGP_ERROR_MEMORY;
    const int64_t got = file->text ? sfgp_platform_read_at(open, 0, file->text, size) : -1;
    if (file->text && got < 0)
        file->problem = strerror(errno), file->status = sfgp_system_status(SFGP_ERROR_READ);
    sfgp_platform_close(open);
    if (file->problem)
        return free(file->text), file->text = NULL, false;
    file->status = SFGP_OK;
    file->text[got] = '\0';
    file->size = (size_t)got;
    return true;
}

const char *report_file_content(const report_file *file)
{
    return file->text + (strncmp(file->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0);
}

FILE *report_file_open(const char *path, const char **problem)
{
    int64_t size;
    const int file = open_regular(path, &size, problem);
    FILE *stream = file >= 0 ? sfgp_platform_stream(file) : NULL;
    if (file >= 0 && !stream) {
        *problem = strerror(errno);
        sfgp_platform_close(file);
    }
    return stream;
}
