/* A program that abi.sh compiles twice: with the header, and with one that lacks the last setting, the last stage and the last
 * fields of the infos. */
#include <sfgp/sfgp.h>

#include <stdio.h>
#include <string.h>

/* What the library must not write to. */
typedef struct guarded {
    sfgp_settings settings;
    char after_settings[64];
    sfgp_profile profile;
    char after_profile[64];
    sfgp_model_info model;
    char after_model[64];
    sfgp_mesh_info mesh;
    char after_mesh[64];
} guarded;

static int is_whole(const char guard[64])
{
    for (int k = 0; k < 64; k++)
        if (guard[k] != 7)
            return 0;
    return 1;
}

static int is_untouched(const guarded *own)
{
    return is_whole(own->after_settings) && is_whole(own->after_profile) && is_whole(own->after_model) &&
           is_whole(own->after_mesh);
}

/* What a program sees: the fit, the settings it knows, the stages it knows, the facts it knows. */
static int print(const guarded *own, const sfgp_result *fit)
{
    for (int64_t k = 0; k < fit->count * fit->dimension; k++)
        printf("%.17g\n", fit->points[k]);
    printf("%s %.17g %d\n", fit->settings->kernel, fit->settings->pmin, fit->seconds > 0);
    printf("%d %.17g %.17g\n", (int)own->model.count, own->model.kernel_residual, own->mesh.diagonal);
    return is_untouched(own) && own->profile.wall > 0 && own->profile.stages[SFGP_STAGE_ESTEP].calls > 0;
}

int main(int argc, char **argv)
{
    guarded own;
    sfgp_context *context = NULL;
    sfgp_mesh *reference = NULL, *target = NULL;
    sfgp_model *model = NULL;
    sfgp_solver *solver = NULL;
    sfgp_result *fit = NULL;
    int good = 0;
    memset(&own, 7, sizeof own);
    sfgp_settings_default(&own.settings);
    if (argc > 2 && sfgp_context_new(NULL, &context) == SFGP_OK &&
        sfgp_mesh_read(context, argv[1], &reference) == SFGP_OK &&
        sfgp_mesh_read(context, argv[2], &target) == SFGP_OK &&
        sfgp_settings_set(context, &own.settings, "method", "sfgp-scalar") == SFGP_OK &&
        sfgp_settings_set(context, &own.settings, "max_iterations", "5") == SFGP_OK) {
        sfgp_profile_start(context);
        if (sfgp_model_new(context, reference, NULL, 0, &own.settings, &model) == SFGP_OK &&
            sfgp_solver_new(context, model, &own.settings, &solver) == SFGP_OK &&
            sfgp_solver_run(solver, target, &fit) == SFGP_OK &&
            sfgp_mesh_describe(context, reference, &own.mesh) == SFGP_OK) {
            sfgp_model_describe(model, &own.model);
            sfgp_profile_read(context, &own.profile);
            good = print(&own, fit);
        }
        const int can_set_last = sfgp_settings_set(context, &own.settings, "effort", "quick") == SFGP_OK;
        fprintf(stderr, "%d %zu %zu %s\n", can_set_last, sizeof own.settings,
                sizeof own.profile + sizeof own.model + sizeof own.mesh, sfgp_context_error(context));
        good = good && is_untouched(&own);
    }
    sfgp_result_free(fit);
    sfgp_solver_free(solver);
    sfgp_model_free(model);
    sfgp_mesh_free(target);
    sfgp_mesh_free(reference);
    sfgp_context_free(context);
    return good ? 0 : 1;
}
