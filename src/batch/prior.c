/* The models of the batch are built or read on one thread, so that processes can be started safely afterwards. They
 * share it copy on write. A case whose settings require another prior builds its own model in its own process. */
#include "base/platform_file.h"
#include "base/platform_status.h"
#include "batch/digest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Whether the seed matters for the model: only ARPACK uses it. */
static bool uses_seed(const sfgp_settings *settings)
{
    return strcmp(settings->lowrank, "cholesky") != 0;
}

const char *batch_prior_differs(const batch *b, const batch_prior *prior, const sfgp_settings *settings)
{
    sfgp_settings usual = b->settings;
    if (prior->file)
        sfgp_settings_default(&usual);
    const sfgp_setting *row = sfgp_settings_prior_change(settings, &usual);
    if (row)
        return row->name;
    return !prior->file && uses_seed(settings) && settings->seed != usual.seed ? "seed" : NULL;
}

/* ---- digests ----------------------------------------------------------------------------------------- */

static sfgp_status add_file(batch *b, digest *d, const char *path)
{
    char hex[BATCH_DIGEST];
    errno = 0;
    if (!digest_file(path, hex))
        return batch_fail(b, sfgp_system_status(SFGP_ERROR_READ), "%s: cannot read: %s", path,
                          errno ? strerror(errno) : "no regular file");
    digest_add(d, hex, strlen(hex));
    return SFGP_OK;
}

char *batch_model_file(const char *path)
{
    char *file = strdup(path), *colon = file ? strrchr(file, ':') : NULL;
    if (colon && !sfgp_platform_exists(path))
        *colon = '\0';
    return file;
}

/* Adds the content of a model file, and which of its models it is. */
static sfgp_status add_model_file(batch *b, const char *path, digest *d)
{
    char *file = batch_model_file(path);
    if (!file)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    const char *name = path + strlen(file);
    digest_add(d, name, strlen(name));
    const sfgp_status status = add_file(b, d, file);
    free(file);
    return status;
}

static sfgp_status make_digest(batch *b, batch_prior *p)
{
    digest d;
    digest_start(&d);
    sfgp_status status = p->file ? add_model_file(b, p->path, &d) : add_file(b, &d, p->path);
    for (int k = 0; k < b->training_count && status == SFGP_OK; k++)
        status = add_file(b, &d, b->training[k]);
    digest_end(&d, p->digest);
    return status;
}

/* ---- the model --------------------------------------------------------------------------------------- */

/* Settings of a case that the model file cannot take. */
static sfgp_status check_row(batch *b, int64_t i)
{
    const batch_choice choice = batch_choice_of(b, i);
    sfgp_settings settings;
    sfgp_status status = batch_settings(b, i, &settings);
    for (int k = choice.first; k < choice.first + choice.count && status == SFGP_OK; k++) {
        const batch_prior *p = &b->priors[k];
        const char *name = p->file ? batch_prior_differs(b, p, &settings) : NULL;
        if (name)
            status = batch_fail(b, SFGP_ERROR_PARAMETER,
                                "%s: line %lld: %s: %s is a model and has its prior; "
                                "build another one by sfgp model build",
                                b->path, (long long)b->manifest.lines[i], name, p->name);
    }
    return status;
}

static sfgp_status read_model(batch *b, batch_prior *p)
{
    if (b->training_count > 0)
        return batch_fail(b, SFGP_ERROR_PARAMETER,
                          "--train: %s is a model, which contains its training already; "
                          "build one with these shapes by sfgp model build",
                          p->name);
    sfgp_context_set_read_limit(b->context, b->settings.max_memory);
    sfgp_status status = sfgp_model_read(b->context, p->path, &p->model);
    if (status == SFGP_OK)
        status = sfgp_model_reference(b->context, p->model, &p->reference);
    return status == SFGP_OK ? status : batch_fail_library(b, status);
}

/* Checks the memory of the model only; each case checks its own. */
static sfgp_status check_memory(batch *b, const batch_prior *p, const sfgp_settings *settings)
{
    sfgp_run_size size;
    sfgp_status status =
        sfgp_run_size_from_mesh(b->context, p->reference, p->training_count, settings, &size);
    return status == SFGP_OK ? sfgp_memory_check(b->context, &size, settings) : status;
}

