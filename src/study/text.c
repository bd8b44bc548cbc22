/* Texts of a study: errors, templates, values that depend on the level, paths. */
#include "study/parts.h"
#include "base/platform_file.h"
#include "base/platform_folder.h"
#include "page/sink.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sfgp_status study_fail_with(study *s, sfgp_status status, sfgp_context *context, const char *what)
{
    return study_fail(s, status, "%s%s%s", what, what[0] ? ": " : "", sfgp_context_error(context));
}

/* ---- values ------------------------------------------------------------------------------------------ */

char *study_level_text(const study_set *set, int level, char text[32])
{
    sfgp_number_format(set->levels[level], text);
    return text;
}

/* The entry of a list for this level; a value that is no list is the same at all levels. */
static const json_t *at_level(const json_t *value, int level)
{
    return json_is_array(value) ? json_array_get(value, (size_t)level) : value;
}

bool study_value_number(const json_t *value, const study_set *set, int level, double *number)
{
    value = at_level(value, level);
    if (json_is_string(value) && strcmp(json_string_value(value), "level") == 0)
        return *number = set->levels[level], true;
    *number = json_number_value(value);
    return json_is_number(value);
}

bool study_value_text(const json_t *value, const study_set *set, int level, char text[SFGP_TEXT_SIZE])
{
    double number;
    if (study_value_number(value, set, level, &number))
        return sfgp_number_format(number, text), true;
    value = at_level(value, level);
    if (!json_is_string(value) || json_string_length(value) >= SFGP_TEXT_SIZE)
        return false;
    return strcpy(text, json_string_value(value)), true;
}

/* ---- templates --------------------------------------------------------------------------------------- */

/* The value of the name in braces at text; NULL: not a name of pairs. */
static const char *lookup(const char *text, size_t length, const char *const *pairs)
{
    for (; *pairs; pairs += 2)
        if (strlen(pairs[0]) == length && memcmp(pairs[0], text, length) == 0)
            return pairs[1];
    return NULL;
}

char *study_expand(const char *template, const char *const *pairs)
{
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    while (*template) {
        const char *end = *template == '{' ? strchr(template, '}') : NULL;
        const char *value = end ? lookup(template + 1, (size_t)(end - template) - 1, pairs) : NULL;
        if (value)
            fputs(value, sink.out), template = end + 1;
        else
            fputc(*template ++, sink.out);
    }
    return page_sink_text(&sink);
}

/* ---- paths ------------------------------------------------------------------------------------------- */

char *study_path(const char *folder, const char *path)
{
    return path[0] == '/' ? strdup(path) : report_format("%s/%s", folder, path);
}

sfgp_status study_visit(const study_visitor *visitor, char *path)
{
    const sfgp_status status = path ? visitor->visit(visitor->user, path) : SFGP_ERROR_MEMORY;
    free(path);
    return status;
}

const char *const STUDY_NAME[STUDY_RESULTS + 1] = {
    [STUDY_JOURNAL] = "journal.tsv", [STUDY_ROWS] = "rows.csv",      [STUDY_TUNING] = "tuning.csv",
    [STUDY_SUMMARY] = "summary.csv", [STUDY_REPORT] = "report.html", [STUDY_FIGURES] = "figures",
    [STUDY_VIEWS] = "views",         [STUDY_WORK] = ".sfgp-work"};

char *study_result_path(const char *folder, study_result result)
{
    return report_format("%s/%s", folder, STUDY_NAME[result]);
}

char *study_figure_path(const study_set *set, const char *figure)
{
    char *path = report_format("%s/%s-%s.svg", STUDY_NAME[STUDY_FIGURES], set->name, figure);
    for (char *c = path ? path + strlen(STUDY_NAME[STUDY_FIGURES]) + 1 : NULL; c && *c; c++)
        *c = isalnum((unsigned char)*c) || strchr(".-_", *c) ? *c : '_';
    return path;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool append_name(char ***names, int count, const char *name)
{
    char **more = realloc(*names, ((size_t)count + 1) * sizeof *more);
    if (more)
        *names = more;
    return more && (more[count] = strdup(name));
}

/* A list that lacks a name would be other data. */
static int forget_names(char ***names, int count)
{
    for (int k = 0; k < count; k++)
        free((*names)[k]);
    free(*names);
    *names = NULL;
    errno = ENOMEM;
    return -1;
}

int study_folder_list(const char *folder, char ***names)
{
    int count = 0;
    const char *name;
    sfgp_folder *open = sfgp_folder_open(folder);
    *names = NULL;
    if (!open)
        return -1;
    while (count >= 0 && (name = sfgp_folder_next(open)))
        if (name[0] != '.')
            count = append_name(names, count, name) ? count + 1 : forget_names(names, count);
    sfgp_folder_close(open);
    if (count > 0)
        qsort(*names, (size_t)count, sizeof **names, compare_names);
    return count;
}

void study_folder_remove(const char *path)
{
    const char *name;
    sfgp_folder *open;
    if (sfgp_platform_remove(path) || !(open = sfgp_folder_open(path)))
        return;
    while ((name = sfgp_folder_next(open))) {
        char *file = study_path(path, name);
        if (file)
            study_folder_remove(file);
        free(file);
    }
    sfgp_folder_close(open);
    sfgp_folder_remove(path);
}

sfgp_status study_save(study *s, const char *folder, const char *name, const char *text, size_t size)
{
    sfgp_context *context;
    char *path = report_format("%s/%s", folder, name);
    sfgp_status status = path ? sfgp_context_new(NULL, &context) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        return free(path), study_fail(s, status, "out of memory");
    if ((status = sfgp_file_write(context, path, text, size)) != SFGP_OK)
        study_fail_with(s, status, context, "");
    sfgp_context_free(context);
    free(path);
    return status;
}
