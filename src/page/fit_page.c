/* Makes the page of a fit. */
#include "page/fit_page.h"
#include "page/sink.h"
#include "page/fit_page_parts.h"
#include "page/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- data -------------------------------------------------------------------------------------------- */

/* Numbers of the points that are shown. False: out of memory. */
static bool choose_values(fit_page *f)
{
    const int d = f->result->dimension;
    f->fitted = thin_values(&f->shape, f->result->points, d);
    f->moved = thin_values(&f->shape, f->values.reference, d);
    f->missing = thin_values(&f->shape, f->values.missing, 1);
    bool good = f->fitted && f->moved && f->missing;
    for (int q = 0; q < FIT_QUANTITIES && good; q++)
        good = (f->quantities[q] = thin_values(&f->shape, f->values.quantities[q].values, 1)) != NULL;
    return good;
}

static void mirror_points(const sfgp_mesh *mesh, double *points)
{
    const int d = mesh->dimension;
    double centre = 0;
    for (int64_t i = 0; i < mesh->count; i++)
        centre += mesh->points[i * d] / (double)mesh->count;
    for (int64_t k = 0; k < mesh->count * d; k++)
        points[k] = k % d == 0 ? 2 * centre - mesh->points[k] : mesh->points[k];
}

/* The mirror image, about the plane x = 0 through the centroid. */
static sfgp_status mirror_reference(fit_page *f)
{
    const sfgp_mesh *mesh = f->in->reference;
    const int64_t corners = mesh->face_count > 0 ? mesh->face_start[mesh->face_count] : 0;
    const sfgp_status status =
        sfgp_mesh_new(f->in->context, mesh->count, mesh->dimension, mesh->face_count, corners, &f->image);
    if (status != SFGP_OK)
        return status;
    mirror_points(mesh, f->image->points);
    if (corners > 0) {
        memcpy(f->image->face_start, mesh->face_start, ((size_t)mesh->face_count + 1) * sizeof(int64_t));
        memcpy(f->image->face_points, mesh->face_points, (size_t)corners * sizeof(int64_t));
        sfgp_mesh_turn_faces(f->image);
    }
    f->reference = f->image;
    return SFGP_OK;
}

static sfgp_status prepare(fit_page *f)
{
    const fit_page_input *in = f->in;
    sfgp_status status = SFGP_OK;
    if (f->result->settings->mirror && f->result->outcome != SFGP_NO_OVERLAP)
        status = mirror_reference(f);
    if (status == SFGP_OK)
        status = fit_values_make(in->context, f->reference, in->scan, f->result, &f->values);
    if (status == SFGP_OK)
        status = thin_make(in->context, f->reference, FIT_PAGE_MOST, &f->shape);
    if (status == SFGP_OK)
        status = thin_make(in->context, in->scan, FIT_PAGE_MOST, &f->scan);
    return status == SFGP_OK && !choose_values(f) ? SFGP_ERROR_MEMORY : status;
}

static void clear(fit_page *f)
{
    fit_values_clear(&f->values);
    thin_clear(&f->shape);
    thin_clear(&f->scan);
    sfgp_mesh_free(f->image);
    free(f->fitted);
    free(f->moved);
    free(f->missing);
    for (int q = 0; q < FIT_QUANTITIES; q++)
        free(f->quantities[q]);
}

/* ---- view -------------------------------------------------------------------------------------------- */

static void write_view(const fit_page *f)
{
    const int64_t n = f->shape.mesh->count;
    unsigned char *missing = malloc((size_t)n + 1);
    sfgp_mesh moved = *f->shape.mesh;
    moved.points = f->moved;
    for (int64_t i = 0; missing && i < n; i++)
        missing[i] = f->missing[i] > 0;
    const page_fit fit = {"fit",
                          f->fitted,
                          NULL,
                          f->quantities[FIT_SD],
                          f->quantities[FIT_DEVIATION],
                          f->quantities[FIT_DISTANCE],
                          missing};
    const page_scene scene = {"", &moved, f->scan.mesh, NULL, &fit, 1};
    page_view_begin(f->p, "Reference, scan and fit", f->unit[0] ? f->unit + 1 : "");
    page_view_scene(f->p, &scene);
    page_view_end(f->p);
    free(missing);
}

