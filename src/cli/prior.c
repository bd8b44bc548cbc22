#include "cli/prior.h"
#include "cli/paths.h"
#include "cli/settings.h"

#include <stdlib.h>
#include <string.h>

/* ---- a model file ------------------------------------------------------------------------------------ */

/* Bytes of the field that a row of the settings table stands for. */
static size_t field_size(const sfgp_setting *row)
{
    return row->kind == SFGP_SETTING_TEXT ? SFGP_TEXT_SIZE : sizeof(double);
}

static bool is_default(const sfgp_settings *settings, const sfgp_setting *row)
{
    sfgp_settings standard;
    const char *given = (const char *)settings + row->offset, *usual = (const char *)&standard + row->offset;
    sfgp_settings_default(&standard);
    return row->kind == SFGP_SETTING_TEXT ? strcmp(given, usual) == 0
                                          : memcmp(given, usual, field_size(row)) == 0;
}

/* The settings that sfgp_model_new reads and that are stored in the file with the model. */
static bool is_of_prior(const sfgp_setting *row)
{
    static const char *const NAMES[] = {"kernel", "align_training", "lowrank", "rank", "accuracy"};
    for (size_t k = 0; k < sizeof NAMES / sizeof *NAMES; k++)
        if (strcmp(row->name, NAMES[k]) == 0)
            return true;
    return false;
}

static sfgp_status refuse_changes(cli_session *session, const char *path, const sfgp_settings *settings,
                                  const cli_prior *prior)
{
    char flag[CLI_FLAG_SIZE];
    const sfgp_setting *row;
    if (prior->train.count > 0)
        return cli_fail(session, SFGP_ERROR_PARAMETER,
                        "--train: %s is a model and has learned already; build one with these shapes by sfgp "
                        "model build",
                        cli_path_shown(path));
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        if (is_of_prior(row) && !is_default(settings, row))
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
    status = sfgp_model_read(session->context, path, &prior->model);
    if (status == SFGP_OK)
        status = sfgp_model_reference(session->context, prior->model, &prior->reference);
    return cli_check(session, status);
}

/* ---- a mesh and training shapes ---------------------------------------------------------------------- */

static sfgp_status read_training(cli_session *session, cli_prior *prior)
{
    sfgp_status status = cli_paths_expand(session, &prior->train, &prior->train_files);
    if (status != SFGP_OK || prior->train_files.count == 0)
        return status;
    prior->training = calloc((size_t)prior->train_files.count, sizeof *prior->training);
    if (!prior->training)
        return cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    for (int k = 0; k < prior->train_files.count && status == SFGP_OK; k++)
        status = sfgp_mesh_read(session->context, prior->train_files.items[k], &prior->training[k]);
    return cli_check(session, status);
}

sfgp_status cli_prior_read(cli_session *session, const char *path, const sfgp_settings *settings,
                           cli_prior *prior)
{
    if (sfgp_model_file(path))
        return read_model(session, path, settings, prior);
    sfgp_status status = cli_check(session, sfgp_mesh_read(session->context, path, &prior->reference));
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
