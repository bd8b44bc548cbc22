/* In the process that runs libhdf5: which groups, data sets and attributes a file has. An error of libhdf5 is never
 * reported as "not there". */
#include "io/hdf5_file.h"

#include <string.h>

static sfgp_status look_up(const sfgp_hdf5_file *file, const char *name, htri_t found, bool *there)
{
    *there = found > 0;
    return found >= 0 ? SFGP_OK
                      : sfgp_hdf5_file_fail(file, name,
                                            "cannot be looked up: the file is damaged, or it lies in "
                                            "another file");
}

/* H5Lexists wants every group on the way to be there. */
static sfgp_status find_object(const sfgp_hdf5_file *file, char *object, bool *found)
{
    sfgp_status status = SFGP_OK;
    *found = true;
    if (!object[0] || strcmp(object, "/") == 0)
        return SFGP_OK;
    for (char *slash = object; *found && status == SFGP_OK && (slash = strchr(slash + 1, '/'));
         *slash = '/') {
        *slash = '\0';
        if (object[0])
            status = look_up(file, object, sfgp_h5.Lexists(file->file, object, file->access), found);
    }
    if (*found && status == SFGP_OK)
        status = look_up(file, object, sfgp_h5.Lexists(file->file, object, file->access), found);
    if (*found && status == SFGP_OK)
        status = look_up(file, object, sfgp_h5.Oexists_by_name(file->file, object, file->access), found);
    return status;
}

sfgp_status sfgp_hdf5_file_find(const sfgp_hdf5_file *file, const char *name, bool *found)
{
    char object[SFGP_HDF5_NAME];
    const char *attribute = NULL;
    sfgp_hdf5_file_cut(name, object, &attribute);
    sfgp_status status = find_object(file, object, found);
    if (status != SFGP_OK || !*found || !attribute)
        return status;
    return look_up(file, name, sfgp_h5.Aexists_by_name(file->file, object, attribute, file->access), found);
}

sfgp_status sfgp_hdf5_file_find_member(const sfgp_hdf5_file *file, const char *group, int64_t index,
                                       char name[SFGP_HDF5_NAME])
{
    H5G_info_t info;
    name[0] = '\0';
    if (sfgp_h5.Gget_info_by_name(file->file, group, &info, file->access) < 0)
        return sfgp_hdf5_file_fail(file, group, "cannot be listed: it is no group, or damaged");
    if (index >= 0 && (uint64_t)index < info.nlinks &&
        sfgp_h5.Lget_name_by_idx(file->file, group, H5_INDEX_NAME, H5_ITER_INC, (hsize_t)index, name,
                                 SFGP_HDF5_NAME, file->access) < 0)
        return sfgp_hdf5_file_fail(file, group, "cannot be listed: it is damaged");
    return SFGP_OK;
}
