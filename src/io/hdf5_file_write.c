/* In the process that runs libhdf5: writes data sets of fixed size without times into a file in memory. */
#include "base/memory.h"
#include "io/hdf5_file.h"

#include <string.h>

static sfgp_status fail_write(const sfgp_hdf5_file *file, const char *name)
{
    return sfgp_fail(file->context, SFGP_ERROR_MEMORY, "data set '%.200s': HDF5 has no memory for it", name);
}

static void close_property_list(hid_t list)
{
    if (list >= 0)
        sfgp_h5.Pclose(list);
}

/* Identifiers of a data set: elements in the file and in memory, and its shape. */
typedef struct set_types {
    hid_t file, memory, space;
} set_types;

/* A new data set, below 0 when it cannot be made. */
static hid_t create_set(const sfgp_hdf5_file *file, const char *name, hid_t type, hid_t space)
{
    hid_t links = sfgp_h5.Pcreate(H5P_LINK_CREATE), layout = sfgp_h5.Pcreate(H5P_DATASET_CREATE), set = -1;
    if (links >= 0 && layout >= 0 && sfgp_h5.Pset_create_intermediate_group(links, 1) >= 0 &&
        sfgp_h5.Pset_obj_track_times(layout, false) >= 0)
        set = sfgp_h5.Dcreate2(file->file, name, type, space, links, layout, H5P_DEFAULT);
    close_property_list(links);
    close_property_list(layout);
    return set;
}

/* Writes a data set and its row of the table. Nothing has a place in the file where there are no elements. */
static bool write_set(sfgp_hdf5_file *file, const char *name, const set_types *types, const void *values,
                      sfgp_hdf5_row *row)
{
    hid_t set = create_set(file, name, types->file, types->space);
    bool written = set >= 0 && sfgp_h5.Dwrite(set, types->memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (written) {
        const haddr_t first = sfgp_h5.Dget_offset(set);
        row->first = first == HADDR_UNDEF ? 0 : (int64_t)first;
        file->table.incomplete = file->table.incomplete || (first == HADDR_UNDEF && row->count > 0);
        sfgp_hdf5_table_add(name, row, &file->table);
    }
    return (set < 0 || sfgp_h5.Dclose(set) >= 0) && written;
}

static bool write_attribute(const sfgp_hdf5_file *file, const char *object, const char *attribute, hid_t type,
                            hid_t space, const void *value)
{
    hid_t set = sfgp_h5.Acreate_by_name(file->file, object, attribute, type, space, H5P_DEFAULT, H5P_DEFAULT,
                                        H5P_DEFAULT);
    bool written = set >= 0 && sfgp_h5.Awrite(set, type, value) >= 0;
    return (set < 0 || sfgp_h5.Aclose(set) >= 0) && written;
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

sfgp_status sfgp_hdf5_file_write_numbers(sfgp_hdf5_file *file, const sfgp_hdf5_request *request,
                                         const void *values)
{
    const hid_t memory = request->verb == SFGP_HDF5_WRITE_INTEGERS ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    hsize_t sizes[SFGP_HDF5_RANK];
    sfgp_hdf5_row row = {.kind = SFGP_HDF5_NUMBERS, .type = request->type, .rank = request->rank, .count = 1};
    for (int k = 0; k < request->rank; k++) {
        sizes[k] = (hsize_t)request->shape[k];
        row.shape[k] = request->shape[k];
        row.count *= request->shape[k];
    }
    hid_t space =
        request->rank > 0 ? sfgp_h5.Screate_simple(request->rank, sizes, NULL) : sfgp_h5.Screate(H5S_SCALAR);
    const set_types types = {type_in_file(request->type), memory, space};
    const bool written = space >= 0 && write_set(file, request->name, &types, values, &row);
    if (space >= 0)
        sfgp_h5.Sclose(space);
    return written ? SFGP_OK : fail_write(file, request->name);
}

/* ---- texts and groups -------------------------------------------------------------------------------- */

sfgp_status sfgp_hdf5_file_write_text(sfgp_hdf5_file *file, const char *name, const char *text)
{
    char object[SFGP_HDF5_NAME];
    const char *attribute = NULL;
    bool written = false;
    hid_t space = sfgp_h5.Screate(H5S_SCALAR), type = sfgp_h5.Tcopy(H5T_C_S1);
    sfgp_hdf5_file_cut(name, object, &attribute);
    const set_types types = {type, type, space};
    sfgp_hdf5_row row = {.kind = SFGP_HDF5_TEXT, .rank = 1, .shape = {(int64_t)strlen(text) + 1}, .count = 1};
    if (space >= 0 && type >= 0 && sfgp_h5.Tset_size(type, strlen(text) + 1) >= 0)
        written = attribute ? write_attribute(file, object, attribute, type, space, text)
                            : write_set(file, object, &types, text, &row);
    if (space >= 0)
        sfgp_h5.Sclose(space);
    if (type >= 0)
        sfgp_h5.Tclose(type);
    return written ? SFGP_OK : fail_write(file, name);
}

sfgp_status sfgp_hdf5_file_write_group(sfgp_hdf5_file *file, const char *name)
{
    hid_t links = sfgp_h5.Pcreate(H5P_LINK_CREATE), group = -1;
    if (links >= 0 && sfgp_h5.Pset_create_intermediate_group(links, 1) >= 0)
        group = sfgp_h5.Gcreate2(file->file, name, links, H5P_DEFAULT, H5P_DEFAULT);
    close_property_list(links);
    sfgp_hdf5_table_add(name, &(sfgp_hdf5_row){.kind = SFGP_HDF5_GROUP}, &file->table);
    return group >= 0 && sfgp_h5.Gclose(group) >= 0 ? SFGP_OK : fail_write(file, name);
}

/* ---- the file ---------------------------------------------------------------------------------------- */

sfgp_status sfgp_hdf5_file_image(sfgp_hdf5_file *file, void **image, int64_t *size)
{
    *image = NULL;
    *size =
        sfgp_h5.Fflush(file->file, H5F_SCOPE_GLOBAL) >= 0 ? sfgp_h5.Fget_file_image(file->file, NULL, 0) : -1;
    if (*size <= 0)
        return sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot finish the file");
    sfgp_status status = sfgp_allocate_raw(file->context, *size, 1, image);
    if (status == SFGP_OK && sfgp_h5.Fget_file_image(file->file, *image, (size_t)*size) != *size)
        return sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot finish the file");
    return status;
}
