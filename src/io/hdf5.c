/* HDF5: one numeric data set as doubles.
 *
 * The library reads what it is told to: sizes in a header decide what it allocates, an external link or data
 * kept "outside" make it open any other file. So the layout is looked at before anything is read: data lie in
 * the file itself, compact, contiguous or in chunks, and shape and chunks are no larger than the stored bytes
 * can stand for (deflate shrinks at most 1032-fold). HDF5 converts the numbers; its messages on stderr are
 * off during our calls. It is not re-entrant as packaged everywhere, so one mutex guards it. */
#include "base/memory.h"
#include "io/file.h"
#include "io/source.h"

#include <hdf5.h>
#include <pthread.h>

#define MOST_EXPANSION 1100 /* deflate: a bit over 1030 */
enum { MOST_RANK = 4 };

/* An open data set and what is read of its header; identifiers below 0 are not open. */
typedef struct data_set {
    sfgp_context *context;
    const char *path, *name;
    int64_t file_size;
    hid_t access, file, set, type, space, layout;
    int rank;
    hsize_t shape[MOST_RANK];
} data_set;

static sfgp_status fail(const data_set *data, const char *reason)
{
    return sfgp_fail(data->context, SFGP_ERROR_FORMAT, "%s: data set '%s': %s", sfgp_path_shown(data->path),
                     sfgp_path_shown(data->name), reason);
}

/* Folders, missing files, pipes and devices, with the words of every other reader. */
static sfgp_status check_file(data_set *data)
{
    sfgp_source source;
    sfgp_status status = sfgp_source_open(data->context, data->path, &source);
    data->file_size = source.size;
    sfgp_source_close(&source);
    return status;
}

static herr_t refuse_link(const char *parent, const char *group, const char *child, const char *object,
                          unsigned *flags, hid_t access, void *user)
{
    (void)parent, (void)group, (void)child, (void)object, (void)flags, (void)access, (void)user;
    return -1;
}

