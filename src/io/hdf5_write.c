/* Writing of HDF5: data sets of fixed size without times, and the file's image to its place. */
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_file.h"

#include <math.h>
#include <string.h>

static void keep_failure(sfgp_hdf5 *file, const char *name)
{
    file->status = sfgp_fail(file->context, SFGP_ERROR_MEMORY, "data set '%s': HDF5 has no memory for it",
                             sfgp_path_shown(name));
}

/* A new data set, below 0 when it cannot be made. */
static hid_t create_set(const sfgp_hdf5 *file, const char *name, hid_t type, hid_t space)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), layout = H5Pcreate(H5P_DATASET_CREATE), set = -1;
    if (links >= 0 && layout >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0 &&
        H5Pset_obj_track_times(layout, false) >= 0)
        set = H5Dcreate2(file->file, name, type, space, links, layout, H5P_DEFAULT);
    if (links >= 0)
        H5Pclose(links);
    if (layout >= 0)
        H5Pclose(layout);
    return set;
}

static bool write_set(const sfgp_hdf5 *file, const char *name, hid_t type, hid_t space, hid_t memory,
                      const void *values)
{
    hid_t set = create_set(file, name, type, space);
    bool written = set >= 0 && H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    return (set < 0 || H5Dclose(set) >= 0) && written;
}

static bool write_attribute(const sfgp_hdf5 *file, const char *object, const char *attribute, hid_t type,
                            hid_t space, const void *value)
{
    hid_t set =
        H5Acreate_by_name(file->file, object, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool written = set >= 0 && H5Awrite(set, type, value) >= 0;
    return (set < 0 || H5Aclose(set) >= 0) && written;
}

/* ---- numbers ----------------------------------------------------------------------------------------- */

static hid_t type_in_file(sfgp_hdf5_type type)
{
    switch (type) {
    case SFGP_HDF5_FLOAT32:
        return H5T_IEEE_F32LE;
    case SFGP_HDF5_INT32:
        return H5T_STD_I32LE;
    case SFGP_HDF5_INT64:
        return H5T_STD_I64LE;
    default:
        return H5T_IEEE_F64LE;
    }
}

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
            file->status = sfgp_fail(file->context, SFGP_ERROR_DATA,
                                     "data set '%s': %g is not a number that it can hold", name, values[k]);
            return false;
        }
        sfgp_hdf5_sum_numbers(file, 1, &stored);
    }
    return true;
}

void sfgp_hdf5_put(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, int rank, const int64_t *shape,
                   const double *values)
{
    hsize_t sizes[SFGP_HDF5_RANK] = {0};
    int64_t count = 1;
    for (int k = 0; k < rank; k++) {
        sizes[k] = (hsize_t)shape[k];
        count *= shape[k];
    }
    if (file->status != SFGP_OK || !sum_and_check(file, name, type, count, values))
        return;
    hid_t space = rank > 0 ? H5Screate_simple(rank, sizes, NULL) : H5Screate(H5S_SCALAR);
    if (space < 0 || !write_set(file, name, type_in_file(type), space, H5T_NATIVE_DOUBLE, values))
        keep_failure(file, name);
    if (space >= 0)
        H5Sclose(space);
}

void sfgp_hdf5_put_number(sfgp_hdf5 *file, const char *name, sfgp_hdf5_type type, double value)
{
    sfgp_hdf5_put(file, name, type, 0, NULL, &value);
}

void sfgp_hdf5_put_integers(sfgp_hdf5 *file, const char *name, int64_t count, const int64_t *values)
{
    const hsize_t size = (hsize_t)count;
    hid_t space = file->status == SFGP_OK ? H5Screate_simple(1, &size, NULL) : -1;
    if (file->status != SFGP_OK)
        return;
    for (int64_t k = 0; k < count; k++) /* read back as doubles */
        sfgp_hdf5_sum_numbers(file, 1, &(double){(double)values[k]});
    if (space < 0 || !write_set(file, name, H5T_STD_I64LE, space, H5T_NATIVE_INT64, values))
        keep_failure(file, name);
    if (space >= 0)
        H5Sclose(space);
}

/* ---- texts and groups -------------------------------------------------------------------------------- */

void sfgp_hdf5_put_text(sfgp_hdf5 *file, const char *name, const char *text)
{
    char object[SFGP_HDF5_NAME];
    const char *attribute = NULL;
    bool written = false;
    if (file->status != SFGP_OK)
        return;
    sfgp_hdf5_sum_text(file, text);
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    if (space >= 0 && type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
        sfgp_hdf5_cut(name, object, &attribute))
        written = attribute ? write_attribute(file, object, attribute, type, space, text)
                            : write_set(file, object, type, space, type, text);
    if (!written)
        keep_failure(file, name);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
}

void sfgp_hdf5_put_group(sfgp_hdf5 *file, const char *name)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE), group = -1;
    if (file->status == SFGP_OK && links >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0)
        group = H5Gcreate2(file->file, name, links, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0 && file->status == SFGP_OK)
        keep_failure(file, name);
    if (group >= 0)
        H5Gclose(group);
    if (links >= 0)
        H5Pclose(links);
}

/* ---- to its place ------------------------------------------------------------------------------------ */

sfgp_status sfgp_hdf5_save(sfgp_hdf5 *file, const char *path)
{
    void *image = NULL;
    sfgp_status status = file->status;
    if (status != SFGP_OK)
        return status;
    ssize_t size = H5Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0 ? H5Fget_file_image(file->file, NULL, 0) : -1;
    if (size <= 0)
        return sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot finish the file");
    if ((status = sfgp_allocate_raw(file->context, size, 1, &image)) != SFGP_OK)
        return status;
    if (H5Fget_file_image(file->file, image, (size_t)size) == size)
        status = sfgp_file_write(file->context, path, image, (size_t)size);
    else
        status = sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot finish the file");
    sfgp_free(image);
    return status;
}
