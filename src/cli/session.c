/* Messages of the program, and the list of its warnings. */
#include "cli/session.h"
#include "cli/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_TEXT = 2048, LONGEST_SHOWN = 300 };

static void keep_library_warning(void *user, const char *text)
{
    cli_warn(user, "%s", text);
}

sfgp_status cli_session_open(cli_session *session)
{
    *session = (cli_session){.verb = "", .target_scale = 1};
    sfgp_status status = sfgp_context_new(NULL, &session->context);
    if (status == SFGP_OK)
        sfgp_context_set_log(session->context, keep_library_warning, session);
    return status;
}

void cli_session_close(cli_session *session)
{
    for (size_t k = 0; k < session->warning_count; k++)
        free(session->warnings[k]);
    free(session->warnings);
    sfgp_context_free(session->context);
}

void cli_draw_bar(cli_session *session, const char *line)
{
    const int length = (int)strlen(line);
    session->bar = length > session->bar ? length : session->bar;
    fprintf(stderr, "\r%-*s", session->bar, line);
    fflush(stderr);
}

void cli_clear_bar(cli_session *session)
{
    if (session->bar > 0)
        fprintf(stderr, "\r%*s\r", session->bar, "");
    session->bar = 0;
}

/* Bytes of the control character at text: 2 for U+0080 to U+009F in UTF-8, 1 for others, 0 when it is none. */
static int control_size(const char *text)
{
    const unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;
    if (first == 0xc2 && second >= 0x80 && second <= 0x9f)
        return 2;
    return first < ' ' || first == 127;
}

void cli_write_text(FILE *out, const char *text)
{
    while (*text) {
        const int size = control_size(text);
        if (*text == '\n')
            fputs("\\n", out);
        else if (size == 0)
            fputc(*text, out);
        for (int k = 0; k < size && *text != '\n'; k++)
            fprintf(out, "\\x%02x", (unsigned)(unsigned char)text[k]);
        text += size > 0 ? size : 1;
    }
}

static void write_line(cli_session *session, const char *head, const char *text, const char *tail)
{
    cli_clear_bar(session);
    fprintf(stderr, "sfgp: %s", head);
    cli_write_text(stderr, text);
    fprintf(stderr, "%s\n", tail);
}

sfgp_status(cli_fail)(cli_session *session, sfgp_status status, const char *format, ...)
{
    char text[LONGEST_TEXT], tail[64] = "";
    const char *const verb = strcmp(session->verb, "help") == 0 ? "" : session->verb;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (status == SFGP_ERROR_PARAMETER)
        snprintf(tail, sizeof tail, "; see: sfgp help%s%s", verb[0] ? " " : "", verb);
    write_line(session, "error: ", text, tail);
    return status;
}

/* The library lists what is allowed: "'WORD' is none of: a, b, c". */
static const char *suggest_value(const char *error, char text[CLI_SUGGESTION_SIZE + 32])
{
    static const char NONE_OF[] = "' is none of: ";
    char word[CLI_SUGGESTION_SIZE];
    const char *list = strstr(error, NONE_OF), *quote = strchr(error, '\'');
    text[0] = '\0';
    if (!list || !quote || quote >= list)
        return text;
    snprintf(word, sizeof word, "%.*s", (int)(list - quote - 1), quote + 1);
    cli_suggestion suggestion = cli_suggest_start(word);
    for (list += strlen(NONE_OF); *list; list += strcspn(list, ", "), list += strspn(list, ", "))
        cli_suggest_try(&suggestion, list, strcspn(list, ", "));
    return cli_suggest_text(&suggestion, "", text);
}

sfgp_status cli_check(cli_session *session, sfgp_status status)
{
    char more[CLI_SUGGESTION_SIZE + 32];
    const char *text = sfgp_context_error(session->context);
    if (status != SFGP_OK)
        cli_fail(session, status, "%s%s", text[0] ? text : sfgp_status_text(status),
                 suggest_value(text, more));
    return status;
}

/* Keeps a warning. When memory has run out it is not kept; it was printed before. */
static void keep_warning(cli_session *session, const char *text)
{
    char **more = realloc(session->warnings, (session->warning_count + 1) * sizeof *more);
    if (!more)
        return;
    session->warnings = more;
    more[session->warning_count] = strdup(text);
    if (more[session->warning_count])
        session->warning_count++;
}

void cli_warn(cli_session *session, const char *format, ...)
{
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_line(session, "warning: ", text, "");
    keep_warning(session, text);
}

void cli_tell(cli_session *session, const char *format, ...)
{
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_line(session, "", text, "");
}

const char *cli_path_shown(const char *path)
{
    size_t length = strlen(path);
    return length > LONGEST_SHOWN ? path + length - LONGEST_SHOWN : path;
}
