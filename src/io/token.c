/* Words of a line, compared without regard to the locale. */
#include "io/token.h"
#include "base/number.h"

#include <math.h>
#include <string.h>

bool sfgp_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

bool sfgp_is_white(char c)
{
    return sfgp_is_blank(c) || c == '\r' || c == '\n';
}

sfgp_text sfgp_text_of(const char *text)
{
    return (sfgp_text){text, (int64_t)strlen(text)};
}

sfgp_text sfgp_text_trim(sfgp_text text)
{
    while (text.length > 0 && sfgp_is_blank(*text.start))
        text.start++, text.length--;
    while (text.length > 0 && sfgp_is_blank(text.start[text.length - 1]))
        text.length--;
    return text;
}

bool sfgp_text_word(sfgp_text *rest, sfgp_text *word)
{
    const char *end = rest->start + rest->length, *start = rest->start;
    while (start < end && sfgp_is_blank(*start))
        start++;
    const char *stop = start;
    while (stop < end && !sfgp_is_blank(*stop))
        stop++;
    *word = (sfgp_text){start, stop - start};
    *rest = (sfgp_text){stop, end - stop};
    return word->length > 0;
}

bool sfgp_text_is(sfgp_text text, const char *word)
{
    return text.length == (int64_t)strlen(word) && memcmp(text.start, word, (size_t)text.length) == 0;
}

/* tolower() would follow the locale. */
static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool sfgp_text_is_alike(sfgp_text a, sfgp_text b)
{
    if (a.length != b.length)
        return false;
    for (int64_t k = 0; k < a.length; k++)
        if (lower(a.start[k]) != lower(b.start[k]))
            return false;
    return true;
}

bool sfgp_text_is_nocase(sfgp_text text, const char *word)
{
    return sfgp_text_is_alike(text, sfgp_text_of(word));
}

bool sfgp_text_integer(sfgp_text text, int64_t *value)
{
    bool sign = text.length > 0 && (text.start[0] == '-' || text.start[0] == '+');
    int64_t sum = 0;
    if (text.length <= sign)
        return false;
    for (int64_t k = sign; k < text.length; k++) {
        int digit = text.start[k] - '0';
        if (digit < 0 || digit > 9 || sum > (INT64_MAX - digit) / 10)
            return false;
        sum = 10 * sum + digit;
    }
    *value = sign && text.start[0] == '-' ? -sum : sum;
    return true;
}

bool sfgp_text_real(sfgp_text text, double *value)
{
    const sfgp_number kind = sfgp_number_parse(text.start, (size_t)text.length, value);
    if (kind == SFGP_NUMBER_NOT_FINITE)
        *value = (double)NAN;
    return kind != SFGP_NUMBER_GARBAGE;
}

sfgp_shown sfgp_text_show(sfgp_text text)
{
    sfgp_shown shown = {""};
    int64_t length = text.length < 40 ? text.length : 40;
    for (int64_t k = 0; k < length; k++)
        shown.text[k] = text.start[k] >= ' ' && text.start[k] <= '~' ? text.start[k] : '?';
    if (text.length > length)
        memcpy(shown.text + length, "...", 4);
    return shown;
}
