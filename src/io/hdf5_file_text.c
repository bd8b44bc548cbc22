/* In the process that runs libhdf5: one text, data set or attribute, of fixed or variable length. */
#include "io/hdf5_file.h"
#include "io/hdf5_rows.h"

#include <stdio.h>
#include <string.h>

static sfgp_status refuse(const sfgp_hdf5_set *data, const char *words)
{
    return sfgp_hdf5_file_refuse(data->file, data->name, words);
}

static sfgp_status fail_read(const sfgp_hdf5_set *data)
{
    return sfgp_hdf5_file_fail(data->file, data->name, "its text is damaged");
}

/* HDF5 allocates a text of variable length itself; the length stands in the file, and the limit of memory
 * of the process is what keeps it small. */
static sfgp_status read_variable(const sfgp_hdf5_set *data, hid_t type, size_t size, char *text)
{
    char *read = NULL;
    if (sfgp_h5.Tset_size(type, H5T_VARIABLE) < 0 || sfgp_hdf5_set_read(data, type, &read) < 0)
        return fail_read(data);
    if (read && strlen(read) >= size)
        return refuse(data, "its text is too long");
    strcpy(text, read ? read : "");
    if (read)
        sfgp_h5.free_memory(read);
    return SFGP_OK;
}

static sfgp_status read_fixed(const sfgp_hdf5_set *data, hid_t type, size_t size, char *text)
{
    if (sfgp_h5.Tset_size(type, size) < 0 || sfgp_hdf5_set_read(data, type, text) < 0)
        return fail_read(data);
    text[size - 1] = '\0';
    return sfgp_h5.Tget_size(data->type) > size && strlen(text) == size - 1
               ? refuse(data, "its text is too long")
               : SFGP_OK;
}

static sfgp_status read_one(sfgp_hdf5_set *data, size_t size, char *text)
{
    const hssize_t count = sfgp_h5.Sget_simple_extent_npoints(data->space);
    sfgp_status status = SFGP_OK;
    if (sfgp_h5.Tget_class(data->type) != H5T_STRING || count > 1 || count < 0)
        return refuse(data, "it is not one text");
    if (count == 0)
        return SFGP_OK;
    if ((status = sfgp_hdf5_set_check(data)) != SFGP_OK)
        return status;
    hid_t type =
        sfgp_h5.Tcopy(H5T_C_S1); /* the character set has to be that of the file: HDF5 converts none */
    if (type < 0 || sfgp_h5.Tset_cset(type, sfgp_h5.Tget_cset(data->type)) < 0)
        status = fail_read(data);
    else
        status =
            (sfgp_h5.Tis_variable_str(data->type) > 0 ? read_variable : read_fixed)(data, type, size, text);
    if (type >= 0)
        sfgp_h5.Tclose(type);
    return status == SFGP_OK && !sfgp_hdf5_is_plain(text) ? refuse(data, "its text has control characters")
                                                          : status;
}

sfgp_status sfgp_hdf5_file_read_text(sfgp_hdf5_file *file, const char *name, size_t size, char *text)
{
    sfgp_hdf5_set data;
    sfgp_status status = sfgp_hdf5_set_open(file, name, &data);
    text[0] = '\0';
    if (status == SFGP_OK)
        status = read_one(&data, size, text);
    sfgp_hdf5_set_close(&data);
    return status;
}
