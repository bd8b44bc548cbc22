/* A report as one HTML file that needs nothing else: texts, figures, tables that sort, views in 3D.
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
 *   Append only. Errors stick: after the first one the functions do nothing, page_close reports it, and
 *   page_problem says which call was wrong. NULL is a page that had no memory. So no call has to be checked.
 *   What is handed over is written at once and not kept; the one exception is scene.reference (see there).
 *   The file works from disk without a network; style, script and three.js (only when there are views) are in
 *   it. Scripts run without a word in the console. Figures that follow each other stand side by side where
 *   the window is wide enough; headings are listed in a table of contents.
 * Text
 *   UTF-8, escaped here; svg is the one argument that goes in as it is. Bytes that HTML forbids become '?'.
 *   NULL is "".
 * Size
 *   three.js 0.7 MB once; every cloud or fit 16 bytes a point in 3D (base64 of single precision), its errors
 *   and sd 5 more each; the faces of a reference 16 bytes a triangle, once. */
#ifndef SFGP_REPORT_PAGE_H
#define SFGP_REPORT_PAGE_H

#include "sfgp/sfgp.h"

#include <stdbool.h>

typedef struct page page;

page *page_open(const char *title);
/* The whole file, zero-terminated, size without the zero; the caller's, free(). Frees the page in any case.
 * Errors: SFGP_ERROR_MEMORY, SFGP_ERROR_PARAMETER (a wrong call, see page_problem); *text is NULL then. */
sfgp_status page_close(page *p, char **text, size_t *size);
/* NULL, or what was wrong with the first wrong call (static text). */
const char *page_problem(const page *p);

/* ---- texts ------------------------------------------------------------------------------------------- */

void page_heading(page *p, const char *text);    /* in the table of contents */
void page_subheading(page *p, const char *text); /* not in it */
void page_text(page *p, const char *text);       /* a paragraph; an empty line begins another */
void page_note(page *p, const char *text);       /* set apart: a caution, what to know before reading on */
void page_code(page *p, const char *text);       /* as it is, fixed width: a command line, a configuration */

/* ---- figures ----------------------------------------------------------------------------------------- */

/* svg: a document of chart.h. file: where the same figure lies, relative to the page; NULL or "": no link. */
void page_figure(page *p, const char *svg, const char *caption, const char *file);

/* ---- tables ------------------------------------------------------------------------------------------ */

typedef struct page_column {
    const char *name; /* with the unit */
    bool number;      /* right-aligned and sorted by value; otherwise sorted by text */
} page_column;

typedef struct page_cell {
    const char *text; /* NULL in a number column: value to four digits, a dash where it is not finite */
    double value;     /* what a number column sorts by; not finite sorts last */
    bool best;        /* bold */
} page_cell;

/* A click on a head sorts by that column, another turns it round. Rows appear in the order given. */
void page_table_begin(page *p, const char *caption, const page_column *columns, int count);
void page_table_row(page *p, const page_cell *cells); /* count of page_table_begin */
/* The same; svg, a document of chart.h or the like, stands before the text of the first cell. */
void page_table_row_figure(page *p, const page_cell *cells, const char *svg);
void page_table_end(page *p);

/* ---- views in 3D ------------------------------------------------------------------------------------- */

/* One fit of the scene's reference. All arrays belong to the points of the reference, in its order. */
typedef struct page_fit {
    const char *name;             /* e.g. the method */
    const double *points;         /* count x dimension, in the unit of the reference */
    const double *error;          /* distance to the truth, NULL when there is none */
    const double *sd;             /* posterior standard deviation, NULL when there is none */
    const unsigned char *missing; /* 1: predicted without data; NULL when the method does not say */
} page_fit;

/* Everything in one unit and one dimension (2 is drawn in the plane). */
typedef struct page_scene {
    const char *name;
    const sfgp_mesh *reference; /* faces are used for the fits too; drawn as points without. Scenes of a view
                                   with the same pointer share it: it has to live until page_view_end */
    const sfgp_mesh *scan;      /* NULL: none */
    const sfgp_mesh *truth;     /* NULL: none */
    const page_fit *fits;
    int fit_count; /* may be 0 */
} page_scene;

/* A view: one canvas, lists to choose the scene and the fit, what is shown and what colours it.
 * unit: of the coordinates, errors and sd ("mm"), "" when nobody knows.
 * Errors: a point that is not finite (an error or sd may be), other dimensions than the reference's. */
void page_view_begin(page *p, const char *title, const char *unit);
void page_view_scene(page *p, const page_scene *scene);
/* NULL, or why page_view_scene would refuse the scene (static text). */
const char *page_scene_problem(const page_scene *scene);
void page_view_end(page *p);

/* Whether this build can show views (CMake's SFGP_VIEWER); without it the page says that they were left out.
 */
bool page_has_viewer(void);

#endif
