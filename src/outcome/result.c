/* The result of a fit as an object of the caller, and the names of outcomes and doubts. */
#include "outcome/result.h"
#include "base/memory.h"

#include <math.h>

#define NAME_CASE(name, text)                                                                                \
    case name:                                                                                               \
        return text;
#define DOUBT_CASE(name, bit, text, meaning) NAME_CASE(name, text)

const char *sfgp_outcome_name(sfgp_outcome outcome)
{
    switch (outcome) {
        SFGP_OUTCOME_TABLE(NAME_CASE)
    }
    return "unknown";
}

const char *sfgp_doubt_name(sfgp_doubt doubt)
{
    switch (doubt) {
        SFGP_DOUBT_TABLE(DOUBT_CASE)
    }
    return NULL;
}

sfgp_status sfgp_result_new(sfgp_context *context, const sfgp_model *model, sfgp_result **result)
{
    const int64_t n = model->count, d = model->dimension;
    sfgp_result *made = NULL;
    sfgp_status status = SFGP_OK;
    *result = NULL;
    if ((status = sfgp_allocate(context, 1, &made)) != SFGP_OK)
        return status;
    made->count = n;
    made->dimension = (int)d;
    made->size = 1;
    made->pose_margin = (double)INFINITY;
    made->expected_error = made->expected_error_observed = made->expected_error_missing = (double)NAN;
    for (int k = 0; k < 16; k += 5)
        made->similarity[k] = 1;
    if ((status = sfgp_allocate(context, n * d, &made->points)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->sd)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->missing)) == SFGP_OK &&
        (status = sfgp_allocate(context, n, &made->target)) == SFGP_OK &&
        (status = sfgp_allocate(context, 1, &made->settings)) == SFGP_OK)
        status = sfgp_allocate(context, n, &made->probability);
    if (status == SFGP_OK)
        *result = made;
    else
        sfgp_result_free(made);
    return status;
}

void sfgp_result_free(sfgp_result *result)
{
    if (!result)
        return;
    sfgp_free(result->points);
    sfgp_free(result->sd);
    sfgp_free(result->missing);
    sfgp_free(result->target);
    sfgp_free(result->probability);
    sfgp_free(result->settings);
    sfgp_free(result);
}
