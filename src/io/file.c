/* Names of files, and outputs that appear whole or not at all (base/platform_replace.c). */
#include "io/file.h"
#include "base/memory.h"
#include "base/platform_file.h"
#include "base/platform_replace.h"
#include "base/platform_status.h"
#include "base/platform_write.h"
#include "io/zlib_stream.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST_SHOWN = 300 };

const char *sfgp_path_shown(const char *path)
{
    size_t length = strlen(path);
    return length > LONGEST_SHOWN ? path + length - LONGEST_SHOWN : path;
}

static sfgp_text cut_extension(sfgp_text name)
{
    int64_t dot = name.length;
    while (dot > 0 && name.start[dot - 1] != '.')
        dot--;
    return dot > 0 ? (sfgp_text){name.start + dot, name.length - dot} : (sfgp_text){"", 0};
}

static sfgp_text find_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return sfgp_text_of(slash ? slash + 1 : path);
}

bool sfgp_path_is_packed(const char *path)
{
    return sfgp_text_is_nocase(cut_extension(find_name(path)), "gz");
}

bool sfgp_path_is_stream(const char *path)
{
    return path[0] == '-' && (path[1] == '\0' || path[1] == '.') && !strchr(path, '/');
}

bool sfgp_path_is_device(const char *path)
{
    return sfgp_platform_kind_at(path) == SFGP_PLATFORM_OTHER;
}

sfgp_text sfgp_path_extension(const char *path)
{
    sfgp_text name = find_name(path);
    name.length -= sfgp_path_is_packed(path) ? 3 : 0; /* .gz */
    return cut_extension(name);
}

bool sfgp_path_ends_in(const char *path, const char *end)
{
    const size_t length = strlen(path), most = strlen(end);
    return length >= most && strcmp(path + length - most, end) == 0;
}

bool sfgp_path_has_extension(const char *path, const char *extension)
{
    return sfgp_text_is_nocase(sfgp_path_extension(path), extension);
}

static sfgp_status fail_write(sfgp_context *context, const char *path, const char *reason)
{
    return sfgp_fail(context, SFGP_ERROR_WRITE, "%s: cannot write: %s", sfgp_path_shown(path), reason);
}

/* The reason is errno. */
static sfgp_status fail_system(sfgp_context *context, const char *path)
{
    return sfgp_fail(context, sfgp_system_status(SFGP_ERROR_WRITE), "%s: cannot write: %s",
                     sfgp_path_shown(path), strerror(errno));
}

static sfgp_status write_bytes(sfgp_context *context, const char *path, const void *bytes, size_t size)
{
    if (sfgp_path_is_stream(path))
        return sfgp_platform_write_output(bytes, size) ? SFGP_OK : fail_system(context, "standard output");
    const sfgp_platform_kind kind = sfgp_platform_kind_at(path);
    if (kind == SFGP_PLATFORM_FOLDER)
        return fail_write(context, path, "is a folder");
    if (kind == SFGP_PLATFORM_NOTHING && errno != ENOENT)
        return fail_system(context, path);
    if (kind == SFGP_PLATFORM_NOTHING && sfgp_platform_is_link(path)) /* not a file that has come since */
        return fail_write(context, path, "is a symbolic link to nothing");
    const bool done = kind == SFGP_PLATFORM_OTHER ? sfgp_platform_write_into(path, bytes, size)
                                                  : sfgp_platform_replace(path, bytes, size);
    return done ? SFGP_OK : fail_system(context, path);
}

sfgp_status sfgp_file_write(sfgp_context *context, const char *path, const void *bytes, size_t size)
{
    unsigned char *packed;
    int64_t packed_size;
    if (!context || !path || (!bytes && size > 0))
        return SFGP_ERROR_PARAMETER;
    if (!sfgp_path_is_packed(path))
        return write_bytes(context, path, bytes, size);
    sfgp_status status = sfgp_pack(context, bytes, (int64_t)size, &packed, &packed_size);
    if (status == SFGP_OK)
        status = write_bytes(context, path, packed, (size_t)packed_size);
    sfgp_free(packed);
    return status;
}
