/* Folders, by POSIX. */
#define _GNU_SOURCE
#include "base/platform_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder without read permission cannot be synced, nor can one on some file systems: that is no error. */
static void sync_folder(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        fsync(folder);
        close(folder);
    }
}

bool sfgp_folder_make(const char *path)
{
    if (mkdir(path, 0777) != 0)
        return false;
    const char *slash = strrchr(path, '/');
    char *parent = slash && slash > path ? strndup(path, (size_t)(slash - path)) : NULL;
    sync_folder(parent ? parent : path[0] == '/' ? "/" : ".");
    free(parent);
    return true;
}

bool sfgp_folder_remove(const char *path)
{
    return rmdir(path) == 0;
}

struct sfgp_folder {
    DIR *open;
};

sfgp_folder *sfgp_folder_open(const char *path)
{
    sfgp_folder *folder = malloc(sizeof *folder);
    if (folder && !(folder->open = opendir(path))) {
        free(folder);
        return NULL;
    }
    return folder;
}

const char *sfgp_folder_next(sfgp_folder *folder)
{
    const struct dirent *entry;
    do
        entry = readdir(folder->open);
    while (entry && (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0));
    return entry ? entry->d_name : NULL;
}

void sfgp_folder_close(sfgp_folder *folder)
{
    if (folder)
        closedir(folder->open);
    free(folder);
}
