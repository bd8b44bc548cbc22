/* Data sets and attributes of HDF5 as JSON: shapes, numbers, texts. */
#include "base/memory.h"
#include "io/hdf5_json_parts.h"

#include <string.h>

static void read_dims(sfgp_json *json, sfgp_json_value *read)
{
    read->rank = 0;
    for (sfgp_json_enter(json, '['); sfgp_json_element(json);) {
        const double size = sfgp_json_number(json);
        if (read->rank == 4 ||
            !(size >= 0 && size <= (double)SFGP_JSON_LARGEST && size == (double)(int64_t)size))
            sfgp_json_fail(json, SFGP_ERROR_FORMAT, "dims are not up to four sizes");
        else
            read->shape[read->rank++] = (int64_t)size;
    }
}

static void read_shape(sfgp_json *json, sfgp_json_value *read)
{
    sfgp_text name;
    if (sfgp_json_peek(json) != '{') {
        sfgp_json_skip(json);
        return;
    }
    for (sfgp_json_enter(json, '{'); sfgp_json_member(json, &name);)
        if (sfgp_text_is(name, "dims"))
            read_dims(json, read);
        else
            sfgp_json_skip(json);
}

/* Numbers in arrays in arrays, in their order. */
static void read_numbers(sfgp_json_reader *r, int depth)
{
    if (sfgp_json_peek(&r->json) != '[') {
        const double number = sfgp_json_number(&r->json);
        sfgp_buffer_add(&r->values, &number, sizeof number);
        return;
    }
    if (depth == 0) {
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "a value has more than four dimensions");
        return;
    }
    for (sfgp_json_enter(&r->json, '['); sfgp_json_element(&r->json);)
        read_numbers(r, depth - 1);
}

void sfgp_json_read_value(sfgp_json_reader *r, sfgp_json_value *read, size_t size, char *name)
{
    sfgp_text member;
    r->values.size = 0;
    *read = (sfgp_json_value){.rank = 0};
    for (sfgp_json_enter(&r->json, '{'); sfgp_json_member(&r->json, &member);)
        if (sfgp_text_is(member, "shape"))
            read_shape(&r->json, read);
        else if (name && sfgp_text_is(member, "name"))
            sfgp_json_read_string(r, size, name);
        else if (sfgp_text_is(member, "value") && sfgp_json_peek(&r->json) == '"') {
            r->values.size = 0;
            sfgp_json_string(&r->json, &r->values);
            read->is_text = true;
        } else if (sfgp_text_is(member, "value") && r->values.size == 0 &&
                   (!name || strchr("-0123456789", sfgp_json_peek(&r->json)))) {
            read_numbers(r, 4);
        } else {
            sfgp_json_skip(&r->json);
        }
    if (r->json.status == SFGP_OK)
        r->json.status = r->values.status;
}

void sfgp_json_write_value(sfgp_json_reader *r, const char *name, const sfgp_json_value *read)
{
    int64_t count = 1;
    for (int k = 0; k < read->rank; k++)
        if (!sfgp_product(count, read->shape[k], &count))
            count = -1;
    if (r->json.status != SFGP_OK)
        return;
    if (read->is_text)
        sfgp_hdf5_write_text(r->file, name, (const char *)r->values.bytes);
    else if (count * (int64_t)sizeof(double) != r->values.size)
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "data set '%.100s' has %lld numbers, its shape %lld",
                       name, (long long)(r->values.size / (int64_t)sizeof(double)), (long long)count);
    else if ((r->numbers_left -= count) < 0)
        sfgp_json_fail(&r->json, SFGP_ERROR_FORMAT, "links repeat the data set '%.100s'", name);
    else if (count > 0)
        sfgp_hdf5_write_numbers(r->file, name, SFGP_HDF5_FLOAT64, read->rank, read->shape,
                                (const double *)(const void *)r->values.bytes);
}
