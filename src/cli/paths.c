/* Paths of the command line: expands folders of shapes, and checks outputs before a long fit begins. */
#include "cli/paths.h"
#include "base/platform_file.h"
#include "base/platform_folder.h"
#include "base/platform_status.h"
#include "base/platform_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const EXTENSIONS[] = {"ply", "obj", "stl", "vtp", "vtk", "off", "gltf", "glb",
                                         "npy", "txt", "csv", "tsv", "xyz", "asc", "pts"};
#define EXTENSIONS_TEXT                                                                                      \
    ".ply .obj .stl .vtp .vtk .off .gltf .glb .npy .txt .csv .tsv .xyz .asc .pts, also packed as .gz"

char *cli_paths_join(const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s", folder, name);
    return path;
}

void cli_paths_trim(char *folder)
{
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        folder[--length] = '\0';
}

void cli_paths_clear(cli_list *files)
{
    for (int k = 0; k < files->count; k++)
        free(files->items[k]);
    free(files->items);
    *files = (cli_list){0};
}

/* Adds item (NULL: out of memory), which the list then owns. */
static sfgp_status append(cli_session *session, cli_list *files, char *item)
{
    char **more = item ? realloc(files->items, ((size_t)files->count + 1) * sizeof *more) : NULL;
    if (!more) {
        free(item);
        return cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    }
    files->items = more;
    more[files->count++] = item;
    return SFGP_OK;
}

/* ---- training folders -------------------------------------------------------------------------------- */

static bool is_folder(const char *path)
{
    return sfgp_platform_kind_at(path) == SFGP_PLATFORM_FOLDER;
}

/* Whether the first length bytes of path end in .extension, behind something else. */
static bool has_extension(const char *path, size_t length, const char *extension)
{
    const size_t most = strlen(extension), dot = length - most - 1;
    return length > most + 1 && path[dot] == '.' && sfgp_text_same_nocase(path + dot + 1, extension, most);
}

bool cli_paths_is_mesh(const char *name)
{
    const size_t length = strlen(name), plain = length - (has_extension(name, length, "gz") ? 3 : 0);
    bool known = false;
    for (size_t k = 0; k < sizeof EXTENSIONS / sizeof *EXTENSIONS; k++)
        known = known || has_extension(name, plain, EXTENSIONS[k]);
    return known && name[0] != '.';
}

/* Folders are passed over. */
static sfgp_status add_file(cli_session *session, const char *folder, const char *name, cli_list *files)
{
    char *path = cli_paths_join(folder, name);
    if (!path || sfgp_platform_kind_at(path) == SFGP_PLATFORM_FILE)
        return append(session, files, path);
    free(path);
    return SFGP_OK;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool holds_file(const char *folder, const char *name)
{
    char *path = cli_paths_join(folder, name);
    const bool found = path && sfgp_platform_kind_at(path) == SFGP_PLATFORM_FILE;
    free(path);
    return found;
}

/* The shapes of a batch stand in folders of its folder, beside tables that hold no shape. */
static sfgp_status check_no_batch(cli_session *session, const char *folder)
{
    if (!holds_file(folder, "manifest.tsv") || !holds_file(folder, ".lock"))
        return SFGP_OK;
    const size_t length = strlen(folder);
    return cli_fail(session, SFGP_ERROR_PARAMETER,
                    "%s: has the results of sfgp batch; its shapes are fit.ply in the folders of the cases: "
                    "%s%s*/fit.ply",
                    cli_path_shown(folder), cli_path_shown(folder), folder[length - 1] == '/' ? "" : "/");
}

sfgp_status cli_paths_list(cli_session *session, const char *folder, bool (*wanted)(const char *name),
                           cli_list *files)
{
    const int before = files->count;
    const char *name;
    sfgp_status status = SFGP_OK;
    sfgp_folder *open = sfgp_folder_open(folder);
    if (!open)
        return cli_fail(session, sfgp_system_status(SFGP_ERROR_READ), "%s: cannot read the folder: %s",
                        cli_path_shown(folder), strerror(errno));
    while (status == SFGP_OK && (name = sfgp_folder_next(open)))
        if (wanted(name))
            status = add_file(session, folder, name, files);
    sfgp_folder_close(open);
    if (status == SFGP_OK && files->count > before)
        qsort(files->items + before, (size_t)(files->count - before), sizeof *files->items, compare);
    return status;
}

static sfgp_status expand_folder(cli_session *session, const char *folder, cli_list *files)
{
    const int before = files->count;
    sfgp_status status = check_no_batch(session, folder);
    if (status == SFGP_OK)
        status = cli_paths_list(session, folder, cli_paths_is_mesh, files);
    if (status == SFGP_OK && files->count == before)
        return cli_fail(session, SFGP_ERROR_READ, "%s: the folder holds no mesh (%s)", cli_path_shown(folder),
                        EXTENSIONS_TEXT);
    return status;
}

sfgp_status cli_paths_expand(cli_session *session, const cli_list *given, cli_list *files)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < given->count && status == SFGP_OK; k++)
        if (is_folder(given->items[k]))
            status = expand_folder(session, given->items[k], files);
        else
            status = append(session, files, strdup(given->items[k]));
    return status;
}

