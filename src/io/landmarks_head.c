/* Which format of landmarks standard input has, by its first bytes: it has no extension that could tell. */
#include "io/head.h"
#include "io/landmarks.h"

#include <string.h>

static bool holds(sfgp_text text, const char *part)
{
    const int64_t length = (int64_t)strlen(part);
    for (int64_t k = 0; k + length <= text.length; k++)
        if (memcmp(text.start + k, part, (size_t)length) == 0)
            return true;
    return false;
}

/* Behind a byte order mark and blanks. */
static sfgp_text start_of(const sfgp_head *head)
{
    sfgp_text text = {(const char *)head->bytes, head->length};
    if (sfgp_head_starts(head, "\xEF\xBB\xBF", 3))
        text.start += 3, text.length -= 3;
    while (text.length > 0 && strchr(" \t\r\n", *text.start))
        text.start++, text.length--;
    return text;
}

sfgp_status sfgp_landmarks_extension_by_content(sfgp_source *source, const char **extension)
{
    static const struct {
        const char *first; /* one of these characters */
        const char *part, *extension;
    } KINDS[] = {{"{", "\"markups\"", "json"},
                 {"[", "\"coordinates\"", "json"},
                 {"#", "Markups fiducial file", "fcsv"},
                 {"<", "PickedPoints", "pp"},
                 {"L", "LM=", "tps"},
                 {"L", "LM3=", "tps"},
                 {"\"'1", "DIM=", "nts"},
                 {"\"'1", "Dim=", "nts"},
                 {"\"'1", "dim=", "nts"}};
    sfgp_head head = {NULL, 0, 0};
    const sfgp_status status = sfgp_head_read(source, &head);
    const sfgp_text text = start_of(&head);
    *extension = NULL;
    for (size_t k = 0; !*extension && k < sizeof KINDS / sizeof *KINDS; k++)
        if (text.length > 0 && *text.start && strchr(KINDS[k].first, *text.start) &&
            holds(text, KINDS[k].part))
            *extension = KINDS[k].extension;
    return status;
}
