/* Reads whole regular files without ever waiting, and makes folders. */
#include "report/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ------------------------------------------------------------------------------------------- */

static const char *find_problem(int descriptor, struct stat *state)
{
    if (descriptor < 0 || fstat(descriptor, state) != 0)
        return strerror(errno);
    if (S_ISDIR(state->st_mode))
        return "is a folder";
    return S_ISREG(state->st_mode) ? NULL : "is not a regular file (pipes and devices are not read)";
}

/* O_NONBLOCK: without it, opening a pipe that nobody writes to waits. */
static int open_regular(const char *path, struct stat *state, const char **problem)
{
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    *problem = find_problem(descriptor, state);
    if (*problem && descriptor >= 0)
        close(descriptor);
    return *problem ? -1 : descriptor;
}

/* Reads up to size bytes; fewer when the file is shortened meanwhile. -1: error in errno. */
static ssize_t read_all(int descriptor, char *text, size_t size)
{
    size_t got = 0;
    for (ssize_t part = 1; got < size && part != 0; got += part > 0 ? (size_t)part : 0) {
        part = read(descriptor, text + got, size - got);
        if (part < 0 && errno != EINTR)
            return -1;
    }
    return (ssize_t)got;
}

bool report_file_read(const char *path, int64_t most, report_file *file)
{
    struct stat state;
    *file = (report_file){0};
    const int descriptor = open_regular(path, &state, &file->problem);
    if (descriptor < 0)
        return false;
    if (state.st_size > most)
        file->problem = "is larger than such a file may be";
    else if (!(file->text = malloc((size_t)state.st_size + 1)))
        file->problem = "out of memory";
    const ssize_t got = file->text ? read_all(descriptor, file->text, (size_t)state.st_size) : -1;
    if (file->text && got < 0)
        file->problem = strerror(errno);
    close(descriptor);
    if (file->problem)
        return free(file->text), file->text = NULL, false;
    file->text[got] = '\0';
    file->size = (size_t)got;
    return true;
}

FILE *report_file_open(const char *path, const char **problem)
{
    struct stat state;
    const int descriptor = open_regular(path, &state, problem);
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (descriptor >= 0 && !stream) {
        *problem = strerror(errno);
        close(descriptor);
    }
    return stream;
}

/* ---- folders ----------------------------------------------------------------------------------------- */

/* A folder without read permission cannot be synced, nor can one on some file systems: that is no error. */
static void sync_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
}

bool report_folder_make(const char *path)
{
    if (mkdir(path, 0777) != 0)
        return false;
    const char *slash = strrchr(path, '/');
    char *parent = slash && slash > path ? strndup(path, (size_t)(slash - path)) : NULL;
    sync_folder(parent ? parent : path[0] == '/' ? "/" : ".");
    free(parent);
    return true;
}
