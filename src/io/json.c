/* Walks through JSON (RFC 8259) without a tree: each call reads one token from the place that is kept. */
#include "io/json.h"
#include "base/number.h"
#include "io/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 64 };

sfgp_json sfgp_json_start(const sfgp_source *source, sfgp_text text)
{
    return (sfgp_json){source->context, source->path, text.start, text.start + text.length, 1,
                       false,           SFGP_OK};
}

void sfgp_json_fail(sfgp_json *json, sfgp_status status, const char *format, ...)
{
    char words[512];
    va_list arguments;
    if (json->status != SFGP_OK)
        return;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    json->status = sfgp_fail(json->context, status, "%s: line %lld: %s", sfgp_path_shown(json->path),
                             (long long)json->line, words);
}

char sfgp_json_peek(sfgp_json *json)
{
    while (json->at < json->end && sfgp_is_white(*json->at))
        json->line += *json->at++ == '\n';
    return json->at < json->end && json->status == SFGP_OK ? *json->at : '\0';
}

static void fail_here(sfgp_json *json, const char *wanted)
{
    const sfgp_text rest = {json->at, json->end - json->at < 20 ? json->end - json->at : 20};
    if (json->at >= json->end)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "expected %s, the file ends", wanted);
    else
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "expected %s, found '%s'", wanted, sfgp_text_show(rest).text);
}

static bool skip_character(sfgp_json *json, char c)
{
    if (sfgp_json_peek(json) != c)
        return false;
    json->at++;
    return true;
}

/* ---- objects and arrays ------------------------------------------------------------------------------ */

void sfgp_json_enter(sfgp_json *json, char bracket)
{
    if (!skip_character(json, bracket))
        fail_here(json, bracket == '{' ? "an object '{'" : "a list '['");
    json->entered = true;
}

/* Whether something follows before the closing bracket. */
static bool follows(sfgp_json *json, char closing)
{
    const bool first = json->entered;
    json->entered = false;
    if (json->status != SFGP_OK || skip_character(json, closing))
        return false;
    if (!first && !skip_character(json, ','))
        fail_here(json, closing == '}' ? "',' or '}'" : "',' or ']'");
    return json->status == SFGP_OK;
}

bool sfgp_json_element(sfgp_json *json)
{
    return follows(json, ']');
}

/* Past the closing quote; what is between the quotes in text. */
static bool scan_string(sfgp_json *json, sfgp_text *text)
{
    if (!skip_character(json, '"')) {
        fail_here(json, "a text in quotes");
        return false;
    }
    *text = (sfgp_text){json->at, 0};
    for (; json->at < json->end && *json->at != '"'; json->at++) {
        if ((unsigned char)*json->at < ' ')
            break;
        json->at += *json->at == '\\' && json->at + 1 < json->end && (unsigned char)json->at[1] >= ' ';
    }
    text->length = json->at - text->start;
    if (json->at < json->end && *json->at == '"')
        return json->at++, true;
    sfgp_json_fail(json, SFGP_ERROR_FORMAT, "a text has no closing quote on its line");
    return false;
}

bool sfgp_json_member(sfgp_json *json, sfgp_text *name)
{
    if (!follows(json, '}') || !scan_string(json, name))
        return false;
    if (!skip_character(json, ':'))
        fail_here(json, "':'");
    return json->status == SFGP_OK;
}

/* ---- values ------------------------------------------------------------------------------------------ */

static sfgp_text scan_word(sfgp_json *json)
{
    sfgp_json_peek(json);
    sfgp_text word = {json->at, 0};
    while (json->at < json->end && !memchr(" \t\r\n,]}:", *json->at, 8))
        json->at++;
    word.length = json->at - word.start;
    return word;
}

/* -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)? but for leading zeros: the digits decide. */
static bool looks_like_number(sfgp_text word)
{
    const int64_t sign = word.length > 0 && word.start[0] == '-';
    return word.length > sign && word.start[sign] >= '0' && word.start[sign] <= '9' &&
           word.start[word.length - 1] != '.';
}

double sfgp_json_number(sfgp_json *json)
{
    double value = 0;
    const sfgp_text word = scan_word(json);
    const sfgp_number kind = looks_like_number(word)
                                 ? sfgp_number_parse(word.start, (size_t)word.length, &value)
                                 : SFGP_NUMBER_GARBAGE;
    if (kind == SFGP_NUMBER_GARBAGE)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "expected a number, found '%s'", sfgp_text_show(word).text);
    else if (kind == SFGP_NUMBER_NOT_FINITE)
        sfgp_json_fail(json, SFGP_ERROR_DATA, "'%s' is not a finite number", sfgp_text_show(word).text);
    return value;
}

