/* Fields of a row of text: see fields.h. */
#include "io/fields.h"

static bool ends_field(char separator, char c)
{
    return separator == ' ' ? sfgp_is_blank(c) : c == separator;
}

/* Blanks are free, but a tab that separates is none. */
static bool is_free(char separator, char c)
{
    return sfgp_is_blank(c) && (separator == ' ' || c != separator);
}

static sfgp_text trim(char separator, sfgp_text text)
{
    while (text.length > 0 && is_free(separator, *text.start))
        text.start++, text.length--;
    while (text.length > 0 && is_free(separator, text.start[text.length - 1]))
        text.length--;
    return text;
}

/* Length with both quotes of a field that starts with one, 0 when the text is no quoted field. */
static int64_t measure_quoted(char separator, sfgp_text text)
{
    int64_t at = 1;
    if (text.length == 0 || text.start[0] != '"')
        return 0;
    while (at < text.length && (text.start[at] != '"' || (at + 1 < text.length && text.start[at + 1] == '"')))
        at += text.start[at] == '"' ? 2 : 1;
    if (at >= text.length)
        return 0;
    const int64_t length = at + 1;
    for (at = length; at < text.length && is_free(separator, text.start[at]) && separator != ' ';)
        at++;
    return at == text.length || ends_field(separator, text.start[at]) ? length : 0;
}

char sfgp_fields_separator(sfgp_text row)
{
    bool quoted = false, comma = false;
    for (int64_t k = 0; k < row.length; k++) {
        quoted ^= row.start[k] == '"';
        if (!quoted && row.start[k] == ';')
            return ';';
        comma = comma || (!quoted && row.start[k] == ',');
    }
    return comma ? ',' : ' ';
}

bool sfgp_fields_next(char separator, sfgp_text *rest, sfgp_text *field)
{
    const sfgp_text text = trim(separator, *rest);
    const int64_t quoted = measure_quoted(separator, text);
    int64_t length = quoted;
    while (length < text.length && !ends_field(separator, text.start[length]))
        length++;
    const bool more = length < text.length;
    *field = quoted > 0 ? (sfgp_text){text.start + 1, quoted - 2}
                        : trim(separator, (sfgp_text){text.start, length});
    *rest = trim(separator, (sfgp_text){text.start + length + more, text.length - length - more});
    return more;
}

int64_t sfgp_fields_count(char separator, sfgp_text row)
{
    sfgp_text field;
    int64_t count = 1;
    while (sfgp_fields_next(separator, &row, &field))
        count++;
    return count;
}

bool sfgp_fields_have_tabs(sfgp_text names, sfgp_text row)
{
    const int64_t count = sfgp_fields_count('\t', names);
    bool named = count > 1 && sfgp_fields_count('\t', row) == count;
    sfgp_text name;
    for (int64_t k = 0; k < count && named; k++) {
        sfgp_fields_next('\t', &names, &name);
        named = k == 0 || name.length > 0;
    }
    return named;
}

sfgp_text sfgp_fields_row(char separator, int64_t count, sfgp_text line, sfgp_text whole)
{
    return separator == '\t' && sfgp_fields_count('\t', whole) == count ? whole : line;
}

bool sfgp_fields_is_separator_line(sfgp_text row)
{
    if (row.length > 1 && row.start[0] == '"' && row.start[row.length - 1] == '"')
        row = (sfgp_text){row.start + 1, row.length - 2};
    return row.length == 5 && sfgp_text_is_nocase((sfgp_text){row.start, 4}, "sep=");
}
