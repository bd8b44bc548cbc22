/* The table of places of our HDF5 files, and files of others that libhdf5 has made (recipe.h). */
#include "fuzz/mutate.h"
#include "fuzz/parts.h"
#include "fuzz/recipe.h"
#include "io/hdf5_table.h"
#include "report/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The table of places in front of a model, which a digest keeps from the fuzzer in whole files. */
sfgp_status fuzz_read_table(sfgp_context *context, const char *path)
{
    const int64_t size = 1 << 20;
    sfgp_hdf5_table table;
    report_file file;
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    const bool read = sfgp_hdf5_table_parse(file.text, size, &table);
    for (int k = 0; read && k < table.count; k++) {
        const sfgp_hdf5_row *row = &table.rows[k];
        const int64_t each = sfgp_hdf5_row_size(row); /* 0 of a group */
        fuzz_require(row->first >= 0 && row->count >= 0 && row->first <= size &&
                         (each == 0 || row->count <= (size - row->first) / each),
                     "data sets lie in the file");
        fuzz_require(sfgp_hdf5_table_find(&table, row->name) != NULL, "what is listed is found");
    }
    free(file.text);
    return read ? SFGP_OK : sfgp_fail(context, SFGP_ERROR_FORMAT, "%s: the table is damaged", path);
}

/* A file of ours behind its digest, which is made to agree. The signatures of HDF5 are taken out of it: what the table does not have
 * libhdf5 refuses at once, whatever the bytes are, and needs no process of its own for that. */
static sfgp_status read_behind_digest(sfgp_context *context, const char *path,
                                      sfgp_status (*read)(sfgp_context *, const char *))
{
    static const char SIGNATURE[8] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    report_file file;
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    for (size_t place = 0; place + sizeof SIGNATURE <= file.size; place = place ? 2 * place : 512)
        if (memcmp(file.text + place, SIGNATURE, sizeof SIGNATURE) == 0)
            file.text[place] = 0;
    fuzz_repair_model((unsigned char *)file.text, file.size);
    FILE *out = fopen(path, "wb");
    fuzz_require(out && fwrite(file.text, 1, file.size, out) == file.size && fclose(out) == 0,
                 "the input can be written");
    free(file.text);
    return read(context, path);
}

sfgp_status fuzz_read_model_table(sfgp_context *context, const char *path)
{
    return read_behind_digest(context, path, fuzz_read_model);
}

sfgp_status fuzz_read_fit_table(sfgp_context *context, const char *path)
{
    return read_behind_digest(context, path, fuzz_read_deformation);
}

/* The file as a model, as a fit or as an array: the size of the text decides. */
sfgp_status fuzz_read_recipe(sfgp_context *context, const char *path)
{
    static sfgp_status (*const READS[])(sfgp_context *, const char *) = {
        fuzz_read_model, fuzz_read_deformation, fuzz_read_array};
    char made[4096];
    report_file file;
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    snprintf(made, sizeof made, "%s.h5", path);
    fuzz_recipe_write(file.text, made);
    const sfgp_status status = READS[file.size % 3](context, made);
    unlink(made);
    free(file.text);
    return status;
}
