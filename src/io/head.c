/* Tests of the first bytes of a file: is it of this format? */
#include "io/head.h"
#include "io/scalar.h"

#include <string.h>

enum { HEAD = 4096 };

bool sfgp_head_starts(const sfgp_head *head, const char *magic, int64_t length)
{
    return head->length >= length && memcmp(head->bytes, magic, (size_t)length) == 0;
}

static sfgp_head without_bom(sfgp_head head)
{
    if (sfgp_head_starts(&head, "\xEF\xBB\xBF", 3))
        head.bytes += 3, head.length -= 3;
    return head;
}

sfgp_status sfgp_head_read(sfgp_source *source, sfgp_head *head)
{
    head->file_size = source->size;
    return sfgp_source_look(source, HEAD, &head->bytes, &head->length);
}

bool sfgp_head_is_ply(const sfgp_head *head)
{
    sfgp_head text = without_bom(*head);
    return sfgp_head_starts(&text, "ply", 3) && (text.length == 3 || sfgp_is_white((char)text.bytes[3]));
}

bool sfgp_head_is_npy(const sfgp_head *head)
{
    return sfgp_head_starts(head, "\x93NUMPY", 6);
}

static sfgp_text cut_line(sfgp_text *rest)
{
    int64_t length = 0;
    while (length < rest->length && rest->start[length] != '\n' && rest->start[length] != '\r')
        length++;
    sfgp_text line = {rest->start, length};
    int64_t taken = length + (length < rest->length);
    *rest = (sfgp_text){rest->start + taken, rest->length - taken};
    return line;
}

/* The first word that is not in a comment; empty when there is none. */
static sfgp_text find_first_word(const sfgp_head *head)
{
    sfgp_head start = without_bom(*head);
    sfgp_text rest = {(const char *)start.bytes, start.length}, word;
    while (rest.length > 0) {
        sfgp_text line = cut_line(&rest);
        if (sfgp_text_word(&line, &word) && word.start[0] != '#')
            return word;
    }
    return (sfgp_text){"", 0};
}

bool sfgp_head_is_obj(const sfgp_head *head)
{
    static const char *const FIRST[] = {"v", "vn", "vt", "o", "g", "f", "mtllib", "usemtl"};
    const sfgp_text word = find_first_word(head);
    for (size_t k = 0; k < sizeof FIRST / sizeof *FIRST; k++)
        if (sfgp_text_is(word, FIRST[k]))
            return true;
    return false;
}

static void pass(sfgp_text *word, const char *prefix)
{
    const int64_t length = (int64_t)strlen(prefix);
    if (word->length >= length && memcmp(word->start, prefix, (size_t)length) == 0)
        *word = (sfgp_text){word->start + length, word->length - length};
}

bool sfgp_text_is_off(sfgp_text word)
{
    pass(&word, "ST");
    pass(&word, "C");
    pass(&word, "N");
    return sfgp_text_is(word, "OFF");
}

bool sfgp_head_is_off(const sfgp_head *head)
{
    sfgp_text word = find_first_word(head);
    pass(&word, "ST");
    pass(&word, "C");
    pass(&word, "N");
    pass(&word, "4");
    pass(&word, "n");
    return sfgp_text_is(word, "OFF");
}

bool sfgp_head_is_vtp(const sfgp_head *head)
{
    static const char TAG[] = "<VTKFile";
    const sfgp_text word = find_first_word(head);
    if (word.length == 0 || *word.start != '<')
        return false;
    for (int64_t k = 0; k + (int64_t)sizeof TAG - 1 <= head->length; k++)
        if (memcmp(head->bytes + k, TAG, sizeof TAG - 1) == 0)
            return true;
    return false;
}

bool sfgp_head_is_gltf(const sfgp_head *head)
{
    const sfgp_text word = find_first_word(head);
    return sfgp_head_starts(head, "glTF", 4) || (word.length > 0 && *word.start == '{');
}

bool sfgp_head_is_vtk(const sfgp_head *head)
{
    return sfgp_head_starts(head, "# vtk DataFile", 14);
}

enum { STL_COUNT = 80, STL_PREFIX = 84, STL_TRIANGLE = 50 };

int64_t sfgp_head_stl_size(const sfgp_head *head)
{
    return STL_PREFIX + STL_TRIANGLE * (int64_t)sfgp_scalar_load(SFGP_UINT32, false, head->bytes + STL_COUNT);
}

bool sfgp_head_is_stl_binary(const sfgp_head *head)
{
    return head->length >= STL_PREFIX && head->file_size == sfgp_head_stl_size(head);
}

bool sfgp_head_is_stl_text(const sfgp_head *head)
{
    sfgp_head start = without_bom(*head);
    sfgp_text text = {(const char *)start.bytes, start.length}, word;
    while (text.length > 0 && sfgp_is_white(text.start[0]))
        text.start++, text.length--;
    word = (sfgp_text){text.start, text.length < 5 ? text.length : 5};
    return sfgp_text_is_nocase(word, "solid") && (text.length == 5 || strchr(" \t\r\n", text.start[5])) &&
           (start.length < STL_PREFIX || !memchr(start.bytes, '\0', STL_PREFIX));
}

bool sfgp_head_is_stl(const sfgp_head *head)
{
    return sfgp_head_is_stl_binary(head) || sfgp_head_is_stl_text(head);
}
