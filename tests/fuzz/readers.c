/* The table of readers, and what all of them promise. */
#include "fuzz/readers.h"
#include "base/context.h"
#include "batch/batch.h"
#include "io/hdf5_table.h"
#include "kernel/kernel.h"
#include "report/file.h"
#include "study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MASK = 8, MOST_MEMORY = 1 << 26 };

static void require(bool holds, const char *promise)
{
    if (!holds) {
        fprintf(stderr, "broken promise: %s\n", promise);
        abort();
    }
}

static void check_mesh(const sfgp_mesh *mesh)
{
    for (int64_t k = 0; k < mesh->count * mesh->dimension; k++)
        require(isfinite(mesh->points[k]), "coordinates are finite");
    for (int64_t k = 0; k < (mesh->face_count > 0 ? mesh->face_start[mesh->face_count] : 0); k++)
        require(mesh->face_points[k] >= 0 && mesh->face_points[k] < mesh->count, "corners of faces exist");
}

/* ---- files of the library ---------------------------------------------------------------------------------- */

/* With what is kept for writing: colours, texture coordinates, groups. */
static sfgp_status read_mesh(sfgp_context *context, const char *path)
{
    sfgp_mesh *mesh = NULL;
    sfgp_attributes *attributes = NULL;
    const sfgp_read_options options = {.keep = 1};
    const sfgp_status status = sfgp_mesh_read_with(context, path, &options, &mesh, &attributes);
    require((status == SFGP_OK) == (mesh != NULL), "a mesh, or an error");
    if (mesh)
        check_mesh(mesh);
    sfgp_attributes_free(attributes);
    sfgp_mesh_free(mesh);
    return status;
}

static sfgp_status read_mask(sfgp_context *context, const char *path)
{
    unsigned char *mask = NULL;
    const sfgp_status status = sfgp_mask_read(context, path, MASK, &mask);
    for (int k = 0; status == SFGP_OK && k < MASK; k++)
        require(mask[k] <= 1, "a mask is 0 and 1");
    sfgp_mask_free(mask);
    return status;
}

static sfgp_status read_landmarks(sfgp_context *context, const char *path)
{
    sfgp_landmarks *landmarks = NULL;
    const sfgp_status status = sfgp_landmarks_read(context, path, &landmarks);
    sfgp_landmarks_free(landmarks);
    return status;
}

static sfgp_status read_model(sfgp_context *context, const char *path)
{
    sfgp_model *model = NULL;
    const sfgp_status status = sfgp_model_read(context, path, &model);
    sfgp_model_free(model);
    return status;
}

static sfgp_status read_deformation(sfgp_context *context, const char *path)
{
    sfgp_deformation *map = NULL;
    const sfgp_status status = sfgp_deformation_read(context, path, &map);
    sfgp_deformation_free(map);
    return status;
}

static sfgp_status read_array(sfgp_context *context, const char *path)
{
    sfgp_array *array = NULL;
    const sfgp_status status = sfgp_array_read(context, path, "model/mean", &array);
    sfgp_array_free(array);
    return status;
}

