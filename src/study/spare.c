/* Refuses a study whose results would take the place of a file that it reads: the data may stand in the folder of the results. */
#include "study/parts.h"
#include "base/platform_file.h"
#include "batch/batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where the results go. */
typedef struct places {
    study *s;
    const char *set;            /* whose data are looked at; NULL: none, but the study file */
    char *paths[STUDY_RESULTS]; /* without links; NULL: there is none yet, so that no input is there */
} places;

/* Whether a path is the result, or in it. */
static bool holds(const char *result, const char *path)
{
    const size_t length = strlen(result);
    return strncmp(path, result, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static bool is_result(const places *p, const char *path)
{
    for (int k = 0; k < STUDY_RESULTS; k++)
        if (p->paths[k] && holds(p->paths[k], path))
            return true;
    return false;
}

static sfgp_status spare(void *user, const char *path)
{
    const places *p = user;
    char *file = batch_model_file(path), *whole = file ? sfgp_platform_resolve(file) : NULL;
    const bool starved = !file || (!whole && errno == ENOMEM), result = whole && is_result(p, whole);
    free(file);
    free(whole);
    if (result)
        return study_fail(p->s, SFGP_ERROR_PARAMETER,
                          "%s: --output would write over an input, %s%s; give another folder", path,
                          p->set ? "of the set " : "the study file", p->set ? p->set : "");
    return starved ? SFGP_ERROR_MEMORY : SFGP_OK;
}

static sfgp_status find_results(const char *folder, places *p)
{
    for (study_result k = 0; k < STUDY_RESULTS; k++) {
        char *path = study_result_path(folder, k);
        p->paths[k] = path ? sfgp_platform_resolve(path) : NULL;
        const bool starved = !path || (!p->paths[k] && errno == ENOMEM);
        free(path);
        if (starved)
            return SFGP_ERROR_MEMORY;
    }
    return SFGP_OK;
}

sfgp_status study_spare_inputs(study *s, const char *folder)
{
    places p = {.s = s};
    sfgp_status status = find_results(folder, &p);
    if (status == SFGP_OK)
        status = spare(&p, s->folder);
    for (int k = 0; status == SFGP_OK && k < s->set_count; k++) {
        p.set = s->sets[k].name;
        status = s->sets[k].source->visit(s, &s->sets[k], &(study_visitor){spare, &p});
    }
    for (int k = 0; k < STUDY_RESULTS; k++)
        free(p.paths[k]);
    return status;
}