static sfgp_status open_set(data_set *data)
{
    data->file = H5Fopen(data->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (data->file < 0)
        return sfgp_fail(data->context, SFGP_ERROR_FORMAT, "%s: is not an HDF5 file, or cut off or damaged",
                         sfgp_path_shown(data->path));
    data->access = H5Pcreate(H5P_DATASET_ACCESS);
    if (data->access < 0 || H5Pset_elink_cb(data->access, refuse_link, NULL) < 0)
        return fail(data, "HDF5 cannot prepare to read it");
    data->set = H5Dopen2(data->file, data->name, data->access);
    if (data->set < 0)
        return fail(data, "there is none of this name in the file (h5ls -r lists them)");
    data->type = H5Dget_type(data->set);
    data->space = H5Dget_space(data->set);
    data->layout = H5Dget_create_plist(data->set);
    return data->type < 0 || data->space < 0 || data->layout < 0 ? fail(data, "its header is damaged")
                                                                 : SFGP_OK;
}

static sfgp_status check_type(const data_set *data)
{
    H5T_class_t type = H5Tget_class(data->type);
    bool numeric = type == H5T_INTEGER || type == H5T_FLOAT || type == H5T_ENUM;
    return numeric ? SFGP_OK : fail(data, "its elements are not plain integers or reals");
}

static sfgp_status read_shape(data_set *data)
{
    if (H5Sget_simple_extent_type(data->space) == H5S_NULL)
        return fail(data, "it is empty");
    data->rank = H5Sget_simple_extent_ndims(data->space);
    if (data->rank < 0 || data->rank > MOST_RANK)
        return fail(data, "it has more than 4 dimensions");
    return H5Sget_simple_extent_dims(data->space, data->shape, NULL) < 0 ? fail(data, "its shape is damaged")
                                                                         : SFGP_OK;
}

/* Product of the sizes and of one element's bytes; false past 2^63. */
static bool bytes_of(int rank, const hsize_t *shape, size_t element, int64_t *bytes)
{
    bool fits = element <= INT64_MAX;
    *bytes = (int64_t)element;
    for (int k = 0; k < rank && fits; k++)
        fits = shape[k] <= INT64_MAX && sfgp_product(*bytes, (int64_t)shape[k], bytes);
    return fits;
}

/* Bytes of the numbers that the stored bytes can stand for: more only where a filter packs them. */
static int64_t most_bytes(const data_set *data)
{
    hsize_t stored = H5Dget_storage_size(data->set);
    int64_t most = stored < (hsize_t)data->file_size ? (int64_t)stored : data->file_size, packed;
    if (H5Pget_nfilters(data->layout) <= 0)
        return most;
    return sfgp_product(most, MOST_EXPANSION, &packed) ? packed : INT64_MAX;
}

/* A whole chunk is unpacked at once, however little of it the shape covers. */
static sfgp_status check_size(const data_set *data)
{
    const size_t element = H5Tget_size(data->type);
    const H5D_layout_t kind = H5Pget_layout(data->layout);
    hsize_t chunk[MOST_RANK];
    int64_t bytes = 0, chunk_bytes = 0;
    if (H5Pget_external_count(data->layout) > 0 || kind == H5D_VIRTUAL || kind == H5D_LAYOUT_ERROR)
        return fail(data, "its numbers lie in other files; copy them into one (h5repack)");
    if (!bytes_of(data->rank, data->shape, element, &bytes) || bytes > most_bytes(data))
        return fail(data, "its shape asks for more numbers than the file holds");
    if (kind == H5D_CHUNKED && bytes > 0 &&
        (H5Pget_chunk(data->layout, data->rank, chunk) != data->rank ||
         !bytes_of(data->rank, chunk, element, &chunk_bytes) || chunk_bytes > most_bytes(data)))
        return fail(data, "its chunks are larger than the file can hold");
    return SFGP_OK;
}

static sfgp_status take_values(const data_set *data, sfgp_array *array)
{
    int64_t count = 0;
    sfgp_status status = SFGP_OK;
    array->rank = data->rank;
    for (int k = 0; k < MOST_RANK; k++)
        array->shape[k] = k < data->rank ? (int64_t)data->shape[k] : 1;
    if (!bytes_of(data->rank, data->shape, 1, &count))
        return fail(data, "its shape is damaged");
    if ((status = sfgp_allocate(data->context, count, &array->values)) != SFGP_OK)
        return status;
    return H5Dread(data->set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, array->values) < 0
               ? fail(data, "cannot be read: it is damaged, or packed by a filter that is not installed")
               : SFGP_OK;
}

static sfgp_status read_set(data_set *data, sfgp_array *array)
{
    sfgp_status status = SFGP_OK;
    if ((status = open_set(data)) != SFGP_OK || (status = check_type(data)) != SFGP_OK ||
        (status = read_shape(data)) != SFGP_OK || (status = check_size(data)) != SFGP_OK)
        return status;
    return take_values(data, array);
}

static void close_set(data_set *data)
{
    const struct {
        hid_t id;
        herr_t (*close)(hid_t id);
    } open[] = {{data->layout, H5Pclose}, {data->space, H5Sclose},  {data->type, H5Tclose},
                {data->set, H5Dclose},    {data->access, H5Pclose}, {data->file, H5Fclose}};
    for (size_t k = 0; k < sizeof open / sizeof *open; k++)
        if (open[k].id >= 0)
            open[k].close(open[k].id);
}

/* With HDF5's own printing off and put back as it was. */
static sfgp_status read_quietly(data_set *data, sfgp_array *array)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    H5E_auto2_t print = NULL;
    void *user = NULL;
    pthread_mutex_lock(&mutex);
    H5Eget_auto2(H5E_DEFAULT, &print, &user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    sfgp_status status = read_set(data, array);
    close_set(data);
    H5Eset_auto2(H5E_DEFAULT, print, user);
    pthread_mutex_unlock(&mutex);
    return status;
}

sfgp_status sfgp_array_read(sfgp_context *context, const char *path, const char *dataset, sfgp_array **array)
{
    if (!context || !path || !dataset || !array)
        return SFGP_ERROR_PARAMETER;
    data_set data = {.context = context, .path = path, .name = dataset, .access = -1, .file = -1, .set = -1};
    data.type = data.space = data.layout = -1;
    sfgp_array *made = NULL;
    *array = NULL;
    sfgp_status status = check_file(&data);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 1, &made);
    if (status == SFGP_OK)
        status = read_quietly(&data, made);
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
