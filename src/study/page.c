/* Writes report.html and figures/: the methods, the results of each set, and 3D views of fits. */
#include "page/page.h"
#include "page/sink.h"
#include "study/figures.h"
#include "study/view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Calls the page with a new text, and frees the text. */
#define WITH_TEXT(text, call)                                                                                \
    do {                                                                                                     \
        char *made = (text);                                                                                 \
        const char *label = made ? made : "";                                                                \
        call;                                                                                                \
        free(made);                                                                                          \
    } while (0)

/* ---- methods and remarks ----------------------------------------------------------------------------- */

static char *settings_text(const study_method *method)
{
    char *given = study_settings_text(method->settings);
    char *tuned = method->chosen >= 0 ? study_choice_text(method, method->chosen) : strdup("");
    const char *between = !tuned || !tuned[0] ? "" : given && given[0] ? "; tuned: " : "tuned: ";
    char *text = given && tuned ? report_format("%s%s%s", given, between, tuned) : NULL;
    free(given);
    free(tuned);
    return text;
}

static void write_methods(const study *s, page *p)
{
    const page_column columns[] = {{"Name", PAGE_LABEL}, {"Method", PAGE_LABEL}, {"Settings", PAGE_WORDS}};
    page_heading(p, "Methods");
    page_table_begin(p, "What is not named has its default.", columns, 3);
    for (int m = 0; m < s->method_count; m++) {
        const study_method *method = &s->methods[m];
        const char *kind = method->method ? method->method : method->command;
        WITH_TEXT(
            settings_text(method),
            page_table_row(p, ((page_cell[]){{.text = method->name}, {.text = kind}, {.text = label}})));
    }
    page_table_end(p);
}

/* The cases that the grids were tried on: "the set S, levels 1, 2, the first 3 samples". */
static char *describe_tuning(const study *s)
{
    const json_t *levels = json_object_get(s->tune, "levels"), *samples = json_object_get(s->tune, "samples");
    const char *set = json_string_value(json_object_get(s->tune, "set"));
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    fprintf(sink.out, "the set %s", set ? set : "");
    for (size_t k = 0; k < json_array_size(levels); k++)
        fprintf(sink.out, "%s %g",
                k > 0                         ? ","
                : json_array_size(levels) > 1 ? ", levels"
                                              : ", level",
                json_number_value(json_array_get(levels, k)));
    if (samples)
        fprintf(sink.out, ", the first %lld samples", (long long)json_integer_value(samples));
    return page_sink_text(&sink);
}

static void write_notes(const study *s, page *p)
{
    for (int m = 0; m < s->method_count; m++)
        if (s->methods[m].missing)
            WITH_TEXT(report_format("%s was left out: %s.", s->methods[m].name, s->methods[m].missing),
                      page_note(p, label));
    for (int k = 0; k < s->set_count; k++)
        if (s->sets[k].stand_in)
            WITH_TEXT(
                report_format("%s: the evaluation data are not on this machine; simulated shapes stand in "
                              "for them, and numbers cannot be compared with those of the real data.",
                              s->sets[k].name),
                page_note(p, label));
    char *tuned_on = s->tune ? describe_tuning(s) : NULL;
    if (tuned_on)
        WITH_TEXT(report_format(
                      "Methods with a grid were tuned on %s, and on nothing else; all points of the grids "
                      "are in tuning.csv.",
                      tuned_on),
                  page_note(p, label));
    free(tuned_on);
}

/* ---- one set ----------------------------------------------------------------------------------------- */

/* What a report is made of. */
typedef struct report {
    study *s;
    const char *folder;
    const study_rows *rows;
    const study_summary *summary;
    page *p;
} report;

/* Draws a figure, saves it, and adds it to the page, after the heading if there is one. *drawn: there were data for it. */
static sfgp_status write_figure(const report *r, int set, const study_figure *figure, const char *heading,
                                bool *drawn)
{
    const study_drawing of = {r->s, set, r->rows, r->summary};
    char *svg = NULL, *name = study_figure_path(&r->s->sets[set], figure->name);
    sfgp_status status = name ? figure->draw(&of, figure, &svg) : SFGP_ERROR_MEMORY;
    if (status != SFGP_OK)
        study_fail(r->s, status, "figures: %s", sfgp_status_text(status));
    else if (svg)
        status = study_save(r->s, r->folder, name, svg, strlen(svg));
    *drawn = status == SFGP_OK && svg;
    if (*drawn && heading)
        page_heading(r->p, heading);
    if (*drawn)
        page_figure(r->p, svg, figure->caption, name);
    free(svg);
    free(name);
    return status;
}

/* The figures of a set, or those of all sets together, which have a heading of their own. */
static sfgp_status write_figures(const report *r, int set, bool together)
{
    const study_figure *figure;
    sfgp_status status = SFGP_OK;
    bool headed = !together, drawn;
    for (int k = 0; status == SFGP_OK && (figure = study_figure_row(k)); k++)
        if (figure->together == together) {
            status = write_figure(r, set, figure, headed ? NULL : "All sets", &drawn);
            headed = headed || drawn;
        }
    return status;
}

static double best_error(const study *s, int set, int level, const study_summary *summary)
{
    double best = HUGE_VAL;
    for (int m = 0; m < s->method_count; m++)
        best = fmin(best, study_line_column(study_summary_find(summary, m, set, level), "error")->mean);
    return best;
}

