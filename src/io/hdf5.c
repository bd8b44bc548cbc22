/* Life of an HDF5 file: open, new, free, and what reading and writing share. */
#define _DEFAULT_SOURCE /* flock */
#include "base/memory.h"
#include "io/file.h"
#include "io/hdf5_file.h"
#include "io/scalar.h"
#include "io/source.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- open and close ---------------------------------------------------------------------------------- */

static herr_t refuse_link(const char *parent, const char *group, const char *child, const char *object,
                          unsigned *flags, hid_t access, void *user)
{
    (void)parent, (void)group, (void)child, (void)object, (void)flags, (void)access, (void)user;
    return -1;
}

/* What a damaged file made HDF5 lose inside stays there, and when the process ends, HDF5 complains in a place
 * of its own ("infinite loop closing library"), unless its printing is off. Functions that were registered
 * later run earlier: this one before the end of HDF5, which was started before. */
static void quiet_end(void)
{
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void register_quiet_end(void)
{
    static bool registered; /* under the mutex */
    if (!registered && H5open() >= 0)
        registered = atexit(quiet_end) == 0;
}

/* A handle that holds the mutex, with no file open yet. */
static sfgp_status enter(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    sfgp_status status = sfgp_allocate(context, 1, file);
    if (status != SFGP_OK)
        return status;
    **file = (sfgp_hdf5){
        .context = context, .path = path, .file = -1, .access = -1, .checksum = SFGP_CHECKSUM_START};
    pthread_mutex_lock(&mutex);
    register_quiet_end();
    H5Eget_auto2(H5E_DEFAULT, &(*file)->print, &(*file)->print_user);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    (*file)->access = H5Pcreate(H5P_DATASET_ACCESS);
    if ((*file)->access >= 0 && H5Pset_elink_cb((*file)->access, refuse_link, NULL) >= 0)
        return SFGP_OK;
    return sfgp_fail(context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot start");
}

void sfgp_hdf5_free(sfgp_hdf5 *file)
{
    if (!file)
        return;
    if (file->access >= 0)
        H5Pclose(file->access);
    if (file->file >= 0)
        H5Fclose(file->file);
    H5Eset_auto2(H5E_DEFAULT, file->print, file->print_user);
    pthread_mutex_unlock(&mutex);
    sfgp_free(file);
}

/* Folders, missing files, pipes and devices, with the words of every other reader. */
static sfgp_status check_file(sfgp_context *context, const char *path, int64_t *size)
{
    sfgp_source source;
    sfgp_status status = sfgp_source_open(context, path, &source);
    *size = source.size;
    sfgp_source_close(&source);
    return status;
}

/* HDF5 locks what it writes. */
static bool is_being_written(const char *path)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool locked = descriptor >= 0 && flock(descriptor, LOCK_SH | LOCK_NB) != 0;
    if (descriptor >= 0)
        close(descriptor);
    return locked;
}

static sfgp_status open_file(sfgp_hdf5 *file)
{
    file->file = H5Fopen(file->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file->file >= 0)
        return SFGP_OK;
    if (is_being_written(file->path))
        return sfgp_fail(file->context, SFGP_ERROR_READ, "%s: cannot read: another program is writing it",
                         sfgp_path_shown(file->path));
    return sfgp_fail(file->context, SFGP_ERROR_FORMAT, "%s: is not an HDF5 file, or cut off or damaged",
                     sfgp_path_shown(file->path));
}

sfgp_status sfgp_hdf5_open(sfgp_context *context, const char *path, sfgp_hdf5 **file)
{
    int64_t size = 0;
    *file = NULL;
    sfgp_status status = check_file(context, path, &size);
    if (status == SFGP_OK)
        status = enter(context, path, file);
    if (status == SFGP_OK) {
        (*file)->file_size = size;
        status = open_file(*file);
    }
    if (status != SFGP_OK) {
        sfgp_hdf5_free(*file);
        *file = NULL;
    }
    return status;
}

/* The core driver keeps the file in memory; a name that no file can have keeps it from reading one. */
static sfgp_status create_file(sfgp_hdf5 *file)
{
    hid_t driver = H5Pcreate(H5P_FILE_ACCESS);
    if (driver >= 0 && H5Pset_fapl_core(driver, (size_t)1 << 20, 0) >= 0)
        file->file = H5Fcreate("/dev/null/in-memory", H5F_ACC_TRUNC, H5P_DEFAULT, driver);
    if (driver >= 0)
        H5Pclose(driver);
    return file->file >= 0 ? SFGP_OK
                           : sfgp_fail(file->context, SFGP_ERROR_MEMORY, "out of memory: HDF5 cannot start");
}

sfgp_status sfgp_hdf5_new(sfgp_context *context, sfgp_hdf5 **file)
{
    *file = NULL;
    sfgp_status status = enter(context, NULL, file);
    if (status == SFGP_OK)
        status = create_file(*file);
    if (status != SFGP_OK) {
        sfgp_hdf5_free(*file);
        *file = NULL;
    }
    return status;
}

/* ---- names and words --------------------------------------------------------------------------------- */

bool sfgp_hdf5_cut(const char *name, char object[SFGP_HDF5_NAME], const char **attribute)
{
    const char *at = strchr(name, '@');
    const size_t length = at ? (size_t)(at - name) : strlen(name);
    *attribute = at ? at + 1 : NULL;
    if (length >= SFGP_HDF5_NAME)
        return false;
    memcpy(object, name, length);
    object[length] = '\0';
    return true;
}

sfgp_status sfgp_hdf5_fail(const sfgp_hdf5 *file, const char *name, const char *format, ...)
{
    char words[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return sfgp_fail(file->context, SFGP_ERROR_FORMAT, "%s: data set '%s': %s",
                     sfgp_path_shown(file->path ? file->path : "new file"), sfgp_path_shown(name), words);
}

/* ---- checksum ---------------------------------------------------------------------------------------- */

/* The lowest byte first on every machine. */
void sfgp_hdf5_sum_numbers(sfgp_hdf5 *file, int64_t count, const double *values)
{
    unsigned char bytes[8];
    for (int64_t k = 0; k < count; k++) {
        sfgp_scalar_store(SFGP_FLOAT64, values[k], bytes);
        file->checksum = sfgp_checksum(file->checksum, bytes, sizeof bytes);
    }
}

void sfgp_hdf5_sum_text(sfgp_hdf5 *file, const char *text)
{
    file->checksum = sfgp_checksum(file->checksum, text, strlen(text) + 1);
}

void sfgp_hdf5_checksum_start(sfgp_hdf5 *file)
{
    file->checksum = SFGP_CHECKSUM_START;
}

uint64_t sfgp_hdf5_checksum(const sfgp_hdf5 *file)
{
    return file->checksum;
}
