/* sfgp_model_read: which model of a file it is, and who reads it. */
#include "base/threads.h"
#include "io/file.h"
#include "model/file.h"
#include "model/statismo.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CATALOGUE "/catalog" /* Statismo's spelling: /catalog/NAME/modelPath */
enum { MOST_NAME = 200, MOST_ROOT = 256 };

/* FILE:NAME, or the whole path when there is a file of that name; name "" without one. */
static void cut_path(const char *path, char file[PATH_MAX], const char **name)
{
    struct stat status;
    const char *colon = strrchr(path, ':');
    const bool whole = !colon || strchr(colon, '/') || stat(path, &status) == 0;
    const size_t length = whole ? strlen(path) : (size_t)(colon - path);
    *name = whole ? "" : colon + 1;
    snprintf(file, PATH_MAX, "%.*s", (int)(length < PATH_MAX ? length : PATH_MAX - 1), path);
}

/* The signature is at byte 0, or behind a user block of 512, 1024, 2048, ... bytes. */
static bool has_signature(int descriptor, off_t size)
{
    static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char bytes[sizeof SIGNATURE];
    off_t place = 0, next = 512;
    while (place < size) {
        if (pread(descriptor, bytes, sizeof bytes, place) == (ssize_t)sizeof bytes &&
            memcmp(bytes, SIGNATURE, sizeof bytes) == 0)
            return true;
        place = next;
        next *= 2;
    }
    return false;
}

int sfgp_model_is_file(const char *path)
{
    char whole[PATH_MAX];
    const char *name;
    struct stat status;
    if (!path)
        return 0;
    cut_path(path, whole, &name);
    if (stat(whole, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    int descriptor = open(whole, O_RDONLY | O_CLOEXEC);
    const bool found = descriptor >= 0 && has_signature(descriptor, status.st_size);
    if (descriptor >= 0)
        close(descriptor);
    return found;
}

/* The group of the model of this name. */
static sfgp_status find_root(sfgp_hdf5 *file, const char *name, char root[MOST_ROOT])
{
    char entry[MOST_NAME + 40];
    snprintf(entry, sizeof entry, CATALOGUE "/%s/modelPath", name);
    sfgp_status status = sfgp_hdf5_read_text(file, entry, MOST_ROOT, root);
    size_t length = strlen(root);
    while (status == SFGP_OK && length > 0 && root[length - 1] == '/')
        root[--length] = '\0';
    return status;
}

/* The group of the model that is asked for, "" when it stands at the root. */
static sfgp_status choose_root(sfgp_context *context, sfgp_hdf5 *file, const char *name, char root[MOST_ROOT])
{
    char first[MOST_NAME], second[MOST_NAME];
    root[0] = '\0';
    if (name[0] && strlen(name) < MOST_NAME && sfgp_hdf5_has(file, CATALOGUE))
        return find_root(file, name, root);
    if (name[0])
        return sfgp_hdf5_fail(file, CATALOGUE, "there is no catalogue to look '%.100s' up in", name);
    if (sfgp_hdf5_has(file, "/representer") || !sfgp_hdf5_has(file, CATALOGUE))
        return SFGP_OK;
    if (!sfgp_hdf5_find_member(file, CATALOGUE, 0, sizeof first, first))
        return sfgp_hdf5_fail(file, CATALOGUE, "it is empty");
    if (sfgp_hdf5_find_member(file, CATALOGUE, 1, sizeof second, second))
        sfgp_warn(context, "the file has several models: '%s' is taken; name another as FILE:%s", first,
                  second);
    return find_root(file, first, root);
}

/* A model that we built has our group, unless somebody deleted it. */
static void warn_lost_group(sfgp_context *context, sfgp_hdf5 *file)
{
    static const char BUILDER[] = "/modelinfo/modelBuilder-0/builderName";
    char builder[MOST_NAME] = "";
    if (sfgp_hdf5_has(file, BUILDER) &&
        sfgp_hdf5_read_text(file, BUILDER, sizeof builder, builder) == SFGP_OK &&
        strncmp(builder, "sfgp ", 5) == 0)
        sfgp_warn(context, "this model of sfgp has lost its group " SFGP_MODEL_GROUP
                           ": it is read in single precision, without its kernel and its checksum");
}

static sfgp_status read_model(sfgp_context *context, sfgp_hdf5 *file, const char *name, sfgp_model **model)
{
    char root[MOST_ROOT];
    sfgp_status status = SFGP_OK;
    if (!name[0] && sfgp_hdf5_has(file, SFGP_MODEL_GROUP)) {
        status = sfgp_statismo_add_checksum(file);
        return status == SFGP_OK ? sfgp_model_read_group(context, file, model) : status;
    }
    warn_lost_group(context, file);
    status = choose_root(context, file, name, root);
    return status == SFGP_OK ? sfgp_statismo_read(context, file, root, model) : status;
}

sfgp_status sfgp_model_read(sfgp_context *context, const char *path, sfgp_model **model)
{
    sfgp_hdf5 *file = NULL;
    char whole[PATH_MAX];
    const char *name;
    if (!context || !path || !model)
        return SFGP_ERROR_PARAMETER;
    *model = NULL;
    cut_path(path, whole, &name);
    const int before = sfgp_threads_begin(1, 0);
    sfgp_status status = sfgp_hdf5_open(context, whole, &file);
    if (status == SFGP_OK)
        status = read_model(context, file, name, model);
    if (status == SFGP_OK && (status = sfgp_hdf5_status(file)) != SFGP_OK) {
        sfgp_model_free(*model);
        *model = NULL;
    }
    sfgp_hdf5_free(file);
    sfgp_threads_end(before);
    return status;
}
