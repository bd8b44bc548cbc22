/* A similarity as JSON: x -> scale rotation x + shift, for programs that move other data along. */
#ifndef SFGP_REPORT_TRANSFORM_H
#define SFGP_REPORT_TRANSFORM_H

#include "sfgp/sfgp.h"

typedef struct report_alignment {
    const char *kind; /* rigid | similarity */
    sfgp_similarity map;
    int64_t pairs;
    double before, after; /* RMS distance of the pairs, unit of the files */
} report_alignment;

/* free(). SFGP_ERROR_MEMORY. */
sfgp_status report_transform(const report_alignment *alignment, char **text);

#endif
