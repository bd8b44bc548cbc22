/* The front: which methods are the best for what they cost. */
#include "study/figures_draw.h"

#include <stdlib.h>

/* x: cost, y: error; one for each method that is drawn, and after them room for the corners of the front and its end. */
typedef struct front {
    int count, corners;
    double *x, *y;
    chart_series *series;
} front;

/* Methods with a fit of more than half of the samples: their medians are of most cases. */
static void add_methods(const study_drawing *of, front *f)
{
    const study *s = of->s;
    for (int m = 0; m < s->method_count; m++) {
        const study_line *line = study_summary_find(of->summary, m, of->set, 0);
        if (!line || 2 * line->successes <= line->runs || study_line_column(line, "error")->count == 0)
            continue;
        double *x = f->x + f->count, *y = f->y + f->count;
        *x = study_line_column(line, "cpu_seconds")->median;
        *y = study_line_column(line, "error")->median;
        f->series[f->count++] =
            (chart_series){.name = s->methods[m].name, .style = m + 1, .count = 1, .x = x, .y = y};
    }
}

/* Nothing costs no more and errs less, or errs no more and costs less. */
static bool is_on_front(const front *f, int k)
{
    for (int other = 0; other < f->count; other++)
        if (f->x[other] <= f->x[k] && f->y[other] <= f->y[k] &&
            (f->x[other] < f->x[k] || f->y[other] < f->y[k]))
            return false;
    return true;
}

/* The place among the corners, which are sorted by cost. */
static void insert_corner(front *f, double x, double y)
{
    double *xs = f->x + f->count, *ys = f->y + f->count;
    int at = f->corners++;
    for (; at > 0 && xs[at - 1] > x; at--)
        xs[at] = xs[at - 1], ys[at] = ys[at - 1];
    xs[at] = x, ys[at] = y;
}

/* The line ends at the cost of the dearest method. */
static void add_front(front *f)
{
    double dearest = 0;
    for (int k = 0; k < f->count; k++) {
        dearest = f->x[k] > dearest ? f->x[k] : dearest;
        if (is_on_front(f, k))
            insert_corner(f, f->x[k], f->y[k]);
    }
    insert_corner(f, dearest, f->y[f->count + f->corners - 1]);
    f->series[f->count] = (chart_series){
        .count = f->corners, .x = f->x + f->count, .y = f->y + f->count, .style = 8, .steps = true};
}

sfgp_status study_draw_front(const study_drawing *of, const study_figure *figure, char **svg)
{
    const size_t methods = (size_t)of->s->method_count, room = 2 * methods + 1;
    if (of->s->sets[of->set].level_count > 1)
        return SFGP_OK;
    front f = {.x = calloc(room, sizeof *f.x),
               .y = calloc(room, sizeof *f.y),
               .series = calloc(methods + 1, sizeof *f.series)};
    sfgp_status status = f.x && f.y && f.series ? SFGP_OK : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK)
        add_methods(of, &f);
    if (status == SFGP_OK && f.count > 1) {
        add_front(&f);
        status = study_points_draw(of, figure->label, "Median error", f.series, f.count + 1, svg);
    }
    free(f.x);
    free(f.y);
    free(f.series);
    return status;
}
