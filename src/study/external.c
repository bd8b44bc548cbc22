/* Programs of others: a command line with {reference}, {target}, {output} and the names of settings in
 * braces, run by the shell in a folder of its own, DIR/work/PID, which whoever started this process removes.
 * The time is the program's from start to end; writing its input is not counted. */
#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PAIRS 128 /* names and values, the NULL at the end */

/* ---- is it there ------------------------------------------------------------------------------------- */

static bool found_in_path(const char *name)
{
    const char *path = getenv("PATH");
    bool found = false;
    while (path && *path && !found) {
        size_t length = strcspn(path, ":");
        char *file = report_format("%.*s/%s", (int)length, path, name);
        found = file && access(file, X_OK) == 0;
        free(file);
        path += length + (path[length] == ':');
    }
    return found;
}

/* The first word that sets no variable (NAME=value) is the program. */
bool study_external_found(const char *command)
{
    size_t length = 0;
    do {
        command += length + strspn(command + length, " \t");
        length = strcspn(command, " \t");
    } while (length > 0 && memchr(command, '=', length));
    char *name = length > 0 ? strndup(command, length) : NULL;
    bool found =
        name && (strchr(name, '/') ? name[0] == '/' && access(name, X_OK) == 0 : found_in_path(name));
    free(name);
    return found;
}

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

static char *expand(const char *template, const char *folder, const sfgp_settings *settings)
{
    char numbers[PAIRS / 2][SFGP_NUMBER_SIZE];
    char *reference = report_format("%s/reference.txt", folder),
         *target = report_format("%s/target.txt", folder);
    char *output = report_format("%s/output_", folder);
    const char *pairs[PAIRS] = {"reference", reference, "target", target, "output", output};
    const sfgp_setting *row;
    char *text = NULL;
    for (int k = 0, used = 6; (row = sfgp_settings_row(k)) && used + 3 < PAIRS; k++) {
        pairs[used++] = row->name;
        pairs[used++] = setting_text(row, settings, numbers[k]);
    }
    if (reference && target && output)
        text = study_expand(template, pairs);
    free(reference);
    free(target);
    free(output);
    return text;
}

/* ---- the run ----------------------------------------------------------------------------------------- */

/* A program gets as many threads as our own methods do. */
static const char *const THREADS[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"};

/* In the new process: never returns. */
static void become(const char *command, const char *folder, int64_t threads)
{
    char count[32];
    int log;
    snprintf(count, sizeof count, "%lld", (long long)threads);
    for (size_t k = 0; threads > 0 && k < sizeof THREADS / sizeof *THREADS; k++)
        setenv(THREADS[k], count, 1);
    const int nothing = open("/dev/null", O_RDONLY);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (chdir(folder) == 0 && (log = open("log", O_WRONLY | O_CREAT | O_TRUNC, 0666)) >= 0) {
        dup2(nothing, STDIN_FILENO); /* a program that asks something must not wait for the answer */
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    }
    _exit(127);
}

static double wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int start(const char *command, const char *folder, int64_t threads, double *seconds)
{
    const double begin = wall();
    int state = -1;
    pid_t program = fork();
    if (program == 0)
        become(command, folder, threads);
    while (program > 0 && waitpid(program, &state, 0) < 0 && errno == EINTR)
        ;
    *seconds = wall() - begin;
    return state;
}

static sfgp_status write_input(sfgp_context *context, const char *folder, const char *name,
                               const sfgp_mesh *mesh)
{
    char *path = report_format("%s/%s", folder, name);
    sfgp_status status = path ? sfgp_mesh_write(context, path, mesh, NULL, 0) : SFGP_ERROR_MEMORY;
    free(path);
    return status;
}

static bool is_finite(const sfgp_mesh *mesh)
{
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        if (!isfinite(mesh->points[k]))
            return false;
    return true;
}

/* Reads what the program wrote; the words of the row say why that is no fit. */
static void take_output(sfgp_context *context, const char *path, const sfgp_mesh *reference, study_row *row,
                        sfgp_mesh **fitted)
{
    if (sfgp_mesh_read(context, path, fitted) != SFGP_OK)
        snprintf(row->words, sizeof row->words, "no points: %.180s", sfgp_context_error(context));
    else if ((*fitted)->count != reference->count || (*fitted)->dimension != reference->dimension)
        snprintf(row->words, sizeof row->words, "%lld points came back, the reference has %lld",
                 (long long)(*fitted)->count, (long long)reference->count);
    else if (!is_finite(*fitted))
        snprintf(row->words, sizeof row->words, "points that are not finite");
    if (row->words[0])
        sfgp_mesh_free(*fitted), *fitted = NULL;
}

/* A shell ends with code 128 + n when signal n ended its program. */
static void describe_end(int state, study_row *row)
{
    const int code = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    snprintf(row->words, sizeof row->words, "the program ended with %s %d", code > 128 ? "signal" : "code",
             code > 128 ? code - 128 : code);
}

static sfgp_status run_in(study *s, const char *folder, const study_method *method,
                          const sfgp_settings *settings, const sfgp_mesh *reference, const sfgp_mesh *target,
                          study_row *row, sfgp_mesh **fitted)
{
    char *command = expand(method->command, folder, settings),
         *points = expand(method->points, folder, settings);
    sfgp_context *context = NULL;
    sfgp_status status = command && points ? sfgp_context_new(NULL, &context) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        study_fail(s, status, "out of memory");
    else if ((status = write_input(context, folder, "reference.txt", reference)) != SFGP_OK ||
             (status = write_input(context, folder, "target.txt", target)) != SFGP_OK)
        study_fail_with(s, status, context, "work");
    if (status == SFGP_OK) {
        int state = start(command, folder, settings->threads, &row->seconds);
        row->fit_seconds = row->seconds;
        if (state != 0)
            describe_end(state, row);
        else
            take_output(context, points, reference, row, fitted);
    }
    sfgp_context_free(context);
    free(command);
    free(points);
    return status;
}

sfgp_status study_external(study *s, const study_method *method, const sfgp_settings *settings,
                           const study_set *set, const study_case *c, study_row *row, sfgp_mesh **fitted)
{
    char *folder = report_format("%s/work/%lld", s->output, (long long)getpid());
    sfgp_status status = SFGP_ERROR_MEMORY;
    *fitted = NULL;
    if (folder && mkdir(folder, 0777) != 0)
        status = study_fail(s, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s", folder, strerror(errno));
    else if (folder)
        status = run_in(s, folder, method, settings, c->reference ? c->reference : set->reference, c->target,
                        row, fitted);
    else
        study_fail(s, status, "out of memory");
    free(folder);
    return status;
}
