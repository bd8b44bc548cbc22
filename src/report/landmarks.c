/* The distances of landmarks that were compared, as CSV. */
#include "report/landmarks.h"
#include "page/sink.h"
#include "report/csv.h"

static void add_row(const sfgp_landmark_pairs *pairs, int64_t k, const char *name, double distance, FILE *out)
{
    const int d = pairs->dimension;
    report_csv_text(out, name);
    fputc(',', out);
    report_csv_number(out, distance);
    for (int64_t a = k * d; a < (k + 1) * d; a++) {
        fputc(',', out);
        report_csv_number(out, pairs->first[a] - pairs->second[a]);
    }
    fputc('\n', out);
}

sfgp_status report_landmark_table(const sfgp_landmark_pairs *pairs, const char *const *names,
                                  const double *distances, char **text, size_t *size)
{
    page_sink sink;
    if (!page_sink_open(&sink))
        return SFGP_ERROR_MEMORY;
    fprintf(sink.out, "landmark,distance,dx,dy%s\n", pairs->dimension == 3 ? ",dz" : "");
    for (int64_t k = 0; k < pairs->count; k++)
        add_row(pairs, k, names[k], distances[k], sink.out);
    const sfgp_status status = page_sink_close(&sink, text);
    *size = sink.size;
    return status;
}
