/* sfgp evaluate with two files of landmarks: distances between those of the same name. */
#include "cli/evaluate_landmarks.h"
#include "cli/output.h"
#include "report/json.h"
#include "report/landmarks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct job {
    cli_session *session;
    const cli_landmark_evaluation *files;
    sfgp_landmarks *fitted, *truth;
    sfgp_landmark_pairs *pairs;
    const char **names; /* of the pairs */
};

static sfgp_status read_files(struct job *job)
{
    sfgp_context *context = job->session->context;
    const cli_landmark_evaluation *files = job->files;
    sfgp_status status = sfgp_landmarks_read(context, files->fitted, &job->fitted);
    if (status == SFGP_OK)
        status = sfgp_landmarks_read(context, files->truth, &job->truth);
    if (status != SFGP_OK)
        return cli_check(job->session, status);
    if ((status = sfgp_landmarks_pair(context, job->fitted, job->truth, &job->pairs)) != SFGP_OK)
        cli_fail(job->session, status, "%s and %s: %s", cli_path_shown(files->fitted),
                 cli_path_shown(files->truth), sfgp_context_error(context));
    return status;
}

/* ---- names ------------------------------------------------------------------------------------------- */

static bool has_name(const sfgp_landmarks *landmarks, const char *name)
{
    int64_t k = 0;
    while (k < landmarks->count && strcmp(landmarks->names[k], name) != 0)
        k++;
    return k < landmarks->count;
}

/* Pairs are in the order of the fitted landmarks: all of them, or those whose name is in the truth. */
static sfgp_status find_names(struct job *job)
{
    job->names = calloc((size_t)job->pairs->count + 1, sizeof *job->names);
    if (!job->names)
        return cli_fail(job->session, SFGP_ERROR_MEMORY, "out of memory");
    const bool all = job->pairs->count == job->fitted->count;
    int64_t pair = 0;
    for (int64_t k = 0; k < job->fitted->count; k++) {
        const char *name = job->fitted->names[k];
        if (all || has_name(job->truth, name))
            job->names[pair++] = name[0] ? name : job->truth->names[k];
    }
    return SFGP_OK;
}

/* ---- outputs ----------------------------------------------------------------------------------------- */

static sfgp_status write_table(struct job *job)
{
    const char *path = job->files->table;
    return cli_output_text(job->session, path, path ? report_landmark_table(job->pairs, job->names) : NULL);
}

static sfgp_mesh mesh_of(const sfgp_landmark_pairs *pairs, double *points)
{
    return (sfgp_mesh){.count = pairs->count, .dimension = pairs->dimension, .points = points};
}

static double find_largest(const sfgp_landmark_pairs *pairs)
{
    double largest = 0;
    for (int64_t k = 0; k < pairs->count; k++)
        largest = fmax(report_landmark_distance(pairs, k), largest);
    return largest;
}

static sfgp_status print(const struct job *job)
{
    const sfgp_landmark_pairs *pairs = job->pairs;
    const sfgp_mesh fitted = mesh_of(pairs, pairs->first), truth = mesh_of(pairs, pairs->second);
    sfgp_evaluation errors;
    const sfgp_status status = sfgp_evaluate(job->session->context, &fitted, &truth, NULL, &errors);
    if (status != SFGP_OK)
        return cli_check(job->session, status);
    char *text = report_landmark_errors(&errors.all, find_largest(pairs), job->files->unit);
    fputs(text, stdout);
    free(text);
    return SFGP_OK;
}

sfgp_status cli_evaluate_landmarks(cli_session *session, const cli_landmark_evaluation *files)
{
    struct job job = {.session = session, .files = files};
    sfgp_status status;
    if ((status = read_files(&job)) == SFGP_OK && (status = find_names(&job)) == SFGP_OK &&
        (status = write_table(&job)) == SFGP_OK)
        status = print(&job);
    sfgp_landmarks_free(job.fitted);
    sfgp_landmarks_free(job.truth);
    sfgp_landmark_pairs_free(job.pairs);
    free(job.names);
    return status;
}
