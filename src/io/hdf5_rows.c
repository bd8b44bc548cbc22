/* Data sets of our own HDF5 files, read where they lie: see hdf5_rows.h. */
#include "io/hdf5_rows.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_digest.h"
#include "io/scalar.h"

#include <string.h>

enum { BUFFER_SIZE = 1 << 16 };

static sfgp_status fail(const sfgp_hdf5_rows *rows, const char *words)
{
    return sfgp_fail(rows->input.context, SFGP_ERROR_FORMAT, "%s: %s", sfgp_path_shown(rows->input.path),
                     words);
}

sfgp_status sfgp_hdf5_rows_read_table(sfgp_hdf5_rows *rows)
{
    char text[SFGP_HDF5_TABLE_SIZE] = "";
    const int64_t rest = rows->input.size - SFGP_HDF5_HEAD_SIZE,
                  length = rest < SFGP_HDF5_TABLE_SIZE - 1 ? rest : SFGP_HDF5_TABLE_SIZE - 1;
    const sfgp_status status =
        sfgp_input_read(&rows->input, SFGP_HDF5_HEAD_SIZE, length, (unsigned char *)text);
    return status == SFGP_OK && !sfgp_hdf5_table_parse(text, rows->input.size, &rows->table)
               ? fail(rows, "its table of data sets is damaged")
               : status;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

static const sfgp_scalar SCALARS[] = {[SFGP_HDF5_FLOAT64] = SFGP_FLOAT64,
                                      [SFGP_HDF5_FLOAT32] = SFGP_FLOAT32,
                                      [SFGP_HDF5_INT32] = SFGP_INT32,
                                      [SFGP_HDF5_INT64] = SFGP_INT64};

static sfgp_status convert(const sfgp_hdf5_rows *rows, const sfgp_hdf5_row *row, double *values)
{
    unsigned char buffer[BUFFER_SIZE];
    const sfgp_scalar scalar = SCALARS[row->type];
    const int64_t size = sfgp_hdf5_row_size(row), part = BUFFER_SIZE / size;
    sfgp_status status = SFGP_OK;
    for (int64_t k = 0; status == SFGP_OK && k < row->count; k += part) {
        const int64_t count = part < row->count - k ? part : row->count - k;
        status = sfgp_input_read(&rows->input, row->first + k * size, count * size, buffer);
        for (int64_t i = 0; status == SFGP_OK && i < count; i++)
            values[k + i] = sfgp_scalar_load(scalar, false, buffer + i * size);
    }
    return status;
}

sfgp_status sfgp_hdf5_rows_read_numbers(sfgp_hdf5_rows *rows, const sfgp_hdf5_row *row, double **values)
{
    int64_t bytes = 0;
    *values = NULL;
    if (!sfgp_product(row->count, sizeof **values, &bytes) || bytes > rows->left)
        return sfgp_hdf5_fail_limit(rows->input.context, row->name, (double)row->count * sizeof **values);
    rows->left -= bytes;
    sfgp_status status = sfgp_allocate_raw(rows->input.context, row->count, sizeof **values, (void **)values);
    if (status != SFGP_OK)
        return status;
    status = row->type == SFGP_HDF5_FLOAT64 && is_little_endian() /* as in memory */
                 ? sfgp_input_read(&rows->input, row->first, bytes, (unsigned char *)*values)
                 : convert(rows, row, *values);
    if (status != SFGP_OK) {
        sfgp_free(*values);
        *values = NULL;
    }
    return status;
}

/* ---- texts ------------------------------------------------------------------------------------------- */

sfgp_status sfgp_hdf5_rows_read_text(const sfgp_hdf5_rows *rows, const sfgp_hdf5_row *row, size_t size,
                                     char *text)
{
    text[0] = '\0';
    if (row->count == 0 || row->count > (int64_t)size)
        return fail(rows, "one of its texts is too long");
    const sfgp_status status = sfgp_input_read(&rows->input, row->first, row->count, (unsigned char *)text);
    text[status == SFGP_OK ? row->count - 1 : 0] = '\0';
    return status == SFGP_OK && !sfgp_hdf5_is_plain(text)
               ? fail(rows, "one of its texts has control characters")
               : status;
}

bool sfgp_hdf5_is_plain(const char *text)
{
    for (const char *c = text; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 127)
            return false;
    return true;
}

sfgp_status sfgp_hdf5_fail_limit(sfgp_context *context, const char *name, double bytes)
{
    return sfgp_fail(context, SFGP_ERROR_MEMORY,
                     "data set '%.200s': %.1f MiB are needed, more than max_memory leaves; allow more, or "
                     "build the model with a smaller --rank",
                     name, bytes / 1048576);
}
