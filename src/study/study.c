/* A study from start to end: tuning, runs, tables, report. */
#include "base/platform_file.h"
#include "base/platform_folder.h"
#include "study/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Checks the settings of every method on every level before anything runs. */
static sfgp_status check_settings(study *s)
{
    sfgp_settings settings;
    sfgp_context *context;
    sfgp_status status = sfgp_context_new(NULL, &context);
    for (int m = 0; status == SFGP_OK && m < s->method_count; m++)
        for (int set = 0; status == SFGP_OK && set < s->set_count; set++)
            for (int level = 0; status == SFGP_OK && level < s->sets[set].level_count; level++)
                for (int k = -1; status == SFGP_OK && k < s->methods[m].choices; k++)
                    status = study_settings(s, (study_key){m, k, set, level, 0}, context, &settings);
    sfgp_context_free(context);
    return status;
}

/* ---- the folder -------------------------------------------------------------------------------------- */

static sfgp_status make_folder(study *s, const char *path)
{
    if (path && (sfgp_folder_make(path) || errno == EEXIST))
        return SFGP_OK;
    return path ? study_fail(s, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s", path, strerror(errno))
                : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
}

/* Removes files of external programs of an earlier, killed study, which could be mistaken for output. */
static void remove_work(const char *folder)
{
    char *work = study_result_path(folder, STUDY_WORK);
    if (work)
        study_folder_remove(work);
    free(work);
}

/* Makes the folders inside the results. The journal is open, so no other study writes there. */
static sfgp_status make_folders(study *s, const char *folder)
{
    sfgp_status status = SFGP_OK;
    remove_work(folder);
    for (study_result k = STUDY_FIGURES; status == SFGP_OK && k < STUDY_RESULTS; k++) {
        char *path = study_result_path(folder, k);
        status = make_folder(s, path);
        free(path);
    }
    return status;
}

static sfgp_status write_results(study *s, const char *folder, const study_rows *rows)
{
    study_summary summary = {0};
    sfgp_status status = SFGP_OK;
    if ((status = study_write_rows(s, folder, STUDY_ROWS, rows)) == SFGP_OK &&
        (status = study_write_rows(s, folder, STUDY_TUNING, rows)) == SFGP_OK &&
        (status = study_summarise(s, rows, &summary)) == SFGP_OK &&
        (status = study_write_summary(s, folder, &summary)) == SFGP_OK)
        status = study_write_report(s, folder, rows, &summary);
    study_summary_clear(&summary);
    return status;
}

/* output: absolute path, because external programs run in other folders. */
static sfgp_status run_in(study *s, const char *output)
{
    study_journal journal = {.file = -1};
    sfgp_status status = SFGP_OK;
    s->output = output;
    if ((status = study_journal_open(s, output, &journal)) == SFGP_OK) {
        if ((status = make_folders(s, output)) == SFGP_OK && (status = study_tune(s, &journal)) == SFGP_OK &&
            (status = study_run_all(s, &journal)) == SFGP_OK)
            status = write_results(s, output, &journal.rows);
        remove_work(output);
    }
    study_journal_close(&journal);
    s->output = NULL;
    return status;
}

static sfgp_status run_resolved(study *s, const char *folder)
{
    char *output = sfgp_platform_resolve(folder);
    const sfgp_status why = errno == ENOMEM ? SFGP_ERROR_MEMORY : SFGP_ERROR_WRITE;
    const sfgp_status status =
        output ? run_in(s, output)
               : study_fail(s, why, "%s: cannot open the folder: %s", folder, strerror(errno));
    free(output);
    return status;
}

sfgp_status study_run(study *s, const char *folder)
{
    sfgp_status status = check_settings(s);
    if (status == SFGP_OK && (status = study_spare_inputs(s, folder)) == SFGP_OK &&
        (status = make_folder(s, folder)) == SFGP_OK)
        status = run_resolved(s, folder);
    if (status != SFGP_OK && !s->error[0]) /* a part that got no memory said nothing */
        study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    return status;
}
