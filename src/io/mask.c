/* Masks: one 0 or 1 a line; blank lines and lines that start with # are passed over. */
#include "base/memory.h"
#include "io/file.h"
#include "io/format.h"

static sfgp_status read_line(sfgp_source *source, sfgp_text line, int64_t index, int64_t count,
                             unsigned char *mask)
{
    if (!sfgp_text_is(line, "0") && !sfgp_text_is(line, "1"))
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected 0 or 1, found '%s'",
                                sfgp_text_show(line).text);
    if (index == count)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected %lld lines, one a point, found more",
                                (long long)count);
    mask[index] = line.start[0] == '1';
    return SFGP_OK;
}

static sfgp_status read_lines(sfgp_source *source, int64_t count, unsigned char *mask)
{
    int64_t index = 0;
    sfgp_text line;
    sfgp_status status = sfgp_source_skip_bom(source);
    while (sfgp_source_each_line(source, true, &line, &status))
        status = read_line(source, line, index++, count, mask);
    if (status == SFGP_OK && index < count)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "expected %lld lines, one a point, found %lld",
                                (long long)count, (long long)index);
    return status == SFGP_OK ? sfgp_source_check_unchanged(source) : status;
}

/* Before memory is taken; a file that is a little too short gets a better message later. */
static sfgp_status check_size(const sfgp_source *source, int64_t count)
{
    if (count <= source->size + (1 << 20))
        return SFGP_OK;
    return sfgp_fail(source->context, SFGP_ERROR_FORMAT,
                     "%s: byte %lld: the file is too short for %lld lines of 0 or 1, one a point",
                     sfgp_path_shown(source->path), (long long)source->size, (long long)count);
}

static sfgp_status refuse_array(sfgp_source *source)
{
    sfgp_head head = {NULL, 0, 0};
    const sfgp_status status = sfgp_head_read(source, &head);
    if (status == SFGP_OK && sfgp_head_is_npy(&head))
        return sfgp_fail(
            source->context, SFGP_ERROR_FORMAT,
            "%s: byte 0: this is an NPY array; write one 0 or 1 a line, as numpy.savetxt(path, mask, "
            "fmt='%%d') does",
            sfgp_path_shown(source->path));
    return status;
}

sfgp_status sfgp_mask_read(sfgp_context *context, const char *path, int64_t count, unsigned char **mask)
{
    sfgp_source source;
    if (!context || !path || count < 0 || !mask)
        return SFGP_ERROR_PARAMETER;
    *mask = NULL;
    sfgp_status status = sfgp_source_open(context, path, &source);
    if (status == SFGP_OK)
        status = sfgp_format_refuse_foreign(&source);
    if (status == SFGP_OK)
        status = refuse_array(&source);
    if (status == SFGP_OK)
        status = check_size(&source, count);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count, mask);
    if (status == SFGP_OK)
        status = read_lines(&source, count, *mask);
    if (status != SFGP_OK) {
        sfgp_mask_free(*mask);
        *mask = NULL;
    }
    sfgp_source_close(&source);
    return status;
}

void sfgp_mask_free(unsigned char *mask)
{
    sfgp_free(mask);
}
