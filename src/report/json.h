/* JSON: the report of a fit, and the errors of an evaluation. Numbers have 15 digits, so that 0.1 is 0.1; a
 * number that is not finite is null. Text is the caller's, free(). Errors: SFGP_ERROR_MEMORY. */
#ifndef SFGP_REPORT_JSON_H
#define SFGP_REPORT_JSON_H

#include "sfgp/sfgp.h"

/* Everything that the report says and the result does not know. Nothing is owned. */
typedef struct report_run {
    const char *reference, *target; /* paths */
    int64_t training;               /* shapes */
    int64_t points_target;
    const sfgp_model_info *model;
    const sfgp_result *result;
    const char *const *warnings;
    size_t warning_count;
    const sfgp_profile *profile; /* seconds of the parts */
    int stages;                  /* 1: and of every stage */
    double peak_mib;
    const sfgp_memory *memory; /* as predicted */
} report_run;

sfgp_status report_fit(const report_run *run, char **text);

/* observed and missing are left out unless by_mask. */
sfgp_status report_evaluation(const sfgp_evaluation *evaluation, int by_mask, char **text);

#endif
