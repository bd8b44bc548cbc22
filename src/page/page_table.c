/* Tables of a page. */
#include "page/markup.h"
#include "page/page_parts.h"

#include <math.h>
#include <stdlib.h>

/* A table of words alone is read from top to bottom: it does not sort. */
static bool is_sortable(const page_column *columns, int count)
{
    for (int k = 0; k < count; k++)
        if (columns[k].kind == PAGE_NUMBER)
            return true;
    return false;
}

static void write_column_head(FILE *out, const page_column *column, bool sortable)
{
    fprintf(out, "<th scope=\"col\"%s>%s", column->kind == PAGE_NUMBER ? " class=\"number\"" : "",
            sortable ? "<button>" : "");
    markup_write(out, column->name);
    fputs(sortable ? "</button></th>" : "</th>", out);
}

void page_table_begin(page *p, const char *caption, const page_column *columns, int count)
{
    FILE *out = page_enter(p, PAGE_PROSE, "page_table_begin: a table or a view is still open");
    if (!out)
        return;
    free(p->columns);
    p->columns = calloc((size_t)count + 1, sizeof *p->columns);
    p->starved = !p->columns;
    if (p->starved)
        return;
    p->column_count = count;
    p->part = PAGE_TABLE;
    fputs("<div class=\"table\" tabindex=\"0\"><table>\n<caption>", out); /* the keyboard scrolls it */
    markup_write(out, caption);
    fputs("</caption>\n<thead><tr>", out);
    for (int k = 0; k < count; k++) {
        p->columns[k] = columns[k].kind;
        write_column_head(out, &columns[k], is_sortable(columns, count));
    }
    fputs("</tr></thead>\n<tbody>\n", out);
}

/* A number of points or iterations, which keeps all its digits. */
static bool is_whole(double value)
{
    return fabs(value) < 1e9 && value == floor(value);
}

static void write_cell_text(FILE *out, const page_cell *cell, bool number)
{
    if (cell->text || !number)
        markup_write(out, cell->text);
    else if (isfinite(cell->value))
        fprintf(out, is_whole(cell->value) ? "%.0f" : "%.4g", cell->value);
    else
        fputs("–", out);
}

static void write_linked_text(FILE *out, const page_cell *cell, bool number)
{
    if (cell->link) {
        fputs("<a href=\"", out);
        markup_write(out, cell->link);
        fputs("\">", out);
    }
    write_cell_text(out, cell, number);
    fputs(cell->link ? "</a>" : "", out);
}

static void write_cell(FILE *out, const page_cell *cell, page_kind kind, const char *figure)
{
    static const char *const OPEN[] = {
        [PAGE_LABEL] = "<td", [PAGE_NUMBER] = "<td class=\"number\"", [PAGE_WORDS] = "<td class=\"words\""};
    const bool number = kind == PAGE_NUMBER;
    fputs(OPEN[kind], out);
    if (number && isfinite(cell->value))
        fprintf(out, " data-value=\"%.9g\"", cell->value);
    fputs(">", out);
    fputs(figure, out);
    fputs(cell->best ? "<b>" : "", out);
    write_linked_text(out, cell, number);
    fputs(cell->best ? "</b></td>" : "</td>", out);
}

void page_table_row_figure(page *p, const page_cell *cells, const char *figure)
{
    if (!page_inside(p, PAGE_TABLE, "page_table_row: no table is open"))
        return;
    fputs("<tr>", p->body.out);
    for (int k = 0; k < p->column_count; k++)
        write_cell(p->body.out, &cells[k], p->columns[k], k == 0 && figure ? figure : "");
    fputs("</tr>\n", p->body.out);
}

void page_table_row(page *p, const page_cell *cells)
{
    page_table_row_figure(p, cells, NULL);
}

void page_table_end(page *p)
{
    if (!page_inside(p, PAGE_TABLE, "page_table_end: no table is open"))
        return;
    fputs("</tbody></table></div>\n", p->body.out);
    p->part = PAGE_PROSE;
}
