/* Reads what fits carry along, and checks it before anything runs. */
#include "batch/carried.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void batch_carried_clear(batch_carried *c)
{
    sfgp_landmarks_free(c->landmarks);
    sfgp_mesh_free(c->mesh);
    free(c->sd);
}

sfgp_status batch_carried_read(const batch *b, sfgp_context *context, const char *path, int dimension,
                               batch_carried *c, char message[BATCH_ERROR])
{
    const bool landmarks = sfgp_landmarks_is_file(path);
    const sfgp_read_options kept = {.columns = b->read.columns, .keep = 1}; /* with its colours */
    sfgp_status status = landmarks ? sfgp_landmarks_read(context, path, &c->landmarks)
                                   : sfgp_mesh_read_with(context, path, &kept, &c->mesh, NULL);
    if (status != SFGP_OK)
        return status;
    c->points = landmarks ? c->landmarks->points : c->mesh->points;
    c->count = landmarks ? c->landmarks->count : c->mesh->count;
    c->dimension = landmarks ? c->landmarks->dimension : c->mesh->dimension;
    c->sd = malloc((size_t)c->count * sizeof *c->sd);
    if (c->dimension != dimension) {
        snprintf(message, BATCH_ERROR, "%.800s: %dD, the fit is %dD", path, c->dimension, dimension);
        return SFGP_ERROR_DATA;
    }
    return c->sd ? SFGP_OK : SFGP_ERROR_MEMORY;
}

/* ---- before anything runs ---------------------------------------------------------------------------- */

/* place: of the cell that names the file; "": the command line does. */
static sfgp_status check_file(batch *b, const char *path, int dimension, const char *place)
{
    batch_carried c = {0};
    char message[BATCH_ERROR] = "";
    const sfgp_status status = batch_carried_read(b, b->context, path, dimension, &c, message);
    batch_carried_clear(&c);
    if (status == SFGP_OK)
        return status;
    const char *said = message[0] ? message : sfgp_context_error(b->context);
    return batch_fail(b, status, "%s%s", place, said[0] ? said : sfgp_status_text(status));
}

/* A cell of column apply. */
typedef struct cell {
    const char *text;
    int dimension; /* of the fit */
    int64_t number;
} cell;

static bool same_file(const cell *a, const cell *b)
{
    return strcmp(a->text, b->text) == 0 && a->dimension == b->dimension;
}

/* Those with the same file one after the other, in the order of the manifest. */
static int compare_cells(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    const int order = strcmp(x->text, y->text);
    if (order != 0 || x->dimension != y->dimension)
        return order != 0 ? order : x->dimension - y->dimension;
    return (x->number > y->number) - (x->number < y->number);
}

static sfgp_status check_cell(batch *b, const cell *c)
{
    char *path = batch_beside(b, c->text);
    char *place =
        report_format("%s: line %lld, column 'apply': ", b->path, (long long)b->manifest.lines[c->number]);
    const sfgp_status status = path && place ? check_file(b, path, c->dimension, place)
                                             : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    free(path);
    free(place);
    return status;
}

/* Every file once. */
static sfgp_status check_cells(batch *b)
{
    int64_t count = 0;
    sfgp_status status = SFGP_OK;
    cell *cells = malloc(((size_t)b->manifest.count + 1) * sizeof *cells);
    if (!cells)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; i < b->manifest.count; i++) {
        const char *text = batch_cell(&b->manifest, i, BATCH_APPLY);
        if (text[0])
            cells[count++] = (cell){text, b->priors[batch_choice_of(b, i).first].info.dimension, i};
    }
    qsort(cells, (size_t)count, sizeof *cells, compare_cells);
    for (int64_t k = 0; k < count && status == SFGP_OK; k++)
        if (k == 0 || !same_file(&cells[k], &cells[k - 1]))
            status = check_cell(b, &cells[k]);
    free(cells);
    return status;
}

sfgp_status batch_carried_check(batch *b)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < b->reference_count && status == SFGP_OK; k++)
        if (b->references[k].apply)
            status = check_file(b, b->references[k].apply, b->priors[k].info.dimension, "");
    return status == SFGP_OK ? check_cells(b) : status;
}
