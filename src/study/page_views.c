/* The 3D views of a report. For a fit that cannot be shown there is a remark; the report is still written. */
#include "page/page.h"
#include "study/view.h"

#include <stdlib.h>

/* What one view shows. */
typedef struct view {
    study_key key; /* set, level and sample; its method is not used */
    char *title;
    study_case c;
    study_fit *fits; /* one for each method */
    page_fit *shown; /* the fits that exist */
    int shown_count;
} view;

static void write_note(page *p, const char *name, const char *title, const char *problem)
{
    char *text = report_format("%s%s%s: not shown: %s.", name, name[0] ? ", " : "", title, problem);
    page_note(p, text ? text : problem);
    free(text);
}

static const sfgp_mesh *find_reference(const study *s, const view *v)
{
    return v->c.reference ? v->c.reference : s->sets[v->key.set].reference;
}

static void load_fits(const study *s, view *v, page *p)
{
    study_key key = v->key;
    for (int m = 0; m < s->method_count; m++) {
        study_fit *fit = &v->fits[m];
        key.method = m;
        if (study_fit_load(s, key, find_reference(s, v), v->c.truth, fit))
            v->shown[v->shown_count++] = (page_fit){.name = s->methods[m].name,
                                                    .points = fit->mesh->points,
                                                    .error = fit->error,
                                                    .sd = fit->sd,
                                                    .missing = fit->missing};
        else if (fit->problem)
            write_note(p, s->methods[m].name, v->title, fit->problem);
    }
}

static void write_scene(const study *s, const view *v, page *p)
{
    const page_scene scene = {v->title, find_reference(s, v), v->c.target, v->c.truth,
                              v->shown, v->shown_count};
    const char *problem = page_scene_problem(&scene);
    if (problem) {
        write_note(p, "", v->title, problem);
        return;
    }
    page_view_begin(p, "Reference, scan and fits", s->sets[v->key.set].unit);
    page_view_scene(p, &scene);
    page_view_end(p);
}

static char *make_title(const study *s, study_key key)
{
    char level[32];
    const study_set *set = &s->sets[key.set];
    return report_format("%s, %s %s, sample %d", set->name, set->axis,
                         study_level_text(set, key.level, level), key.sample + set->first);
}

static sfgp_status write_view(study *s, study_key key, page *p)
{
    const study_set *set = &s->sets[key.set];
    view v = {.key = key,
              .title = make_title(s, key),
              .fits = calloc((size_t)s->method_count, sizeof *v.fits),
              .shown = calloc((size_t)s->method_count, sizeof *v.shown)};
    sfgp_status status = v.title && v.fits && v.shown ? set->source->load(s, set, key.level, key.sample, &v.c)
                                                      : study_fail(s, SFGP_ERROR_MEMORY, "out of memory");
    if (status == SFGP_OK) {
        load_fits(s, &v, p);
        write_scene(s, &v, p);
    }
    for (int m = 0; v.fits && m < s->method_count; m++)
        study_fit_clear(&v.fits[m]);
    study_case_clear(&v.c);
    free(v.title);
    free(v.fits);
    free(v.shown);
    return status;
}

sfgp_status study_write_views(study *s, int set, struct page *p)
{
    sfgp_status status = SFGP_OK;
    for (int level = 0; level < s->sets[set].level_count; level++)
        for (int sample = 0; status == SFGP_OK && sample < s->sets[set].sample_count; sample++)
            if (study_view_wanted(s, (study_key){0, -1, set, level, sample}))
                status = write_view(s, (study_key){0, -1, set, level, sample}, p);
    return status;
}
