/* External programs: a command line with {reference}, {target}, {output} and the names of settings in braces. It runs
 * without a shell in a folder of its own, DIR/.sfgp-work/PID, which the parent of this process removes (pool.c). The measured
 * time is that of the program; writing its input is not counted. */
#include "study/command.h"
#include "base/platform_clock.h"
#include "base/platform_file.h"
#include "base/platform_folder.h"
#include "base/platform_process.h"
#include "study/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REFERENCE "reference.txt"
#define TARGET "target.txt"
#define OUTPUT "output_" /* first part of the names of output files */
#define PAIRS 128        /* most names and values, with the NULL at the end */

/* ---- the command line -------------------------------------------------------------------------------- */

static const char *setting_text(const sfgp_setting *row, const sfgp_settings *settings, char *text)
{
    const char *field = (const char *)settings + row->offset;
    int64_t count;
    double value;
    if (row->kind == SFGP_SETTING_TEXT)
        return field;
    if (row->kind == SFGP_SETTING_COUNT)
        memcpy(&count, field, sizeof count), value = (double)count;
    else
        memcpy(&value, field, sizeof value);
    return sfgp_number_format(value, text);
}

/* Replaces the names in braces. Paths of files are relative to the folder that the program runs in, so the path of that
 * folder, which may have any characters, is in no command line. */
static char *expand(const char *template, const sfgp_settings *settings)
{
    char numbers[PAIRS / 2][SFGP_NUMBER_SIZE];
    const char *pairs[PAIRS] = {"reference", REFERENCE, "target", TARGET, "output", OUTPUT};
    const sfgp_setting *row;
    for (int k = 0, used = 6; (row = sfgp_settings_row(k)) && used + 3 < PAIRS; k++) {
        pairs[used++] = row->name;
        pairs[used++] = setting_text(row, settings, numbers[k]);
    }
    return study_expand(template, pairs);
}

static void free_words(char **words)
{
    for (char **word = words; word && *word; word++)
        free(*word);
    free(words);
}

/* Each word is expanded by itself, so a value never becomes several words. NULL: out of memory. */
static char **expand_words(const study_command *command, const sfgp_settings *settings)
{
    size_t count = 0;
    while (command->words[count])
        count++;
    char **words = calloc(count + 1, sizeof *words);
    for (size_t k = 0; words && k < count; k++)
        if (!(words[k] = expand(command->words[k], settings)))
            return free_words(words), NULL;
    return words;
}

/* ---- the run ----------------------------------------------------------------------------------------- */

/* An external program gets as many threads as the methods of sfgp. */
static const char *const THREADS[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", NULL};

static sfgp_status write_input(study *s, sfgp_context *context, const char *folder, const char *name,
                               const sfgp_mesh *mesh)
{
    char *path = report_format("%s/%s", folder, name);
    sfgp_status status = path ? sfgp_mesh_write(context, path, mesh, NULL, 0) : SFGP_ERROR_MEMORY;
    free(path);
    return status == SFGP_OK ? status : study_fail_with(s, status, context, "work");
}

/* ---- output ------------------------------------------------------------------------------------------ */

/* The system failed, not the program: the next compare runs it again. Not one of the tuning, on which other runs rest. */
static void lose(study_row *row)
{
    if (row->key.choice < 0)
        snprintf(row->status, sizeof row->status, "%s", STUDY_LOST);
}

/* Reads the output of the program. When it is no fit, the row says why. */
static void read_output(sfgp_context *context, const char *path, const sfgp_mesh *reference, study_row *row,
                        sfgp_mesh **fitted)
{
    const sfgp_status status = sfgp_mesh_read(context, path, fitted);
    if (status == SFGP_ERROR_MEMORY || (status == SFGP_ERROR_READ && sfgp_platform_exists(path)))
        lose(row);
    if (status != SFGP_OK)
        snprintf(row->message, sizeof row->message, "no points: %.180s", sfgp_context_error(context));
    else if ((*fitted)->count != reference->count || (*fitted)->dimension != reference->dimension)
        snprintf(row->message, sizeof row->message, "%lld points came back, the reference has %lld",
                 (long long)(*fitted)->count, (long long)reference->count);
    if (row->message[0])
        sfgp_mesh_free(*fitted), *fitted = NULL;
}

/* A script ends with code 128 + n when signal n ended its program. */
static void describe_end(const sfgp_process_end *end, study_row *row)
{
    if (end->error) {
        lose(row);
        snprintf(row->message, sizeof row->message, "the program could not be started: %s",
                 strerror(end->error));
        return;
    }
    const int code = end->signal ? 128 + end->signal : end->code;
    snprintf(row->message, sizeof row->message, "the program ended with %s %d%s",
             code > 128 ? "signal" : "code", code > 128 ? code - 128 : code,
             code == 127 ? ": it could not be started" : "");
}

/* ---- all steps --------------------------------------------------------------------------------------- */

/* Runs the program, and reads the file of points that it has written. */
static void run_program(const sfgp_program *program, sfgp_context *context, const char *points,
                        const sfgp_mesh *reference, study_row *row, sfgp_mesh **fitted)
{
    const double begin = sfgp_platform_seconds();
    const sfgp_process_end end = sfgp_program_run(program);
    row->seconds = row->fit_seconds = sfgp_platform_seconds() - begin;
    if (end.signal || end.code || end.error)
        describe_end(&end, row);
    else
        read_output(context, points, reference, row, fitted);
}

static sfgp_status write_inputs(const study_external_run *run, sfgp_context *context, const char *folder)
{
    const sfgp_status status = write_input(run->s, context, folder, REFERENCE, run->reference);
    return status == SFGP_OK ? write_input(run->s, context, folder, TARGET, run->target) : status;
}

static sfgp_status run_in(const char *folder, sfgp_context *context, const study_external_run *run,
                          study_row *row, sfgp_mesh **fitted)
{
    study_command command;
    const bool split = study_command_split(run->method->command, &command);
    char **words = split ? expand_words(&command, run->settings) : NULL;
    char *name = expand(run->method->points, run->settings), *points = name ? study_path(folder, name) : NULL;
    char *log = study_path(folder, "log");
    sfgp_status status = words && points && log ? write_inputs(run, context, folder)
                                                : study_fail(run->s, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK)
        run_program(&(sfgp_program){.words = words + command.variables,
                                    .variables = words,
                                    .variable_count = command.variables,
                                    .limits = THREADS,
                                    .limit = run->settings->threads,
                                    .folder = folder,
                                    .log = log},
                    context, points, run->reference, row, fitted);
    study_command_clear(&command);
    free_words(words);
    free(name);
    free(points);
    free(log);
    return status;
}

sfgp_status study_external(const study_external_run *run, study_row *row, sfgp_mesh **fitted)
{
    sfgp_context *context = NULL;
    char *folder =
        report_format("%s/%s/%lld", run->s->output, STUDY_NAME[STUDY_WORK], (long long)sfgp_process_own_id());
    sfgp_status status = folder ? sfgp_context_new(NULL, &context) : SFGP_ERROR_MEMORY;
    *fitted = NULL;
    if (status != SFGP_OK)
        study_fail(run->s, status, "out of memory");
    else if (!sfgp_folder_make(folder))
        status =
            study_fail(run->s, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s", folder, strerror(errno));
    else
        status = run_in(folder, context, run, row, fitted);
    sfgp_context_free(context);
    free(folder);
    return status;
}
