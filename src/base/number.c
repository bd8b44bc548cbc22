/* Numbers as text, read and written in the C locale whatever the process has set. */
#define _GNU_SOURCE /* strtod_l */
#include "base/number.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C locale needs no memory and is never freed. */
static locale_t c_locale(void)
{
    static locale_t cached;
    locale_t locale = __atomic_load_n(&cached, __ATOMIC_ACQUIRE);
    if (!locale) {
        locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
        __atomic_store_n(&cached, locale, __ATOMIC_RELEASE);
    }
    return locale;
}

sfgp_number sfgp_number_parse(const char *text, size_t length, double *value)
{
    char copy[512]; /* longer than any number that a program writes */
    char *end;
    if (length == 0 || length >= sizeof copy || isspace((unsigned char)text[0]))
        return SFGP_NUMBER_GARBAGE;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strpbrk(copy, "xX"))
        return strncasecmp(copy, "-nan", 4) == 0 || strncasecmp(copy, "nan", 3) == 0 ? SFGP_NUMBER_NOT_FINITE
                                                                                     : SFGP_NUMBER_GARBAGE;
    *value = strtod_l(copy, &end, c_locale());
    if (end != copy + length)
        return SFGP_NUMBER_GARBAGE;
    return isfinite(*value) ? SFGP_NUMBER_OK : SFGP_NUMBER_NOT_FINITE;
}

const char *sfgp_number_format(double value, char text[SFGP_NUMBER_SIZE])
{
    locale_t before = uselocale(c_locale());
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, SFGP_NUMBER_SIZE, "%.*g", digits, value);
        if (!isfinite(value) || strtod(text, NULL) == value)
            break;
    }
    uselocale(before);
    return text;
}
