/* Reading of HDF5: one data set or attribute, after its type, shape and layout were found to be sound. */
#include "base/memory.h"
#include "io/hdf5_file.h"

#include <string.h>

#define MOST_EXPANSION 1100 /* deflate: a bit over 1030 */

sfgp_status sfgp_hdf5_set_fail(const sfgp_hdf5_set *data, const char *reason)
{
    return sfgp_hdf5_fail(data->file, data->name, "%s", reason);
}

/* ---- open and close ---------------------------------------------------------------------------------- */

void sfgp_hdf5_set_close(sfgp_hdf5_set *data)
{
    const struct {
        hid_t id;
        herr_t (*close)(hid_t id);
    } open[] = {{data->layout, H5Pclose},
                {data->space, H5Sclose},
                {data->type, H5Tclose},
                {data->set, data->attribute ? H5Aclose : H5Dclose}};
    for (size_t k = 0; k < sizeof open / sizeof *open; k++)
        if (open[k].id >= 0)
            open[k].close(open[k].id);
}

static void open_attribute(sfgp_hdf5_set *data, const char *object, const char *attribute)
{
    data->attribute = true;
    data->set = H5Aopen_by_name(data->file->file, object, attribute, H5P_DEFAULT, data->file->access);
    if (data->set >= 0) {
        data->type = H5Aget_type(data->set);
        data->space = H5Aget_space(data->set);
    }
}

static void open_data(sfgp_hdf5_set *data, const char *object)
{
    data->set = H5Dopen2(data->file->file, object, data->file->access);
    if (data->set >= 0) {
        data->type = H5Dget_type(data->set);
        data->space = H5Dget_space(data->set);
        data->layout = H5Dget_create_plist(data->set);
    }
}

sfgp_status sfgp_hdf5_set_open(sfgp_hdf5 *file, const char *name, sfgp_hdf5_set *data)
{
    char object[SFGP_HDF5_NAME];
    const char *attribute = NULL;
    *data = (sfgp_hdf5_set){.file = file, .name = name, .set = -1, .type = -1, .space = -1, .layout = -1};
    if (!sfgp_hdf5_cut(name, object, &attribute))
        return sfgp_hdf5_set_fail(data, "its name is too long");
    if (attribute)
        open_attribute(data, object, attribute);
    else
        open_data(data, object);
    if (data->set < 0)
        return sfgp_hdf5_set_fail(data, sfgp_hdf5_has(file, name)
                                            ? "cannot be opened: it is a group, or damaged"
                                            : "there is none of this name in the file (h5ls -r lists them)");
    return data->type < 0 || data->space < 0 || (!attribute && data->layout < 0)
               ? sfgp_hdf5_set_fail(data, "its header is damaged")
               : SFGP_OK;
}

/* ---- checks before anything is allocated ------------------------------------------------------------- */

static sfgp_status check_type(const sfgp_hdf5_set *data)
{
    H5T_class_t type = H5Tget_class(data->type);
    bool numeric = type == H5T_INTEGER || type == H5T_FLOAT || type == H5T_ENUM;
    return numeric ? SFGP_OK : sfgp_hdf5_set_fail(data, "its elements are not plain integers or reals");
}

static sfgp_status read_shape(sfgp_hdf5_set *data)
{
    if (H5Sget_simple_extent_type(data->space) == H5S_NULL)
        return sfgp_hdf5_set_fail(data, "it is empty");
    data->rank = H5Sget_simple_extent_ndims(data->space);
    if (data->rank < 0 || data->rank > SFGP_HDF5_RANK)
        return sfgp_hdf5_set_fail(data, "it has more than 4 dimensions");
    return H5Sget_simple_extent_dims(data->space, data->shape, NULL) < 0
               ? sfgp_hdf5_set_fail(data, "its shape is damaged")
               : SFGP_OK;
}

/* Product of the sizes and of one element's bytes; false past 2^63. */
static bool bytes_of(int rank, const hsize_t *shape, size_t element, int64_t *bytes)
{
    bool fits = (uint64_t)element <= INT64_MAX;
    *bytes = (int64_t)element;
    for (int k = 0; k < rank && fits; k++)
        fits = shape[k] <= INT64_MAX && sfgp_product(*bytes, (int64_t)shape[k], bytes);
    return fits;
}

