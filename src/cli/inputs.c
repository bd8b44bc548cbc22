/* Compares the outputs of a command line with its inputs, and these with each other, before anything is read. */
#include "cli/inputs.h"
#include "base/platform_file.h"
#include "batch/batch.h"
#include "cli/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether both are one file. */
static bool is_same(const char *output, const char *input)
{
    char *file = batch_model_file(input);
    const bool same = file && strcmp(input, "-") != 0 && sfgp_platform_same_file(output, file);
    free(file);
    return same;
}

static sfgp_status spare_list(cli_session *session, cli_file output, const char *argument,
                              const cli_list *inputs)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; k < inputs->count && status == SFGP_OK; k++)
        status = cli_inputs_spare(session, output, (cli_file){argument, inputs->items[k]});
    return status;
}

static sfgp_status spare_folder(cli_session *session, cli_file output, cli_file folder)
{
    cli_list files = {NULL, 0};
    const cli_list given = {(char *[]){(char *)folder.path}, 1};
    sfgp_status status = cli_paths_expand(session, &given, &files);
    if (status == SFGP_OK)
        status = spare_list(session, output, folder.argument, &files);
    cli_paths_clear(&files);
    return status;
}

sfgp_status cli_inputs_spare(cli_session *session, cli_file output, cli_file input)
{
    if (!output.path || !input.path || cli_paths_is_stream(output.path) ||
        sfgp_platform_kind_at(output.path) != SFGP_PLATFORM_FILE)
        return SFGP_OK;
    if (sfgp_platform_kind_at(input.path) == SFGP_PLATFORM_FOLDER)
        return spare_folder(session, output, input);
    if (!is_same(output.path, input.path))
        return SFGP_OK;
    return cli_fail(session, SFGP_ERROR_PARAMETER,
                    "%s: %s would write over an input, %s %s; write to another file",
                    cli_path_shown(output.path), output.argument, input.argument, cli_path_shown(input.path));
}

sfgp_status cli_inputs_spare_in(cli_session *session, const char *folder, const char *const *names,
                                cli_file input)
{
    sfgp_status status = SFGP_OK;
    for (; *names && status == SFGP_OK; names++) {
        char *path = cli_paths_join(folder, *names);
        status = path ? cli_inputs_spare(session, (cli_file){"--output", path}, input)
                      : cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
        free(path);
    }
    return status;
}

/* ---- a command line ---------------------------------------------------------------------------------- */

static sfgp_status spare_operands(cli_session *session, cli_file output, const cli_grammar *grammar)
{
    sfgp_status status = SFGP_OK;
    for (int k = 0; grammar->operands[k] && k < grammar->taken->count && status == SFGP_OK; k++)
        status =
            cli_inputs_spare(session, output, (cli_file){grammar->operands[k], grammar->taken->items[k]});
    return status;
}

static sfgp_status spare_option(cli_session *session, cli_file output, const cli_option *option)
{
    char argument[64];
    snprintf(argument, sizeof argument, "--%s", option->name);
    if (option->kind == CLI_PATHS || option->kind == CLI_EACH)
        return spare_list(session, output, argument, option->value);
    if (option->kind == CLI_INPUT)
        return cli_inputs_spare(session, output, (cli_file){argument, *(const char **)option->value});
    return SFGP_OK;
}

static sfgp_status check_output(cli_session *session, const cli_grammar *grammar, cli_file output)
{
    sfgp_status status = spare_operands(session, output, grammar);
    for (const cli_option *option = grammar->options; option->name && status == SFGP_OK; option++)
        status = spare_option(session, output, option);
    return status;
}

static bool is_input_stream(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static int count_streams(const cli_list *inputs)
{
    int count = 0;
    for (int k = 0; inputs && k < inputs->count; k++)
        count += is_input_stream(inputs->items[k]);
    return count;
}

static sfgp_status check_streams(cli_session *session, const cli_grammar *grammar)
{
    int count = count_streams(grammar->taken);
    for (const cli_option *option = grammar->options; option->name; option++)
        if (option->kind == CLI_PATHS || option->kind == CLI_EACH)
            count += count_streams(option->value);
        else if (option->kind == CLI_INPUT)
            count += is_input_stream(*(const char **)option->value);
    if (count < 2)
        return SFGP_OK;
    return cli_fail(session, SFGP_ERROR_PARAMETER,
                    "-: %d inputs are standard input, which can be read once; give files for the others",
                    count);
}

sfgp_status cli_inputs_check(cli_session *session, const cli_grammar *grammar, const char *config)
{
    char argument[64];
    sfgp_status status = check_streams(session, grammar);
    for (const cli_option *option = grammar->options; option->name && status == SFGP_OK; option++) {
        if (option->kind != CLI_OUTPUT)
            continue;
        snprintf(argument, sizeof argument, "--%s", option->name);
        const cli_file output = {argument, *(const char **)option->value};
        status = check_output(session, grammar, output);
        if (status == SFGP_OK)
            status = cli_inputs_spare(session, output, (cli_file){"--config", config});
    }
    return status;
}
