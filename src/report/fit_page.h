/* The page of a fit: one HTML file that needs no other file, no network and, for all but the view in 3D, no script.
 *
 *   fit_page.c      the parts of the page, one after the other
 *   fit_words.c     what became of the fit, in sentences
 *   fit_pictures.c  scan and fit as shaded images (picture.h)
 *   fit_values.c    deviation from the reference, distance to the scan
 *   thin.c          shapes of more than FIT_PAGE_MOST points, thinned for the view and the pictures
 *
 * Only the public header and zlib are behind it: what links libsfgp_report can make the page of any result. */
#ifndef SFGP_REPORT_FIT_PAGE_H
#define SFGP_REPORT_FIT_PAGE_H

#include "report/json.h"

enum { FIT_PAGE_MOST = 20000 }; /* points of a shape in the view */

typedef struct report_fit_page_input {
    sfgp_context *context;
    const report_run *run; /* profile, memory and peak_mib are not used */
    const sfgp_mesh *reference;
    const sfgp_mesh *scan;
    const char *unit; /* of the files, as "mm"; NULL or "": not known */
} report_fit_page_input;

/* The caller frees *text. Errors, with *text NULL: SFGP_ERROR_MEMORY, and those of sfgp_distances. */
sfgp_status report_fit_page(const report_fit_page_input *input, char **text, size_t *size);
/* The same into a file, whole or not at all. Errors: also those of sfgp_file_write. */
sfgp_status report_fit_page_write(const report_fit_page_input *input, const char *path);

#endif