/* Lines of NAME=VALUE. Kernels are parsed, too. */
static sfgp_status read_settings(sfgp_context *context, const char *path)
{
    sfgp_settings settings;
    sfgp_kernel kernel;
    report_file file;
    sfgp_settings_default(&settings);
    if (!report_file_read(path, MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    for (char *line = strtok(file.text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strchr(line, '=');
        if (value)
            *value++ = '\0';
        if (value && sfgp_settings_set(context, &settings, line, value) == SFGP_OK)
            sfgp_kernel_parse(context, settings.kernel, &kernel);
    }
    free(file.text);
    return SFGP_OK;
}

/* The table of places in front of a model, which a digest keeps from the fuzzer in whole files. */
static sfgp_status read_table(sfgp_context *context, const char *path)
{
    const int64_t size = 1 << 20;
    sfgp_hdf5_table table;
    report_file file;
    if (!report_file_read(path, MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    const bool read = sfgp_hdf5_table_parse(file.text, size, &table);
    for (int k = 0; read && k < table.count; k++) {
        const sfgp_hdf5_row *row = &table.rows[k];
        const int64_t each = sfgp_hdf5_row_size(row); /* 0 of a group */
        require(row->first >= 0 && row->count >= 0 && row->first <= size &&
                    (each == 0 || row->count <= (size - row->first) / each),
                "data sets lie in the file");
        require(sfgp_hdf5_table_find(&table, row->name) != NULL, "what is listed is found");
    }
    free(file.text);
    return read ? SFGP_OK : sfgp_fail(context, SFGP_ERROR_FORMAT, "%s: the table is damaged", path);
}

/* ---- files of the program ---------------------------------------------------------------------------------- */

static sfgp_status read_manifest(sfgp_context *context, const char *path)
{
    batch b = {.path = path, .context = context};
    report_file file;
    if (!report_file_read(path, MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    size_t size = file.size;
    sfgp_settings_default(&b.settings);
    sfgp_status status = batch_source_convert(&b, &file.text, &size);
    status = status == SFGP_OK ? batch_manifest_parse(&b, file.text, size) : (free(file.text), status);
    require(status == SFGP_OK || b.error[0], "an error has a text");
    batch_manifest_clear(&b.manifest);
    return SFGP_OK; /* the text is not in the context */
}

static sfgp_status read_record(sfgp_context *context, const char *path)
{
    (void)context;
    report_file file;
    if (!report_file_read(path, MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    json_t *record = batch_record_parse(file.text);
    if (record)
        batch_record_status(record);
    json_decref(record);
    free(file.text);
    return SFGP_OK;
}

static sfgp_status read_study(sfgp_context *context, const char *path)
{
    (void)context;
    study s;
    const sfgp_status status = study_open(&s, path);
    require(status == SFGP_OK || s.error[0], "an error has a text");
    study_clear(&s);
    return SFGP_OK; /* the text is not in the context */
}

/* Lines of a journal behind a right first line, which is that of an empty journal. */
static void open_journal(const char *folder, sfgp_status *status)
{
    study_method method = {.choices = 2};
    study_set set = {.level_count = 3, .sample_count = 3};
    study s = {.json = json_object(), .methods = &method, .method_count = 1, .sets = &set, .set_count = 1};
    study_journal journal;
    *status = study_journal_open(&s, folder, &journal);
    require(*status == SFGP_OK || s.error[0], "an error has a text");
    study_journal_close(&journal);
    json_decref(s.json);
}

static sfgp_status read_journal(sfgp_context *context, const char *path)
{
    (void)context;
    report_file file;
    char *folder = strndup(path, (size_t)(strrchr(path, '/') - path)), journal[4096];
    sfgp_status status = SFGP_ERROR_READ;
    snprintf(journal, sizeof journal, "%s/journal.tsv", folder);
    if (report_file_read(path, MOST_MEMORY, &file)) {
        unlink(journal);
        open_journal(folder, &status);
        FILE *out = fopen(journal, "ab");
        require(status == SFGP_OK && out, "an empty journal can be made");
        fwrite(file.text, 1, file.size, out);
        fclose(out);
        open_journal(folder, &status);
        free(file.text);
    }
    free(folder);
    return SFGP_OK;
}

/* ---- the table --------------------------------------------------------------------------------------------- */

static const fuzz_reader READERS[] = {
    {"ply", "a.ply", read_mesh},
    {"obj", "a.obj", read_mesh},
    {"stl", "a.stl", read_mesh},
    {"npy", "a.npy", read_mesh},
    {"text", "a.csv", read_mesh},
    {"off", "a.off", read_mesh},
    {"vtk", "a.vtk", read_mesh},
    {"vtp", "a.vtp", read_mesh},
    {"gltf", "a.gltf", read_mesh},
    {"gzip", "a.ply.gz", read_mesh},
    {"mask", "mask.txt", read_mask},
    {"landmarks_csv", "a.csv", read_landmarks},
    {"landmarks_fcsv", "a.fcsv", read_landmarks},
    {"landmarks_markups", "a.mrk.json", read_landmarks},
    {"landmarks_scalismo", "a.json", read_landmarks},
    {"landmarks_picked", "a.pp", read_landmarks},
    {"landmarks_tps", "a.tps", read_landmarks},
    {"model", "a.h5", read_model},
    {"model_json", "a.h5.json", read_model},
    {"deformation", "a.h5", read_deformation},
    {"array", "a.h5", read_array},
    {"hdf5_table", "table.txt", read_table},
    {"settings", "settings.txt", read_settings},
    {"manifest", "cases.tsv", read_manifest},
    {"record", "case.json", read_record},
    {"study", "study.json", read_study},
    {"journal", "lines.tsv", read_journal},
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

void fuzz_read(const fuzz_reader *reader, const char *folder, const void *bytes, size_t size)
{
    char path[4096];
    sfgp_context *context = NULL;
    snprintf(path, sizeof path, "%s/%s", folder, reader->file);
    FILE *file = fopen(path, "wb");
    require(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "the input can be written");
    require(sfgp_context_new(NULL, &context) == SFGP_OK, "a context can be made");
    sfgp_context_set_read_limit(context, MOST_MEMORY);
    const sfgp_status status = reader->read(context, path);
    require(is_of_readers(status), "the code is one of readers");
    require(status == SFGP_OK || sfgp_context_error(context)[0], "an error has a text");
    sfgp_context_free(context);
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
