/* A page while it is written: shared by page.c, page_table.c and page_view.c. */
#ifndef SFGP_REPORT_PAGE_PARTS_H
#define SFGP_REPORT_PAGE_PARTS_H

#include "report/chart_frame.h"
#include "report/page.h"

#include <stdio.h>

/* What is open at the end of the body and has to be closed. */
typedef enum page_part { PAGE_PROSE, PAGE_FIGURES, PAGE_TABLE, PAGE_VIEW } page_part;

struct page {
    char *title;
    chart_sink body, contents;
    page_part part;
    const char *problem; /* the first wrong call */
    bool starved;        /* no memory outside the sinks, which know by themselves */
    int headings, views;
    bool *numbers; /* table: which columns are */
    int column_count;
    const sfgp_mesh **references; /* view: those written so far */
    int reference_count, scene_count;
};

/* The stream of the body, ready for a piece of `part`: figures are opened and closed here. NULL: write
 * nothing, because of an earlier error or because a table or view is open that the piece is not in (call
 * names it). */
FILE *page_enter(page *p, page_part part, const char *call);
/* Notes the first wrong call. */
void page_fail(page *p, const char *problem);

#endif
