/* Files that a page contains: those of src/page/viewer, and three.js. They are embedded when the program is built. */
#ifndef SFGP_PAGE_PAGE_ASSETS_H
#define SFGP_PAGE_PAGE_ASSETS_H

#include <stdbool.h>
#include <stdio.h>

typedef enum page_asset {
    PAGE_ASSET_STYLE,  /* page.css */
    PAGE_ASSET_TABLE,  /* table.js */
    PAGE_ASSET_VIEWER, /* the viewer's scripts, start.js last */
    PAGE_ASSET_THREE,  /* a JavaScript module; empty in a build without views */
    PAGE_ASSET_LICENCE /* of three.js; empty in a build without views */
} page_asset;

/* Writes the file unchanged. A test checks that none contains "</script" or "</style". */
void page_asset_write(FILE *out, page_asset asset);

#endif
