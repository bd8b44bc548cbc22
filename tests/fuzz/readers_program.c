/* Readers of the program: manifests, records of cases, studies, journals. */
#include "batch/parts.h"
#include "batch/digest.h"
#include "fuzz/parts.h"
#include "report/file.h"
#include "study/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

sfgp_status fuzz_read_manifest(sfgp_context *context, const char *path)
{
    batch b = {.path = path, .context = context};
    report_file file;
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    size_t size = file.size;
    sfgp_settings_default(&b.settings);
    sfgp_status status = batch_source_convert(&b, &file.text, &size);
    status = status == SFGP_OK ? batch_manifest_parse(&b, file.text, size) : (free(file.text), status);
    fuzz_require(status == SFGP_OK || b.error[0], "an error has a text");
    batch_manifest_clear(&b.manifest);
    return SFGP_OK; /* the text is not in the context */
}

sfgp_status fuzz_read_record(sfgp_context *context, const char *path)
{
    (void)context;
    report_file file;
    if (!report_file_read(path, FUZZ_MOST_MEMORY, &file))
        return SFGP_ERROR_READ;
    json_t *record = batch_record_parse(file.text);
    if (record)
        batch_record_status(record);
    json_decref(record);
    free(file.text);
    return SFGP_OK;
}

/* Writes what was read with the id and the seal that make it the record of case `id`. False: it is no JSON object. */
static bool write_sealed(const char *text, const char *id, const char *path)
{
    char seal[BATCH_DIGEST];
    json_t *record = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    bool written = json_is_object(record) && json_object_set_new(record, "id", json_string(id)) == 0;
    if (written) {
        json_object_del(record, "seal");
        char *all = json_dumps(record, JSON_COMPACT | JSON_SORT_KEYS);
        fuzz_require(all != NULL, "what was parsed can be printed");
        digest_text(all, seal);
        free(all);
        json_object_set_new(record, "seal", json_string(seal));
        written = json_dump_file(record, path, 0) == 0;
    }
    json_decref(record);
    return written;
}

/* The row of tables that is made from a record, behind its seal. The folder of the input is that of the case. */
sfgp_status fuzz_read_row(sfgp_context *context, const char *path)
{
    char *id = strrchr(path, '/') ? strndup(path, (size_t)(strrchr(path, '/') - path)) : NULL, *cells[1];
    fuzz_require(id && strrchr(id, '/'), "the input lies in a folder of a folder");
    char *folder = strndup(id, (size_t)(strrchr(id, '/') - id));
    cells[0] = strrchr(id, '/') + 1;
    batch_column column = {.role = BATCH_ID};
    batch b = {.context = context,
               .manifest = {.columns = &column, .column_count = 1, .cells = cells, .count = 1}};
    batch_row row;
    report_file file;
    if (report_file_read(path, FUZZ_MOST_MEMORY, &file) && write_sealed(file.text, cells[0], path)) {
        batch_row_read(&b, 0, folder, &row);
        fuzz_require(strlen(row.outcome) < sizeof row.outcome, "the outcome ends");
        batch_row_clear(&row);
    }
    free(file.text);
    free(folder);
    free(id);
    return SFGP_OK;
}

sfgp_status fuzz_read_study(sfgp_context *context, const char *path)
{
    (void)context;
    study s;
    const sfgp_status status = study_open(&s, path);
    fuzz_require(status == SFGP_OK || s.error[0], "an error has a text");
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
    fuzz_require(*status == SFGP_OK || s.error[0], "an error has a text");
    study_journal_close(&journal);
    json_decref(s.json);
}

sfgp_status fuzz_read_journal(sfgp_context *context, const char *path)
{
    (void)context;
    report_file file;
    char *folder = strndup(path, (size_t)(strrchr(path, '/') - path)), journal[4096];
    sfgp_status status = SFGP_ERROR_READ;
    snprintf(journal, sizeof journal, "%s/journal.tsv", folder);
    if (report_file_read(path, FUZZ_MOST_MEMORY, &file)) {
        unlink(journal);
        open_journal(folder, &status);
        FILE *out = fopen(journal, "ab");
        fuzz_require(status == SFGP_OK && out, "an empty journal can be made");
        fwrite(file.text, 1, file.size, out);
        fclose(out);
        open_journal(folder, &status);
        free(file.text);
    }
    free(folder);
    return SFGP_OK;
}
