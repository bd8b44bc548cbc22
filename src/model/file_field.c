/* What a model file has of a field along the surface in the sparse form: the ordering of its factor, its variances and ln det Q, so that reading it
 * factorises nothing. */
#include "base/memory.h"
#include "io/hdf5_group.h"
#include "model/file.h"

#include <math.h>

#define NAME(name) SFGP_MODEL_GROUP "/field/" name

sfgp_status sfgp_model_write_field(sfgp_context *context, sfgp_hdf5 *file, const sfgp_markov *field)
{
    int64_t *order = NULL;
    if (!field)
        return SFGP_OK;
    const sfgp_status status = sfgp_allocate(context, field->count, &order);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < field->count; i++)
        order[i] = field->order[i];
    sfgp_hdf5_write_integers(file, NAME("order"), field->count, order);
    sfgp_hdf5_write_numbers(file, NAME("variance"), SFGP_HDF5_FLOAT64, 1, &field->count, field->variance);
    sfgp_hdf5_write_number(file, NAME("log_determinant"), SFGP_HDF5_FLOAT64, field->log_determinant);
    sfgp_free(order);
    return SFGP_OK;
}

static sfgp_status copy_order(sfgp_hdf5 *file, sfgp_context *context, int64_t count, const int64_t *from,
                              sfgp_markov *field)
{
    bool *seen = NULL;
    sfgp_status status = sfgp_allocate_bytes(context, count, (int64_t)sizeof *seen, (void **)&seen);
    for (int64_t i = 0; status == SFGP_OK && i < count; i++) {
        if (seen[from[i]])
            status = sfgp_hdf5_fail(file, NAME("order"), "it has row %lld twice", (long long)from[i]);
        seen[from[i]] = true;
        field->order[i] = (int32_t)from[i];
    }
    sfgp_free(seen);
    return status;
}

static sfgp_status read_order(sfgp_hdf5 *file, sfgp_context *context, int64_t n, sfgp_markov *field)
{
    int64_t count = 0, *order = NULL;
    sfgp_status status = sfgp_hdf5_read_integers(file, NAME("order"), n - 1, &count, &order);
    if (status == SFGP_OK && count != n)
        status = sfgp_hdf5_fail(file, NAME("order"), "it is not one for every point");
    if (status == SFGP_OK)
        status = sfgp_allocate(context, n, &field->order);
    if (status == SFGP_OK)
        status = copy_order(file, context, n, order, field);
    sfgp_free(order);
    return status;
}

sfgp_status sfgp_model_read_field(sfgp_context *context, sfgp_hdf5 *file, sfgp_model *model)
{
    const int64_t n = model->count;
    if (!sfgp_hdf5_has(file, NAME("order")))
        return SFGP_OK;
    sfgp_status status = sfgp_allocate(context, 1, &model->field);
    if (status == SFGP_OK)
        status = read_order(file, context, n, model->field);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, n, &model->field->variance);
    if (status == SFGP_OK)
        status = sfgp_hdf5_read_values(file, NAME("variance"), n, model->field->variance);
    for (int64_t i = 0; status == SFGP_OK && i < n; i++)
        if (!(model->field->variance[i] > 0))
            status = sfgp_hdf5_fail(file, NAME("variance"), "point %lld has none", (long long)i);
    return status == SFGP_OK ? sfgp_hdf5_read_number(file, NAME("log_determinant"), -HUGE_VAL, HUGE_VAL,
                                                     &model->field->log_determinant)
                             : status;
}

sfgp_status sfgp_model_restore_field(sfgp_context *context, sfgp_hdf5 *file, sfgp_model *model)
{
    const struct sfgp_kernel_term *term = sfgp_kernel_sparse(&model->kernel_terms);
    const sfgp_mesh mesh = sfgp_model_mesh(model);
    if (!term != !model->field) /* GCOVR_EXCL_START: the checksum is checked before */
        return sfgp_hdf5_fail(file, NAME("order"), "it does not belong to the kernel");
    /* GCOVR_EXCL_STOP */
    model->basis.field = model->field;
    return term ? sfgp_markov_restore(context, &mesh, term, model->field) : SFGP_OK;
}
