/* sfgp_model_read: which model of a file it is, and who reads it. */
#include "base/platform_file.h"
#include "base/threads.h"
#include "io/file.h"
#include "io/hdf5_json.h"
#include "model/file.h"
#include "model/statismo.h"

#include <stdio.h>
#include <string.h>

#define CATALOGUE "/catalog" /* Statismo's spelling: /catalog/NAME/modelPath */
enum { MOST_NAME = 200, MOST_ROOT = 256 };

/* FILE:NAME, or the whole path when there is a file of that name; name "" without one. */
static void cut_path(const char *path, char file[SFGP_PLATFORM_PATH], const char **name)
{
    const char *colon = strrchr(path, ':');
    const bool whole = !colon || strchr(colon, '/') || sfgp_platform_kind_at(path) != SFGP_PLATFORM_NOTHING;
    const size_t length = whole ? strlen(path) : (size_t)(colon - path);
    *name = whole ? "" : colon + 1;
    snprintf(file, SFGP_PLATFORM_PATH, "%.*s",
             (int)(length < SFGP_PLATFORM_PATH ? length : SFGP_PLATFORM_PATH - 1), path);
}

/* The signature is at byte 0, or behind a user block of 512, 1024, 2048, ... bytes. */
static bool has_signature(int file, int64_t size)
{
    static const unsigned char SIGNATURE[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char bytes[sizeof SIGNATURE];
    int64_t place = 0, next = 512;
    while (place < size) {
        if (sfgp_platform_read_at(file, place, bytes, sizeof bytes) == (int64_t)sizeof bytes &&
            memcmp(bytes, SIGNATURE, sizeof bytes) == 0)
            return true;
        place = next;
        next *= 2;
    }
    return false;
}

int sfgp_model_is_file(const char *path)
{
    char whole[SFGP_PLATFORM_PATH];
    const char *name;
    int64_t size = 0;
    sfgp_platform_kind kind;
    if (!path)
        return 0;
    cut_path(path, whole, &name);
    const int file = sfgp_platform_open(whole, &kind, &size);
    const bool found = file >= 0 && kind == SFGP_PLATFORM_FILE &&
                       (sfgp_path_ends_in(whole, SFGP_HDF5_JSON) || has_signature(file, size));
    sfgp_platform_close(file);
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
    char whole[SFGP_PLATFORM_PATH];
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
