/* Builds the JSON of one file, of a mesh, of landmarks or of a shape model. */
#include "report/shape.h"

#include <math.h>

/* dimension numbers; all are finite, as those of a file are, but a box may be too large for a double. */
static json_t *make_vector(const double *values, int dimension)
{
    json_t *vector = json_array();
    for (int a = 0; a < dimension; a++)
        json_array_append_new(vector, isfinite(values[a]) ? json_real(values[a]) : json_null());
    return vector;
}

static json_t *make_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *report_shape(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info)
{
    const int d = mesh->dimension;
    json_t *object = json_pack("{s:o, s:s, s:I, s:I, s:i, s:o, s:o, s:o, s:o, s:o, s:I}", "file",
                               report_json_text(path), "format", mesh->format, "points",
                               (json_int_t)mesh->count, "faces", (json_int_t)mesh->face_count, "dimension", d,
                               "low", make_vector(info->low, d), "high", make_vector(info->high, d),
                               "diagonal", make_real(info->diagonal), "radius", make_real(info->radius),
                               "spacing", make_real(info->spacing), "copies", (json_int_t)info->copies);
    if (mesh->face_count > 0)
        json_object_update_new(object,
                               json_pack("{s:I, s:I, s:I}", "holes", (json_int_t)info->holes, "open_edges",
                                         (json_int_t)info->open_edges, "knots", (json_int_t)info->knots));
    return object;
}

json_t *report_landmarks(const char *path, const sfgp_mesh *mesh, const sfgp_mesh_info *info,
                         const sfgp_landmarks *landmarks)
{
    const int d = landmarks->dimension;
    json_t *object = report_shape(path, mesh, info), *list = json_array();
    for (int64_t k = 0; k < landmarks->count; k++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "name", report_json_text(landmarks->names[k]),
                                              "point", make_vector(landmarks->points + k * d, d)));
    json_object_set_new(object, "system", json_string(landmarks->system));
    json_object_set_new(object, "landmarks", list);
    return object;
}

json_t *report_model(const char *path, const char *saved_fit, const sfgp_model_info *info,
                     const sfgp_array *variances)
{
    json_t *list = json_array();
    for (int64_t k = 0; k < variances->shape[0]; k++)
        json_array_append_new(list, make_real(variances->values[k]));
    return json_pack("{s:o, s:s?, s:I, s:I, s:i, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "file",
                     report_json_text(path), "saved_fit", saved_fit, "points", (json_int_t)info->count,
                     "faces", (json_int_t)info->face_count, "dimension", info->dimension, "radius",
                     make_real(info->scale), "kernel", report_json_text(info->kernel), "rank_scalar",
                     (json_int_t)info->rank_scalar, "rank_pca", (json_int_t)info->rank_pca, "kernel_residual",
                     make_real(info->kernel_residual), "symmetric",
                     info->symmetric < 0 ? json_null() : json_boolean(info->symmetric), "variances", list);
}
