/* The factor of the prior on the reference: in space by one of the methods of lowrank, along the surface by its eigenfunctions, and
 * how accurate each of them is. */
#include "base/memory.h"
#include "lowrank/surface_factor.h"
#include "model/model.h"

/* What a point may lose of its prior variance: small shapes get all of it, which costs nothing. */
#define ACCURACY_SMALL 1e-12
#define ACCURACY 1e-6
#define SMALL 256
/* Columns that are told: with 2965 a fit of as many points had not ended after 140 s of a processor (by hand). */
#define MANY 1500

/* A corner of a surface, where the variance is four times as large, loses up to so many times as much as the mean. */
#define CORNER 8

double sfgp_model_accuracy(const sfgp_settings *settings, int64_t count)
{
    const double chosen = count <= SMALL ? ACCURACY_SMALL : ACCURACY;
    return settings->accuracy > 0 ? settings->accuracy : chosen;
}

/* The terms of a prior in space and along the surface, and the accuracy of either. An accuracy that is asked for is that of
 * their sum. */
typedef struct parts {
    sfgp_kernel space, surface;
    double space_accuracy, surface_accuracy;
    bool mean; /* the accuracy along the surface is that of the mean */
} parts;

static parts split(const sfgp_settings *settings, const sfgp_model *model)
{
    parts p = {.space = sfgp_kernel_in_space(&model->kernel_terms),
               .surface = sfgp_kernel_along_surface(&model->kernel_terms)};
    const bool both = p.space.count > 0 && p.surface.count > 0;
    p.space_accuracy = sfgp_model_accuracy(settings, model->count);
    p.mean = settings->accuracy == 0 && model->count > SMALL;
    p.surface_accuracy =
        p.mean ? SFGP_MODEL_SURFACE_LEFT * sfgp_kernel_variance(&p.surface) : p.space_accuracy;
    if (both && settings->accuracy > 0) {
        p.space_accuracy *= 0.5;
        p.surface_accuracy *= 0.5;
    }
    return p;
}

sfgp_status sfgp_model_axes(sfgp_context *context, const sfgp_model *model, double **axes)
{
    const int64_t n = model->count;
    const int d = model->dimension;
    sfgp_status status = sfgp_allocate(context, n * d, axes);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        for (int axis = 0; axis < d; axis++)
            (*axes)[axis * n + i] = model->reference[i * d + axis];
    return status;
}

sfgp_mesh sfgp_model_mesh(const sfgp_model *model)
{
    return (sfgp_mesh){.count = model->count,
                       .dimension = model->dimension,
                       .points = model->reference,
                       .face_count = model->face_count,
                       .face_start = model->face_start,
                       .face_points = model->face_points};
}

/* Without columns the methods have nothing to choose, and eigenpairs cannot be none: then it is Cholesky's certificate. */
static sfgp_status factorise_space(sfgp_context *context, const sfgp_settings *settings, const parts *p,
                                   int64_t rank, sfgp_model *model)
{
    const sfgp_factor_request request = {p->space_accuracy, rank, (uint64_t)settings->seed, false};
    const sfgp_lowrank_method *method = NULL;
    double *axes = NULL;
    sfgp_status status = sfgp_lowrank_find(context, settings->lowrank, &method);
    if (status == SFGP_OK)
        status = sfgp_model_axes(context, model, &axes);
    if (status != SFGP_OK)
        return status;
    if (rank == 0)
        method = &sfgp_lowrank_cholesky;
    const sfgp_covariance covariance = {&p->space, model->count, model->dimension, axes};
    status = method->factorise(context, &covariance, &request, &model->basis.scalar);
    sfgp_free(axes);
    return status;
}

static sfgp_status factorise_surface(sfgp_context *context, const sfgp_settings *settings, const parts *p,
                                     int64_t rank, sfgp_model *model)
{
    const sfgp_factor_request request = {p->surface_accuracy, rank, (uint64_t)settings->seed, p->mean};
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    sfgp_factor *factor = &model->basis.scalar, last = {0};
    if (p->space.count == 0)
        return sfgp_surface_factor_new(context, &mesh, &p->surface, &request, factor);
    sfgp_status status = sfgp_surface_factor_new(context, &mesh, &p->surface, &request, &last);
    if (status == SFGP_OK)
        status = sfgp_factor_append(context, factor, &last);
    sfgp_factor_clear(&last);
    return status;
}

/* The field of the kernel's term in the sparse form, if there is one. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
static sfgp_status add_field(sfgp_context *context, sfgp_model *model)
{
    const struct sfgp_kernel_term *term = sfgp_kernel_sparse(&model->kernel_terms);
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    if (!term)
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(context, 1, &model->field);
    if (status == SFGP_OK)
        status = sfgp_markov_new(context, &mesh, term, model->field);
    if (status == SFGP_OK)
        model->basis.field = model->field;
    return status;
}

/* Of a rank that both parts share, the part in space takes half at most. */
sfgp_status sfgp_model_factorise(sfgp_context *context, const sfgp_settings *settings, sfgp_model *model)
{
    const parts p = split(settings, model);
    const int64_t rank = settings->rank ? settings->rank : model->count;
    const bool shared = settings->rank > 0 && p.space.count > 0 && p.surface.count > 0;
    sfgp_status status = SFGP_OK;
    if (!model->basis.pca.factor && /* rows without columns */
        (status = sfgp_allocate(context, 0, &model->basis.pca.factor)) != SFGP_OK)
        return status;
    if ((status = add_field(context, model)) != SFGP_OK)
        return status;
    if (p.space.count + p.surface.count == 0) {
        model->basis.scalar.rows = model->count;
        return sfgp_allocate(context, 0, &model->basis.scalar.values);
    }
    if (p.space.count > 0)
        status = factorise_space(context, settings, &p, shared ? rank / 2 : rank, model);
    if (status == SFGP_OK && p.surface.count > 0)
        status =
            factorise_surface(context, settings, &p, shared ? rank - model->basis.scalar.rank : rank, model);
    return status;
}

sfgp_status sfgp_model_guess_surface(sfgp_context *context, const sfgp_settings *settings,
                                     const sfgp_model *model, int64_t *rank)
{
    const parts p = split(settings, model);
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    const sfgp_factor_request request = {p.surface_accuracy, settings->rank ? settings->rank : model->count,
                                         (uint64_t)settings->seed, p.mean};
    return sfgp_surface_factor_guess(context, &mesh, &p.surface, &request, rank);
}

void sfgp_model_warn_rank(sfgp_context *context, const sfgp_settings *settings, const sfgp_model *model)
{
    const parts p = split(settings, model);
    const double accuracy = (p.space.count > 0 ? p.space_accuracy : 0) +
                            (p.surface.count > 0 ? (p.mean ? CORNER : 1) * p.surface_accuracy : 0);
    if (settings->rank > model->count)
        sfgp_warn(context, "rank: %lld is more than the %lld points; %lld used", (long long)settings->rank,
                  (long long)model->count, (long long)model->count);
    if (settings->rank > 0 && model->basis.scalar.residual > 1.5 * accuracy)
        sfgp_warn(context, "rank: %lld columns leave a kernel residual of %.3g, the accuracy asks for %.3g",
                  (long long)model->basis.scalar.rank, model->basis.scalar.residual, accuracy);
    if (settings->rank == 0 && model->basis.scalar.rank > MANY)
        sfgp_warn(
            context,
            "kernel: it needs %lld columns for this accuracy, and the time of a fit grows with their square or "
            "faster; a smoother kernel, --accuracy or --rank takes fewer",
            (long long)model->basis.scalar.rank);
}
