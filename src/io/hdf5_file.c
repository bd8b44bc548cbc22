/* In the process that runs libhdf5: opens or makes the file; texts of its errors. */
#include "io/hdf5_file.h"
#include "base/platform_file.h"
#include "io/file.h"
#include "io/hdf5_digest.h"

#include <stdio.h>
#include <string.h>

/* ---- open -------------------------------------------------------------------------------------------- */

static herr_t refuse_link(const char *parent, const char *group, const char *child, const char *object,
                          unsigned *flags, hid_t access, void *user)
{
    (void)parent, (void)group, (void)child, (void)object, (void)flags, (void)access, (void)user;
    return -1;
}

/* The driver is named, because a variable of the environment can change the default. */
static sfgp_status open_existing(sfgp_hdf5_file *file)
{
    hid_t driver = sfgp_h5.Pcreate(H5P_FILE_ACCESS);
    if (driver >= 0 && sfgp_h5.Pset_fapl_sec2(driver) >= 0)
        file->file = sfgp_h5.Fopen(file->path, H5F_ACC_RDONLY, driver);
    if (file->file >= 0)
        return SFGP_OK;
    if (sfgp_platform_is_locked(file->path)) /* HDF5 locks what it writes */
        return sfgp_fail(file->context, SFGP_ERROR_READ, "%s: cannot read: another program is writing it",
                         sfgp_path_shown(file->path));
    return sfgp_hdf5_file_fail(file, NULL, "is not an HDF5 file, or cut off or damaged");
}

/* The core driver keeps the file in memory; a name that no file can have keeps it from reading one. The
 * user block keeps the bytes of the digest free. */
static sfgp_status create_new(sfgp_hdf5_file *file)
{
    hid_t driver = sfgp_h5.Pcreate(H5P_FILE_ACCESS), block = sfgp_h5.Pcreate(H5P_FILE_CREATE);
    if (driver >= 0 && block >= 0 && sfgp_h5.Pset_fapl_core(driver, (size_t)1 << 16, 0) >= 0 &&
        sfgp_h5.Pset_userblock(block, SFGP_HDF5_DIGEST_SIZE) >= 0)
        file->file = sfgp_h5.Fcreate("/dev/null/in-memory", H5F_ACC_TRUNC, block, driver);
    return file->file >= 0 ? SFGP_OK
                           : sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot start");
}

sfgp_status sfgp_hdf5_file_open(sfgp_hdf5_file *file)
{
    file->file = -1;
    sfgp_h5.Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->access = sfgp_h5.Pcreate(H5P_DATASET_ACCESS);
    if (file->access < 0 || sfgp_h5.Pset_elink_cb(file->access, refuse_link, NULL) < 0)
        return sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot start");
    return file->path ? open_existing(file) : create_new(file);
}

/* ---- names and words --------------------------------------------------------------------------------- */

void sfgp_hdf5_file_cut(const char *name, char object[SFGP_HDF5_NAME], const char **attribute)
{
    const char *at = strchr(name, '@');
    *attribute = at ? at + 1 : NULL;
    snprintf(object, SFGP_HDF5_NAME, "%.*s", (int)(at ? at - name : SFGP_HDF5_NAME - 1), name);
}

static sfgp_status fail(const sfgp_hdf5_file *file, sfgp_status status, const char *name, const char *words)
{
    const char *path = sfgp_path_shown(file->path ? file->path : "new file");
    return name
               ? sfgp_fail(file->context, status, "%s: data set '%s': %s", path, sfgp_path_shown(name), words)
               : sfgp_fail(file->context, status, "%s: %s", path, words);
}

sfgp_status sfgp_hdf5_file_refuse(const sfgp_hdf5_file *file, const char *name, const char *words)
{
    return fail(file, SFGP_ERROR_FORMAT, name, words);
}

sfgp_status sfgp_hdf5_file_fail(const sfgp_hdf5_file *file, const char *name, const char *words)
{
    if (file->verified)
        return fail(file, SFGP_ERROR_MEMORY, name,
                    "HDF5 cannot read it, though its digest agrees: out of memory, or a disk that fails");
    return file->path ? fail(file, SFGP_ERROR_FORMAT, name, words)
                      : fail(file, SFGP_ERROR_MEMORY, name, "out of memory: HDF5 has none for it");
}
