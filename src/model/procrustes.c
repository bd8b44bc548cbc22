/* Generalised Procrustes analysis (Gower, Psychometrika 40(1), 1975). The iteration stands in procrustes.h.
 */
#include "model/procrustes.h"
#include "base/memory.h"
#include "base/settings.h"
#include "geom/similarity.h"

#include <math.h>
#include <string.h>

#define MOST_ROUNDS 100
#define SETTLED 1e-12 /* squared motion of the mean, relative to its extent: half of the digits */

static const struct {
    const char *name;
    bool wanted;
    sfgp_align_kind kind;
} KINDS[] = {{"none", false, SFGP_ALIGN_RIGID},
             {"rigid", true, SFGP_ALIGN_RIGID},
             {"similarity", true, SFGP_ALIGN_SIMILARITY}};

sfgp_status sfgp_align_find(sfgp_context *context, const char *name, bool *wanted, sfgp_align_kind *kind)
{
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        if (strcmp(KINDS[k].name, name) == 0) {
            *wanted = KINDS[k].wanted;
            *kind = KINDS[k].kind;
            return SFGP_OK;
        }
    return sfgp_settings_unknown(context, "align_training", name, "none, rigid, similarity");
}

typedef struct procrustes {
    sfgp_context *context;
    sfgp_align_kind kind;
    int64_t count, shape_count;
    int dimension;
    const double *reference;
    double *shapes, *mean, *next; /* mean, next: count x dimension */
} procrustes;

/* The best map of the points of moving to those of fixed. False when they do not determine one. */
static bool align(const procrustes *p, const double *fixed, const double *moving, sfgp_similarity *map)
{
    const sfgp_pairs pairs = {.count = p->count, .dimension = p->dimension, .from = moving, .to = fixed};
    return !sfgp_pairs_on_a_line(&pairs) && sfgp_similarity_fit(p->kind, &pairs, map);
}

static sfgp_status align_shapes(const procrustes *p)
{
    const int64_t size = p->count * p->dimension;
    sfgp_similarity map;
    for (int64_t s = 0; s < p->shape_count; s++) {
        double *shape = p->shapes + s * size;
        if (!align(p, p->mean, shape, &map))
            return sfgp_fail(p->context, SFGP_ERROR_DATA,
                             "training shape %lld: cannot be aligned: its points do not determine a map",
                             (long long)s);
        sfgp_similarity_apply(&map, p->count, shape, shape);
    }
    return SFGP_OK;
}

static void average(const procrustes *p, double *mean)
{
    const int64_t size = p->count * p->dimension;
    memset(mean, 0, (size_t)size * sizeof *mean);
    for (int64_t s = 0; s < p->shape_count; s++)
        for (int64_t k = 0; k < size; k++)
            mean[k] += p->shapes[s * size + k] / (double)p->shape_count;
}

/* The squared motion of the mean in the last round, and its squared extent about its first point. */
static void measure(const procrustes *p, double *motion, double *extent)
{
    *motion = *extent = 0;
    for (int64_t k = 0; k < p->count * p->dimension; k++) {
        *motion += (p->next[k] - p->mean[k]) * (p->next[k] - p->mean[k]);
        *extent += (p->next[k] - p->next[k % p->dimension]) * (p->next[k] - p->next[k % p->dimension]);
    }
}

/* One round. map aligns the average of the shapes to the reference, and next is the aligned average. */
static sfgp_status align_round(const procrustes *p, sfgp_similarity *map)
{
    sfgp_status status = align_shapes(p);
    if (status != SFGP_OK)
        return status;
    average(p, p->next);
    if (!align(p, p->reference, p->next,
               map)) /* GCOVR_EXCL_START: align_shapes refuses such shapes one by one */
        return sfgp_fail(
            p->context, SFGP_ERROR_DATA,
            "training shapes: their mean cannot be aligned with the reference: its points do not "
            "determine a map"); /* GCOVR_EXCL_STOP */
    sfgp_similarity_apply(map, p->count, p->next, p->next);
    return SFGP_OK;
}

static sfgp_status iterate(procrustes *p)
{
    const int64_t size = p->count * p->dimension;
    double motion = HUGE_VAL, extent = 0;
    sfgp_similarity map;
    memcpy(p->mean, p->reference, (size_t)size * sizeof *p->mean);
    for (int round = 0; round < MOST_ROUNDS && motion > SETTLED * extent; round++) {
        sfgp_status status = align_round(p, &map);
        if (status != SFGP_OK)
            return status;
        measure(p, &motion, &extent);
        memcpy(p->mean, p->next, (size_t)size * sizeof *p->mean);
    }
    for (int64_t s = 0; s < p->shape_count; s++)
        sfgp_similarity_apply(&map, p->count, p->shapes + s * size, p->shapes + s * size);
    return SFGP_OK;
}

sfgp_status sfgp_procrustes(sfgp_context *context, sfgp_align_kind kind, int64_t count, int dimension,
                            const double *reference, int64_t shape_count, double *shapes)
{
    procrustes p = {context, kind, count, shape_count, dimension, reference, shapes, NULL, NULL};
    sfgp_status status = sfgp_allocate(context, count * dimension, &p.mean);
    if (status == SFGP_OK)
        status = sfgp_allocate(context, count * dimension, &p.next);
    if (status == SFGP_OK)
        status = iterate(&p);
    sfgp_free(p.mean);
    sfgp_free(p.next);
    return status;
}
