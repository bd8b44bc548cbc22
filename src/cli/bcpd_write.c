/* The files of BCPD: numbers separated by tabs, points counted from 1. Numbers have all digits, where BCPD writes six
 * after the point. */
#include "cli/bcpd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file that is being made, in memory. */
typedef struct sink {
    const cli_bcpd_run *run;
    FILE *out;
    char *text;
    size_t size;
} sink;

static sfgp_status open_sink(const cli_bcpd_run *run, sink *file)
{
    *file = (sink){.run = run};
    file->out = open_memstream(&file->text, &file->size);
    return file->out ? SFGP_OK : cli_fail(run->session, SFGP_ERROR_MEMORY, "out of memory");
}

/* Writes the file and frees its text. */
static sfgp_status close_sink(sink *file, const char *name)
{
    char path[4096];
    cli_session *session = file->run->session;
    const int length = snprintf(path, sizeof path, "%s%s.txt", file->run->options->prefix, name);
    const bool failed = ferror(file->out) != 0;
    sfgp_status status = SFGP_OK;
    if (fclose(file->out) != 0 || failed)
        status = cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    else if (length < 0 || (size_t)length >= sizeof path)
        status = cli_fail(session, SFGP_ERROR_PARAMETER, "-o: longer than 4000 characters");
    else
        status = cli_check(session, sfgp_file_write(session->context, path, file->text, file->size));
    free(file->text);
    return status;
}

static sfgp_status write_matrix(const cli_bcpd_run *run, const char *name, int64_t rows, int columns,
                                const double *values)
{
    char number[SFGP_NUMBER_SIZE];
    sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < rows * columns; k++)
        fprintf(file.out, "%s%c", sfgp_number_format(values[k], number), (k + 1) % columns ? '\t' : '\n');
    return close_sink(&file, name);
}

/* ---- s, R, t and v: y = s R (source + v) + t ------------------------------------------------------------- */

/* The scale of the similarity: the length of the first column of its linear part. */
static double scale_of(const sfgp_result *result)
{
    double sum = 0;
    for (int a = 0; a < result->dimension; a++)
        sum += result->similarity[4 * a] * result->similarity[4 * a];
    return sqrt(sum);
}

static sfgp_status write_map(const cli_bcpd_run *run)
{
    const int d = run->result->dimension;
    const double scale = scale_of(run->result);
    double rotation[9] = {0}, shift[3] = {0};
    for (int a = 0; a < d; a++) {
        shift[a] = run->result->similarity[4 * a + 3];
        for (int b = 0; b < d; b++)
            rotation[a * d + b] = run->result->similarity[4 * a + b] / scale;
    }
    sfgp_status status = write_matrix(run, "s", 1, 1, &scale);
    if (status == SFGP_OK)
        status = write_matrix(run, "R", d, d, rotation);
    return status == SFGP_OK ? write_matrix(run, "t", d, 1, shift) : status;
}

/* v = R'(y - t) / s - source, with s R = L and hence R' / s = L' / s^2. */
static sfgp_status write_motion(const cli_bcpd_run *run)
{
    const sfgp_result *const result = run->result;
    const int d = result->dimension;
    const double *const map = result->similarity, scale = scale_of(result);
    double *motion = calloc((size_t)(result->count * d), sizeof *motion);
    if (!motion)
        return cli_fail(run->session, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; i < result->count; i++)
        for (int b = 0; b < d; b++) {
            for (int a = 0; a < d; a++)
                motion[i * d + b] +=
                    map[4 * a + b] * (result->points[i * d + a] - map[4 * a + 3]) / (scale * scale);
            motion[i * d + b] -= run->source->points[i * d + b];
        }
    const sfgp_status status = write_matrix(run, "v", result->count, d, motion);
    free(motion);
    return status;
}

/* ---- matches --------------------------------------------------------------------------------------------- */

static sfgp_status write_probabilities(const cli_bcpd_run *run, cli_bcpd_matches *matches)
{
    const double least = 1 / (double)run->result->count;
    char number[SFGP_NUMBER_SIZE];
    sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fputs("[n]\t[m]\t[probability]\n", file.out);
    for (int64_t n = 0; n < run->target->count; n++) {
        cli_bcpd_match(matches, n);
        for (int64_t k = matches->first; k < matches->end; k++)
            if (matches->row[k] > least)
                fprintf(file.out, "%lld\t%lld\t%s\n", (long long)n + 1, (long long)matches->order[k] + 1,
                        sfgp_number_format(matches->row[k], number));
    }
    return close_sink(&file, "P");
}

