/* The model of the batch is built or read on one thread, so that processes can be started safely afterwards. They
 * share it copy on write. A case whose settings require another prior builds its own model in its own process. */
#include "batch/digest.h"
#include "batch/pool.h"

#include <stdlib.h>
#include <string.h>

/* Whether the seed matters for the model: only ARPACK uses it. */
static bool uses_seed(const sfgp_settings *settings)
{
    return strcmp(settings->lowrank, "cholesky") != 0;
}

const char *batch_prior_differs(const batch *b, const sfgp_settings *settings)
{
    sfgp_settings usual = b->settings;
    if (b->prior.file)
        sfgp_settings_default(&usual);
    const sfgp_setting *row = sfgp_settings_prior_change(settings, &usual);
    if (row)
        return row->name;
    return !b->prior.file && uses_seed(settings) && settings->seed != usual.seed ? "seed" : NULL;
}

/* ---- digests ----------------------------------------------------------------------------------------- */

static sfgp_status add_file(batch *b, digest *d, const char *path)
{
    char hex[BATCH_DIGEST];
    if (!digest_file(path, hex))
        return batch_fail(b, SFGP_ERROR_READ, "%s: cannot read", path);
    digest_add(d, hex, strlen(hex));
    return SFGP_OK;
}

/* Adds the content of a model file. FILE:NAME is one model of a catalogue. */
static sfgp_status add_model_file(batch *b, digest *d)
{
    char hex[BATCH_DIGEST], *file = strdup(b->model), *colon = file ? strrchr(file, ':') : NULL;
    sfgp_status status;
    if (!digest_file(b->model, hex) && colon) {
        digest_add(d, colon, strlen(colon));
        *colon = '\0';
    }
    status = file ? add_file(b, d, file) : batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    free(file);
    return status;
}

static sfgp_status make_digest(batch *b)
{
    digest d;
    digest_start(&d);
    sfgp_status status = b->prior.file ? add_model_file(b, &d) : add_file(b, &d, b->model);
    for (int k = 0; k < b->training_count && status == SFGP_OK; k++)
        status = add_file(b, &d, b->training[k]);
    digest_end(&d, b->prior.digest);
    return status;
}

/* ---- the model --------------------------------------------------------------------------------------- */

static sfgp_status fail_library(batch *b, sfgp_status status)
{
    const char *message = sfgp_context_error(b->context);
    return status == SFGP_OK ? status
                             : batch_fail(b, status, "%s", message[0] ? message : sfgp_status_text(status));
}

static sfgp_status check_rows(batch *b)
{
    sfgp_settings settings;
    sfgp_status status = SFGP_OK;
    for (int64_t i = 0; i < b->manifest.count && status == SFGP_OK; i++) {
        status = batch_settings(b, i, &settings);
        const char *name = status == SFGP_OK ? batch_prior_differs(b, &settings) : NULL;
        if (name)
            status = batch_fail(b, SFGP_ERROR_PARAMETER,
                                "%s: line %lld: %s: %s is a model and has its prior; "
                                "build another one by sfgp model build",
                                b->path, (long long)b->manifest.lines[i], name, b->model);
    }
    return status;
}

static sfgp_status read_model(batch *b)
{
    batch_prior *p = &b->prior;
    if (b->training_count > 0)
        return batch_fail(b, SFGP_ERROR_PARAMETER,
                          "--train: %s is a model, which contains its training already; "
                          "build one with these shapes by sfgp model build",
                          b->model);
    sfgp_status status = check_rows(b);
    if (status != SFGP_OK)
        return status;
    sfgp_context_set_read_limit(b->context, b->settings.max_memory);
    if ((status = sfgp_model_read(b->context, b->model, &p->model)) == SFGP_OK)
        status = sfgp_model_reference(b->context, p->model, &p->reference);
    return fail_library(b, status);
}

/* Checks the memory of the model only; each case checks its own. */
static sfgp_status check_memory(batch *b, const sfgp_settings *settings)
{
    sfgp_run_size size;
    sfgp_status status =
        sfgp_run_size_from_mesh(b->context, b->prior.reference, b->prior.training_count, settings, &size);
    return status == SFGP_OK ? sfgp_memory_check(b->context, &size, settings) : status;
}

static sfgp_status build_model(batch *b)
{
    batch_prior *p = &b->prior;
    sfgp_settings settings = b->settings;
    settings.threads = 1;
    p->training = calloc((size_t)b->training_count + 1, sizeof *p->training);
    if (!p->training)
        return batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    p->training_count = b->training_count;
    sfgp_status status = sfgp_mesh_read_with(b->context, b->model, &b->read, &p->reference, NULL);
    for (int k = 0; k < p->training_count && status == SFGP_OK; k++)
        status = sfgp_mesh_read_with(b->context, b->training[k], &b->read, &p->training[k], NULL);
    if (status == SFGP_OK && settings.max_memory > 0)
        status = check_memory(b, &settings);
    if (status == SFGP_OK)
        status = sfgp_model_new(b->context, p->reference, (const sfgp_mesh *const *)p->training,
                                p->training_count, &settings, &p->model);
    return fail_library(b, status);
}

sfgp_status batch_prior_open(batch *b)
{
    batch_prior *p = &b->prior;
    const double start = process_seconds();
    p->file = sfgp_model_is_file(b->model) == 1;
    sfgp_status status = p->file ? read_model(b) : build_model(b);
    if (status == SFGP_OK)
        sfgp_model_describe(p->model, &p->info);
    p->seconds = process_seconds() - start;
    return status == SFGP_OK ? make_digest(b) : status;
}

void batch_prior_clear(batch_prior *p)
{
    for (int k = 0; p->training && k < p->training_count; k++)
        sfgp_mesh_free(p->training[k]);
    free(p->training);
    sfgp_mesh_free(p->reference);
    sfgp_model_free(p->model);
}
