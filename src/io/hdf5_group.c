/* Version, finite numbers and checksum of a group of our own. */
#include "io/hdf5_group.h"
#include "base/memory.h"
#include "io/hdf5_handle.h"

#include <math.h>
#include <string.h>

/* ---- writing ----------------------------------------------------------------------------------------- */

void sfgp_hdf5_write_matrix(sfgp_hdf5 *file, const char *name, int64_t rows, int64_t columns,
                            const double *values)
{
    sfgp_hdf5_write_numbers(file, name, SFGP_HDF5_FLOAT64, 2, (const int64_t[]){rows, columns}, values);
}

void sfgp_hdf5_write_checksum(sfgp_hdf5 *file, const char *name)
{
    char text[SFGP_CHECKSUM_SIZE];
    sfgp_hdf5_write_text(file, name, sfgp_checksum_format(sfgp_hdf5_checksum(file), text));
}

/* ---- version and checksum ---------------------------------------------------------------------------- */

sfgp_status sfgp_hdf5_check_version(sfgp_hdf5 *file, const char *name, int newest)
{
    double version = 0;
    sfgp_status status = sfgp_hdf5_read_number(file, name, 1, 1e6, &version);
    return status == SFGP_OK && version > newest
               ? sfgp_hdf5_fail(file, name, "it is %g and this program reads up to %d: use a newer one",
                                version, newest)
               : status;
}

sfgp_status sfgp_hdf5_check_checksum(sfgp_hdf5 *file, const char *name)
{
    char stored[SFGP_CHECKSUM_SIZE], found[SFGP_CHECKSUM_SIZE];
    if (sfgp_hdf5_is_sealed(file))
        return SFGP_OK;
    sfgp_checksum_format(sfgp_hdf5_checksum(file), found);
    sfgp_status status = sfgp_hdf5_read_text(file, name, sizeof stored, stored);
    return status == SFGP_OK && strcmp(stored, found) != 0
               ? sfgp_hdf5_fail(
                     file, name,
                     "the numbers are not those that were written: the file is damaged or was edited")
               : status;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static int64_t count_of(const sfgp_array *array)
{
    return array->shape[0] * array->shape[1] * array->shape[2] * array->shape[3];
}

sfgp_status sfgp_hdf5_read_finite(sfgp_hdf5 *file, const char *name, sfgp_array **array)
{
    sfgp_status status = sfgp_hdf5_read_array(file, name, array);
    for (int64_t k = 0; status == SFGP_OK && k < count_of(*array); k++)
        if (!isfinite((*array)->values[k]))
            status = sfgp_hdf5_fail(file, name, "value %lld is not finite", (long long)k);
    if (status != SFGP_OK) {
        sfgp_array_free(*array);
        *array = NULL;
    }
    return status;
}

sfgp_status sfgp_hdf5_read_number(sfgp_hdf5 *file, const char *name, double least, double most,
                                  double *number)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_read_finite(file, name, &array);
    if (status != SFGP_OK)
        return status;
    if (count_of(array) != 1 || array->values[0] < least || array->values[0] > most)
        status = sfgp_hdf5_fail(file, name, "it is not one number from %g to %g", least, most);
    else
        *number = array->values[0];
    sfgp_array_free(array);
    return status;
}

sfgp_status sfgp_hdf5_read_values(sfgp_hdf5 *file, const char *name, int64_t count, double *values)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_read_finite(file, name, &array);
    if (status != SFGP_OK)
        return status;
    if (count_of(array) != count)
        status = sfgp_hdf5_fail(file, name, "%lld numbers, expected %lld", (long long)count_of(array),
                                (long long)count);
    else if (count > 0)
        memcpy(values, array->values, (size_t)count * sizeof *values);
    sfgp_array_free(array);
    return status;
}

sfgp_status sfgp_hdf5_read_matrix(sfgp_hdf5 *file, const char *name, int64_t rows, int64_t *columns,
                                  double **values)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_read_finite(file, name, &array);
    if (status != SFGP_OK)
        return status;
    if (array->rank != 2 || array->shape[0] != rows || (*columns > 0 && array->shape[1] != *columns)) {
        status = sfgp_hdf5_fail(file, name, "its shape does not fit the others");
    } else {
        *columns = array->shape[1];
        *values = array->values;
        array->values = NULL;
    }
    sfgp_array_free(array);
    return status;
}

sfgp_status sfgp_hdf5_read_integers(sfgp_hdf5 *file, const char *name, int64_t most, int64_t *count,
                                    int64_t **integers)
{
    sfgp_array *array = NULL;
    sfgp_status status = sfgp_hdf5_read_finite(file, name, &array);
    if (status != SFGP_OK)
        return status;
    *count = array->shape[0];
    if (array->rank != 1)
        status = sfgp_hdf5_fail(file, name, "it is not one row of numbers");
    else
        status = sfgp_allocate(file->context, *count, integers);
    for (int64_t k = 0; status == SFGP_OK && k < *count; k++) {
        const double value = array->values[k];
        if (value >= 0 && value <= (double)most && value == floor(value))
            (*integers)[k] = (int64_t)value;
        else
            status = sfgp_hdf5_fail(file, name, "value %lld is %g, not a whole number from 0 to %lld",
                                    (long long)k, value, (long long)most);
    }
    sfgp_array_free(array);
    return status;
}