/* Writes the row of a method in the table of a set with one level. */
static void write_line(const study *s, const study_line *line, double best, page *p)
{
    const double error = study_line_column(line, "error")->mean;
    page_table_row(p, ((page_cell[]){
                          {.text = s->methods[line->method].name},
                          {.value = (double)line->runs},
                          {.value = (double)line->successes / (double)line->runs},
                          {.value = error, .best = error <= best},
                          {.value = study_line_column(line, "observed")->mean},
                          {.value = study_line_column(line, "missing")->mean},
                          {.value = study_line_column(line, "recall")->mean},
                          {.value = study_line_column(line, "precision")->mean},
                          {.value = study_line_column(line, "iterations")->mean},
                          {.value = study_line_column(line, "seconds")->median},
                          {.value = study_line_column(line, "peak_mib")->median},
                      }));
}

static void write_details(const study *s, int set, const study_summary *summary, page *p)
{
    const page_column columns[] = {
        {"Method", PAGE_LABEL},   {"Runs", PAGE_NUMBER},      {"Success", PAGE_NUMBER},
        {"Error", PAGE_NUMBER},   {"Observed", PAGE_NUMBER},  {"Missing", PAGE_NUMBER},
        {"Recall", PAGE_NUMBER},  {"Precision", PAGE_NUMBER}, {"Iterations", PAGE_NUMBER},
        {"Seconds", PAGE_NUMBER}, {"MiB", PAGE_NUMBER}};
    const double best = best_error(s, set, 0, summary);
    WITH_TEXT(report_format("Means over the runs that succeeded%s%s; seconds and MiB are medians.",
                            s->sets[set].unit[0] ? ", errors in " : "", s->sets[set].unit),
              page_table_begin(p, label, columns, sizeof columns / sizeof *columns));
    for (int m = 0; m < s->method_count; m++) {
        const study_line *line = study_summary_find(summary, m, set, 0);
        if (line)
            write_line(s, line, best, p);
    }
    page_table_end(p);
}

/* Writes the row of a method in the table of a set with several levels: the mean error at each level. summary.csv has
 * the other columns. */
static void write_method_errors(const study *s, int set, int method, const study_summary *summary,
                                page_cell *cells, page *p)
{
    bool known = false;
    cells[0] = (page_cell){.text = s->methods[method].name};
    for (int level = 0; level < s->sets[set].level_count; level++) {
        const study_line *line = study_summary_find(summary, method, set, level);
        const double error = study_line_column(line, "error")->mean;
        cells[level + 1] = (page_cell){.value = error, .best = error <= best_error(s, set, level, summary)};
        known = known || line;
    }
    if (known)
        page_table_row(p, cells);
}

/* A level with as many digits as a reader needs. */
static const char *show_level(const study_set *set, int level, char text[32])
{
    snprintf(text, 32, "%.6g", set->levels[level]);
    return text;
}

static sfgp_status write_errors(study *s, int set, const study_summary *summary, page *p)
{
    const study_set *of = &s->sets[set];
    page_column *columns = calloc((size_t)of->level_count + 1, sizeof *columns);
    page_cell *cells = calloc((size_t)of->level_count + 1, sizeof *cells);
    char(*names)[32] = calloc((size_t)of->level_count, sizeof *names);
    sfgp_status status =
        columns && cells && names ? SFGP_OK : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    for (int level = 0; status == SFGP_OK && level < of->level_count; level++)
        columns[level + 1] = (page_column){show_level(of, level, names[level]), PAGE_NUMBER};
    if (status == SFGP_OK) {
        columns[0] = (page_column){"Method", PAGE_LABEL};
        WITH_TEXT(report_format("Mean error over the runs that succeeded%s%s, by %s.",
                                of->unit[0] ? ", " : "", of->unit, of->axis),
                  page_table_begin(p, label, columns, of->level_count + 1));
        for (int m = 0; m < s->method_count; m++)
            write_method_errors(s, set, m, summary, cells, p);
        page_table_end(p);
    }
    free(columns);
    free(cells);
    free(names);
    return status;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static sfgp_status write_set(const report *r, int set)
{
    page_heading(r->p, r->s->sets[set].name);
    sfgp_status status = write_figures(r, set, false);
    if (status == SFGP_OK)
        status = study_write_views(r->s, set, r->p);
    if (status == SFGP_OK && r->s->sets[set].level_count > 1)
        return write_errors(r->s, set, r->summary, r->p);
    write_details(r->s, set, r->summary, r->p);
    return status;
}

/* What compares all sets comes before the first set that is shown. */
static sfgp_status write_sets(const report *r)
{
    sfgp_status status = SFGP_OK;
    bool first = true;
    for (int set = 0; status == SFGP_OK && set < r->s->set_count; set++) {
        if (r->s->sets[set].hidden)
            continue;
        if (first)
            status = write_figures(r, set, true);
        first = false;
        if (status == SFGP_OK)
            status = write_set(r, set);
    }
    return status;
}

sfgp_status study_write_report(study *s, const char *folder, const study_rows *rows,
                               const study_summary *summary)
{
    page *p = page_open(s->title);
    char *text = NULL;
    size_t size;
    page_text(p, s->text);
    write_notes(s, p);
    sfgp_status status = write_sets(&(report){s, folder, rows, summary, p}), closed;
    write_methods(s, p);
    page_text(p, "Every run is in rows.csv, every mean in summary.csv.");
    if ((closed = page_close(p, &text, &size)) != SFGP_OK && status == SFGP_OK)
        status = study_fail(s, closed, "%s: %s", STUDY_NAME[STUDY_REPORT], sfgp_status_text(closed));
    if (status == SFGP_OK)
        status = study_save(s, folder, STUDY_NAME[STUDY_REPORT], text, size);
    free(text);
    return status;
}
