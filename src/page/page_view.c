/* Views of a page: the HTML frame, and the data as JSON in a <script> element that is data only, for viewer/scene.js.
 *
 *   {"unit": "mm",
 *    "scenes": [{"name": ..., "reference": k, "scan": points, "scanFaces": triangles, "truth": points,
 *                "truthFaces": true,
 *                "fits": [{"name": ..., "points": points, "error": floats, "sd": floats, "deviation": floats,
 *                          "distance": floats, "missing": bytes}]}],
 *    "references": [{"dimension": 3, "points": points, "faces": triangles}]}
 *
 * points and floats are single precision in base64. Coordinates are relative to the centroid of the scene's reference,
 * so that single precision is enough for any origin of the file. The references come last, when all are known. */
#include "page/markup.h"
#include "page/page_data.h"
#include "page/page_parts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char LEFT_OUT[] = "Views in 3D were left out of this build of sfgp (SFGP_VIEWER=OFF).";

/* ---- arrays ------------------------------------------------------------------------------------------ */

static void find_middle(const sfgp_mesh *mesh, double middle[3])
{
    const int d = mesh->dimension == 2 ? 2 : 3;
    middle[0] = middle[1] = middle[2] = 0;
    for (int64_t i = 0; i < mesh->count; i++)
        for (int k = 0; k < d; k++)
            middle[k] += mesh->points[i * d + k] / (double)mesh->count;
}

static void write_key(FILE *out, const char *key)
{
    fprintf(out, ",\"%s\":", key);
}

static void write_points(FILE *out, const char *key, int64_t count, int dimension, const double *points,
                         const double middle[3])
{
    const int d = dimension == 2 ? 2 : 3;
    page_base64 b = {.out = out};
    write_key(out, key);
    fputc('"', out);
    for (int64_t i = 0; i < count; i++)
        for (int k = 0; k < d; k++)
            page_base64_float(&b, points[i * d + k] - middle[k]);
    page_base64_end(&b);
    fputc('"', out);
}

/* A value outside the range of single precision is NaN for the viewer. */
static void write_values(FILE *out, const char *key, int64_t count, const double *values)
{
    page_base64 b = {.out = out};
    if (!values)
        return;
    write_key(out, key);
    fputc('"', out);
    for (int64_t i = 0; i < count; i++)
        page_base64_float(&b, fabs(values[i]) <= (double)FLT_MAX ? values[i] : (double)NAN);
    page_base64_end(&b);
    fputc('"', out);
}

static void write_mask(FILE *out, int64_t count, const unsigned char *mask)
{
    page_base64 b = {.out = out};
    if (!mask)
        return;
    write_key(out, "missing");
    fputc('"', out);
    for (int64_t i = 0; i < count; i++)
        page_base64_byte(&b, mask[i] ? 1 : 0);
    page_base64_end(&b);
    fputc('"', out);
}

/* Splits each polygon into a fan of triangles. */
static void write_faces(FILE *out, const char *key, const sfgp_mesh *mesh)
{
    page_base64 b = {.out = out};
    write_key(out, key);
    fputc('"', out);
    for (int64_t f = 0; f < mesh->face_count; f++)
        for (int64_t k = mesh->face_start[f] + 2; k < mesh->face_start[f + 1]; k++) {
            page_base64_index(&b, (uint32_t)mesh->face_points[mesh->face_start[f]]);
            page_base64_index(&b, (uint32_t)mesh->face_points[k - 1]);
            page_base64_index(&b, (uint32_t)mesh->face_points[k]);
        }
    page_base64_end(&b);
    fputc('"', out);
}

/* ---- checks ------------------------------------------------------------------------------------------ */

static bool all_finite(int64_t count, const double *values)
{
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(values[k]))
            return false;
    return true;
}

static bool mesh_fits(const sfgp_mesh *mesh, int dimension)
{
    return mesh->dimension == dimension && all_finite(mesh->count * dimension, mesh->points);
}

const char *page_scene_problem(const page_scene *scene)
{
    if (!scene->reference || scene->reference->count < 1)
        return "a scene needs a reference with points";
    const sfgp_mesh *reference = scene->reference;
    if (!mesh_fits(reference, reference->dimension))
        return "a point of the reference is not finite";
    if (scene->scan && !mesh_fits(scene->scan, reference->dimension))
        return "the scan has another dimension or a point that is not finite";
    if (scene->truth && !mesh_fits(scene->truth, reference->dimension))
        return "the truth has another dimension or a point that is not finite";
    for (int k = 0; k < scene->fit_count; k++)
        if (!all_finite(reference->count * reference->dimension, scene->fits[k].points))
            return "a point of a fit is not finite";
    return NULL;
}

/* ---- scenes ------------------------------------------------------------------------------------------ */

/* Index of the reference in the list, to which it is added when it is new; -1: out of memory. */
static int find_reference(page *p, const sfgp_mesh *mesh)
{
    for (int k = 0; k < p->reference_count; k++)
        if (p->references[k] == mesh)
            return k;
    const sfgp_mesh **grown = realloc(p->references, sizeof *grown * ((size_t)p->reference_count + 1));
    if (!grown)
        return -1;
    p->references = grown;
    p->references[p->reference_count] = mesh;
    return p->reference_count++;
}

