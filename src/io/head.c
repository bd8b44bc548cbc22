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
    return sfgp_head_starts(&text, "ply", 3) &&
           (text.length == 3 || memchr(" \t\r\n", text.bytes[3], 4) != NULL);
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

bool sfgp_head_is_obj(const sfgp_head *head)
{
    static const char *const FIRST[] = {"v", "vn", "vt", "o", "g", "f", "mtllib", "usemtl"};
    sfgp_head start = without_bom(*head);
    sfgp_text rest = {(const char *)start.bytes, start.length}, line, word = {NULL, 0};
    while (rest.length > 0) {
        line = cut_line(&rest);
        if (sfgp_text_word(&line, &word) && word.start[0] != '#')
            break;
        word.length = 0;
    }
    for (size_t k = 0; k < sizeof FIRST / sizeof *FIRST; k++)
        if (sfgp_text_is(word, FIRST[k]))
            return true;
    return false;
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
    while (text.length > 0 && strchr(" \t\r\n", text.start[0]) && text.start[0])
        text.start++, text.length--;
    word = (sfgp_text){text.start, text.length < 5 ? text.length : 5};
    return sfgp_text_is_nocase(word, "solid") && (text.length == 5 || strchr(" \t\r\n", text.start[5])) &&
           (start.length < STL_PREFIX || !memchr(start.bytes, '\0', STL_PREFIX));
}

bool sfgp_head_is_stl(const sfgp_head *head)
{
    return sfgp_head_is_stl_binary(head) || sfgp_head_is_stl_text(head);
}
