/* The files that a page carries along, embedded when the program was built: src/report/viewer and three.js.
 */
#ifndef SFGP_REPORT_PAGE_ASSETS_H
#define SFGP_REPORT_PAGE_ASSETS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum page_asset {
    PAGE_ASSET_STYLE,  /* page.css */
    PAGE_ASSET_TABLE,  /* table.js */
    PAGE_ASSET_VIEWER, /* the viewer's scripts, start.js last */
    PAGE_ASSET_THREE,  /* a JavaScript module; empty in a build without views */
    PAGE_ASSET_LICENCE /* of three.js; empty in a build without views */
} page_asset;

/* Writes it as it is; none of them contains "</script" or "</style" (a test looks). */
void page_asset_put(FILE *out, page_asset asset);

#endif
