/* Tells which files of a folder are passed over. Whoever has 300 scans in a format that is not read, among others, would think
 * that all were fitted. What is known to be no shape is left out, and nothing else: there are more formats than anybody knows. */
#include "cli/passed.h"
#include "base/platform_file.h"
#include "base/platform_text.h"
#include "cli/paths.h"
#include "page/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 240 };

/* Pictures and materials, notes and tables, landmarks and settings, programs, checksums, and what sfgp itself writes. */
static const char *const QUIET[] = {
    "png",  "jpg",   "jpeg", "bmp",  "tif", "tiff", "gif",   "svg",  "tga", "dds",  "hdr",   "exr",
    "webp", "mtl",   "md",   "rst",  "pdf", "doc",  "docx",  "odt",  "rtf", "xls",  "xlsx",  "ods",
    "ppt",  "pptx",  "htm",  "html", "xml", "json", "jsonl", "yaml", "yml", "toml", "ini",   "cfg",
    "log",  "fcsv",  "tps",  "dta",  "nts", "pp",   "h5",    "hdf5", "mlp", "mrml", "py",    "r",
    "rds",  "rdata", "m",    "sh",   "bat", "db",   "lnk",   "bak",  "tmp", "md5",  "sha256"};

/* ".fbx" of "a.fbx", ".fbx.gz" of "a.fbx.gz", "" of "a". */
static const char *find_extension(const char *name)
{
    const char *dot = strrchr(name, '.'), *before = dot;
    if (!dot || sfgp_text_order_nocase(dot, ".gz") != 0)
        return dot ? dot : "";
    while (before > name && *--before != '.')
        ;
    return *before == '.' ? before : dot;
}

static bool is_quiet(const char *extension)
{
    size_t k = 0;
    while (k < sizeof QUIET / sizeof *QUIET && sfgp_text_order_nocase(extension + 1, QUIET[k]) != 0)
        k++;
    return k < sizeof QUIET / sizeof *QUIET;
}

static bool is_passed(const char *name)
{
    const char *extension = find_extension(name);
    return name[0] != '.' && strlen(extension) > 1 && name[strlen(name) - 1] != '~' && !is_quiet(extension) &&
           !cli_paths_is_mesh(name);
}

/* A .bin is a buffer of a glTF file, which is not worth a word, or a file of CloudCompare. */
static bool is_buffer(const char *path)
{
    sfgp_platform_kind kind;
    int64_t size;
    char head[3] = "";
    if (sfgp_text_order_nocase(find_extension(path), ".bin") != 0)
        return false;
    const int file = sfgp_platform_open(path, &kind, &size);
    const bool whole = file >= 0 && sfgp_platform_read_at(file, 0, head, sizeof head) == sizeof head;
    sfgp_platform_close(file);
    return !whole || memcmp(head, "CCB", sizeof head) != 0;
}

static void drop_buffers(cli_list *files)
{
    int kept = 0;
    for (int k = 0; k < files->count; k++)
        if (is_buffer(files->items[k]))
            free(files->items[k]);
        else
            files->items[kept++] = files->items[k];
    files->count = kept;
}

static bool same_extension(const cli_list *files, int a, int b)
{
    return sfgp_text_order_nocase(find_extension(report_file_name(files->items[a])),
                                  find_extension(report_file_name(files->items[b]))) == 0;
}

/* How many files have the extension of this one; 0: one before it has it. */
static int count_alike(const cli_list *files, int k)
{
    int count = 0;
    for (int j = 0; j < k; j++)
        if (same_extension(files, j, k))
            return 0;
    for (int j = k; j < files->count; j++)
        count += same_extension(files, j, k);
    return count;
}

/* "2 .fbx, 1 .las". */
static void write_kinds(const cli_list *files, char text[MOST_TEXT])
{
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < files->count && length < MOST_TEXT - 40; k++) {
        const int count = count_alike(files, k);
        if (count > 0)
            length +=
                (size_t)snprintf(text + length, MOST_TEXT - length, "%s%d %.20s", length > 0 ? ", " : "",
                                 count, find_extension(report_file_name(files->items[k])));
    }
}

sfgp_status cli_passed_tell(cli_session *session, const char *folder)
{
    cli_list files = {NULL, 0};
    char kinds[MOST_TEXT];
    const sfgp_status status = cli_paths_list(session, folder, is_passed, &files);
    drop_buffers(&files);
    write_kinds(&files, kinds);
    if (status == SFGP_OK && files.count > 0)
        cli_warn(session,
                 "%s: files of formats that sfgp does not read are passed over: %s; the first is %s; if they "
                 "hold shapes, save them as PLY, OBJ or STL",
                 cli_path_shown(folder), kinds, report_file_name(files.items[0]));
    cli_paths_clear(&files);
    return status;
}

sfgp_status cli_passed_tell_all(cli_session *session, const cli_list *given)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < given->count && status == SFGP_OK; k++)
        if (sfgp_platform_kind_at(given->items[k]) == SFGP_PLATFORM_FOLDER)
            status = cli_passed_tell(session, given->items[k]);
    return status;
}
