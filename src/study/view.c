/* Saves fits for the 3D views of the report in DIR/views, and loads them. The process of a run saves the points as
 * PLY, and sd and missing in a second file; the report reads both. */
#include "study/view.h"
#include "study/members.h"
#include "report/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VIEW_KEYS "set level sample"

static sfgp_status check_view(study *s, json_t *view, int number)
{
    char where[32];
    json_t *level = json_object_get(view, "level"), *sample = json_object_get(view, "sample");
    const int set = study_find_set(s, json_string_value(json_object_get(view, "set")));
    snprintf(where, sizeof where, "views[%d]", number);
    sfgp_status status = study_object_check_keys(&(study_object){s, view, where}, VIEW_KEYS, "");
    if (status != SFGP_OK)
        return status;
    if (set < 0 || s->sets[set].hidden)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: set: names no set that is reported", where);
    if (level && study_find_level(&s->sets[set], level) < 0)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: level: is no level of '%.60s'", where,
                          s->sets[set].name);
    const json_int_t least = s->sets[set].first, most = least + s->sets[set].sample_count - 1;
    if ((sample && !json_is_integer(sample)) || json_integer_value(sample) < least ||
        json_integer_value(sample) > most)
        return study_fail(s, SFGP_ERROR_FORMAT, "%s: sample: is not a whole number between %lld and %lld",
                          where, (long long)least, (long long)most);
    return SFGP_OK;
}

sfgp_status study_check_views(study *s)
{
    sfgp_status status = SFGP_OK;
    if (s->views && !json_is_array(s->views))
        return study_fail(s, SFGP_ERROR_FORMAT, "views: is not a list");
    for (size_t k = 0; k < json_array_size(s->views); k++)
        if (status == SFGP_OK)
            status = check_view(s, json_array_get(s->views, k), (int)k);
    return status;
}

static bool matches(const study *s, const json_t *view, study_key key)
{
    const study_set *set = &s->sets[key.set];
    const char *name = json_string_value(json_object_get(view, "set"));
    const json_t *level = json_object_get(view, "level");
    return name && strcmp(name, set->name) == 0 &&
           (!level || json_number_value(level) == set->levels[key.level]) &&
           json_integer_value(json_object_get(view, "sample")) == key.sample + set->first;
}

bool study_view_wanted(const study *s, study_key key)
{
    for (size_t k = 0; k < json_array_size(s->views) && key.choice < 0; k++)
        if (matches(s, json_array_get(s->views, k), key))
            return true;
    return false;
}

static char *view_path(const study *s, study_key key, const char *extension)
{
    return report_format("%s/%s/%d-%d-%d-%d.%s", s->output, STUDY_NAME[STUDY_VIEWS], key.set, key.level,
                         key.sample, key.method, extension);
}

/* ---- saving ------------------------------------------------------------------------------------------ */

static sfgp_status save_points(sfgp_context *context, const char *path, const sfgp_result *result,
                               const sfgp_mesh *fitted)
{
    const sfgp_attribute sd = {"sd", result ? result->sd : NULL, 0};
    return sfgp_mesh_write(context, path, fitted, result ? &sd : NULL, result ? 1 : 0);
}

static sfgp_status save_sd(sfgp_context *context, const char *path, const sfgp_result *result)
{
    const size_t n = (size_t)result->count, size = n * (sizeof(double) + 1);
    unsigned char *bytes = malloc(size);
    if (!bytes)
        return SFGP_ERROR_MEMORY;
    memcpy(bytes, result->sd, n * sizeof(double));
    memcpy(bytes + n * sizeof(double), result->missing, n);
    sfgp_status status = sfgp_file_write(context, path, bytes, size);
    free(bytes);
    return status;
}

sfgp_status study_view_save(study *s, study_key key, const sfgp_result *result, const sfgp_mesh *fitted)
{
    char *points = view_path(s, key, "ply"), *sd_path = view_path(s, key, "sd");
    sfgp_context *context = NULL;
    sfgp_status status = points && sd_path ? sfgp_context_new(NULL, &context) : SFGP_ERROR_MEMORY;
    if (status == SFGP_OK)
        status = save_points(context, points, result, fitted);
    if (status == SFGP_OK && result)
        status = save_sd(context, sd_path, result);
    if (status != SFGP_OK)
        study_fail(s, status, "views: %s", context ? sfgp_context_error(context) : "out of memory");
    sfgp_context_free(context);
    free(points);
    free(sd_path);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* sd and missing stay NULL unless the file has exactly one entry for each point. */
static void load_sd(const char *path, study_fit *fit)
{
    const size_t n = (size_t)fit->mesh->count;
    const char *problem;
    FILE *in = report_file_open(path, &problem);
    fit->sd = in ? malloc(n * sizeof *fit->sd) : NULL;
    fit->missing = in ? malloc(n) : NULL;
    if (!fit->sd || !fit->missing || fread(fit->sd, sizeof *fit->sd, n, in) != n ||
        fread(fit->missing, 1, n, in) != n || fgetc(in) != EOF) {
        free(fit->sd);
        free(fit->missing);
        fit->sd = NULL;
        fit->missing = NULL;
    }
    if (in)
        fclose(in);
}

/* truth corresponds to the fit point by point. */
static void measure(const sfgp_mesh *truth, study_fit *fit)
{
    const int d = fit->mesh->dimension;
    fit->error = malloc((size_t)fit->mesh->count * sizeof *fit->error);
    for (int64_t i = 0; fit->error && i < fit->mesh->count; i++) {
        double square = 0;
        for (int a = 0; a < d; a++) {
            double step = fit->mesh->points[i * d + a] - truth->points[i * d + a];
            square += step * step;
        }
        fit->error[i] = sqrt(square);
    }
}

static bool same_size(const sfgp_mesh *a, const sfgp_mesh *b)
{
    return a->count == b->count && a->dimension == b->dimension;
}

bool study_fit_load(const study *s, study_key key, const sfgp_mesh *reference, const sfgp_mesh *truth,
                    study_fit *fit)
{
    char *points = view_path(s, key, "ply"), *sd_path = view_path(s, key, "sd");
    sfgp_context *context = NULL;
    *fit = (study_fit){0};
    if (points && sd_path && sfgp_context_new(NULL, &context) == SFGP_OK &&
        sfgp_mesh_read(context, points, &fit->mesh) == SFGP_OK) {
        if (!same_size(fit->mesh, reference))
            fit->problem = "the file in views has another number of points than the reference";
        else
            load_sd(sd_path, fit);
        if (!fit->problem && truth && same_size(fit->mesh, truth))
            measure(truth, fit);
    }
    sfgp_context_free(context);
    free(points);
    free(sd_path);
    return fit->mesh && !fit->problem;
}

void study_fit_clear(study_fit *fit)
{
    sfgp_mesh_free(fit->mesh);
    free(fit->sd);
    free(fit->error);
    free(fit->missing);
    *fit = (study_fit){0};
}