static void write_fit(FILE *out, const sfgp_mesh *reference, const page_fit *fit, const double middle[3])
{
    fputs("{\"name\":", out);
    page_write_string(out, fit->name);
    write_points(out, "points", reference->count, reference->dimension, fit->points, middle);
    write_values(out, "error", reference->count, fit->error);
    write_values(out, "sd", reference->count, fit->sd);
    write_values(out, "deviation", reference->count, fit->deviation);
    write_values(out, "distance", reference->count, fit->distance);
    write_mask(out, reference->count, fit->missing);
    fputc('}', out);
}

static void write_scene(FILE *out, const page_scene *scene, int reference)
{
    const sfgp_mesh *mesh = scene->reference;
    double middle[3];
    find_middle(mesh, middle);
    fputs("{\"name\":", out);
    page_write_string(out, scene->name);
    fprintf(out, ",\"reference\":%d", reference);
    if (scene->scan)
        write_points(out, "scan", scene->scan->count, mesh->dimension, scene->scan->points, middle);
    if (scene->scan && scene->scan->face_count > 0)
        write_faces(out, "scanFaces", scene->scan);
    if (scene->truth)
        write_points(out, "truth", scene->truth->count, mesh->dimension, scene->truth->points, middle);
    if (scene->truth && scene->truth->count == mesh->count && mesh->face_count > 0)
        fputs(",\"truthFaces\":true", out); /* the truth corresponds to the reference: same faces */
    fputs(",\"fits\":[", out);
    for (int k = 0; k < scene->fit_count; k++) {
        fputs(k ? ",\n" : "\n", out);
        write_fit(out, mesh, &scene->fits[k], middle);
    }
    fputs("]}", out);
}

static void write_reference(FILE *out, const sfgp_mesh *mesh)
{
    double middle[3];
    find_middle(mesh, middle);
    fprintf(out, "{\"dimension\":%d", mesh->dimension);
    write_points(out, "points", mesh->count, mesh->dimension, mesh->points, middle);
    if (mesh->face_count > 0)
        write_faces(out, "faces", mesh);
    fputc('}', out);
}

/* ---- the view ---------------------------------------------------------------------------------------- */

void page_view_begin(page *p, const char *title, const char *unit)
{
    FILE *out = page_enter(p, PAGE_PROSE, "page_view_begin: a table or a view is still open");
    if (!out)
        return;
    p->part = PAGE_VIEW;
    p->views += page_has_viewer();
    p->reference_count = p->scene_count = 0;
    fputs("<h3>", out);
    markup_write(out, title);
    fputs("</h3>\n", out);
    if (!page_has_viewer()) { /* GCOVR_EXCL_START: a build without views */
        fprintf(out, "<div class=\"note\">%s</div>\n", LEFT_OUT);
        return;
    } /* GCOVR_EXCL_STOP */
    fputs("<section class=\"view\"><div class=\"view-body\"><div class=\"view-stage\">"
          "<canvas tabindex=\"0\" aria-label=\"",
          out);
    markup_write(out, title);
    fputs("\"></canvas><p class=\"view-message\">This view needs JavaScript.</p>"
          "<span class=\"view-hint\"></span><div class=\"view-tip\"></div></div>"
          "<div class=\"view-panel\"></div></div>\n<script type=\"application/json\" class=\"view-data\">\n"
          "{\"unit\":",
          out);
    page_write_string(out, unit);
    fputs(",\"scenes\":[", out);
}

void page_view_scene(page *p, const page_scene *scene)
{
    if (!page_inside(p, PAGE_VIEW, "page_view_scene: no view is open"))
        return;
    const char *problem = page_scene_problem(scene);
    const int reference = problem ? -1 : find_reference(p, scene->reference);
    if (problem)
        page_fail(p, problem);
    else
        p->starved = reference < 0;
    if (reference < 0)
        return;
    if (!page_has_viewer()) /* GCOVR_EXCL_BR_LINE: a build without views */
        return;             /* GCOVR_EXCL_LINE: a build without views */
    fputs(p->scene_count++ ? ",\n" : "\n", p->body.out);
    write_scene(p->body.out, scene, reference);
}

void page_view_end(page *p)
{
    if (!page_inside(p, PAGE_VIEW, "page_view_end: no view is open"))
        return;
    if (p->reference_count == 0) {
        page_fail(p, "page_view_end: the view has no scene");
        return;
    }
    p->part = PAGE_PROSE;
    if (!page_has_viewer()) /* GCOVR_EXCL_BR_LINE: a build without views */
        return;             /* GCOVR_EXCL_LINE: a build without views */
    fputs("],\"references\":[", p->body.out);
    for (int k = 0; k < p->reference_count; k++) {
        fputs(k ? ",\n" : "\n", p->body.out);
        write_reference(p->body.out, p->references[k]);
    }
    fputs("]}\n</script></section>\n", p->body.out);
}
