/* A similarity as JSON, x -> scale rotation x + shift, for programs that apply it to other data. */
#ifndef SFGP_REPORT_TRANSFORM_H
#define SFGP_REPORT_TRANSFORM_H

#include "sfgp/sfgp.h"

typedef struct report_alignment {
    const char *kind; /* "rigid" or "similarity" */
    sfgp_similarity map;
    int64_t pairs; /* number of pairs of points */
    double before; /* RMS distance of the pairs before the alignment, in the unit of the files */
    double after;  /* and after it */
} report_alignment;

/* The caller frees the text; it is there as what jansson makes is (report_json_guard_memory). */
char *report_transform(const report_alignment *alignment);

#endif