int sfgp_json_numbers(sfgp_json *json, int most, double *values)
{
    int count = 0;
    for (sfgp_json_enter(json, '['); sfgp_json_element(json); count++) {
        const double value = sfgp_json_number(json);
        if (count < most)
            values[count] = value;
    }
    return count;
}

/* Four hexadecimal digits, -1 when they are not. */
static long hex4(const char *at, const char *end)
{
    long value = 0;
    for (int k = 0; k < 4; k++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *found = at + k < end ? memchr(digits, at[k], 32) : NULL;
        if (!found)
            return -1;
        value = 16 * value + (found - digits) % 16;
    }
    return value;
}

static void add_utf8(long code, sfgp_buffer *buffer)
{
    unsigned char bytes[4];
    int64_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (int64_t k = size - 1; k > 0; k--, code >>= 6)
        bytes[k] = (unsigned char)(0x80 | (code & 0x3f));
    bytes[0] = (unsigned char)(size == 1 ? code : (0xf00 >> size & 0xff) | code);
    sfgp_buffer_add(buffer, bytes, size);
}

/* \uXXXX, or two of them for what is beyond the first 65536; *at is behind the u. */
static void add_code(sfgp_json *json, const char **at, const char *end, sfgp_buffer *buffer)
{
    long code = hex4(*at, end), low = -1;
    if (code >= 0xd800 && code < 0xdc00 && end - *at >= 10 && (*at)[4] == '\\' && (*at)[5] == 'u')
        low = hex4(*at + 6, end);
    const bool pair = low >= 0xdc00 && low < 0xe000;
    if (code <= 0 || (code >= 0xd800 && code < 0xe000 && !pair)) {
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "'\\u%.4s' is no character", end - *at >= 4 ? *at : "");
        return;
    }
    *at += pair ? 10 : 4;
    add_utf8(pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : code, buffer);
}

void sfgp_json_string(sfgp_json *json, sfgp_buffer *buffer)
{
    static const char NAMES[] = "\"\\/bfnrt", MEANINGS[] = "\"\\/\b\f\n\r\t";
    sfgp_text text = {NULL, 0};
    if (!scan_string(json, &text))
        return;
    for (const char *at = text.start, *end = at + text.length; at < end && json->status == SFGP_OK;) {
        const char *known = *at == '\\' ? strchr(NAMES, at[1]) : NULL;
        if (*at != '\\')
            sfgp_buffer_add(buffer, at++, 1);
        else if (known)
            sfgp_buffer_add(buffer, &MEANINGS[known - NAMES], 1), at += 2;
        else if (at[1] == 'u')
            at += 2, add_code(json, &at, end, buffer);
        else
            sfgp_json_fail(json, SFGP_ERROR_FORMAT, "'\\%c' is no character", at[1] >= ' ' ? at[1] : '?');
    }
    sfgp_buffer_add(buffer, "", 1);
    if (json->status == SFGP_OK)
        json->status = buffer->status;
}

static void skip_word(sfgp_json *json)
{
    const sfgp_text word = scan_word(json);
    double ignored;
    if (!sfgp_text_is(word, "true") && !sfgp_text_is(word, "false") && !sfgp_text_is(word, "null") &&
        (!looks_like_number(word) || !sfgp_text_real(word, &ignored)))
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "expected a value, found '%s'", sfgp_text_show(word).text);
}

static void skip(sfgp_json *json, int depth)
{
    const char c = sfgp_json_peek(json);
    sfgp_text name;
    if (depth == MOST_DEPTH)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "more than %d brackets inside each other", MOST_DEPTH);
    else if (c == '"')
        scan_string(json, &name);
    else if (c == '{' || c == '[')
        for (sfgp_json_enter(json, c); c == '{' ? sfgp_json_member(json, &name) : sfgp_json_element(json);)
            skip(json, depth + 1);
    else
        skip_word(json);
}

void sfgp_json_skip(sfgp_json *json)
{
    skip(json, 0);
}

void sfgp_json_finish(sfgp_json *json)
{
    sfgp_json_peek(json);
    if (json->status == SFGP_OK && json->at < json->end)
        fail_here(json, "the end of the file");
}

void sfgp_json_quote(const char *text, sfgp_buffer *buffer)
{
    sfgp_buffer_text(buffer, "\"");
    for (const char *c = text; *c; c++)
        if (*c == '"' || *c == '\\')
            sfgp_buffer_print(buffer, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            sfgp_buffer_print(buffer, "\\u%04x", (unsigned)*c);
        else
            sfgp_buffer_add(buffer, c, 1);
    sfgp_buffer_text(buffer, "\"");
}
