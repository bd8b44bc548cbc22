/* The page of a fit: one HTML file that needs no other file, no network and, for all but the view in 3D, no script.
 *
 *   fit_page.c      the parts of the page, one after the other
 *   fit_words.c     what became of the fit, in sentences
 *   fit_pictures.c  scan and fit as shaded images (picture.h)
 *   fit_values.c    deviation from the reference, distance to the scan
 *   thin.c          shapes of more than FIT_PAGE_MOST points, thinned for the view and the pictures
 *
 * The library writes the page of a result (sfgp_result_write_html), the program that of its verbs by the same function. */
#ifndef SFGP_PAGE_FIT_PAGE_H
#define SFGP_PAGE_FIT_PAGE_H

#include "sfgp/sfgp.h"

enum { FIT_PAGE_MOST = 20000 }; /* points of a shape in the view */

typedef struct fit_page_input {
    sfgp_context *context;
    const sfgp_result *result;
    const sfgp_mesh *reference;
    const sfgp_mesh *scan;
    sfgp_page_options options; /* no text is NULL */
} fit_page_input;

/* The caller frees *text. Errors, with *text NULL: SFGP_ERROR_MEMORY, and those of sfgp_distances. */
sfgp_status fit_page_make(const fit_page_input *input, char **text, size_t *size);

#endif
