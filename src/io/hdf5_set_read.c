/* In the process that runs libhdf5: numbers of a data set, after its type and its size were found to be
 * sound. */
#include "base/memory.h"
#include "io/hdf5_file.h"
#include "io/hdf5_rows.h"

#include <stdio.h>

enum { PART = 1 << 17 }; /* numbers of a part: 1 MiB */

/* ---- types ------------------------------------------------------------------------------------------- */

/* Bits [first, first + count) lie within the bits of the type. */
static bool is_within(size_t first, size_t count, size_t bits)
{
    return count > 0 && first <= bits && count <= bits - first;
}

/* Sign, exponent and mantissa lie within the precision, and the exponent fits a machine word. */
static bool are_fields_sound(hid_t type, size_t precision)
{
    size_t sign, exponent, exponent_bits, mantissa, mantissa_bits;
    return sfgp_h5.Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa, &mantissa_bits) >= 0 &&
           is_within(sign, 1, precision) && is_within(exponent, exponent_bits, precision) &&
           is_within(mantissa, mantissa_bits, precision) && exponent_bits < 32;
}

/* libhdf5 converts bits that lie outside of the number, if its header says so. */
static bool is_type_sound(hid_t type)
{
    const size_t size = sfgp_h5.Tget_size(type), precision = sfgp_h5.Tget_precision(type);
    const int offset = sfgp_h5.Tget_offset(type);
    return size > 0 && size <= sizeof(long double) && offset >= 0 &&
           is_within((size_t)offset, precision, 8 * size) &&
           (sfgp_h5.Tget_class(type) != H5T_FLOAT || are_fields_sound(type, precision));
}

static bool is_enum_sound(hid_t type)
{
    hid_t number = sfgp_h5.Tget_super(type);
    const bool sound = number >= 0 && sfgp_h5.Tget_class(number) == H5T_INTEGER && is_type_sound(number) &&
                       sfgp_h5.Tget_size(number) == sfgp_h5.Tget_size(type);
    if (number >= 0)
        sfgp_h5.Tclose(number);
    return sound;
}

static sfgp_status check_type(const sfgp_hdf5_set *data)
{
    const H5T_class_t kind = sfgp_h5.Tget_class(data->type);
    if (kind != H5T_INTEGER && kind != H5T_FLOAT && kind != H5T_ENUM)
        return sfgp_hdf5_file_refuse(data->file, data->name, "its elements are not plain integers or reals");
    return (kind == H5T_ENUM ? is_enum_sound : is_type_sound)(data->type)
               ? SFGP_OK
               : sfgp_hdf5_file_refuse(data->file, data->name, "its number type is damaged");
}

/* ---- sizes ------------------------------------------------------------------------------------------- */

/* Subtracts the bytes of the numbers from what is left of the limits of the file. */
static sfgp_status check_limits(const sfgp_hdf5_set *data)
{
    sfgp_hdf5_file *file = data->file;
    char words[200];
    int64_t bytes = 0;
    if (!sfgp_product(data->count, sizeof(double), &bytes) || bytes > file->unpacked_left) {
        snprintf(
            words, sizeof words,
            "with its %.4g numbers the file of %lld bytes unpacks to more than is read; if the numbers are "
            "right, store them unpacked (h5repack -f NONE)",
            (double)data->count, (long long)file->size);
        return sfgp_hdf5_file_refuse(file, data->name, words);
    }
    if (bytes > file->memory_left)
        return sfgp_hdf5_fail_limit(file->context, data->name, (double)bytes);
    file->unpacked_left -= bytes;
    file->memory_left -= bytes;
    return SFGP_OK;
}

sfgp_status sfgp_hdf5_set_open_numbers(sfgp_hdf5_file *file, const char *name, sfgp_hdf5_set *data)
{
    sfgp_status status = SFGP_OK;
    if ((status = sfgp_hdf5_set_open(file, name, data)) == SFGP_OK &&
        (status = check_type(data)) == SFGP_OK && (status = sfgp_hdf5_set_check(data)) == SFGP_OK)
        status = check_limits(data);
    return status;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static bool has_parts(const sfgp_hdf5_set *data)
{
    return data->contiguous && data->rank > 0 && data->count > 0;
}

int64_t sfgp_hdf5_set_part(const sfgp_hdf5_set *data, int64_t *rows)
{
    const int64_t all = data->rank > 0 ? (int64_t)data->shape[0] : 1;
    const int64_t row = all > 0 ? data->count / all : 0;
    *rows = all;
    if (has_parts(data) && row > 0 && row < PART && data->count > PART)
        *rows = PART / row;
    else if (has_parts(data) && row >= PART)
        *rows = 1;
    return *rows * row;
}

static herr_t read_part(const sfgp_hdf5_set *data, int64_t first, int64_t rows, double *values)
{
    hsize_t start[SFGP_HDF5_RANK] = {(hsize_t)first}, count[SFGP_HDF5_RANK], size = (hsize_t)rows;
    herr_t got = -1;
    for (int k = 0; k < data->rank; k++) {
        count[k] = k == 0 ? (hsize_t)rows : data->shape[k];
        size *= k == 0 ? 1 : data->shape[k];
    }
    hid_t memory = sfgp_h5.Screate_simple(1, &size, NULL);
    if (memory >= 0 && sfgp_h5.Sselect_hyperslab(data->space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0)
        got = sfgp_h5.Dread(data->set, H5T_NATIVE_DOUBLE, memory, data->space, H5P_DEFAULT, values);
    if (memory >= 0)
        sfgp_h5.Sclose(memory);
    return got;
}

sfgp_status sfgp_hdf5_set_read_rows(const sfgp_hdf5_set *data, int64_t first, int64_t rows, double *values)
{
    const herr_t got = has_parts(data) ? read_part(data, first, rows, values)
                                       : sfgp_hdf5_set_read(data, H5T_NATIVE_DOUBLE, values);
    return got >= 0 ? SFGP_OK
                    : sfgp_hdf5_file_fail(
                          data->file, data->name,
                          "cannot be read: it is damaged, or packed by a filter that is not installed");
}