static int64_t best_place(const cli_bcpd_matches *matches)
{
    int64_t best = matches->first;
    for (int64_t k = matches->first; k < matches->end; k++)
        if (matches->row[k] > matches->row[best])
            best = k;
    return best;
}

/* c: 1 where the best match is more probable than an outlier. e: the best match. */
static sfgp_status write_best(const cli_bcpd_run *run, bool labels, cli_bcpd_matches *matches)
{
    char number[SFGP_NUMBER_SIZE];
    sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fputs(labels ? "[n]\t[1/0]\n" : "[n]\t[m]\t[probability]\n", file.out);
    for (int64_t n = 0; n < run->target->count; n++) {
        const double outlier = cli_bcpd_match(matches, n);
        const int64_t best = best_place(matches);
        if (labels)
            fprintf(file.out, "%lld\t%d\n", (long long)n + 1, matches->row[best] > outlier);
        else
            fprintf(file.out, "%lld\t%lld\t%s\n", (long long)n + 1, (long long)matches->order[best] + 1,
                    sfgp_number_format(matches->row[best], number));
    }
    return close_sink(&file, labels ? "c" : "e");
}

static bool is_saved(const cli_bcpd_run *run, char letter)
{
    const bool *const saved = run->options->saved;
    return saved['A'] || saved[(unsigned char)letter];
}

static sfgp_status write_matches(const cli_bcpd_run *run)
{
    const int64_t count = run->result->count;
    cli_bcpd_matches matches;
    sfgp_status status = cli_bcpd_matches_new(run, &matches);
    if (status != SFGP_OK)
        cli_fail(run->session, status, "out of memory");
    if (status == SFGP_OK && is_saved(run, 'a'))
        status = write_matrix(run, "a", count, 1, matches.mixing);
    if (status == SFGP_OK && is_saved(run, 'x'))
        status = write_matrix(run, "x", count, run->result->dimension, matches.labelled);
    if (status == SFGP_OK && is_saved(run, 'P'))
        status = write_probabilities(run, &matches);
    if (status == SFGP_OK && is_saved(run, 'c'))
        status = write_best(run, true, &matches);
    if (status == SFGP_OK && is_saved(run, 'e'))
        status = write_best(run, false, &matches);
    cli_bcpd_matches_clear(&matches);
    return status;
}

/* ---- every run ------------------------------------------------------------------------------------------- */

/* Root mean square per axis of the points about their mean. */
static double spread_of(const sfgp_mesh *shape)
{
    const int64_t size = shape->count * shape->dimension;
    double mean[3] = {0, 0, 0}, sum = 0;
    for (int64_t k = 0; k < size; k++)
        mean[k % shape->dimension] += shape->points[k] / (double)shape->count;
    for (int64_t k = 0; k < size; k++) {
        const double from = shape->points[k] - mean[k % shape->dimension];
        sum += from * from;
    }
    return sqrt(sum / (double)size);
}

/* The length that is 1 after the normalisation of option -u. */
static double unit_of(const cli_bcpd_run *run)
{
    const char normalise = run->options->normalise;
    return normalise == 'n' ? 1 : spread_of(normalise == 'y' ? run->source : run->target);
}

static sfgp_status write_info(const cli_bcpd_run *run)
{
    const sfgp_result *const result = run->result;
    sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fprintf(file.out, "loops\t%lld\nsigma\t%f\nN_hat\t%f\n", (long long)result->iterations,
            result->sigma / unit_of(run), result->explained * (double)run->target->count);
    return close_sink(&file, "info");
}

static sfgp_status write_times(const cli_bcpd_run *run)
{
    sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fprintf(file.out, "VB Optimization: %.3f s (real) / %.3f s (cpu)\nFile reading:    %.3f s\n",
            run->seconds[1], run->seconds[2], run->seconds[0]);
    return close_sink(&file, "comptime");
}

sfgp_status cli_bcpd_write(const cli_bcpd_run *run)
{
    sfgp_status status =
        write_matrix(run, "y", run->result->count, run->result->dimension, run->result->points);
    if (status == SFGP_OK)
        status = write_info(run);
    if (status == SFGP_OK)
        status = write_times(run);
    if (status == SFGP_OK && is_saved(run, 'T'))
        status = write_map(run);
    if (status == SFGP_OK && is_saved(run, 'v'))
        status = write_motion(run);
    for (const char *letter = "axPce"; status == SFGP_OK && *letter; letter++)
        if (is_saved(run, *letter))
            return write_matches(run);
    return status;
}
