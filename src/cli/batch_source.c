/* References and cases of a batch, as the command line gives them. */
#include "cli/batch_source.h"
#include "base/platform_file.h"
#include "page/sink.h"
#include "base/platform_text.h"
#include "cli/landmarks.h"
#include "cli/passed.h"
#include "cli/paths.h"

#include <stdio.h>
#include <string.h>

/* ---- references -------------------------------------------------------------------------------------- */

static sfgp_status check_count(cli_session *session, const char *option, int count, int references)
{
    if (count == 0 || count == references)
        return SFGP_OK;
    return cli_fail(session, SFGP_ERROR_PARAMETER,
                    "--%s: %d files for %d references; give one for each --reference, in their order", option,
                    count, references);
}

sfgp_status cli_batch_references_set(cli_session *session, const cli_batch_references *asked, batch *b)
{
    const int count = asked->references.count;
    if (count > BATCH_MOST_REFERENCES)
        return cli_fail(session, SFGP_ERROR_PARAMETER, "--reference: more than %d", BATCH_MOST_REFERENCES);
    if (b->median && (count < 2 || asked->applied.count == 0))
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--median: needs several --reference, and --apply for each");
    sfgp_status status = check_count(session, "apply", asked->applied.count, count);
    if (status == SFGP_OK)
        status = check_count(session, "landmarks", asked->landmarks.count, count);
    for (int k = 0; k < count && status == SFGP_OK; k++)
        b->references[k] =
            (batch_reference){.path = asked->references.items[k],
                              .landmarks = asked->landmarks.count > 0 ? asked->landmarks.items[k] : NULL,
                              .apply = asked->applied.count > 0 ? asked->applied.items[k] : NULL};
    b->reference_count = count;
    return status;
}

void cli_batch_references_clear(cli_batch_references *asked)
{
    cli_list_clear(&asked->references);
    cli_list_clear(&asked->applied);
    cli_list_clear(&asked->landmarks);
}

/* ---- a folder ---------------------------------------------------------------------------------------- */

/* NAME.mrk.json, NAME.fcsv, NAME.csv or NAME.pts beside a scan NAME.EXTENSION, into path; "": there is none. */
static const char *find_landmarks(const char *scan, size_t size, char *path)
{
    static const char *const EXTENSIONS[] = {"mrk.json", "fcsv", "csv", "pts"};
    const char *dot = strchr(report_file_name(scan), '.');
    const int length = dot ? (int)(dot - scan) : (int)strlen(scan);
    for (size_t k = 0; k < sizeof EXTENSIONS / sizeof *EXTENSIONS; k++) {
        snprintf(path, size, "%.*s.%s", length, scan, EXTENSIONS[k]);
        if (strcmp(path, scan) != 0 && sfgp_platform_may_read(path))
            return path;
    }
    return "";
}

/* Tables of landmarks are text, too, and no scans. */
static bool is_scan(cli_session *session, const char *path)
{
    const size_t length = strlen(path);
    const char *const end = path + (length > 4 ? length - 4 : 0);
    return !((sfgp_text_same_nocase(end, ".csv", 4) || sfgp_text_same_nocase(end, ".pts", 4)) &&
             cli_landmarks_is_file(session, path));
}

static bool has_stem(const char *path, const char *stem, size_t length)
{
    return strncmp(path, stem, length) == 0 && path[length] == '.';
}

/* Whether it is NAME.csv beside NAME.ply. In the order of names those of one NAME follow each other. */
static bool is_beside_scan(const cli_list *files, int k)
{
    const char *path = files->items[k], *dot = strchr(report_file_name(path), '.');
    const size_t length = dot ? (size_t)(dot - path) : strlen(path);
    return (k > 0 && has_stem(files->items[k - 1], path, length)) ||
           (k + 1 < files->count && has_stem(files->items[k + 1], path, length));
}

/* What somebody may look for among the cases, or may not. */
static void tell_surprises(cli_session *session, const cli_list *files, const batch *b)
{
    const char *first = NULL;
    int tables = 0;
    for (int k = 0; k < files->count; k++) {
        if (!is_scan(session, files->items[k]) && !is_beside_scan(files, k) && tables++ == 0)
            first = files->items[k];
        for (int j = 0; j < b->reference_count; j++)
            if (sfgp_platform_same_file(files->items[k], b->references[j].path))
                cli_warn(session, "%s is the reference and a case, too, which fits it to itself",
                         cli_path_shown(files->items[k]));
    }
    if (tables > 0)
        cli_warn(
            session,
            "%d tables name their points, as landmarks, and are no cases, the first is %s; with --columns "
            "x,y,z all tables are scans",
            tables, cli_path_shown(first));
}

static sfgp_status write_rows(cli_session *session, const cli_list *files, bool landmarks, FILE *out)
{
    char path[4096];
    fprintf(out, "target%s\n", landmarks ? "\tlandmarks" : "");
    for (int k = 0; k < files->count; k++) {
        if (!is_scan(session, files->items[k]))
            continue;
        if (strpbrk(files->items[k], "\t\n\r"))
            return cli_fail(session, SFGP_ERROR_DATA, "%s: a name with a tab or a line end", files->items[k]);
        fputs(report_file_name(files->items[k]), out);
        if (landmarks)
            fprintf(out, "\t%s", report_file_name(find_landmarks(files->items[k], sizeof path, path)));
        fputc('\n', out);
    }
    return SFGP_OK;
}

static sfgp_status write_manifest(cli_session *session, const cli_list *files, batch *b)
{
    const bool landmarks = b->reference_count > 0 && b->references[0].landmarks;
    page_sink sink;
    if (!page_sink_open(&sink))
        return cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    const sfgp_status status = write_rows(session, files, landmarks, sink.out);
    b->text = page_sink_text(&sink);
    return status == SFGP_OK && !b->text ? cli_fail(session, SFGP_ERROR_MEMORY, "out of memory") : status;
}

static sfgp_status list_folder(cli_session *session, const char *folder, batch *b)
{
    const cli_list given = {(char *[]){(char *)folder}, 1};
    cli_list files = {NULL, 0};
    sfgp_status status = cli_passed_tell(session, folder); /* also where no other file is there */
    if (status == SFGP_OK)
        status = cli_paths_expand(session, &given, &files);
    if (status == SFGP_OK)
        status = write_manifest(session, &files, b);
    if (status == SFGP_OK)
        tell_surprises(session, &files, b);
    cli_paths_clear(&files);
    return status;
}

sfgp_status cli_batch_source(cli_session *session, const char *path, batch *b)
{
    const size_t length = strlen(path);
    b->path = path;
    if (sfgp_platform_kind_at(path) != SFGP_PLATFORM_FOLDER)
        return SFGP_OK;
    if (path[length - 1] != '/') {
        char *whole = cli_paths_join(path, "");
        if (!whole)
            return cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
        b->folder_path = whole;
        b->path = whole;
    }
    return list_folder(session, path, b);
}
