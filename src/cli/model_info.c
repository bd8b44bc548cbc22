/* sfgp model info: prints the content of a model file. */
#include "cli/model_info.h"
#include "cli/output.h"
#include "report/shape.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN = 10 };

static void print_number(const char *name, double value, const char *unit)
{
    char text[SFGP_NUMBER_SIZE];
    printf("  %-11s %s%s\n", name, sfgp_number_format(value, text), unit);
}

static void print_components(const sfgp_array *variances, int64_t points)
{
    double whole = 0, sum = 0;
    for (int64_t k = 0; k < variances->shape[0]; k++)
        whole += variances->values[k];
    printf("  components  %lld%s\n", (long long)variances->shape[0],
           variances->shape[0] > SHOWN ? ", the first ten of them:" : "");
    for (int64_t k = 0; k < variances->shape[0] && k < SHOWN; k++) {
        sum += variances->values[k];
        printf("  %10lld  RMS motion %.4g (unit of the file), variance so far %.2f %%\n", (long long)k,
               sqrt(variances->values[k] / (double)points), 100 * sum / whole);
    }
}

/* *fit: that of a file of sfgp register --save; NULL: the file is a model. */
static sfgp_status read_fit(cli_session *session, const char *path, sfgp_deformation **fit)
{
    sfgp_context *context = NULL; /* of its own, because it is no error that a model has no fit */
    sfgp_status status = sfgp_context_new(NULL, &context);
    if (status == SFGP_OK)
        status = sfgp_deformation_read(context, path, fit);
    sfgp_context_free(context);
    return status == SFGP_ERROR_MEMORY ? cli_fail(session, status, "out of memory") : SFGP_OK;
}

static void print_symmetry(int symmetric)
{
    static const char *const WORDS[] = {
        [0] = "not looked for: fits use it with the default prior in 3D only",
        [1] = "no",
        [2] = "to a plane: in a fit both sides tend to deform alike",
    };
    printf("  symmetric   %s\n", WORDS[symmetric + 1]);
}

/* saved_fit: the outcome of a saved fit, or NULL. */
static void print_model(const char *path, const char *saved_fit, const sfgp_model_info *info,
                        const sfgp_array *variances)
{
    cli_write_text(stdout, path);
    putchar('\n');
    if (saved_fit)
        printf(
            "  saved fit   %s: sfgp apply moves points with it, sfgp model posterior makes a model of it;\n"
            "              what follows is the model that was fitted\n",
            saved_fit);
    printf("  points      %lld\n", (long long)info->count);
    printf("  faces       %lld\n", (long long)info->face_count);
    printf("  dimension   %d\n", info->dimension);
    print_number("RMS radius", info->scale, "");
    fputs("  prior       ", stdout);
    cli_write_text(stdout, info->kernel);
    putchar('\n');
    printf("  rank        %lld shared by the axes + %lld of PCA\n", (long long)info->rank_scalar,
           (long long)info->rank_pca);
    print_number("residual", info->kernel_residual, " squared RMS radii");
    print_symmetry(info->symmetric);
    print_components(variances, info->count);
}

static void show(const cli_session *session, const char *path, const sfgp_model *model,
                 const sfgp_deformation *fit, const sfgp_array *variances)
{
    const char *saved_fit = fit ? sfgp_outcome_name(sfgp_deformation_outcome(fit)) : NULL;
    sfgp_model_info info;
    sfgp_model_describe(model, &info);
    if (session->json)
        cli_output_json(report_model(path, saved_fit, &info, variances));
    else
        print_model(path, saved_fit, &info, variances);
}

sfgp_status cli_model_info(cli_session *session, const char *path, const sfgp_model *model)
{
    sfgp_array *variances = NULL;
    sfgp_deformation *fit = NULL;
    sfgp_status status = read_fit(session, path, &fit);
    if (status == SFGP_OK)
        status = cli_check(session, sfgp_model_variances(session->context, model, &variances));
    if (status == SFGP_OK)
        show(session, path, model, fit, variances);
    sfgp_deformation_free(fit);
    sfgp_array_free(variances);
    return status;
}