/* Bytes of the numbers that the stored bytes can stand for: more only where a filter packs them. */
static int64_t most_bytes(const sfgp_hdf5_set *data)
{
    hsize_t stored = data->attribute ? H5Aget_storage_size(data->set) : H5Dget_storage_size(data->set);
    int64_t most = stored < (hsize_t)data->file->file_size ? (int64_t)stored : data->file->file_size, packed;
    if (data->attribute || H5Pget_nfilters(data->layout) <= 0)
        return most;
    return sfgp_product(most, MOST_EXPANSION, &packed) ? packed : INT64_MAX;
}

/* A whole chunk is unpacked at once, however little of it the shape covers. */
static sfgp_status check_chunks(const sfgp_hdf5_set *data)
{
    hsize_t chunk[SFGP_HDF5_RANK];
    int64_t bytes = 0;
    bool sound = H5Pget_chunk(data->layout, data->rank, chunk) == data->rank &&
                 bytes_of(data->rank, chunk, H5Tget_size(data->type), &bytes) && bytes <= most_bytes(data);
    return sound ? SFGP_OK : sfgp_hdf5_set_fail(data, "its chunks are larger than the file can hold");
}

static sfgp_status check_size(const sfgp_hdf5_set *data)
{
    int64_t bytes = 0;
    const H5D_layout_t kind = data->attribute ? H5D_COMPACT : H5Pget_layout(data->layout);
    if (kind == H5D_VIRTUAL || kind == H5D_LAYOUT_ERROR ||
        (!data->attribute && H5Pget_external_count(data->layout) > 0))
        return sfgp_hdf5_set_fail(data, "its numbers lie in other files; copy them into one (h5repack)");
    if (!bytes_of(data->rank, data->shape, H5Tget_size(data->type), &bytes) || bytes > most_bytes(data))
        return sfgp_hdf5_set_fail(data, "its shape asks for more numbers than the file holds");
    return kind == H5D_CHUNKED && bytes > 0 ? check_chunks(data) : SFGP_OK;
}

sfgp_status sfgp_hdf5_set_check(sfgp_hdf5_set *data)
{
    sfgp_status status = read_shape(data);
    return status == SFGP_OK ? check_size(data) : status;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

herr_t sfgp_hdf5_set_read(const sfgp_hdf5_set *data, hid_t type, void *values)
{
    return data->attribute ? H5Aread(data->set, type, values)
                           : H5Dread(data->set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}

static sfgp_status take_values(const sfgp_hdf5_set *data, sfgp_array *array)
{
    int64_t count = 0;
    sfgp_status status = SFGP_OK;
    array->rank = data->rank;
    for (int k = 0; k < SFGP_HDF5_RANK; k++)
        array->shape[k] = k < data->rank ? (int64_t)data->shape[k] : 1;
    if (!bytes_of(data->rank, data->shape, 1, &count))
        return sfgp_hdf5_set_fail(data, "its shape is damaged");
    if ((status = sfgp_allocate(data->file->context, count, &array->values)) != SFGP_OK)
        return status;
    if (sfgp_hdf5_set_read(data, H5T_NATIVE_DOUBLE, array->values) < 0)
        return sfgp_hdf5_set_fail(
            data, "cannot be read: it is damaged, or packed by a filter that is not installed");
    sfgp_hdf5_sum_numbers(data->file, count, array->values);
    return SFGP_OK;
}

sfgp_status sfgp_hdf5_array(sfgp_hdf5 *file, const char *name, sfgp_array **array)
{
    sfgp_hdf5_set data;
    sfgp_array *made = NULL;
    sfgp_status status = SFGP_OK;
    *array = NULL;
    if ((status = sfgp_hdf5_set_open(file, name, &data)) == SFGP_OK &&
        (status = check_type(&data)) == SFGP_OK && (status = sfgp_hdf5_set_check(&data)) == SFGP_OK &&
        (status = sfgp_allocate(file->context, 1, &made)) == SFGP_OK)
        status = take_values(&data, made);
    sfgp_hdf5_set_close(&data);
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
        status = sfgp_hdf5_array(file, dataset, array);
    sfgp_hdf5_free(file);
    return status;
}