/* ---- tables ------------------------------------------------------------------------------------------ */

static void write_quantities(const fit_page *f)
{
    const page_column columns[] = {{"Quantity", PAGE_LABEL}, {"Mean", PAGE_NUMBER}, {"Observed", PAGE_NUMBER},
                                   {"Missing", PAGE_NUMBER}, {"95 %", PAGE_NUMBER}, {"Largest", PAGE_NUMBER}};
    char *caption = report_format(
        "Mean over all points, the observed and the missing ones; 95 %% of the points are below%s%s.",
        f->unit[0] ? "; in" : "", f->unit);
    page_heading(f->p, "Numbers");
    page_table_begin(f->p, caption, columns, 6);
    for (int k = 0; k < FIT_QUANTITIES; k++) {
        const fit_quantity *q = &f->values.quantities[k];
        page_table_row(f->p, ((page_cell[]){{.text = q->name},
                                            {.value = q->mean},
                                            {.value = q->observed},
                                            {.value = q->missing},
                                            {.value = q->p95},
                                            {.value = q->largest}}));
    }
    page_table_end(f->p);
    free(caption);
}

static void write_fact(page *p, const char *name, char *value)
{
    page_table_row(p, ((page_cell[]){{.text = name}, {.text = value ? value : ""}}));
    free(value);
}

/* The rigid motion x' = R x + t that the sentences state, as the rows of R and t: "1 0 0 2; ...". */
static char *describe_motion(const sfgp_similarity *motion)
{
    const int d = motion->dimension;
    page_sink sink;
    if (!page_sink_open(&sink))
        return NULL;
    for (int a = 0; a < d; a++) {
        for (int b = 0; b < d; b++)
            fprintf(sink.out, "%.6g ",
                    round(1e6 * motion->rotation[a * d + b]) / 1e6 + 0.0); /* no -0, no 1e-17 */
        fprintf(sink.out, "%.6g%s", motion->shift[a], a + 1 < d ? "; " : "");
    }
    return page_sink_text(&sink);
}

/* The field along the surface, and at how many points it was made where these are not all. */
static char *describe_detail(const fit_page *f)
{
    const sfgp_result *r = f->result;
    if (!(r->detail > 0))
        return report_format("none");
    if (r->detail_points == r->count)
        return report_format("%.3g%s, alike over %.3g%s", r->detail, f->unit, r->detail_length, f->unit);
    return report_format("%.3g%s, alike over %.3g%s, at %lld of %lld points and carried to the others",
                         r->detail, f->unit, r->detail_length, f->unit, (long long)r->detail_points,
                         (long long)r->count);
}

/* A model in place of the reference was made of shapes before, which nobody counts here. */
static char *describe_training(const fit_page *f)
{
    const long long count = f->in->options.training;
    const bool learned = strncmp(f->result->settings->kernel, "pca", 3) == 0;
    return count == 0 && learned ? report_format("those of the model") : report_format("%lld", count);
}

