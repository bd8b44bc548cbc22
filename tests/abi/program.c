/* A program that abi.sh compiles twice: with the header, and with one in which every struct that may grow lacks its last field. */
#include <sfgp/sfgp.h>

#include <stdio.h>
#include <string.h>

/* The structs that a program holds and that may grow. */
#define EACH(X)                                                                                              \
    X(settings)                                                                                              \
    X(profile)                                                                                               \
    X(model_info)                                                                                            \
    X(mesh_info)                                                                                             \
    X(read_options)                                                                                          \
    X(page_options)                                                                                          \
    X(damage)                                                                                                \
    X(evaluation)                                                                                            \
    X(surface_evaluation)                                                                                    \
    X(run_size)                                                                                              \
    X(memory)

enum { GUARD = 64, MARK = 7 };

/* What the library must not write to stands behind each. */
#define FIELD(name)                                                                                          \
    sfgp_##name name;                                                                                        \
    char after_##name[GUARD];
typedef struct guarded {
    EACH(FIELD)
} guarded;

static int is_whole(const char guard[GUARD])
{
    for (int k = 0; k < GUARD; k++)
        if (guard[k] != MARK)
            return 0;
    return 1;
}

#define IS_WHOLE(name) &&is_whole(own->after_##name)
static int is_untouched(const guarded *own)
{
    return 1 EACH(IS_WHOLE);
}

/* What the program owns of the library. */
typedef struct owned {
    sfgp_context *context;
    sfgp_mesh *reference, *target, *scan;
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *fit;
} owned;

static sfgp_status read_and_describe(owned *o, guarded *own, char **path)
{
    sfgp_status status = SFGP_OK;
    memset(&own->read_options, 0, sizeof own->read_options);
    if ((status = sfgp_mesh_read_with(o->context, path[0], &own->read_options, &o->reference, NULL)) ||
        (status = sfgp_mesh_read(o->context, path[1], &o->target)))
        return status;
    return sfgp_mesh_describe(o->context, o->reference, &own->mesh_info);
}

static sfgp_status fit(owned *o, guarded *own)
{
    sfgp_status status = SFGP_OK;
    sfgp_settings_default(&own->settings);
    if ((status = sfgp_settings_set(o->context, &own->settings, "method", "sfgp-scalar")) ||
        (status = sfgp_settings_set(o->context, &own->settings, "max_iterations", "5")) ||
        (status = sfgp_settings_set(o->context, &own->settings, "max_memory", "4G")))
        return status;
    sfgp_profile_start(o->context);
    if ((status = sfgp_model_new(o->context, o->reference, NULL, 0, &own->settings, &o->model)) ||
        (status = sfgp_solver_new(o->context, o->model, &own->settings, &o->solver)) ||
        (status = sfgp_solver_run(o->solver, o->target, &o->fit)))
        return status;
    sfgp_model_describe(o->model, &own->model_info);
    sfgp_profile_read(o->context, &own->profile);
    return SFGP_OK;
}

static sfgp_status judge(owned *o, guarded *own, const char *page)
{
    sfgp_mesh fitted = *o->reference;
    sfgp_status status = SFGP_OK;
    fitted.points = o->fit->points;
    memset(&own->page_options, 0, sizeof own->page_options);
    own->page_options.unit = "mm";
    if ((status = sfgp_evaluate(o->context, &fitted, o->reference, o->fit->missing, &own->evaluation)) ||
        (status = sfgp_evaluate_surfaces(o->context, &fitted, o->target, &own->surface_evaluation)))
        return status;
    return sfgp_result_write_html(o->context, o->fit, o->reference, o->target, &own->page_options, page);
}

static sfgp_status predict_and_simulate(owned *o, guarded *own)
{
    sfgp_status status = SFGP_OK;
    sfgp_run_size_from_model(o->model, &own->run_size);
    sfgp_damage_default(&own->damage);
    if ((status = sfgp_memory_check(o->context, &own->run_size, &own->settings)) ||
        (status = sfgp_memory_predict(o->context, &own->run_size, &own->settings, &own->memory)) ||
        (status = sfgp_damage_set(o->context, &own->damage, "noise", 0.01)))
        return status;
    own->damage.seed = 3;
    return sfgp_simulate_scan(o->context, o->reference, &own->damage, &o->scan, NULL);
}

static void print_points(int64_t count, const double *points)
{
    for (int64_t k = 0; k < 3 * count; k++)
        printf("%.17g\n", points[k]);
}

/* What both programs see. */
static int print(const owned *o, const guarded *own)
{
    print_points(o->fit->count, o->fit->points);
    print_points(o->scan->count, o->scan->points);
    printf("%s %.17g %d\n", o->fit->settings->kernel, o->fit->settings->pmin, o->fit->seconds > 0);
    printf("%d %.17g %.17g\n", (int)own->model_info.count, own->model_info.kernel_residual,
           own->mesh_info.diagonal);
    printf("%.17g %.17g %.17g %d\n", own->evaluation.all.mean, own->evaluation.observed.p95,
           own->surface_evaluation.truth_to_fitted.rms, (int)own->memory.model);
    return own->profile.wall > 0 && own->profile.stages[SFGP_STAGE_ESTEP].calls > 0 && own->memory.model > 0;
}

/* "setting" or "damage", whether the last one can be set, and the error. */
static void try_last(owned *o, guarded *own)
{
    const int setting = sfgp_settings_set(o->context, &own->settings, "fuzzy", "1") == SFGP_OK;
    fprintf(stderr, "setting %d %s\n", setting, setting ? "" : sfgp_context_error(o->context));
    const int damage = sfgp_damage_set(o->context, &own->damage, "file_unit", 1) == SFGP_OK;
    fprintf(stderr, "damage %d %s\n", damage, damage ? "" : sfgp_context_error(o->context));
}

#define PRINT_SIZE(name) fprintf(stderr, "size %s %d\n", #name, (int)sizeof(sfgp_##name));

int main(int argc, char **argv)
{
    guarded own;
    owned o = {0};
    int good = 0;
    memset(&own, MARK, sizeof own);
    if (argc == 4 && sfgp_context_new(NULL, &o.context) == SFGP_OK) {
        good = read_and_describe(&o, &own, argv + 1) == SFGP_OK && fit(&o, &own) == SFGP_OK &&
               judge(&o, &own, argv[3]) == SFGP_OK && predict_and_simulate(&o, &own) == SFGP_OK &&
               print(&o, &own);
        if (good)
            try_last(&o, &own);
        else
            fprintf(stderr, "%s\n", sfgp_context_error(o.context));
        EACH(PRINT_SIZE)
    }
    good = good && is_untouched(&own);
    sfgp_result_free(o.fit);
    sfgp_solver_free(o.solver);
    sfgp_model_free(o.model);
    sfgp_mesh_free(o.scan);
    sfgp_mesh_free(o.target);
    sfgp_mesh_free(o.reference);
    sfgp_context_free(o.context);
    return good ? 0 : 1;
}
