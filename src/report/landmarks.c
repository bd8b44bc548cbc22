/* The distances of landmarks that were compared, as CSV. */
#include "report/landmarks.h"
#include "page/sink.h"
#include "report/csv.h"

#include <math.h>

double report_landmark_distance(const sfgp_landmark_pairs *pairs, int64_t pair)
{
    const int d = pairs->dimension;
    const double *x = pairs->first + pair * d, *y = pairs->second + pair * d,
                 plane = hypot(x[0] - y[0], x[1] - y[1]);
    return d == 3 ? hypot(plane, x[2] - y[2]) : plane;
}

static void add_row(const sfgp_landmark_pairs *pairs, int64_t k, const char *name, FILE *out)
{
    const int d = pairs->dimension;
    report_csv_text(out, name);
    fputc(',', out);
    report_csv_number(out, report_landmark_distance(pairs, k));
    for (int64_t a = k * d; a < (k + 1) * d; a++) {
        fputc(',', out);
        report_csv_number(out, pairs->first[a] - pairs->second[a]);
    }
    fputc('\n', out);
}

char *report_landmark_table(const sfgp_landmark_pairs *pairs, const char *const *names)
{
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    fprintf(sink.out, "landmark,distance,dx,dy%s\n", pairs->dimension == 3 ? ",dz" : "");
    for (int64_t k = 0; k < pairs->count; k++)
        add_row(pairs, k, names[k], sink.out);
    return page_sink_text(&sink);
}
