/* Escapes text for XML, checks UTF-8, formats coordinates, estimates the width of text. */
#include "page/markup.h"

#include <math.h>
#include <string.h>

/* The number of bytes that follow the first byte of a UTF-8 character; -1: not a first byte, as C0, C1 and F5 to FF. */
static int followers(unsigned char first)
{
    if (first < 0x80)
        return 0;
    if (first < 0xC2 || first > 0xF4)
        return -1;
    return first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
}

/* Whether the second byte is valid: it excludes overlong forms, surrogates and code points beyond 10FFFF. */
static int second_fits(unsigned char first, unsigned char second)
{
    const int low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const int high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
}

/* XML forbids U+FFFE and U+FFFF. */
static int is_noncharacter(const unsigned char *byte)
{
    return byte[0] == 0xEF && byte[1] == 0xBF && byte[2] >= 0xBE;
}

int markup_character_size(const char *text)
{
    const unsigned char *byte = (const unsigned char *)text;
    const int more = followers(byte[0]);
    if (more < 0 || byte[0] == 0x7F || (byte[0] < 0x20 && byte[0] != '\t' && byte[0] != '\n'))
        return 0;
    if (more > 0 && !second_fits(byte[0], byte[1]))
        return 0;
    for (int k = 2; k <= more; k++)
        if (byte[k] < 0x80 || byte[k] > 0xBF)
            return 0;
    return more == 2 && is_noncharacter(byte) ? 0 : more + 1;
}

static const char *entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void markup_write(FILE *out, const char *text)
{
    for (const char *c = text ? text : ""; *c;) {
        const int size = markup_character_size(c);
        const char *escaped = entity(*c);
        if (escaped)
            fputs(escaped, out);
        else if (size == 0)
            fputc('?', out);
        else
            fwrite(c, 1, (size_t)size, out);
        c += size ? size : 1;
    }
}

const char *markup_coordinate(double value, char text[MARKUP_NUMBER_SIZE])
{
    /* A coordinate a million pixels away is clipped in any case. */
    const double bounded = isnan(value) ? 0 : fmax(-1e6, fmin(1e6, value));
    snprintf(text, MARKUP_NUMBER_SIZE, "%.2f", bounded);
    char *end = text + strlen(text) - 1;
    while (*end == '0')
        *end-- = 0;
    if (*end == '.')
        *end = 0;
    return strcmp(text, "-0") == 0 ? strcpy(text, "0") : text;
}

void markup_write_number(FILE *out, const char *name, double value)
{
    char text[MARKUP_NUMBER_SIZE];
    fprintf(out, " %s=\"%s\"", name, markup_coordinate(value, text));
}

double markup_width(const char *text, double size)
{
    double width = 0;
    for (const char *c = text ? text : ""; *c; c++)
        if (strchr("iljtfI.,:;'|!()[] ", *c))
            width += 0.3;
        else if (strchr("mwMW%@", *c))
            width += 0.86;
        else if (*c >= 'A' && *c <= 'Z')
            width += 0.68;
        else if ((*c & 0xC0) != 0x80) /* not inside a character of several bytes */
            width += 0.55;
    return width * size;
}
