/* Copies some of many points. */
#include "geom/sample.h"
#include "base/memory.h"
#include "base/random.h"

#include <string.h>

sfgp_status sfgp_sample_new(sfgp_context *context, int64_t count, const double *points, int64_t most,
                            uint64_t seed, sfgp_sample *sample)
{
    int64_t *index = NULL;
    *sample = (sfgp_sample){.count = count < most ? count : most};
    sfgp_status status = sfgp_allocate(context, sample->count, &index);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, 3 * sample->count, &sample->points);
    if (status == SFGP_OK)
        sample->count = sfgp_random_some(seed, count, sample->count, index);
    for (int64_t k = 0; status == SFGP_OK && k < sample->count; k++)
        memcpy(sample->points + 3 * k, points + 3 * index[k], 3 * sizeof(double));
    sfgp_free(index);
    return status;
}

void sfgp_sample_clear(sfgp_sample *sample)
{
    sfgp_free(sample->points);
    *sample = (sfgp_sample){0};
}
