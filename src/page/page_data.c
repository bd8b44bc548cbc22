/* Writes JSON strings and base64 arrays. */
#include "page/page_data.h"
#include "page/markup.h"

#include <string.h>

static const char ALPHABET[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* RFC 4648: three bytes become four characters; '=' stands for missing bytes at the end. */
static void write_group(page_base64 *b)
{
    const uint32_t bits = (uint32_t)b->held[0] << 16 | (uint32_t)b->held[1] << 8 | b->held[2];
    const char text[4] = {ALPHABET[bits >> 18], ALPHABET[bits >> 12 & 63],
                          b->count > 1 ? ALPHABET[bits >> 6 & 63] : '=',
                          b->count > 2 ? ALPHABET[bits & 63] : '='};
    fwrite(text, 1, sizeof text, b->out);
    memset(b->held, 0, sizeof b->held);
    b->count = 0;
}

void page_base64_byte(page_base64 *b, unsigned char byte)
{
    b->held[b->count++] = byte;
    if (b->count == 3)
        write_group(b);
}

void page_base64_index(page_base64 *b, uint32_t value)
{
    for (int shift = 0; shift < 32; shift += 8)
        page_base64_byte(b, (unsigned char)(value >> shift & 255));
}

void page_base64_float(page_base64 *b, double value)
{
    const float single = (float)value;
    uint32_t bits = 0;
    memcpy(&bits, &single, sizeof bits);
    page_base64_index(b, bits);
}

void page_base64_end(page_base64 *b)
{
    if (b->count > 0)
        write_group(b);
}

void page_write_string(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text ? text : ""; *c;) {
        const int size = markup_character_size(c);
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if (*c == '<' || *c == '\n' || *c == '\t')
            fprintf(out, "\\u%04x", (unsigned)*c);
        else if (size == 0)
            fputc('?', out);
        else
            fwrite(c, 1, (size_t)size, out);
        c += size ? size : 1;
    }
    fputc('"', out);
}
