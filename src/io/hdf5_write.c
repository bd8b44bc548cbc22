/* Writing of HDF5 files: checks numbers, adds them to the checksum and sends them to the process that runs
 * libhdf5. Writes the file that the process makes, with its digest. */
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_handle.h"
#include "io/hdf5_digest.h"
#include "io/hdf5_json.h"
#include "io/scalar.h"

#include <math.h>
#include <string.h>

/* What a reader will get back for value; not finite when the type cannot hold it. */
static double as_stored(sfgp_hdf5_type type, double value)
{
    if (type == SFGP_HDF5_FLOAT32)
        return (double)(float)value;
    if (type == SFGP_HDF5_INT32 && !(value >= INT32_MIN && value <= INT32_MAX))
        return HUGE_VAL;
    return value;
}

static bool sum_and_check(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, int64_t count,
                          const double *values)
{
    for (int64_t k = 0; k < count; k++) {
        double stored = as_stored(type, values[k]);
        if (!isfinite(stored)) {
            sfgp_hdf5_keep_error(file, sfgp_fail(file->context, SFGP_ERROR_DATA,
                                                 "data set '%s': %g is not a number that it can hold", name,
                                                 values[k]));
            return false;
        }
        sfgp_hdf5_sum_numbers(file, 1, &stored);
    }
    return true;
}

/* bytes: request->size, or none. */
static void send_write(sfgp_hdf5 *file, sfgp_hdf5_request *request, const void *bytes, int64_t size)
{
    request->size = size;
    sfgp_hdf5_send(file, request, size > 0 ? bytes : NULL);
}

void sfgp_hdf5_write_numbers(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, int rank,
                             const int64_t *shape, const double *values)
{
    sfgp_hdf5_request request;
    int64_t count = 1;
    if (sfgp_hdf5_request_new(file, SFGP_HDF5_WRITE, name, &request) != SFGP_OK)
        return;
    request.type = type;
    request.rank = rank;
    for (int k = 0; k < rank; k++) {
        request.shape[k] = shape[k];
        count *= shape[k];
    }
    if (sum_and_check(file, name, type, count, values))
        send_write(file, &request, values, count * (int64_t)sizeof *values);
}

void sfgp_hdf5_write_number(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, double value)
{
    sfgp_hdf5_write_numbers(file, name, type, 0, NULL, &value);
}

void sfgp_hdf5_write_integers(sfgp_hdf5 *file, const char *name, int64_t count, const int64_t *values)
{
    sfgp_hdf5_request request;
    if (sfgp_hdf5_request_new(file, SFGP_HDF5_WRITE_INTEGERS, name, &request) != SFGP_OK)
        return;
    request.type = SFGP_HDF5_INT64;
    request.rank = 1;
    request.shape[0] = count;
    for (int64_t k = 0; k < count; k++) /* read back as doubles */
        sfgp_hdf5_sum_numbers(file, 1, &(double){(double)values[k]});
    send_write(file, &request, values, count * (int64_t)sizeof *values);
}

void sfgp_hdf5_write_text(sfgp_hdf5 *file, const char *name, const char *text)
{
    sfgp_hdf5_request request;
    if (sfgp_hdf5_request_new(file, SFGP_HDF5_WRITE_TEXT, name, &request) != SFGP_OK)
        return;
    sfgp_hdf5_sum_text(file, text);
    send_write(file, &request, text, (int64_t)strlen(text) + 1);
}

void sfgp_hdf5_write_group(sfgp_hdf5 *file, const char *name)
{
    sfgp_hdf5_request request;
    if (sfgp_hdf5_request_new(file, SFGP_HDF5_WRITE_GROUP, name, &request) == SFGP_OK)
        send_write(file, &request, NULL, 0);
}

/* ---- to its place ------------------------------------------------------------------------------------ */

