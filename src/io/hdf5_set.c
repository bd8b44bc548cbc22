/* In the process that runs libhdf5: one data set or attribute, opened, and its shape compared with what the
 * file can hold before anything is allocated for it. */
#include "base/memory.h"
#include "io/hdf5_file.h"

#define MOST_EXPANSION 1100 /* deflate: a bit over 1030 */

/* ---- open and close ---------------------------------------------------------------------------------- */

void sfgp_hdf5_set_close(sfgp_hdf5_set *data)
{
    const struct {
        hid_t id;
        herr_t (*close)(hid_t id);
    } open[] = {{data->layout, sfgp_h5.Pclose},
                {data->space, sfgp_h5.Sclose},
                {data->type, sfgp_h5.Tclose},
                {data->set, data->attribute ? sfgp_h5.Aclose : sfgp_h5.Dclose}};
    for (size_t k = 0; k < sizeof open / sizeof *open; k++)
        if (open[k].id >= 0)
            open[k].close(open[k].id);
}

static void open_attribute(sfgp_hdf5_set *data, const char *object, const char *attribute)
{
    data->attribute = true;
    data->set = sfgp_h5.Aopen_by_name(data->file->file, object, attribute, H5P_DEFAULT, data->file->access);
    if (data->set >= 0) {
        data->type = sfgp_h5.Aget_type(data->set);
        data->space = sfgp_h5.Aget_space(data->set);
    }
}

static void open_data(sfgp_hdf5_set *data, const char *object)
{
    data->set = sfgp_h5.Dopen2(data->file->file, object, data->file->access);
    if (data->set >= 0) {
        data->type = sfgp_h5.Dget_type(data->set);
        data->space = sfgp_h5.Dget_space(data->set);
        data->layout = sfgp_h5.Dget_create_plist(data->set);
    }
}

/* name was found, which follows no link to another file. */
static bool is_group(const sfgp_hdf5_file *file, const char *name)
{
    const hid_t group = sfgp_h5.Gopen2(file->file, name, H5P_DEFAULT);
    return group >= 0 && sfgp_h5.Gclose(group) >= 0;
}

/* Why a data set cannot be opened. */
static sfgp_status fail_open(sfgp_hdf5_file *file, const char *name)
{
    bool found = false;
    sfgp_status status = sfgp_hdf5_file_find(file, name, &found);
    if (status != SFGP_OK)
        return status;
    if (!found)
        return sfgp_hdf5_file_refuse(file, name,
                                     "there is none of this name in the file (h5ls -r lists them)");
    return is_group(file, name) ? sfgp_hdf5_file_refuse(file, name, "it is a group, not a data set")
                                : sfgp_hdf5_file_fail(file, name, "cannot be opened: it is damaged");
}

sfgp_status sfgp_hdf5_set_open(sfgp_hdf5_file *file, const char *name, sfgp_hdf5_set *data)
{
    char object[SFGP_HDF5_NAME];
    const char *attribute = NULL;
    *data = (sfgp_hdf5_set){.file = file, .name = name, .set = -1, .type = -1, .space = -1, .layout = -1};
    sfgp_hdf5_file_cut(name, object, &attribute);
    if (attribute)
        open_attribute(data, object, attribute);
    else
        open_data(data, object);
    if (data->set < 0)
        return fail_open(file, name);
    return data->type < 0 || data->space < 0 || (!attribute && data->layout < 0)
               ? sfgp_hdf5_file_fail(file, name, "its header is damaged")
               : SFGP_OK;
}

/* ---- sizes ------------------------------------------------------------------------------------------- */

static sfgp_status refuse(const sfgp_hdf5_set *data, const char *words)
{
    return sfgp_hdf5_file_refuse(data->file, data->name, words);
}

/* Product of the sizes and of one element's bytes; false past 2^63. */
static bool bytes_of(int rank, const hsize_t *shape, size_t element, int64_t *bytes)
{
    *bytes = (int64_t)element;
    bool fits = *bytes >= 0;
    for (int k = 0; k < rank && fits; k++)
        fits = shape[k] <= INT64_MAX && sfgp_product(*bytes, (int64_t)shape[k], bytes);
    return fits;
}

static sfgp_status read_shape(sfgp_hdf5_set *data)
{
    if (sfgp_h5.Sget_simple_extent_type(data->space) == H5S_NULL)
        return refuse(data, "it is empty");
    data->rank = sfgp_h5.Sget_simple_extent_ndims(data->space);
    if (data->rank < 0 || data->rank > SFGP_HDF5_RANK)
        return refuse(data, "it has more than 4 dimensions");
    if (sfgp_h5.Sget_simple_extent_dims(data->space, data->shape, NULL) < 0 ||
        !bytes_of(data->rank, data->shape, 1, &data->count))
        return refuse(data, "its shape is damaged");
    return SFGP_OK;
}

/* Bytes of the numbers that the stored bytes can stand for: more only where a filter packs them. */
static int64_t most_bytes(const sfgp_hdf5_set *data)
{
    hsize_t stored =
        data->attribute ? sfgp_h5.Aget_storage_size(data->set) : sfgp_h5.Dget_storage_size(data->set);
    int64_t most = stored < (hsize_t)data->file->size ? (int64_t)stored : data->file->size, packed;
    if (data->attribute || sfgp_h5.Pget_nfilters(data->layout) <= 0)
        return most;
    return sfgp_product(most, MOST_EXPANSION, &packed) ? packed : INT64_MAX;
}

/* A whole chunk is unpacked at once, however little of it the shape covers. */
static sfgp_status check_chunks(const sfgp_hdf5_set *data)
{
    hsize_t chunk[SFGP_HDF5_RANK];
    int64_t bytes = 0;
    bool sound = sfgp_h5.Pget_chunk(data->layout, data->rank, chunk) == data->rank &&
                 bytes_of(data->rank, chunk, sfgp_h5.Tget_size(data->type), &bytes) &&
                 bytes <= most_bytes(data) && bytes <= data->file->unpacked_left;
    return sound ? SFGP_OK : refuse(data, "its chunks are larger than the file can hold");
}

sfgp_status sfgp_hdf5_set_check(sfgp_hdf5_set *data)
{
    int64_t bytes = 0;
    const H5D_layout_t kind = data->attribute ? H5D_COMPACT : sfgp_h5.Pget_layout(data->layout);
    sfgp_status status = read_shape(data);
    data->contiguous = kind == H5D_CONTIGUOUS;
    if (status != SFGP_OK)
        return status;
    if (kind == H5D_VIRTUAL || kind == H5D_LAYOUT_ERROR ||
        (!data->attribute && sfgp_h5.Pget_external_count(data->layout) != 0))
        return refuse(data, "its numbers lie in other files; copy them into one (h5repack)");
    if (!bytes_of(data->rank, data->shape, sfgp_h5.Tget_size(data->type), &bytes) || bytes > most_bytes(data))
        return refuse(data, "its shape asks for more numbers than the file holds");
    return kind == H5D_CHUNKED && bytes > 0 ? check_chunks(data) : SFGP_OK;
}

herr_t sfgp_hdf5_set_read(const sfgp_hdf5_set *data, hid_t type, void *values)
{
    return data->attribute ? sfgp_h5.Aread(data->set, type, values)
                           : sfgp_h5.Dread(data->set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
}
