/* Reads or builds the model of a verb. */
#include "cli/prior.h"
#include "cli/flag.h"
#include "cli/mesh.h"
#include "cli/passed.h"
#include "cli/paths.h"
#include "cli/trained.h"

#include <stdlib.h>
#include <string.h>

/* ---- a model file ------------------------------------------------------------------------------------ */

static sfgp_status refuse_changes(cli_session *session, const char *path, const sfgp_settings *settings,
                                  const cli_prior *prior)
{
    char flag[CLI_FLAG_SIZE];
    sfgp_settings standard;
    sfgp_settings_default(&standard);
    const sfgp_setting *row = sfgp_settings_prior_change(settings, &standard);
    if (prior->train.count > 0)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--train: %s is a model, which contains its training already; "
                        "build one with these shapes by sfgp model build",
                        cli_path_shown(path));
    if (row)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--%s: %s is a model and has its prior; build another one by sfgp model build",
                        cli_flag_name(row, flag), cli_path_shown(path));
    return SFGP_OK;
}

static sfgp_status read_model(cli_session *session, const char *path, const sfgp_settings *settings,
                              cli_prior *prior)
{
    sfgp_status status = refuse_changes(session, path, settings, prior);
    if (status != SFGP_OK)
        return status;
    sfgp_context_set_read_limit(session->context, settings->max_memory);
    status = sfgp_model_read(session->context, path, &prior->model);
    if (status == SFGP_OK)
        status = sfgp_model_reference(session->context, prior->model, &prior->reference);
    return cli_check(session, status);
}

/* ---- a mesh and training shapes ---------------------------------------------------------------------- */

/* The library knows a shape by its number alone. */
static sfgp_status read_shape(cli_session *session, const char *path, const sfgp_mesh *reference,
                              sfgp_mesh **shape)
{
    const sfgp_status status = cli_mesh_read(session, path, shape);
    if (status != SFGP_OK ||
        ((*shape)->count == reference->count && (*shape)->dimension == reference->dimension))
        return status;
    return cli_fail(
        session, SFGP_ERROR_DATA,
        "--train: %s: %lld points in %dD, the reference has %lld in %dD; training shapes correspond to it "
        "point by point, as fits of it do",
        cli_path_shown(path), (long long)(*shape)->count, (*shape)->dimension, (long long)reference->count,
        reference->dimension);
}

static sfgp_status read_training(cli_session *session, cli_prior *prior)
{
    sfgp_status status = cli_passed_tell_all(session, &prior->train);
    if (status == SFGP_OK)
        status = cli_paths_expand(session, &prior->train, &prior->train_files);
    if (status != SFGP_OK || prior->train_files.count == 0)
        return status;
    cli_trained_tell(session, &prior->train_files);
    prior->training = calloc((size_t)prior->train_files.count, sizeof *prior->training);
    if (!prior->training)
        return cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    for (int k = 0; k < prior->train_files.count && status == SFGP_OK; k++)
        status = read_shape(session, prior->train_files.items[k], prior->reference, &prior->training[k]);
    return status;
}

sfgp_status cli_prior_read(cli_session *session, const char *path, const sfgp_settings *settings,
                           cli_prior *prior)
{
    if (sfgp_model_is_file(path))
        return read_model(session, path, settings, prior);
    sfgp_status status = cli_mesh_read_kept(session, path, &prior->reference);
    return status == SFGP_OK ? read_training(session, prior) : status;
}

sfgp_status cli_prior_build(cli_session *session, const sfgp_settings *settings, cli_prior *prior)
{
    if (prior->model)
        return SFGP_OK;
    return cli_check(session, sfgp_model_new(session->context, prior->reference,
                                             (const sfgp_mesh *const *)prior->training,
                                             prior->train_files.count, settings, &prior->model));
}

void cli_prior_clear(cli_prior *prior)
{
    for (int k = 0; prior->training && k < prior->train_files.count; k++)
        sfgp_mesh_free(prior->training[k]);
    free(prior->training);
    sfgp_mesh_free(prior->reference);
    sfgp_model_free(prior->model);
    cli_list_clear(&prior->train);
    cli_paths_clear(&prior->train_files);
    *prior = (cli_prior){0};
}
