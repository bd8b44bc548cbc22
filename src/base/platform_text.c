/* Comparing text, by POSIX. */
#include "base/platform_text.h"

#include <fnmatch.h>
#include <strings.h>

int sfgp_text_order_nocase(const char *a, const char *b)
{
    return strcasecmp(a, b);
}

bool sfgp_text_same_nocase(const char *a, const char *b, size_t length)
{
    return strncasecmp(a, b, length) == 0;
}

bool sfgp_text_matches(const char *pattern, const char *text)
{
    return fnmatch(pattern, text, 0) == 0;
}
