/* Reads settings from a JSON file or a report. */
#include "cli/config.h"
#include "cli/suggest.h"
#include "report/file.h"
#include "report/settings.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 26 }; /* largest file, in bytes */

static const char *as_text(const json_t *value, char number[SFGP_NUMBER_SIZE])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_boolean(value))
        return json_is_true(value) ? "1" : "0";
    return json_is_number(value) ? sfgp_number_format(json_number_value(value), number) : NULL;
}

static sfgp_status refuse(cli_session *session, const char *path, const char *name)
{
    char text[CLI_SUGGESTION_SIZE + 32];
    const sfgp_setting *row;
    cli_suggestion suggestion = cli_suggest_start(name);
    for (int k = 0; (row = sfgp_settings_row(k)); k++)
        cli_suggest_try(&suggestion, row->name, strlen(row->name));
    return cli_fail(session, SFGP_ERROR_FORMAT, "%s: '%.60s' is no setting%s", cli_path_shown(path), name,
                    cli_suggest_text(&suggestion, "", text));
}

static sfgp_status set(cli_session *session, const char *path, const char *key, const json_t *value,
                       sfgp_settings *settings)
{
    char number[SFGP_NUMBER_SIZE];
    const char *text = as_text(value, number);
    const sfgp_setting *row = report_setting_find(key);
    if (!row)
        return refuse(session, path, key);
    if (!text)
        return cli_fail(session, SFGP_ERROR_FORMAT, "%s: %s: is no number and no text", cli_path_shown(path),
                        row->name);
    if (sfgp_settings_set(session->context, settings, row->name, text) == SFGP_OK)
        return SFGP_OK;
    return cli_fail(session, SFGP_ERROR_FORMAT, "%s: %s", cli_path_shown(path),
                    sfgp_context_error(session->context));
}

sfgp_status cli_config_read(cli_session *session, const char *path,
                            bool (*is_given)(void *user, const char *name), void *user,
                            sfgp_settings *settings)
{
    report_file file;
    json_error_t error;
    if (!report_file_read(path, MOST, &file))
        return cli_fail(session, file.status, "%s: cannot read: %s", cli_path_shown(path), file.problem);
    json_t *all = json_loads(report_file_content(&file), JSON_REJECT_DUPLICATES, &error);
    const json_t *own = json_object_get(all, "settings");
    sfgp_status status = SFGP_OK;
    free(file.text);
    if (!json_is_object(all))
        status =
            cli_fail(session, SFGP_ERROR_FORMAT, "%s: line %d: %s; it should be a JSON object of settings",
                     cli_path_shown(path), all ? 1 : error.line, all ? "no object" : error.text);
    const json_t *object = own ? own : all;
    for (void *at = json_object_iter((json_t *)object); at && status == SFGP_OK;
         at = json_object_iter_next((json_t *)object, at))
        if (!is_given(user, json_object_iter_key(at)))
            status = set(session, path, json_object_iter_key(at), json_object_iter_value(at), settings);
    json_decref(all);
    return status;
}
