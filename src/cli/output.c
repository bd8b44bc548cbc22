/* Writes what a verb has made. */
#include "cli/output.h"
#include "report/json_text.h"

#include <stdlib.h>
#include <string.h>

void cli_output_json(json_t *value)
{
    enum { DIGITS = 17 };
    char *text = report_json_dump(value, DIGITS);
    json_decref(value);
    fputs(text, stdout);
    free(text);
}

sfgp_status cli_output_text(cli_session *session, const char *path, char *text)
{
    sfgp_status status = SFGP_OK;
    if (path && text)
        status = cli_check(session, sfgp_file_write(session->context, path, text, strlen(text)));
    else if (path)
        status = cli_fail(session, SFGP_ERROR_MEMORY, "out of memory");
    free(text);
    return status;
}
