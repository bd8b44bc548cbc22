/* Reading of HDF5 files: where they have a table, from the file itself; else asks the process that runs libhdf5 and checks
 * its answers. */
#include "io/hdf5.h"
#include "base/memory.h"
#include "io/hdf5_handle.h"

#include <string.h>

/* ---- what there is ----------------------------------------------------------------------------------- */

static sfgp_status ask(sfgp_hdf5 *file, sfgp_hdf5_verb verb, const char *name, int64_t size,
                       sfgp_hdf5_answer *answer)
{
    sfgp_hdf5_request request;
    sfgp_status status = sfgp_hdf5_request_new(file, verb, name, &request);
    request.size = size;
    if (status == SFGP_OK)
        status = sfgp_hdf5_send(file, &request, NULL);
    return status == SFGP_OK ? sfgp_hdf5_receive(file, answer) : status;
}

bool sfgp_hdf5_has(sfgp_hdf5 *file, const char *name)
{
    sfgp_hdf5_answer answer = {.size = 0};
    if (file->rows && file->status == SFGP_OK && !strchr(name, '@')) /* attributes are not in the table */
        return sfgp_hdf5_table_has(&file->rows->table, name);
    sfgp_status status;
    do
        status = ask(file, SFGP_HDF5_HAS, name, 0, &answer);
    while (sfgp_hdf5_repeats(file, &status));
    if (status != SFGP_OK)
        sfgp_hdf5_keep_error(file, status);
    return status == SFGP_OK && answer.size == 1;
}

/* Text behind an answer, of at most size bytes with its zero. */
static sfgp_status receive_text(sfgp_hdf5 *file, const sfgp_hdf5_answer *answer, size_t size, char *text)
{
    if (answer->size < 1 || answer->size > (int64_t)size)
        return sfgp_hdf5_fail_answer(file);
    sfgp_status status = sfgp_hdf5_receive_bytes(file, text, answer->size);
    text[status == SFGP_OK ? answer->size - 1 : 0] = '\0';
    return status;
}

static sfgp_status ask_for_text(sfgp_hdf5 *file, sfgp_hdf5_verb verb, const char *name, int64_t number,
                                size_t size, char *text)
{
    sfgp_hdf5_answer answer;
    sfgp_status status;
    do
        if ((status = ask(file, verb, name, number, &answer)) == SFGP_OK)
            status = receive_text(file, &answer, size, text);
    while (sfgp_hdf5_repeats(file, &status));
    return status;
}

bool sfgp_hdf5_find_member(sfgp_hdf5 *file, const char *group, int64_t index, size_t size, char *name)
{
    char whole[SFGP_HDF5_NAME] = "";
    sfgp_status status = ask_for_text(file, SFGP_HDF5_FIND_MEMBER, group, index, sizeof whole, whole);
    if (status != SFGP_OK)
        sfgp_hdf5_keep_error(file, status);
    const size_t length = strlen(whole);
    if (length == 0 || length >= size)
        return false;
    memcpy(name, whole, length + 1);
    return true;
}

/* What the table has under this name, and of this kind; NULL: the process is asked, which has words for what is wrong. */
static const sfgp_hdf5_row *find_row(const sfgp_hdf5 *file, const char *name, sfgp_hdf5_kind kind)
{
    const sfgp_hdf5_row *row =
        file->rows && file->status == SFGP_OK ? sfgp_hdf5_table_find(&file->rows->table, name) : NULL;
    return row && row->kind == kind ? row : NULL;
}

sfgp_status sfgp_hdf5_read_text(sfgp_hdf5 *file, const char *name, size_t size, char *text)
{
    const sfgp_hdf5_row *row = find_row(file, name, SFGP_HDF5_TEXT);
    if (row)
        return sfgp_hdf5_rows_read_text(file->rows, row, size, text);
    text[0] = '\0';
    sfgp_status status = ask_for_text(file, SFGP_HDF5_READ_TEXT, name, (int64_t)size, size, text);
    if (status == SFGP_OK)
        sfgp_hdf5_sum_text(file, text);
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static sfgp_status receive_parts(sfgp_hdf5 *file, int64_t count, double *values)
{
    sfgp_hdf5_answer part;
    sfgp_status status = SFGP_OK;
    for (int64_t left = count * (int64_t)sizeof *values; status == SFGP_OK && left > 0; left -= part.size) {
        if ((status = sfgp_hdf5_receive(file, &part)) != SFGP_OK)
            return status;
        if (part.size < 1 || part.size > left)
            return sfgp_hdf5_fail_answer(file);
        status = sfgp_hdf5_receive_bytes(file, (char *)(values + count) - left, part.size);
    }
    return status;
}

static sfgp_status receive_array(sfgp_hdf5 *file, const sfgp_hdf5_answer *answer, sfgp_array *array)
{
    int64_t count = 1;
    array->rank = answer->rank;
    for (int k = 0; k < SFGP_HDF5_RANK; k++) {
        array->shape[k] = answer->shape[k];
        if (!sfgp_product(count, answer->shape[k], &count))
            count = INT64_MAX; /* which cannot be allocated */
    }
    sfgp_status status = sfgp_allocate(file->context, count, &array->values);
    if (status != SFGP_OK) {
        sfgp_hdf5_abandon(file);
        return status;
    }
    if ((status = receive_parts(file, count, array->values)) == SFGP_OK) {
        file->job.taken += count * (int64_t)sizeof *array->values;
        sfgp_hdf5_sum_numbers(file, count, array->values);
    }
    return status;
}

static sfgp_status ask_for_array(sfgp_hdf5 *file, const char *name, sfgp_array *array)
{
    sfgp_hdf5_answer answer;
    sfgp_status status;
    do {
        sfgp_free(array->values); /* of the time before */
        array->values = NULL;
        if ((status = ask(file, SFGP_HDF5_READ, name, 0, &answer)) == SFGP_OK)
            status = receive_array(file, &answer, array);
    } while (sfgp_hdf5_repeats(file, &status));
    return status;
}

static sfgp_status read_row(sfgp_hdf5 *file, const sfgp_hdf5_row *row, sfgp_array *array)
{
    array->rank = row->rank;
    memcpy(array->shape, row->shape, sizeof array->shape);
    return sfgp_hdf5_rows_read_numbers(file->rows, row, &array->values);
}

sfgp_status sfgp_hdf5_read_array(sfgp_hdf5 *file, const char *name, sfgp_array **array)
{
    const sfgp_hdf5_row *row = find_row(file, name, SFGP_HDF5_NUMBERS);
    sfgp_array *made = NULL;
    *array = NULL;
    sfgp_status status = sfgp_allocate(file->context, 1, &made);
    if (status == SFGP_OK)
        status = row ? read_row(file, row, made) : ask_for_array(file, name, made);
    if (status == SFGP_OK)
        *array = made;
    else
        sfgp_array_free(made);
    return status;
}

void sfgp_array_free(sfgp_array *array)
{
    if (!array)
        return;
    sfgp_free(array->values);
    sfgp_free(array);
}

sfgp_status sfgp_array_read(sfgp_context *context, const char *path, const char *dataset, sfgp_array **array)
{
    sfgp_hdf5 *file = NULL;
    if (!context || !path || !dataset || !array)
        return SFGP_ERROR_PARAMETER;
    *array = NULL;
    sfgp_status status = sfgp_hdf5_open(context, path, &file);
    if (status == SFGP_OK)
        status = sfgp_hdf5_read_array(file, dataset, array);
    sfgp_hdf5_free(file);
    return status;
}
