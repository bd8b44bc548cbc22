/* What the parts of the page of a fit share. */
#ifndef SFGP_PAGE_FIT_PAGE_PARTS_H
#define SFGP_PAGE_FIT_PAGE_PARTS_H

#include "page/fit_page.h"
#include "page/fit_values.h"
#include "page/page.h"
#include "page/thin.h"

typedef struct fit_page {
    const fit_page_input *in;
    const sfgp_result *result;
    const sfgp_mesh *reference; /* as it was fitted: that of the input, or its mirror image */
    sfgp_mesh *image;           /* owned; NULL: it was not mirrored */
    const char *unit;           /* with a blank before it, as " mm"; "" */
    fit_values values;
    thin_shape shape;       /* points of the reference that are shown */
    thin_shape scan;        /* points of the scan that are shown */
    double *fitted, *moved; /* of the points of shape: fitted, and of the reference after the motion */
    double *missing;        /* of the points of shape: 0 or 1 */
    double *quantities[FIT_QUANTITIES]; /* of the points of shape */
    page *p;
} fit_page;

/* Sentences: outcome, what is missing, how near, motion; then the warnings. */
void fit_page_write_words(const fit_page *f);
/* Images of the scan and of the fit. */
void fit_page_write_pictures(const fit_page *f);

#endif
