/* Walking XML: see xml.h. */
#include "io/xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

sfgp_xml sfgp_xml_start(sfgp_source *source, sfgp_text all)
{
    return (sfgp_xml){source, all.start, all.start, all.start + all.length, SFGP_OK};
}

sfgp_status sfgp_xml_fail(sfgp_xml *xml, const char *place, sfgp_status status, const char *format, ...)
{
    char words[512];
    va_list arguments;
    if (xml->status != SFGP_OK)
        return xml->status;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    xml->source->text = true;
    xml->source->line = 1;
    for (const char *c = xml->start; c < place; c++)
        xml->source->line += *c == '\n';
    return xml->status = sfgp_source_fail(xml->source, status, "%s", words);
}

static sfgp_status fail_here(sfgp_xml *xml, const char *expected)
{
    return sfgp_xml_fail(xml, xml->at, SFGP_ERROR_FORMAT, "XML: expected %s", expected);
}

/* The place of a word from here on, the end when there is none. */
static const char *find(const sfgp_xml *xml, const char *word)
{
    const size_t length = strlen(word);
    const char *at = xml->at;
    while ((size_t)(xml->end - at) >= length && memcmp(at, word, length) != 0) {
        const char *next =
            (size_t)(xml->end - at) > length ? memchr(at + 1, word[0], (size_t)(xml->end - at - 1)) : NULL;
        if (!next)
            return xml->end;
        at = next;
    }
    return (size_t)(xml->end - at) >= length ? at : xml->end;
}

static bool starts(const sfgp_xml *xml, const char *word)
{
    return (size_t)(xml->end - xml->at) >= strlen(word) && memcmp(xml->at, word, strlen(word)) == 0;
}

/* Past a comment or a declaration, if one stands here. */
static bool pass_remark(sfgp_xml *xml)
{
    const char *closing = starts(xml, "<!--") ? "-->" : starts(xml, "<?") ? "?>" : NULL;
    if (!closing)
        return false;
    const char *found = find(xml, closing);
    if (found == xml->end)
        fail_here(xml, closing);
    xml->at = found == xml->end ? found : found + strlen(closing);
    return true;
}

static bool ends_name(char c)
{
    return sfgp_is_white(c) || c == '/' || c == '>';
}

/* The closing > that is in no quotes, the end when there is none. */
static const char *find_tag_end(const sfgp_xml *xml)
{
    char quote = 0;
    const char *at = xml->at;
    for (; at < xml->end && (quote || *at != '>'); at++)
        if (quote ? *at == quote : *at == '"' || *at == '\'')
            quote = quote ? 0 : *at;
    return at;
}

static bool read_tag(sfgp_xml *xml, sfgp_tag *tag)
{
    const char *end = find_tag_end(xml), *name = xml->at + 1;
    if (end == xml->end)
        return fail_here(xml, "the end of a tag"), false;
    tag->closing = name < end && *name == '/';
    name += tag->closing;
    tag->empty = end[-1] == '/' && end - 1 > name;
    tag->name = (sfgp_text){name, 0};
    while (name + tag->name.length < end && !ends_name(name[tag->name.length]))
        tag->name.length++;
    const char *rest = name + tag->name.length;
    tag->attributes = (sfgp_text){rest, end - tag->empty > rest ? end - tag->empty - rest : 0};
    if (tag->name.length == 0)
        return fail_here(xml, "the name of a tag"), false;
    xml->at = end + 1;
    return true;
}

bool sfgp_xml_next(sfgp_xml *xml, sfgp_tag *tag)
{
    do
        xml->at = find(xml, "<");
    while (xml->status == SFGP_OK && xml->at < xml->end && pass_remark(xml));
    if (xml->status == SFGP_OK && xml->at == xml->end)
        fail_here(xml, "more tags, the file ends here");
    return xml->status == SFGP_OK && read_tag(xml, tag);
}

static sfgp_text trim_white(sfgp_text text)
{
    while (text.length > 0 && sfgp_is_white(*text.start))
        text.start++, text.length--;
    return text;
}

/* Cuts the next name="value" off rest. */
static bool cut_attribute(sfgp_text *rest, sfgp_text *name, sfgp_text *value)
{
    *rest = trim_white(*rest);
    const char *equals = rest->length > 0 ? memchr(rest->start, '=', (size_t)rest->length) : NULL;
    if (!equals)
        return false;
    *name = sfgp_text_trim((sfgp_text){rest->start, equals - rest->start});
    const sfgp_text after = trim_white((sfgp_text){equals + 1, rest->start + rest->length - equals - 1});
    const char quote = after.length > 0 ? *after.start : 0;
    const char *end =
        quote == '"' || quote == '\'' ? memchr(after.start + 1, quote, (size_t)after.length - 1) : NULL;
    if (!end)
        return false;
    *value = (sfgp_text){after.start + 1, end - after.start - 1};
    *rest = (sfgp_text){end + 1, after.start + after.length - end - 1};
    return true;
}

bool sfgp_tag_value(const sfgp_tag *tag, const char *name, sfgp_text *value)
{
    sfgp_text rest = tag->attributes, found;
    while (cut_attribute(&rest, &found, value))
        if (sfgp_text_is(found, name))
            return true;
    return false;
}

bool sfgp_tag_is(const sfgp_tag *tag, const char *name, const char *value)
{
    sfgp_text found;
    return sfgp_tag_value(tag, name, &found) && sfgp_text_is_nocase(found, value);
}
