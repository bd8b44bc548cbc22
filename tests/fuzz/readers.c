/* The table of readers, and what all of them promise. */
#include "fuzz/readers.h"
#include "fuzz/inside.h"
#include "fuzz/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void fuzz_require(bool holds, const char *promise)
{
    if (!holds) {
        fprintf(stderr, "broken promise: %s\n", promise);
        abort();
    }
}

/* ---- the table --------------------------------------------------------------------------------------------- */

static const fuzz_reader READERS[] = {
    {"ply", "a.ply", .read = fuzz_read_mesh, .mutate = fuzz_mutate_ply},
    {"obj", "a.obj", .read = fuzz_read_mesh},
    {"stl", "a.stl", .read = fuzz_read_mesh},
    {"npy", "a.npy", .read = fuzz_read_mesh},
    {"text", "a.csv", .read = fuzz_read_mesh},
    {"columns", "a.csv", .read = fuzz_read_columns},
    {"off", "a.off", .read = fuzz_read_mesh},
    {"vtk", "a.vtk", .read = fuzz_read_mesh},
    {"vtp", "a.vtp", .read = fuzz_read_mesh},
    {"gltf", "a.gltf", .read = fuzz_read_mesh},
    {"gzip", "a.ply.gz", .read = fuzz_read_mesh},
    {"mask", "mask.txt", .read = fuzz_read_mask},
    {"landmarks_csv", "a.csv", .read = fuzz_read_landmarks},
    {"landmarks_fcsv", "a.fcsv", .read = fuzz_read_landmarks},
    {"landmarks_markups", "a.mrk.json", .read = fuzz_read_landmarks},
    {"landmarks_scalismo", "a.json", .read = fuzz_read_landmarks},
    {"landmarks_picked", "a.pp", .read = fuzz_read_landmarks},
    {"landmarks_tps", "a.tps", .read = fuzz_read_landmarks},
    {"landmarks_nts", "a.nts", .read = fuzz_read_landmarks},
    {"model", "a.h5", .read = fuzz_read_model, .forks = true, .mutate = fuzz_mutate_model,
     .repair = fuzz_repair_model},
    {"model_json", "a.h5.json", .read = fuzz_read_model, .inside = true},
    {"deformation", "a.h5", .read = fuzz_read_deformation, .forks = true, .mutate = fuzz_mutate_model,
     .repair = fuzz_repair_model},
    {"array", "a.h5", .read = fuzz_read_array, .forks = true, .mutate = fuzz_mutate_model,
     .repair = fuzz_repair_model},
    {"model_table", "a.h5", .read = fuzz_read_model_table, .inside = true, .mutate = fuzz_mutate_model},
    {"fit_table", "a.h5", .read = fuzz_read_fit_table, .inside = true, .mutate = fuzz_mutate_model},
    {"hdf5_table", "table.txt", .read = fuzz_read_table},
    {"hdf5_recipe", "recipe.txt", .read = fuzz_read_recipe, .inside = true},
    {"settings", "settings.txt", .read = fuzz_read_settings},
    {"config", "config.json", .read = fuzz_read_config},
    {"bcpd", "arguments.txt", .read = fuzz_read_bcpd},
    {"manifest", "cases.tsv", .read = fuzz_read_manifest},
    {"record", "case.json", .read = fuzz_read_record},
    {"row", "case.json", .read = fuzz_read_row},
    {"study", "study.json", .read = fuzz_read_study},
    {"journal", "lines.tsv", .read = fuzz_read_journal},
};

const fuzz_reader *fuzz_reader_row(int k)
{
    return k < (int)(sizeof READERS / sizeof *READERS) ? &READERS[k] : NULL;
}

const fuzz_reader *fuzz_reader_of(const char *name)
{
    const fuzz_reader *row;
    for (int k = 0; (row = fuzz_reader_row(k)); k++)
        if (strcmp(row->name, name) == 0)
            return row;
    return NULL;
}

/* ---- one input --------------------------------------------------------------------------------------------- */

static bool is_of_readers(sfgp_status status)
{
    return status == SFGP_OK || status == SFGP_ERROR_READ || status == SFGP_ERROR_FORMAT ||
           status == SFGP_ERROR_DATA || status == SFGP_ERROR_MEMORY;
}

sfgp_status fuzz_read(const fuzz_reader *reader, const char *folder, const void *bytes, size_t size)
{
    char path[4096];
    sfgp_context *context = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, reader->file);
    FILE *file = fopen(path, "wb");
    fuzz_require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0,
                 "the input can be written");
    fuzz_require(sfgp_context_new(NULL, &context) == SFGP_OK, "a context can be made");
    sfgp_context_set_read_limit(context, FUZZ_MOST_MEMORY);
    fuzz_inside(reader->inside);
    const sfgp_status status = reader->read(context, path);
    fuzz_require(is_of_readers(status), "the code is one of readers");
    fuzz_require(status == SFGP_OK || sfgp_context_error(context)[0], "an error has a text");
    sfgp_context_free(context);
    return status;
}

const char *fuzz_folder(void)
{
    static char in_memory[] = "/dev/shm/sfgp-fuzz-XXXXXX", on_disk[] = "/tmp/sfgp-fuzz-XXXXXX";
    return mkdtemp(in_memory) ? in_memory : mkdtemp(on_disk);
}

void fuzz_folder_remove(const char *folder)
{
    const fuzz_reader *row;
    char path[4096];
    for (int k = 0; (row = fuzz_reader_row(k)); k++) {
        snprintf(path, sizeof path, "%s/%s", folder, row->file);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/journal.tsv", folder);
    unlink(path);
    rmdir(folder);
}
