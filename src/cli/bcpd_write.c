/* The files of BCPD: numbers separated by tabs, points counted from 1. Numbers have all digits, where BCPD writes six
 * after the point. */
#include "cli/bcpd.h"
#include "cli/output.h"
#include "page/sink.h"
#include "report/matches.h"
#include "report/motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sfgp_status open_sink(const cli_bcpd_run *run, page_sink *file)
{
    return page_sink_open(file) ? SFGP_OK : cli_fail(run->session, SFGP_ERROR_MEMORY, "out of memory");
}

/* Writes the file, whose text is in memory until then. */
static sfgp_status close_sink(const cli_bcpd_run *run, page_sink *file, const char *name)
{
    char path[4096], *text = page_sink_text(file);
    const int length = snprintf(path, sizeof path, "%s%s.txt", run->options.prefix, name);
    if (length >= 0 && (size_t)length < sizeof path)
        return cli_output_text(run->session, path, text);
    free(text);
    return cli_fail(run->session, SFGP_ERROR_PARAMETER, "-o: longer than 4000 characters");
}

static sfgp_status write_matrix(const cli_bcpd_run *run, const char *name, int64_t rows, int columns,
                                const double *values)
{
    char number[SFGP_NUMBER_SIZE];
    page_sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    for (int64_t k = 0; k < rows * columns; k++)
        fprintf(file.out, "%s%c", sfgp_number_format(values[k], number), (k + 1) % columns ? '\t' : '\n');
    return close_sink(run, &file, name);
}

/* ---- s, R, t and v: y = s R (source + v) + t ------------------------------------------------------------- */

static sfgp_status write_map(const cli_bcpd_run *run)
{
    const int d = run->result->dimension;
    const double scale = report_scale(run->result);
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

static sfgp_status write_motion(const cli_bcpd_run *run)
{
    const sfgp_result *const result = run->result;
    double *motion = calloc((size_t)(result->count * result->dimension), sizeof *motion);
    if (!motion) /* GCOVR_EXCL_START: whether the sweep of allocations comes here depends on the addresses of a run */
        return cli_fail(run->session, SFGP_ERROR_MEMORY, "out of memory");
    /* GCOVR_EXCL_STOP */
    report_motion(result, run->source, motion);
    const sfgp_status status = write_matrix(run, "v", result->count, result->dimension, motion);
    free(motion);
    return status;
}

/* ---- matches --------------------------------------------------------------------------------------------- */

static sfgp_status write_probabilities(const cli_bcpd_run *run, report_matches *matches)
{
    const double least = 1 / (double)run->result->count;
    char number[SFGP_NUMBER_SIZE];
    page_sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fputs("[n]\t[m]\t[probability]\n", file.out);
    for (int64_t n = 0; n < run->target->count; n++) {
        report_match(matches, n);
        for (int64_t k = matches->first; k < matches->end; k++)
            if (matches->row[k] > least)
                fprintf(file.out, "%lld\t%lld\t%s\n", (long long)n + 1, (long long)matches->order[k] + 1,
                        sfgp_number_format(matches->row[k], number));
    }
    return close_sink(run, &file, "P");
}

static int64_t best_place(const report_matches *matches)
{
    int64_t best = matches->first;
    for (int64_t k = matches->first; k < matches->end; k++)
        if (matches->row[k] > matches->row[best])
            best = k;
    return best;
}

/* c: 1 where the best match is more probable than an outlier. e: the best match. */
static sfgp_status write_best(const cli_bcpd_run *run, bool labels, report_matches *matches)
{
    char number[SFGP_NUMBER_SIZE];
    page_sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fputs(labels ? "[n]\t[1/0]\n" : "[n]\t[m]\t[probability]\n", file.out);
    for (int64_t n = 0; n < run->target->count; n++) {
        const double outlier = report_match(matches, n);
        const int64_t best = best_place(matches);
        if (labels)
            fprintf(file.out, "%lld\t%d\n", (long long)n + 1, matches->row[best] > outlier);
        else
            fprintf(file.out, "%lld\t%lld\t%s\n", (long long)n + 1, (long long)matches->order[best] + 1,
                    sfgp_number_format(matches->row[best], number));
    }
    return close_sink(run, &file, labels ? "c" : "e");
}

static bool is_saved(const cli_bcpd_run *run, char letter)
{
    const bool *const saved = run->options.saved;
    return saved['A'] || saved[(unsigned char)letter];
}

static sfgp_status write_matches(const cli_bcpd_run *run)
{
    const int64_t count = run->result->count;
    report_matches matches;
    sfgp_status status =
        report_matches_new(run->result, run->target, run->options.outliers || run->options.automatic,
                           run->options.settings.kappa, &matches);
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
    report_matches_clear(&matches);
    return status;
}

/* ---- every run ------------------------------------------------------------------------------------------- */

/* The length that is 1 after the normalisation of option -u. */
static double unit_of(const cli_bcpd_run *run)
{
    const char normalise = run->options.normalise;
    return normalise == 'n' ? 1 : report_spread(normalise == 'y' ? run->source : run->target);
}

static sfgp_status write_info(const cli_bcpd_run *run)
{
    const sfgp_result *const result = run->result;
    page_sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fprintf(file.out, "loops\t%lld\nsigma\t%f\nN_hat\t%f\n", (long long)result->iterations,
            result->sigma / unit_of(run), result->explained * (double)run->target->count);
    return close_sink(run, &file, "info");
}

static sfgp_status write_times(const cli_bcpd_run *run)
{
    page_sink file;
    const sfgp_status status = open_sink(run, &file);
    if (status != SFGP_OK)
        return status;
    fprintf(file.out, "VB Optimization: %.3f s (real) / %.3f s (cpu)\nFile reading:    %.3f s\n",
            run->seconds[1], run->seconds[2], run->seconds[0]);
    return close_sink(run, &file, "comptime");
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
