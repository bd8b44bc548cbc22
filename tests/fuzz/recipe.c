/* Makes HDF5 files from lines of text: see recipe.h. */
#include "fuzz/recipe.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { RANK = 6, WRITTEN = 4096, LINES = 256, TEXT = 4096 };

/* A line. */
typedef struct object {
    char *name, *attribute; /* NULL: none */
    const char *type, *flags;
    int rank;
    hsize_t shape[RANK];
    char *values; /* the rest of the line; "" without one */
} object;

/* ---- a line, read ------------------------------------------------------------------------------------------ */

static bool parse(char *line, object *o)
{
    static char nothing[1];
    char *rest = NULL, *values = strstr(line, " =");
    *o = (object){.flags = "", .values = nothing};
    if (values) {
        o->values = values + 2 + (values[2] == ' ');
        *values = '\0';
    }
    o->name = strtok_r(line, " ", &rest);
    char *type = o->name ? strtok_r(NULL, " ", &rest) : NULL;
    o->type = type;
    if (!type)
        return false;
    char *flags = strchr(type, ':');
    if (flags)
        *flags = '\0', o->flags = flags + 1;
    if ((o->attribute = strchr(o->name, '@')))
        *o->attribute++ = '\0';
    for (char *word; o->rank < RANK && (word = strtok_r(NULL, " ", &rest)); o->rank++)
        o->shape[o->rank] = strtoull(word, NULL, 10);
    return true;
}

/* ---- types ------------------------------------------------------------------------------------------------- */

static hid_t number_type(const char *name)
{
    const struct {
        const char *name;
        hid_t type;
    } types[] = {{"f8", H5T_IEEE_F64LE}, {"F8", H5T_IEEE_F64BE}, {"f4", H5T_IEEE_F32LE},
                 {"F4", H5T_IEEE_F32BE}, {"i1", H5T_STD_I8LE},   {"u1", H5T_STD_U8LE},
                 {"i2", H5T_STD_I16LE},  {"I2", H5T_STD_I16BE},  {"i4", H5T_STD_I32LE},
                 {"I4", H5T_STD_I32BE},  {"u4", H5T_STD_U32LE},  {"i8", H5T_STD_I64LE},
                 {"I8", H5T_STD_I64BE},  {"u8", H5T_STD_U64LE},  {"b", H5T_STD_B8LE}};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(types[k].name, name) == 0)
            return H5Tcopy(types[k].type);
    return -1;
}

static hid_t made_type(const object *o)
{
    const int zero = 0, one = 1;
    hid_t type = -1;
    if (o->type[0] == 's' || o->type[0] == 'v') {
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, o->type[0] == 'v' ? H5T_VARIABLE : strlen(o->values) + 1);
    } else if (o->type[0] == 'e') {
        type = H5Tenum_create(H5T_NATIVE_INT);
        H5Tenum_insert(type, "FALSE", &zero);
        H5Tenum_insert(type, "TRUE", &one);
    } else if (o->type[0] == 'c') {
        type = H5Tcreate(H5T_COMPOUND, sizeof(double));
        H5Tinsert(type, "a", 0, H5T_NATIVE_DOUBLE);
    } else if (o->type[0] == 'o') {
        type = H5Tcreate(H5T_OPAQUE, 8);
    } else {
        type = number_type(o->type);
    }
    return type;
}

static hid_t made_space(const object *o)
{
    hsize_t most[RANK];
    for (int k = 0; k < RANK; k++)
        most[k] = H5S_UNLIMITED;
    if (strchr(o->flags, 'n'))
        return H5Screate(H5S_NULL);
    return o->rank == 0 ? H5Screate(H5S_SCALAR)
                        : H5Screate_simple(o->rank, o->shape, strchr(o->flags, 'm') ? most : NULL);
}

static hid_t made_layout(const object *o)
{
    if (!strpbrk(o->flags, "kzsmp"))
        return H5P_DEFAULT;
    hid_t layout = H5Pcreate(H5P_DATASET_CREATE);
    hsize_t chunk[RANK];
    for (int k = 0; k < o->rank; k++)
        chunk[k] = o->shape[k] > 7 ? 7 : o->shape[k] > 0 ? o->shape[k] : 1;
    if (o->rank > 0 && strpbrk(o->flags, "kzsm"))
        H5Pset_chunk(layout, o->rank, chunk);
    if (strchr(o->flags, 's'))
        H5Pset_shuffle(layout);
    if (strchr(o->flags, 'z'))
        H5Pset_deflate(layout, 1);
    if (strchr(o->flags, 'p'))
        H5Pset_layout(layout, H5D_COMPACT);
    return layout;
}

