/* Carries landmarks or a mesh from the reference to a case, and saves the fit as a map of space. */
#include "base/quantile.h"
#include "batch/carried.h"
#include "batch/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Nothing to carry: c stays empty. */
static sfgp_status carry(batch_work *w, const batch_candidate *by, batch_carried *c)
{
    char *path = NULL;
    sfgp_status status = batch_apply_of(w->b, w->number, (int)(by->prior - w->b->priors), &path);
    if (status == SFGP_OK && path &&
        (status = batch_carried_read(w->b, w->context, path, w->result->dimension, c, w->error)) == SFGP_OK)
        status = sfgp_deformation_apply(w->context, by->deformation, c->count, c->points, w->settings.threads,
                                        c->points, c->sd);
    if (status == SFGP_OK && c->mesh && sfgp_deformation_mirrors(by->deformation))
        sfgp_mesh_turn_faces(c->mesh);
    free(path);
    return status;
}

/* ---- the median over references ---------------------------------------------------------------------- */

static double median_of(int count, double *values)
{
    sfgp_sort(count, values);
    return sfgp_quantile(count, values, 0.5);
}

static bool same_names(const batch_carried *a, const batch_carried *b)
{
    bool same = a->landmarks && b->landmarks && a->count == b->count;
    for (int64_t k = 0; same && k < a->count; k++)
        same = strcmp(a->landmarks->names[k], b->landmarks->names[k]) == 0;
    return same;
}

/* Coordinate by coordinate over the fits that found the scan; of the standard deviations likewise. */
static void set_median(const batch_carried *all, int count, batch_carried *c)
{
    double values[BATCH_MOST_REFERENCES];
    for (int64_t k = 0; k < c->count * c->dimension; k++) {
        for (int j = 0; j < count; j++)
            values[j] = all[j].points[k];
        c->points[k] = median_of(count, values);
    }
    for (int64_t k = 0; k < c->count; k++) {
        for (int j = 0; j < count; j++)
            values[j] = all[j].sd[k];
        c->sd[k] = median_of(count, values);
    }
}

/* With the names of the best. */
static sfgp_status carry_another(batch_work *w, const batch_candidate *by, const batch_carried *best,
                                 batch_carried *c)
{
    const sfgp_status status = carry(w, by, c);
    if (status != SFGP_OK || same_names(best, c))
        return status;
    snprintf(w->error, sizeof w->error,
             "--median: the landmarks of the references have different names, or are in another order");
    return SFGP_ERROR_DATA;
}

static sfgp_status carry_median(batch_work *w, batch_carried *c)
{
    batch_carried all[BATCH_MOST_REFERENCES] = {{0}};
    int count = 0;
    sfgp_status status = carry(w, w->best, c);
    for (int k = 0; k < w->candidate_count && status == SFGP_OK; k++)
        if (w->candidates[k].result->outcome != SFGP_NO_OVERLAP)
            status = carry_another(w, &w->candidates[k], c, &all[count++]);
    if (status == SFGP_OK)
        set_median(all, count, c);
    for (int k = 0; k < count; k++)
        batch_carried_clear(&all[k]);
    return status;
}

/* ---- files ------------------------------------------------------------------------------------------- */

static sfgp_status write_landmarks(batch_work *w, const batch_carried *c, const char *name)
{
    char *path = batch_in_case(w->b->folder, w->id, name);
    const sfgp_status status =
        path ? sfgp_landmarks_write(w->context, path, c->landmarks, c->sd) : SFGP_ERROR_MEMORY;
    free(path);
    return status;
}

static sfgp_status write_mesh(batch_work *w, const batch_carried *c)
{
    const sfgp_attribute sd[] = {{"sd", c->sd, 0},
                                 {"quality", c->sd, 0}}; /* MeshLab shows quality as colours */
    char *path = batch_in_case(w->b->folder, w->id, BATCH_CARRIED_MESH);
    const sfgp_status status = path ? sfgp_mesh_write(w->context, path, c->mesh, sd, 2) : SFGP_ERROR_MEMORY;
    free(path);
    return status;
}

/* Landmarks as CSV, which collect reads, and in the format of Slicer that they came in. */
static sfgp_status write_carried(batch_work *w, const batch_carried *c)
{
    char name[32];
    if (c->mesh)
        return write_mesh(w, c);
    sfgp_status status = write_landmarks(w, c, BATCH_CARRIED_LANDMARKS);
    snprintf(name, sizeof name, "landmarks.%s", c->landmarks->format);
    if (status == SFGP_OK && (strcmp(name, "landmarks.mrk.json") == 0 || strcmp(name, "landmarks.fcsv") == 0))
        status = write_landmarks(w, c, name);
    return status;
}

static sfgp_status save(batch_work *w)
{
    if (!w->b->save)
        return SFGP_OK;
    char *path = batch_in_case(w->b->folder, w->id, "fit.h5");
    const sfgp_status status =
        path ? sfgp_deformation_write(w->context, w->best->deformation, path) : SFGP_ERROR_MEMORY;
    free(path);
    return status;
}

static sfgp_status carry_and_write(batch_work *w)
{
    batch_carried c = {0};
    sfgp_status status = w->b->median && w->candidate_count > 1 ? carry_median(w, &c) : carry(w, w->best, &c);
    if (status == SFGP_OK && c.count > 0 && (status = write_carried(w, &c)) == SFGP_OK) {
        char *path =
            batch_in_case(w->b->folder, w->id, c.mesh ? BATCH_CARRIED_MESH : BATCH_CARRIED_LANDMARKS);
        status = path ? batch_work_digest(w, path, w->digests.carried) : SFGP_ERROR_MEMORY;
        free(path);
    }
    batch_carried_clear(&c);
    return status;
}

sfgp_status batch_work_carry(batch_work *w)
{
    if (!w->carries)
        return SFGP_OK;
    sfgp_status status = save(w);
    if (status == SFGP_OK && w->result->outcome != SFGP_NO_OVERLAP)
        status = carry_and_write(w);
    return status;
}
