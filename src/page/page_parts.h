/* The struct of a page, shared by page.c, page_table.c and page_view.c. */
#ifndef SFGP_PAGE_PAGE_PARTS_H
#define SFGP_PAGE_PAGE_PARTS_H

#include "page/page.h"
#include "page/sink.h"

#include <stdio.h>

/* What is open at the end of the body and must be closed. */
typedef enum page_part { PAGE_PROSE, PAGE_FIGURES, PAGE_TABLE, PAGE_VIEW } page_part;

struct page {
    char *title;
    page_sink body;
    page_sink contents; /* table of contents */
    page_part part;
    const char *problem; /* the first wrong call */
    bool starved;        /* out of memory, other than in body and contents */
    int headings;        /* number of headings */
    int views;           /* number of views that can be drawn */
    /* the open table */
    page_kind *columns; /* kind of each column */
    int column_count;
    /* the open view */
    const sfgp_mesh **references; /* distinct references of its scenes */
    int reference_count;
    int scene_count;
};

/* The stream of the body for something of kind `part`; opens and closes groups of figures. NULL after an earlier error,
 * and when a table or view is open, which is a wrong call: `call` is its text. */
FILE *page_enter(page *p, page_part part, const char *call);
/* Whether a part is open and nothing has failed; where it is not, that is a wrong call. */
bool page_inside(page *p, page_part part, const char *call);
/* Records the first wrong call. */
void page_fail(page *p, const char *problem);

#endif