static void write_facts(const fit_page *f)
{
    const page_column columns[] = {{"What", PAGE_LABEL}, {"Value", PAGE_WORDS}};
    const sfgp_page_options *options = &f->in->options;
    const sfgp_result *r = f->result;
    page_table_begin(f->p, "Files and fit.", columns, 2);
    write_fact(f->p, "Reference", report_format("%s (%lld points)", options->reference, (long long)r->count));
    write_fact(f->p, "Scan",
               report_format("%s (%lld points)", options->target, (long long)f->in->scan->count));
    write_fact(f->p, "Training shapes", describe_training(f));
    write_fact(f->p, "Outcome", report_format("%s", sfgp_outcome_name(r->outcome)));
    write_fact(
        f->p, "Iterations",
        report_format("%lld, in all fits %lld", (long long)r->iterations, (long long)r->total_iterations));
    write_fact(f->p, "Fits begun", report_format("%lld", (long long)r->fits));
    write_fact(f->p, "Sigma: deviation of the scan from the fit, an axis",
               report_format("%.4g%s", r->sigma, f->unit));
    write_fact(f->p, "Expected error: mean distance from the true points, by the stated deviations",
               isfinite(r->expected_error) ? report_format("%.3g%s", r->expected_error, f->unit)
                                           : report_format("not stated"));
    write_fact(f->p, "Scan that lies on the shape", report_format("%.4g %%", 100 * r->explained));
    write_fact(f->p, "Outlier weight omega", report_format("%.4g", r->omega));
    write_fact(f->p, "Detail: deviation of the field along the surface, an axis", describe_detail(f));
    write_fact(f->p, "Rank of the prior", report_format("%lld", (long long)r->rank));
    write_fact(f->p, "Motion x' = R x + t of the reference: rows of R and t",
               describe_motion(&f->values.motion));
    write_fact(f->p, "Time of the fit", report_format("%.3g s", r->seconds));
    page_table_end(f->p);
}

/* An auto that nothing resolved is 0 in the settings. */
static char *describe_setting(const sfgp_settings *settings, const sfgp_setting *row)
{
    const char *field = (const char *)settings + row->offset;
    int64_t count = 0;
    double real = 0;
    if (!sfgp_method_reads(settings->method, row))
        return report_format("not used by %s", settings->method);
    if (row->kind == SFGP_SETTING_TEXT)
        return report_format("%s", field);
    if (row->kind == SFGP_SETTING_COUNT)
        memcpy(&count, field, sizeof count);
    else
        memcpy(&real, field, sizeof real);
    if (row->automatic && count == 0 && real == 0)
        return report_format("auto");
    return row->kind == SFGP_SETTING_COUNT ? report_format("%lld", (long long)count)
                                           : report_format("%.6g", real);
}

static void write_settings(const fit_page *f)
{
    const page_column columns[] = {
        {"Setting", PAGE_LABEL}, {"Value", PAGE_WORDS}, {"Unit", PAGE_LABEL}, {"Meaning", PAGE_WORDS}};
    const sfgp_setting *row;
    page_heading(f->p, "Settings");
    page_table_begin(f->p, "Every setting, with what \"auto\" became in this fit.", columns, 4);
    for (int k = 0; (row = sfgp_settings_row(k)); k++) {
        char *value = describe_setting(f->result->settings, row);
        page_table_row(
            f->p,
            ((page_cell[]){{.text = row->name}, {.text = value}, {.text = row->unit}, {.text = row->help}}));
        free(value);
    }
    page_table_end(f->p);
}

/* ---- all parts --------------------------------------------------------------------------------------- */

static void write_parts(fit_page *f)
{
    char *title = report_format("Fit of %s to %s", report_file_name(f->in->options.reference),
                                report_file_name(f->in->options.target));
    f->p = page_open(title);
    fit_page_write_words(f);
    page_heading(f->p, "View");
    write_view(f);
    fit_page_write_pictures(f);
    write_quantities(f);
    write_facts(f);
    write_settings(f);
    free(title);
}

sfgp_status fit_page_make(const fit_page_input *input, char **text, size_t *size)
{
    char unit[32];
    fit_page f = {.in = input, .result = input->result, .reference = input->reference, .unit = unit};
    snprintf(unit, sizeof unit, "%s%.30s", input->options.unit[0] ? " " : "", input->options.unit);
    *text = NULL;
    sfgp_status status = prepare(&f);
    if (status == SFGP_OK) {
        write_parts(&f);
        status = page_close(f.p, text, size);
    }
    clear(&f);
    return status;
}