/* The library knows a shape by its number alone. */
static sfgp_status read_shape(batch *b, const batch_prior *p, int k)
{
    const sfgp_status status =
        sfgp_mesh_read_with(b->context, b->training[k], &b->read, &p->training[k], NULL);
    const sfgp_mesh *shape = p->training[k];
    if (status != SFGP_OK)
        return batch_fail_library(b, status);
    if (shape->count == p->reference->count && shape->dimension == p->reference->dimension)
        return SFGP_OK;
    return batch_fail(
        b, SFGP_ERROR_DATA,
        "--train: %s: %lld points in %dD, the reference has %lld in %dD; training shapes correspond to it "
        "point by point, as fits of it do",
        b->training[k], (long long)shape->count, shape->dimension, (long long)p->reference->count,
        p->reference->dimension);
}

static sfgp_status read_shapes(batch *b, batch_prior *p)
{
    const sfgp_read_options kept = {.columns = b->read.columns, .keep = 1}; /* the fits have its colours */
    sfgp_status status = sfgp_mesh_read_with(b->context, p->path, &kept, &p->reference, NULL);
    if (status != SFGP_OK)
        return batch_fail_library(b, status);
    for (int k = 0; k < p->training_count && status == SFGP_OK; k++)
        status = read_shape(b, p, k);
    return status;
}

static sfgp_status build_model(batch *b, batch_prior *p)
{
    sfgp_settings settings = b->settings;
    settings.threads = 1;
    p->training = calloc((size_t)b->training_count + 1, sizeof *p->training);
    if (!p->training)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    p->training_count = b->training_count;
    sfgp_status status = read_shapes(b, p);
    if (status != SFGP_OK)
        return status;
    if (settings.max_memory > 0)
        status = check_memory(b, p, &settings);
    if (status == SFGP_OK)
        status = sfgp_model_new(b->context, p->reference, (const sfgp_mesh *const *)p->training,
                                p->training_count, &settings, &p->model);
    return status == SFGP_OK ? status : batch_fail_library(b, status);
}

static sfgp_status open_prior(batch *b, batch_prior *p)
{
    sfgp_status status = p->file ? read_model(b, p) : build_model(b, p);
    if (status == SFGP_OK)
        sfgp_model_describe(p->model, &p->info);
    return status == SFGP_OK ? make_digest(b, p) : status;
}

/* ---- all references ---------------------------------------------------------------------------------- */

static sfgp_status add_prior(batch *b, const char *name, char *path)
{
    batch_prior *more = realloc(b->priors, ((size_t)b->prior_count + 1) * sizeof *more);
    if (more)
        b->priors = more;
    if (!more || !path) {
        free(path);
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    }
    batch_prior *p = &more[b->prior_count++];
    *p = (batch_prior){.path = path, .name = strdup(name), .file = sfgp_model_is_file(path) == 1};
    return p->name ? SFGP_OK : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
}

/* Those of the command line, then those of the manifest. */
static sfgp_status list_priors(batch *b)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < b->reference_count && status == SFGP_OK; k++)
        status = add_prior(b, b->references[k].path, strdup(b->references[k].path));
    for (int64_t i = 0; i < b->manifest.count && status == SFGP_OK; i++) {
        const char *cell = batch_cell(&b->manifest, i, BATCH_REFERENCE);
        if (cell[0] && batch_choice_of(b, i).first < 0)
            status = add_prior(b, cell, batch_beside(b, cell));
    }
    return status;
}

sfgp_status batch_priors_open(batch *b)
{
    sfgp_status status = list_priors(b);
    if (status == SFGP_OK && b->training_count > 0 && b->prior_count > 1)
        return batch_fail(b, SFGP_ERROR_PARAMETER,
                          "--train: there are several references; give a model of each");
    if (status == SFGP_OK)
        status = batch_choices_check(b);
    for (int64_t i = 0; i < b->manifest.count && status == SFGP_OK; i++)
        status = check_row(b, i);
    for (int k = 0; k < b->prior_count && status == SFGP_OK; k++)
        status = open_prior(b, &b->priors[k]);
    return status;
}

static void clear(batch_prior *p)
{
    for (int k = 0; p->training && k < p->training_count; k++)
        sfgp_mesh_free(p->training[k]);
    free(p->training);
    sfgp_mesh_free(p->reference);
    sfgp_model_free(p->model);
    free(p->path);
    free(p->name);
}

void batch_priors_clear(batch *b)
{
    for (int k = 0; k < b->prior_count; k++)
        clear(&b->priors[k]);
    free(b->priors);
}
