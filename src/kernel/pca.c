/* PCA of registered shapes by the Gram matrix XX' of the shapes, which is small (Sirovich, Q. Appl. Math. 45,
 * 1987). The covariance and its factor stand in pca.h. */
#include "kernel/pca.h"
#include "base/memory.h"
#include "linalg/dense.h"

#include <math.h>

static void centre(int64_t count, int64_t size, double *shapes, double *mean)
{
    for (int64_t s = 0; s < count; s++)
        for (int64_t k = 0; k < size; k++)
            mean[k] += shapes[s * size + k] / (double)count;
    for (int64_t s = 0; s < count; s++)
        for (int64_t k = 0; k < size; k++)
            shapes[s * size + k] -= mean[k];
}

static void gram_of_shapes(int64_t count, int64_t size, const double *shapes, double *gram)
{
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++)
            gram[a * count + b] = sfgp_dense_dot(size, shapes + a * size, shapes + b * size);
}

/* The number of modes. Centring leaves one null direction, and modes below the rounding of the largest are
 * noise. */
static int64_t significant(int64_t count, const double *values)
{
    int64_t modes = 0;
    while (modes < count - 1 && values[modes] > 1e-13 * values[0] && values[modes] > 0)
        modes++;
    return modes;
}

/* mean over the shapes of 1 / (G^+)_ii, divided by size. With fewer modes than the shapes allow one of them is a combination of the others. */
static double leave_one_out(int64_t count, int64_t size, int64_t modes, const double *values,
                            const double *vectors)
{
    double sum = 0;
    if (modes < count - 1)
        return 0;
    for (int64_t s = 0; s < count; s++) {
        double inverse = 0;
        for (int64_t mode = 0; mode < modes; mode++)
            inverse += vectors[mode * count + s] * vectors[mode * count + s] / values[mode];
        sum += 1 / inverse;
    }
    return sum / (double)count / (double)size;
}

/* X'X = (Q X)'(Q X) for any orthogonal Q; with the eigenvectors of XX' as rows, the rows of Q X are
 * orthogonal. */
static void rotate(int64_t count, int64_t size, const double *shapes, const double *vectors, sfgp_pca *pca)
{
    double scale = 1 / sqrt((double)(count - 1));
    for (int64_t k = 0; k < size; k++)
        for (int64_t s = 0; s < count; s++)
            for (int64_t mode = 0; mode < pca->modes; mode++)
                pca->factor[k * pca->modes + mode] +=
                    scale * vectors[mode * count + s] * shapes[s * size + k];
}

sfgp_status sfgp_pca_new(sfgp_context *context, int64_t count, int64_t size, double *shapes, sfgp_pca *pca)
{
    double *gram = NULL, *values = NULL, *vectors = NULL;
    sfgp_status status = SFGP_OK;
    *pca = (sfgp_pca){0};
    if ((status = sfgp_allocate(context, size, &pca->mean)) != SFGP_OK ||
        (status = sfgp_allocate(context, count * count, &gram)) != SFGP_OK ||
        (status = sfgp_allocate(context, count * count, &vectors)) != SFGP_OK ||
        (status = sfgp_allocate(context, count, &values)) != SFGP_OK)
        goto cleanup;
    centre(count, size, shapes, pca->mean);
    gram_of_shapes(count, size, shapes, gram);
    if ((status = sfgp_dense_eigen(context, count, gram, values, vectors)) != SFGP_OK)
        goto cleanup;
    pca->modes = significant(count, values);
    pca->unspanned = leave_one_out(count, size, pca->modes, values, vectors);
    if ((status = sfgp_allocate(context, size * pca->modes, &pca->factor)) == SFGP_OK)
        rotate(count, size, shapes, vectors, pca);
cleanup:
    sfgp_free(gram);
    sfgp_free(values);
    sfgp_free(vectors);
    if (status != SFGP_OK)
        sfgp_pca_clear(pca);
    return status;
}

void sfgp_pca_clear(sfgp_pca *pca)
{
    sfgp_free(pca->mean);
    sfgp_free(pca->factor);
    *pca = (sfgp_pca){0};
}
