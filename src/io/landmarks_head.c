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

sfgp_status sfgp_landmarks_extension_by_content(sfgp_source *source, const char **extension)
{
    static const struct {
        const char *start, *part, *extension;
    } KINDS[] = {{"{", "\"markups\"", "json"},
                 {"[", "\"coordinates\"", "json"},
                 {"#", "Markups fiducial file", "fcsv"},
                 {"<", "PickedPoints", "pp"},
                 {"LM", "LM=", "tps"},
                 {"LM3", "LM3=", "tps"}};
    sfgp_head head = {NULL, 0, 0};
    const sfgp_status status = sfgp_head_read(source, &head);
    sfgp_text text = {(const char *)head.bytes, head.length};
    *extension = NULL;
    if (sfgp_head_starts(&head, "\xEF\xBB\xBF", 3))
        text.start += 3, text.length -= 3;
    while (text.length > 0 && strchr(" \t\r\n", *text.start))
        text.start++, text.length--;
    for (size_t k = 0; status == SFGP_OK && !*extension && k < sizeof KINDS / sizeof *KINDS; k++) {
        const int64_t length = (int64_t)strlen(KINDS[k].start);
        if (text.length > length && memcmp(text.start, KINDS[k].start, (size_t)length) == 0 &&
            holds(text, KINDS[k].part))
            *extension = KINDS[k].extension;
    }
    return status;
}
