/* The locale of a thread (POSIX 2008: newlocale, uselocale; GNU, musl, macOS: strtod_l). */
#define _GNU_SOURCE /* strtod_l */
#include "base/platform_locale.h"

#include <locale.h>
#include <stdlib.h>

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

void *sfgp_platform_locale_begin(void)
{
    return uselocale(c_locale());
}

void sfgp_platform_locale_end(void *before)
{
    uselocale((locale_t)before);
}

double sfgp_platform_strtod(const char *text, char **end)
{
    return strtod_l(text, end, c_locale());
}