static sfgp_status receive_table(sfgp_hdf5 *file, char table[SFGP_HDF5_TABLE_SIZE])
{
    sfgp_hdf5_request request;
    sfgp_hdf5_answer answer;
    sfgp_status status = sfgp_hdf5_request_new(file, SFGP_HDF5_FINISH, "", &request);
    if (status != SFGP_OK || (status = sfgp_hdf5_send(file, &request, NULL)) != SFGP_OK ||
        (status = sfgp_hdf5_receive(file, &answer)) != SFGP_OK)
        return status;
    if (answer.size < 1 || answer.size > SFGP_HDF5_TABLE_SIZE)
        return sfgp_hdf5_fail_answer(file);
    status = sfgp_hdf5_receive_bytes(file, table, answer.size);
    table[answer.size - 1] = '\0';
    return status;
}

/* The whole file with its digest; *bytes is the caller's. */
static sfgp_status receive_file(sfgp_hdf5 *file, char **bytes, int64_t *size)
{
    char table[SFGP_HDF5_TABLE_SIZE];
    sfgp_hdf5_answer answer;
    sfgp_status status = receive_table(file, table);
    if (status != SFGP_OK || (status = sfgp_hdf5_receive(file, &answer)) != SFGP_OK)
        return status;
    *size = SFGP_HDF5_DIGEST_SIZE + answer.size;
    if ((status = sfgp_allocate_raw(file->context, *size, 1, (void **)bytes)) != SFGP_OK) {
        sfgp_hdf5_abandon(file);
        return status;
    }
    if ((status = sfgp_hdf5_receive_bytes(file, *bytes + SFGP_HDF5_DIGEST_SIZE, answer.size)) == SFGP_OK)
        sfgp_hdf5_digest_write(table, *size, *bytes);
    return status;
}

/* Another name is a slip, and may be that of a mesh, which would be lost. */
static sfgp_status check_name(sfgp_context *context, const char *path)
{
    if (sfgp_path_ends_in(path, SFGP_HDF5_JSON))
        return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                         "%s: .h5.json is read, not written; write .h5, which Scalismo reads too",
                         sfgp_path_shown(path));
    const bool named = sfgp_path_has_extension(path, "h5") || sfgp_path_has_extension(path, "hdf5");
    if ((named && !sfgp_path_is_packed(path)) || strcmp(path, "-") == 0 || sfgp_path_is_device(path))
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_PARAMETER,
                     "%s: this is written as HDF5; give a name that ends in .h5 or .hdf5",
                     sfgp_path_shown(path));
}

sfgp_status sfgp_hdf5_save(sfgp_hdf5 *file, const char *path)
{
    char *bytes = NULL;
    int64_t size = 0;
    sfgp_status status = check_name(file->context, path);
    if (status == SFGP_OK)
        status = receive_file(file, &bytes, &size);
    if (status == SFGP_OK)
        status = sfgp_file_write(file->context, path, bytes, (size_t)size);
    sfgp_free(bytes);
    return status;
}

/* ---- checksum ---------------------------------------------------------------------------------------- */

/* The lowest byte first on every machine. */
void sfgp_hdf5_sum_numbers(sfgp_hdf5 *file, int64_t count, const double *values)
{
    unsigned char bytes[8];
    for (int64_t k = 0; k < count; k++) {
        sfgp_scalar_store(SFGP_FLOAT64, values[k], bytes);
        file->checksum = sfgp_checksum(file->checksum, bytes, sizeof bytes);
    }
}

void sfgp_hdf5_sum_text(sfgp_hdf5 *file, const char *text)
{
    file->checksum = sfgp_checksum(file->checksum, text, strlen(text) + 1);
}

void sfgp_hdf5_checksum_start(sfgp_hdf5 *file)
{
    file->checksum = SFGP_CHECKSUM_START;
}

uint64_t sfgp_hdf5_checksum(const sfgp_hdf5 *file)
{
    return file->checksum;
}

bool sfgp_hdf5_is_sealed(const sfgp_hdf5 *file)
{
    return file->rows != NULL;
}