/* ---- values ------------------------------------------------------------------------------------------------ */

/* Values of any type in places of 8 bytes; the file's type, or doubles that libhdf5 converts. Returns the type of the bytes. */
static hid_t fill(const object *o, hid_t type, int places, void *bytes)
{
    double *numbers = bytes;
    int count = 0;
    if (o->type[0] == 's' || o->type[0] == 'v' || o->type[0] == 'o') {
        memset(bytes, 0, (size_t)places * sizeof(double));
        for (int k = 0; o->type[0] == 'v' && k < places; k++)
            ((char **)bytes)[k] = o->values;
        if (o->type[0] == 's')
            memcpy(bytes, o->values, strlen(o->values));
        return type;
    }
    for (char *at = o->values, *end; count < places; at = end, count++) {
        numbers[count] = strtod(at, &end);
        if (end == at)
            break;
    }
    for (int k = count; k < places; k++)
        numbers[k] = count > 0 ? numbers[k % count] : k;
    if (o->type[0] == 'e')
        memset(bytes, 0, (size_t)places * sizeof(double)); /* FALSE */
    return o->type[0] == 'e' || o->type[0] == 'c' || o->type[0] == 'b' ? type : H5T_NATIVE_DOUBLE;
}

/* The places that the values take; -1: too many to be written. */
static int places_of(const object *o, hid_t type, hid_t space)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const size_t size = H5Tget_size(type), bytes = size > sizeof(double) ? size : sizeof(double);
    const bool small = count >= 0 && count <= WRITTEN && size <= TEXT &&
                       (size_t)count * bytes <= WRITTEN * sizeof(double) && (o->type[0] != 's' || count == 1);
    return small ? (int)(((size_t)count * bytes + sizeof(double) - 1) / sizeof(double)) : -1;
}

/* ---- objects ----------------------------------------------------------------------------------------------- */

static void write_set(hid_t file, const object *o, hid_t links, double *room)
{
    const hid_t type = made_type(o), space = type >= 0 ? made_space(o) : -1, layout = made_layout(o);
    const hid_t set = space < 0      ? -1
                      : o->attribute ? H5Acreate_by_name(file, o->name, o->attribute, type, space,
                                                         H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)
                                     : H5Dcreate2(file, o->name, type, space, links, layout, H5P_DEFAULT);
    const int places = set >= 0 ? places_of(o, type, space) : -1;
    if (places >= 0) {
        const hid_t memory = fill(o, type, places, room);
        if (o->attribute)
            H5Awrite(set, memory, room);
        else
            H5Dwrite(set, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, room);
    }
    if (set >= 0)
        (o->attribute ? H5Aclose : H5Dclose)(set);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (layout != H5P_DEFAULT)
        H5Pclose(layout);
}

static void write_object(hid_t file, const object *o, hid_t links, double *room)
{
    hid_t group = -1;
    switch (o->type[0]) {
    case 'g':
        if ((group = H5Gcreate2(file, o->name, links, H5P_DEFAULT, H5P_DEFAULT)) >= 0)
            H5Gclose(group);
        break;
    case 'l':
        H5Lcreate_soft(o->values, file, o->name, links, H5P_DEFAULT);
        break;
    case 'h':
        H5Lcreate_hard(file, o->values, file, o->name, links, H5P_DEFAULT);
        break;
    case 'x':
        H5Lcreate_external(o->values, "/a", file, o->name, links, H5P_DEFAULT);
        break;
    default:
        write_set(file, o, links, room);
    }
}

void fuzz_recipe_write(char *text, const char *path)
{
    static double room[WRITTEN];
    object o;
    char *rest = NULL;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_fapl_core(access, (size_t)1 << 16, true); /* written when it is closed */
    H5Pset_create_intermediate_group(links, 1);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    int lines = 0;
    for (char *line = strtok_r(text, "\n", &rest); file >= 0 && line && lines < LINES;
         line = strtok_r(NULL, "\n", &rest), lines++)
        if (parse(line, &o))
            write_object(file, &o, links, room);
    if (file >= 0)
        H5Fclose(file);
    H5Pclose(access);
    H5Pclose(links);
}
