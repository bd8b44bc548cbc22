/* Which landmarks of two files belong together. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static bool has_names(const sfgp_landmarks *landmarks)
{
    for (int64_t k = 0; k < landmarks->count; k++)
        if (!landmarks->names[k][0])
            return false;
    return true;
}

/* The landmarks of a file, sorted by their names. */
typedef struct named {
    const char *name;
    int64_t at; /* in the file */
} named;

typedef struct sorted_names {
    int64_t count;
    named *names;
} sorted_names;

static int compare(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order ? order : (x->at > y->at) - (x->at < y->at);
}

static sfgp_status sort_names(sfgp_context *context, const sfgp_landmarks *landmarks, sorted_names *sorted)
{
    const sfgp_status status = sfgp_allocate(context, landmarks->count, &sorted->names);
    for (; status == SFGP_OK && sorted->count < landmarks->count; sorted->count++)
        sorted->names[sorted->count] = (named){landmarks->names[sorted->count], sorted->count};
    if (sorted->count > 0)
        qsort(sorted->names, (size_t)sorted->count, sizeof *sorted->names, compare);
    return status;
}

/* The first landmark of that name in the file, or -1. */
static int64_t find(const sorted_names *sorted, const char *name)
{
    int64_t low = 0, high = sorted->count;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (strcmp(sorted->names[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sorted->count && strcmp(sorted->names[low].name, name) == 0 ? sorted->names[low].at : -1;
}

static sfgp_status check_unique(sfgp_context *context, const sfgp_landmarks *landmarks,
                                const sorted_names *sorted)
{
    for (int64_t k = 0; k < landmarks->count; k++)
        if (find(sorted, landmarks->names[k]) != k)
            return sfgp_fail(context, SFGP_ERROR_DATA, "landmarks: the name '%.60s' is there twice",
                             landmarks->names[k]);
    return SFGP_OK;
}

/* LPS and RAS differ in the signs of x and y. */
static void add_pair(const sfgp_landmarks *first, int64_t i, const sfgp_landmarks *second, int64_t j,
                     bool turn, sfgp_landmark_pairs *pairs)
{
    const int d = pairs->dimension;
    const double signs[2] = {turn && strcmp(first->system, "RAS") == 0 ? -1 : 1,
                             turn && strcmp(second->system, "RAS") == 0 ? -1 : 1};
    for (int a = 0; a < d; a++) {
        pairs->first[pairs->count * d + a] = (a < 2 ? signs[0] : 1) * first->points[i * d + a];
        pairs->second[pairs->count * d + a] = (a < 2 ? signs[1] : 1) * second->points[j * d + a];
    }
    pairs->count++;
}

static bool differ(sfgp_context *context, const sfgp_landmarks *first, const sfgp_landmarks *second)
{
    if (!first->system[0] || !second->system[0] || strcmp(first->system, second->system) == 0)
        return false;
    sfgp_warn(context, "landmarks: one file is %s, the other %s: both are brought into LPS", first->system,
              second->system);
    return true;
}

static void warn_alone(sfgp_context *context, const sfgp_landmarks *some, const sorted_names *others,
                       const char *which)
{
    for (int64_t k = 0; k < some->count; k++)
        if (find(others, some->names[k]) < 0)
            sfgp_warn(context, "landmarks: '%.60s' is in the %s file only and is left out", some->names[k],
                      which);
}

/* names: of first and second. */
static sfgp_status pair_names(sfgp_context *context, const sfgp_landmarks *first,
                              const sfgp_landmarks *second, const sorted_names names[2], bool turn,
                              sfgp_landmark_pairs *pairs)
{
    sfgp_status status = check_unique(context, first, &names[0]);
    if (status == SFGP_OK)
        status = check_unique(context, second, &names[1]);
    if (status != SFGP_OK)
        return status;
    for (int64_t i = 0; i < first->count; i++) {
        const int64_t j = find(&names[1], first->names[i]);
        if (j >= 0)
            add_pair(first, i, second, j, turn, pairs);
    }
    if (pairs->count == 0)
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "landmarks: no name of one file is in the other ('%.60s', '%.60s', ...)",
                         first->names[0], second->names[0]);
    warn_alone(context, first, &names[1], "first");
    warn_alone(context, second, &names[0], "second");
    return SFGP_OK;
}

static sfgp_status pair_by_name(sfgp_context *context, const sfgp_landmarks *first,
                                const sfgp_landmarks *second, bool turn, sfgp_landmark_pairs *pairs)
{
    sorted_names names[2] = {{0}};
    sfgp_status status = sort_names(context, first, &names[0]);
    if (status == SFGP_OK)
        status = sort_names(context, second, &names[1]);
    if (status == SFGP_OK)
        status = pair_names(context, first, second, names, turn, pairs);
    sfgp_free(names[0].names);
    sfgp_free(names[1].names);
    return status;
}

static sfgp_status pair_by_order(sfgp_context *context, const sfgp_landmarks *first,
                                 const sfgp_landmarks *second, bool turn, sfgp_landmark_pairs *pairs)
{
    if (first->count != second->count)
        return sfgp_fail(context, SFGP_ERROR_DATA,
                         "landmarks: %lld and %lld without names; name them, or give as many in both files",
                         (long long)first->count, (long long)second->count);
    for (int64_t k = 0; k < first->count; k++)
        add_pair(first, k, second, k, turn, pairs);
    return SFGP_OK;
}

sfgp_status sfgp_landmarks_pair(sfgp_context *context, const sfgp_landmarks *first,
                                const sfgp_landmarks *second, sfgp_landmark_pairs **pairs)
{
    const int d = first->dimension;
    sfgp_landmark_pairs *made = NULL;
    sfgp_status status = SFGP_OK;
    *pairs = NULL;
    if (d != second->dimension)
        return sfgp_fail(context, SFGP_ERROR_DATA, "landmarks: one file is %dD, the other %dD", d,
                         second->dimension);
    if ((status = sfgp_allocate(context, 1, &made)) != SFGP_OK)
        return status;
    made->dimension = d;
    if ((status = sfgp_allocate(context, first->count * d, &made->first)) == SFGP_OK &&
        (status = sfgp_allocate(context, first->count * d, &made->second)) == SFGP_OK) {
        const bool turn = differ(context, first, second);
        status = has_names(first) && has_names(second) ? pair_by_name(context, first, second, turn, made)
                                                       : pair_by_order(context, first, second, turn, made);
    }
    if (status == SFGP_OK)
        *pairs = made;
    else
        sfgp_landmark_pairs_free(made);
    return status;
}

void sfgp_landmark_pairs_free(sfgp_landmark_pairs *pairs)
{
    if (!pairs)
        return;
    sfgp_free(pairs->first);
    sfgp_free(pairs->second);
    sfgp_free(pairs);
}
