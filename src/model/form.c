/* The form of a field along the surface, where the kernel leaves it open (form=auto): what costs less for the accuracy asked (docs/adr/0073). */
#include "model/model.h"

#include <stdio.h>
#include <string.h>

/* Methods that take the sparse form: the others refuse it (fit/solver.c). */
static const char *const SPARSE[] = {"sfgp-scalar", "sfgp-full", "sfgp-nothreshold", "closest-point"};

/* Seconds, measured on one core: r columns of N points take r^2 N of the one, Lanczos and 50 iterations, and a factor of L bytes L of the
 * other in 50 iterations. The larger of a factor and a half does not change a fit, only its time. */
static const double COLUMNS_COST = 11e-9, FACTOR_COST = 50 * 6e-9;

static bool takes_sparse(const char *method)
{
    for (size_t k = 0; k < sizeof SPARSE / sizeof *SPARSE; k++)
        if (strcmp(method, SPARSE[k]) == 0)
            return true;
    return false;
}

static struct sfgp_kernel_term *automatic_term(sfgp_kernel *kernel)
{
    for (int k = 0; k < kernel->count; k++)
        if (kernel->terms[k].automatic)
            return &kernel->terms[k];
    return NULL;
}

/* Whether the columns cost more than the factor. */
static sfgp_status compare(sfgp_context *context, const sfgp_settings *settings, const sfgp_model *model,
                           const struct sfgp_kernel_term *term, bool *sparse)
{
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    int64_t columns = 0, precision = 0, factor = 0, work = 0;
    sfgp_status status = sfgp_model_guess_surface(context, settings, model, &columns);
    if (status == SFGP_OK)
        status = sfgp_markov_count(context, &mesh, term, &precision, &factor, &work);
    *sparse = (double)columns * (double)columns * (double)model->count * COLUMNS_COST >
              (double)factor * FACTOR_COST;
    return status;
}

sfgp_status sfgp_model_choose_form(sfgp_context *context, const sfgp_settings *settings, sfgp_model *model)
{
    struct sfgp_kernel_term *term = automatic_term(&model->kernel_terms);
    char text[SFGP_KERNEL_SIZE];
    bool sparse = false;
    sfgp_status status = SFGP_OK;
    if (!term)
        return SFGP_OK;
    if (takes_sparse(settings->method))
        status = compare(context, settings, model, term, &sparse);
    term->automatic = false;
    term->sparse = sparse;
    sfgp_kernel_format(&model->kernel_terms, text);
    snprintf(model->kernel, sizeof model->kernel, "%.480s", text);
    return status;
}
