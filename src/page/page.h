/* A report as one HTML file that needs no other file: texts, figures, sortable tables, 3D views.
 *
 *     page *p = page_open("Fish, missing regions");
 *     page_text(p, "100 shapes a level ...");
 *     page_heading(p, "Error against level");
 *     page_figure(p, svg, "Mean error ...", "figures/error.svg");
 *     page_table_begin(p, "All runs", columns, 3);
 *     page_table_row(p, cells);
 *     page_table_end(p);
 *     page_view_begin(p, "Fits", "mm");
 *     page_view_scene(p, &scene);
 *     page_view_end(p);
 *     status = page_close(p, &text, &size);
 *
 * Design
 *   A page only grows. After the first error all functions do nothing; page_close returns the error, and the struct
 *   (page_parts.h) tells which call was wrong. A NULL page means out of memory. So a caller needs to check page_close only.
 *   Each function writes its arguments at once and does not keep them, except scene.reference.
 *   The file works from disk without a network: it contains the style, the scripts and, when it has views, three.js.
 *   Consecutive figures stand side by side where the window is wide enough. Headings make a table of contents.
 * Text
 *   UTF-8; it is escaped here, except the argument svg. Bytes that HTML forbids become '?'. NULL is "".
 * Size
 *   three.js has 0.7 MB, once. In 3D a cloud or a fit has 16 bytes a point (single precision in base64), and 5 more
 *   each for errors and sd. The faces of a reference have 16 bytes a triangle, once. */
#ifndef SFGP_PAGE_PAGE_H
#define SFGP_PAGE_PAGE_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

typedef struct page page;

page *page_open(const char *title);
/* Frees the page. *text is the file with a zero byte at its end, *size its length without that byte; the caller frees
 * it. Errors, with *text NULL: SFGP_ERROR_MEMORY, SFGP_ERROR_PARAMETER (a wrong call). */
sfgp_status page_close(page *p, char **text, size_t *size);

/* ---- texts ------------------------------------------------------------------------------------------- */

void page_heading(page *p, const char *text); /* listed in the table of contents */
void page_text(page *p, const char *text);    /* paragraphs, separated by empty lines; NULL: none */
void page_note(page *p, const char *text);    /* a remark in a box */

/* ---- figures ----------------------------------------------------------------------------------------- */

/* svg: a document of report/chart.h. file: path of a file with the same figure, relative to the page; NULL or "": no link. */
void page_figure(page *p, const char *svg, const char *caption, const char *file);

/* An image in PNG, with what its colours mean below it. */
typedef struct page_picture {
    const char *png; /* base64, of picture.h */
    int width, height;
    const char *alt; /* what it shows, for those who do not see it */
    const char *caption;
    const char *colours;  /* CSS colours, separated by commas, of the bar below; NULL: none */
    const char *ticks[3]; /* texts below the bar; NULL: none */
} page_picture;
/* Pictures stand among the figures. */
void page_picture_add(page *p, const page_picture *picture);

/* ---- tables ------------------------------------------------------------------------------------------ */

typedef enum page_kind {
    PAGE_LABEL,  /* one line, sorted by text */
    PAGE_NUMBER, /* right-aligned, sorted by value */
    PAGE_WORDS   /* long text, on several lines */
} page_kind;

typedef struct page_column {
    const char *name; /* with the unit */
    page_kind kind;
} page_column;

typedef struct page_cell {
    const char *text; /* NULL in a number column: value with four digits, a dash when it is not finite */
    double value;     /* sort key of a number column; values that are not finite come last */
    bool best;        /* bold */
    const char *link; /* where the text leads to, relative to the page; NULL: nowhere */
} page_cell;

/* In the browser a click on the name of a column sorts by it, a second click reverses the order. Without a click the
 * rows are in the order given. */
void page_table_begin(page *p, const char *caption, const page_column *columns, int count);
void page_table_row(page *p, const page_cell *cells); /* as many cells as columns */
/* The same, with HTML (images, or an SVG document) before the text of the first cell. */
void page_table_row_figure(page *p, const page_cell *cells, const char *figure);
void page_table_end(page *p);

/* ---- views in 3D ------------------------------------------------------------------------------------- */

/* One fit. The arrays have one entry or row for each point of the reference of the scene. */
typedef struct page_fit {
    const char *name;             /* e.g. the method */
    const double *points;         /* count x dimension, in the unit of the reference */
    const double *error;          /* distance to the truth; NULL: not known */
    const double *sd;             /* posterior standard deviation; NULL: not known */
    const double *deviation;      /* distance to the reference; NULL: not known */
    const double *distance;       /* distance to the scan; NULL: not known */
    const unsigned char *missing; /* 1: missing from the target; NULL: not known */
} page_fit;

/* All shapes have the same unit and dimension. */
typedef struct page_scene {
    const char *name;
    const sfgp_mesh *reference; /* its faces are those of the fits too; must exist until page_view_end */
    const sfgp_mesh *scan;      /* NULL: none */
    const sfgp_mesh *truth;     /* NULL: none */
    const page_fit *fits;
    int fit_count; /* may be 0 */
} page_scene;

/* A view shows one of its scenes. The reader chooses the scene, the fit, and the quantity that gives the colours.
 * unit: unit of coordinates, errors and sd, as "mm"; "" when it is not known. Scenes with the same reference pointer
 * share its data. Wrong calls: a point that is not finite (errors and sd may be), shapes of different dimensions. */
void page_view_begin(page *p, const char *title, const char *unit);
void page_view_scene(page *p, const page_scene *scene);
/* Why page_view_scene would refuse the scene, a static text; NULL: it would not. */
const char *page_scene_problem(const page_scene *scene);
void page_view_end(page *p);

/* Whether this build has the 3D viewer (option SFGP_VIEWER of CMake). Without it a page has a remark in place of
 * views. */
bool page_has_viewer(void);

#endif
