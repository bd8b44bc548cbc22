/* Names that are not UTF-8, as spreadsheets of Windows write CSV: each byte is the character of Latin-1 that has its number. */
#include "io/file.h"
#include "io/landmarks.h"

/* The number of bytes that follow the first one of a character; -1: it is not the first one of any. */
static int followers(unsigned char first)
{
    if (first < 0x80)
        return 0;
    return first < 0xC0 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF8 ? 3 : -1;
}

static bool is_utf8(const sfgp_buffer *names)
{
    int64_t more = 0;
    for (int64_t k = 0; k < names->size && more >= 0; k++) {
        const bool follows = (names->bytes[k] & 0xC0) == 0x80;
        if (follows != (more > 0))
            return false;
        more = follows ? more - 1 : followers(names->bytes[k]);
    }
    return more == 0;
}

void sfgp_landmarks_recode(const sfgp_source *source, sfgp_buffer *names)
{
    sfgp_buffer made = sfgp_buffer_empty(source->context);
    if (names->status != SFGP_OK || is_utf8(names))
        return;
    sfgp_warn(source->context, "%s: names are not UTF-8, and are read as Latin-1",
              sfgp_path_shown(source->path));
    for (int64_t k = 0; k < names->size; k++) {
        const unsigned char byte = names->bytes[k];
        const unsigned char two[2] = {(unsigned char)(0xC0 | byte >> 6),
                                      (unsigned char)(0x80 | (byte & 0x3F))};
        sfgp_buffer_add(&made, byte < 0x80 ? &byte : two, byte < 0x80 ? 1 : 2);
    }
    sfgp_buffer_clear(names);
    *names = made;
}
