/* What the files that read HDF5 as JSON share: hdf5_json.c, hdf5_json_objects.c, hdf5_json_value.c. */
#ifndef SFGP_IO_HDF5_JSON_PARTS_H
#define SFGP_IO_HDF5_JSON_PARTS_H

#include "io/hdf5_json.h"
#include "io/json.h"

#include <stdbool.h>

enum { SFGP_JSON_DEEPEST = 16, SFGP_JSON_OBJECTS = 4096, SFGP_JSON_ID = 64 };
#define SFGP_JSON_LARGEST ((int64_t)1 << 31)

/* An object: a group or a data set. */
typedef struct sfgp_json_object {
    char id[SFGP_JSON_ID];
    const char *at; /* where its members start */
    int64_t line;
} sfgp_json_object;

typedef struct sfgp_json_objects {
    int count;
    sfgp_json_object items[SFGP_JSON_OBJECTS];
} sfgp_json_objects;

typedef struct sfgp_json_reader {
    sfgp_json json;
    sfgp_hdf5 *file;
    sfgp_buffer text, values;
    int objects_left;     /* that may still be written: links may name one twice, or go in circles */
    int64_t numbers_left; /* likewise: a number takes two characters at least */
    char root[SFGP_JSON_ID];
    sfgp_json_objects groups, sets;
} sfgp_json_reader;

/* The shape of a data set or attribute. Its numbers or its text are in reader.values. */
typedef struct sfgp_json_value {
    int rank;
    int64_t shape[4];
    bool is_text;
} sfgp_json_value;

/* The next string, cut at size - 1 bytes. */
void sfgp_json_read_string(sfgp_json_reader *r, size_t size, char *text);
/* The first pass: where the objects stand, and which is the root. */
void sfgp_json_note_objects(sfgp_json_reader *r);
/* Goes to an object. False, with an error, when there is none. */
bool sfgp_json_find_object(sfgp_json_reader *r, const sfgp_json_objects *among, const char *id);
/* Reads type, shape and value of a data set or attribute. name: of an attribute, size bytes; NULL: it has none. */
void sfgp_json_read_value(sfgp_json_reader *r, sfgp_json_value *read, size_t size, char *name);
/* Writes what was read under its name in the HDF5 file. */
void sfgp_json_write_value(sfgp_json_reader *r, const char *name, const sfgp_json_value *read);

#endif