/* ---- outputs ----------------------------------------------------------------------------------------- */

static sfgp_status fail_write(cli_session *session, const char *path, const char *reason)
{
    return cli_fail(session, SFGP_ERROR_WRITE, "%s: cannot write: %s", cli_path_shown(path), reason);
}

static sfgp_status check_folder(cli_session *session, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!folder)
        return cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    errno = 0;
    bool good = is_folder(folder) && sfgp_platform_may_make_in(folder);
    int reason = errno ? errno : ENOTDIR;
    free(folder);
    return good ? SFGP_OK : fail_write(session, path, strerror(reason));
}

bool cli_paths_is_stream(const char *path)
{
    return path[0] == '-' && (path[1] == '\0' || path[1] == '.') && !strchr(path, '/');
}

sfgp_status cli_paths_check_output(cli_session *session, const char *path)
{
    if (!path || cli_paths_is_stream(path))
        return SFGP_OK;
    const bool link = sfgp_platform_is_link(path);
    const sfgp_platform_kind kind = sfgp_platform_kind_at(path);
    if (kind == SFGP_PLATFORM_NOTHING && !link)
        return check_folder(session, path);
    if (kind == SFGP_PLATFORM_FOLDER)
        return fail_write(session, path, "is a folder");
    if (!sfgp_platform_may_write(path))
        return fail_write(session, path, strerror(errno));
    return kind == SFGP_PLATFORM_FILE && !link ? check_folder(session, path) : SFGP_OK;
}

sfgp_status cli_paths_check_hdf5(cli_session *session, const char *path)
{
    const size_t length = path ? strlen(path) : 0;
    if (path && strcmp(path, "-") != 0 && !has_extension(path, length, "h5") &&
        !has_extension(path, length, "hdf5") && sfgp_platform_kind_at(path) != SFGP_PLATFORM_OTHER)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "%s: this is written as HDF5; give a name that ends in .h5 or .hdf5",
                        cli_path_shown(path));
    return cli_paths_check_output(session, path);
}

/* The canonical path of a file. When it does not exist: the canonical path of its folder, and its name. The caller
 * frees it. NULL: no such folder, or out of memory. */
static char *resolve(const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *whole = sfgp_platform_resolve(path);
    if (whole)
        return whole;
    char *folder = slash ? strndup(path, (size_t)(name - path)) : strdup(".");
    char *parent = folder ? sfgp_platform_resolve(folder) : NULL;
    whole = parent ? cli_paths_join(parent, name) : NULL;
    free(folder);
    free(parent);
    return whole;
}

static bool same_file(const char *a, const char *b)
{
    char *first = resolve(a), *second = resolve(b);
    const bool same = first && second ? strcmp(first, second) == 0 : strcmp(a, b) == 0;
    free(first);
    free(second);
    return same;
}

sfgp_status cli_paths_check_mesh(cli_session *session, const char *path)
{
    sfgp_status status = cli_paths_check_output(session, path);
    return status == SFGP_OK ? cli_check(session, sfgp_mesh_check_path(session->context, path)) : status;
}

sfgp_status cli_paths_check_distinct(cli_session *session, const char *a, const char *b)
{
    if (a && b && cli_paths_is_stream(a) && cli_paths_is_stream(b))
        return cli_fail(session, SFGP_ERROR_PARAMETER, "two outputs go to standard output");
    if (!a || !b || !same_file(a, b))
        return SFGP_OK;
    if (sfgp_platform_kind_at(a) == SFGP_PLATFORM_OTHER || is_folder(a))
        return SFGP_OK;
    if (strcmp(a, b) == 0)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "%s: two outputs have this name", cli_path_shown(a));
    return cli_fail(session, SFGP_ERROR_PARAMETER, "%s and %s: two outputs are the same file",
                    cli_path_shown(a), cli_path_shown(b));
}
