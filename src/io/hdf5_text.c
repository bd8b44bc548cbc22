/* Reading of HDF5: texts, and what there is in a file. */
#include "io/hdf5_file.h"

#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------- */

/* HDF5 allocates a text of variable length itself. */
static sfgp_status take_variable(const sfgp_hdf5_set *data, hid_t type, size_t size, char *text)
{
    char *read = NULL;
    sfgp_status status = SFGP_OK;
    if (H5Tset_size(type, H5T_VARIABLE) < 0 || sfgp_hdf5_set_read(data, type, &read) < 0)
        status = sfgp_hdf5_set_fail(data, "its text is damaged");
    else if (read && strlen(read) >= size)
        status = sfgp_hdf5_set_fail(data, "its text is too long");
    else
        strcpy(text, read ? read : "");
    if (read)
        H5free_memory(read);
    return status;
}

static sfgp_status take_fixed(const sfgp_hdf5_set *data, hid_t type, size_t size, char *text)
{
    if (H5Tset_size(type, size) < 0 || sfgp_hdf5_set_read(data, type, text) < 0)
        return sfgp_hdf5_set_fail(data, "its text is damaged");
    text[size - 1] = '\0';
    return H5Tget_size(data->type) > size && strlen(text) == size - 1
               ? sfgp_hdf5_set_fail(data, "its text is too long")
               : SFGP_OK;
}

static sfgp_status take_text(sfgp_hdf5_set *data, size_t size, char *text)
{
    const hssize_t count = H5Sget_simple_extent_npoints(data->space);
    sfgp_status status = SFGP_OK;
    text[0] = '\0';
    if (H5Tget_class(data->type) != H5T_STRING || count > 1 || count < 0)
        return sfgp_hdf5_set_fail(data, "it is not one text");
    if (count == 0)
        return SFGP_OK;
    if ((status = sfgp_hdf5_set_check(data)) != SFGP_OK)
        return status;
    hid_t type = H5Tcopy(H5T_C_S1); /* the character set has to be that of the file: HDF5 converts none */
    if (type < 0 || H5Tset_cset(type, H5Tget_cset(data->type)) < 0)
        status = sfgp_hdf5_set_fail(data, "its type is damaged");
    else
        status = (H5Tis_variable_str(data->type) > 0 ? take_variable : take_fixed)(data, type, size, text);
    if (type >= 0)
        H5Tclose(type);
    return status;
}

sfgp_status sfgp_hdf5_text(sfgp_hdf5 *file, const char *name, size_t size, char *text)
{
    sfgp_hdf5_set data;
    sfgp_status status = sfgp_hdf5_set_open(file, name, &data);
    text[0] = '\0';
    if (status == SFGP_OK)
        status = take_text(&data, size, text);
    sfgp_hdf5_set_close(&data);
    if (status == SFGP_OK)
        sfgp_hdf5_sum_text(file, text);
    return status;
}

/* ---- what there is ----------------------------------------------------------------------------------- */

/* H5Lexists wants every group on the way to be there. */
bool sfgp_hdf5_has(const sfgp_hdf5 *file, const char *name)
{
    char object[SFGP_HDF5_NAME];
    const char *attribute = NULL;
    if (!sfgp_hdf5_cut(name, object, &attribute))
        return false;
    for (char *slash = object; (slash = strchr(slash + 1, '/')); *slash = '/') {
        *slash = '\0';
        if (object[0] && strcmp(object, "/") != 0 && H5Lexists(file->file, object, file->access) <= 0)
            return false;
    }
    if (object[0] && strcmp(object, "/") != 0 &&
        (H5Lexists(file->file, object, file->access) <= 0 ||
         H5Oexists_by_name(file->file, object, file->access) <= 0))
        return false;
    return !attribute || H5Aexists_by_name(file->file, object, attribute, file->access) > 0;
}

bool sfgp_hdf5_member(const sfgp_hdf5 *file, const char *group, int64_t index, size_t size, char *name)
{
    ssize_t length = H5Lget_name_by_idx(file->file, group, H5_INDEX_NAME, H5_ITER_INC, (hsize_t)index, name,
                                        size, file->access);
    return length > 0 && (size_t)length < size;
}
