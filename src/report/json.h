/* JSON: the report of a fit, and the errors of an evaluation. Numbers have 15 digits, so that 0.1 is written as 0.1. A
 * number that is not finite is null. The caller frees the text, which is there as what jansson makes is. */
#ifndef SFGP_REPORT_JSON_H
#define SFGP_REPORT_JSON_H

#include "sfgp/sfgp.h"

#include <jansson.h>
#include <stdbool.h>

/* What the report contains. Nothing is owned. */
typedef struct report_run {
    const char *reference;             /* path */
    const char *target;                /* path */
    const char *unit;                  /* of the files, as "mm"; NULL: not known */
    double target_scale;               /* the target was multiplied by it */
    int64_t training;                  /* number of training shapes */
    const char *const *training_files; /* training paths */
    const char *landmarks[2];          /* paths, of the reference and of the target; NULL: none */
    double landmark_sd;                /* as given; 0: the default */
    int64_t points_target;
    const sfgp_model_info *model;
    const sfgp_result *result;
    const sfgp_settings *given; /* the settings as they were given */
    const char *const *warnings;
    size_t warning_count;
    const sfgp_profile *profile; /* times */
    int stages;                  /* 1: with the time of every stage */
    double peak_mib;             /* largest memory of the process */
    const sfgp_memory *memory;   /* predicted */
} report_run;

/* A new reference, never NULL where jansson always has memory (report_json_guard_memory). */
json_t *report_fit_make(const report_run *run);
char *report_fit(const report_run *run);

/* Errors against a truth. */
typedef struct report_errors {
    const sfgp_evaluation *points;           /* NULL: no correspondence */
    int by_mask;                             /* 0: without the members observed and missing */
    const sfgp_surface_evaluation *surfaces; /* member surface */
    const char *unit;                        /* of the files, as "mm"; NULL: not known */
} report_errors;

/* As report_fit_make. */
json_t *report_evaluation_make(const report_errors *errors);
char *report_evaluation(const report_errors *errors);
/* Of landmarks. unit: NULL: not known. */
char *report_landmark_errors(const sfgp_error_summary *errors, double largest, const char *unit);

#endif
