/* The parts of a page that are text or figures, and the frame of the HTML file. */
#include "page/page.h"
#include "page/markup.h"
#include "page/page_assets.h"
#include "page/page_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- parts ------------------------------------------------------------------------------------------- */

void page_fail(page *p, const char *problem)
{
    if (!p->problem)
        p->problem = problem;
}

FILE *page_enter(page *p, page_part part, const char *problem)
{
    if (!p || p->problem || p->starved)
        return NULL;
    if ((p->part == PAGE_TABLE || p->part == PAGE_VIEW) && p->part != part)
        return page_fail(p, problem), NULL;
    if (p->part == PAGE_FIGURES && part != PAGE_FIGURES)
        fputs("</div>\n", p->body.out);
    if (part == PAGE_FIGURES && p->part != PAGE_FIGURES)
        fputs("<div class=\"figures\">\n", p->body.out);
    p->part = part;
    return p->body.out;
}

bool page_inside(page *p, page_part part, const char *problem)
{
    if (p && p->part != part)
        page_fail(p, problem);
    return p && !p->problem && !p->starved;
}

/* An element with escaped text. */
static void write_element(FILE *out, const char *open, const char *text, const char *close)
{
    fputs(open, out);
    markup_write(out, text);
    fputs(close, out);
}

/* ---- texts ------------------------------------------------------------------------------------------- */

static const char INSIDE[] = "a table or a view is still open: end it before the next text or figure";

void page_heading(page *p, const char *text)
{
    FILE *out = page_enter(p, PAGE_PROSE, INSIDE);
    if (!out)
        return;
    p->headings++;
    fprintf(p->contents.out, "<li><a href=\"#s%d\">", p->headings);
    write_element(p->contents.out, "", text, "</a></li>\n");
    fprintf(out, "<h2 id=\"s%d\">", p->headings);
    write_element(out, "", text, "</h2>\n");
}

/* Writes each paragraph, escaped. An empty line separates paragraphs. Changes text. */
static void write_paragraphs(FILE *out, char *text)
{
    while (text && *text) {
        char *end = strstr(text, "\n\n");
        if (end)
            *end = 0;
        if (text[strspn(text, "\n")])
            write_element(out, "<p>", text + strspn(text, "\n"), "</p>\n");
        text = end ? end + 2 : NULL;
    }
}

void page_text(page *p, const char *text)
{
    FILE *out = page_enter(p, PAGE_PROSE, INSIDE);
    char *copy = out && text ? strdup(text) : NULL;
    if (out && text && !copy)
        p->starved = true;
    if (copy)
        write_paragraphs(out, copy);
    free(copy);
}

void page_note(page *p, const char *text)
{
    FILE *out = page_enter(p, PAGE_PROSE, INSIDE);
    if (out)
        write_element(out, "<div class=\"note\">", text, "</div>\n");
}

/* ---- figures ----------------------------------------------------------------------------------------- */

void page_figure(page *p, const char *svg, const char *caption, const char *file)
{
    FILE *out = page_enter(p, PAGE_FIGURES, INSIDE);
    if (!out)
        return;
    fprintf(out, "<figure>\n%s<figcaption>", svg ? svg : "");
    markup_write(out, caption);
    if (file && file[0]) {
        write_element(out, " <a href=\"", file, "\">");
        fputs("SVG</a>", out);
    }
    fputs("</figcaption>\n</figure>\n", out);
}

static void write_key(FILE *out, const page_picture *picture)
{
    fputs("<div class=\"view-bar\" style=\"background:linear-gradient(to right,", out);
    markup_write(out, picture->colours);
    fputs(")\"></div><div class=\"view-ticks\">", out);
    for (int k = 0; k < 3; k++)
        if (picture->ticks[k])
            write_element(out, "<span>", picture->ticks[k], "</span>");
    fputs("</div>\n", out);
}

void page_picture_add(page *p, const page_picture *picture)
{
    FILE *out = page_enter(p, PAGE_FIGURES, INSIDE);
    if (!out)
        return;
    fprintf(out, "<figure class=\"picture\">\n<img width=\"%d\" height=\"%d\" alt=\"", picture->width,
            picture->height);
    markup_write(out, picture->alt);
    fprintf(out, "\" src=\"data:image/png;base64,%s\">\n", picture->png ? picture->png : "");
    if (picture->colours)
        write_key(out, picture);
    write_element(out, "<figcaption>", picture->caption, "</figcaption>\n</figure>\n");
}

/* ---- open and close ---------------------------------------------------------------------------------- */

static void free_page(page *p)
{
    if (!p)
        return;
    if (p->body.out)
        fclose(p->body.out);
    if (p->contents.out)
        fclose(p->contents.out);
    free(p->body.text);
    free(p->contents.text);
    free(p->title);
    free(p->columns);
    free(p->references);
    free(p);
}

page *page_open(const char *title)
{
    page *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->title = strdup(title ? title : "");
    if (p->title && page_sink_open(&p->body) && page_sink_open(&p->contents))
        return p;
    free_page(p);
    return NULL;
}

/* The content security policy makes the browser refuse to load anything from outside. */
static void write_head(FILE *out, const char *title)
{
    fputs("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'; "
          "script-src 'unsafe-inline' blob:; img-src data: blob:\">\n"
          "<link rel=\"icon\" href=\"data:,\">\n",
          out);
    write_element(out, "<title>", title, "</title>\n<style>\n");
    page_asset_write(out, PAGE_ASSET_STYLE);
    write_element(out, "</style>\n</head>\n<body>\n<header><h1>", title, "</h1></header>\n");
}

static void write_foot(FILE *out, bool views)
{
    fputs("</main>\n<footer>\n<p>Made by sfgp " SFGP_VERSION ".</p>\n", out);
    if (views) {
        fputs("<details><summary>The views in 3D are drawn by three.js, which this file "
              "contains.</summary>\n<pre>",
              out);
        page_asset_write(out, PAGE_ASSET_LICENCE);
        fputs("</pre></details>\n", out);
    }
    fputs("</footer>\n<script>\n", out);
    page_asset_write(out, PAGE_ASSET_TABLE);
    fputs("</script>\n", out);
    if (views) {
        fputs("<script type=\"text/plain\" id=\"three\">\n", out);
        page_asset_write(out, PAGE_ASSET_THREE);
        fputs("</script>\n<script>\n", out);
        page_asset_write(out, PAGE_ASSET_VIEWER);
        fputs("</script>\n", out);
    }
    fputs("</body>\n</html>\n", out);
}

/* Writes the file. The streams body and contents have ended. */
static void write_page(FILE *out, const page *p)
{
    write_head(out, p->title);
    if (p->headings > 1)
        fprintf(out, "<nav aria-label=\"Contents\"><ol>\n%s</ol></nav>\n", p->contents.text);
    fputs("<main>\n", out);
    fwrite(p->body.text, 1, p->body.size, out);
    write_foot(out, p->views > 0);
}

/* Ends the streams, so that their texts are valid. False: out of memory. */
static bool end_streams(page *p)
{
    bool whole = !ferror(p->body.out) && !ferror(p->contents.out);
    whole = fclose(p->body.out) == 0 && whole;
    whole = fclose(p->contents.out) == 0 && whole;
    p->body.out = p->contents.out = NULL;
    return whole;
}

sfgp_status page_close(page *p, char **text, size_t *size)
{
    page_sink sink;
    *text = NULL;
    *size = 0;
    page_enter(p, PAGE_PROSE, "a table or a view is still open at the end of the page");
    sfgp_status status = !p || p->starved ? SFGP_ERROR_MEMORY : p->problem ? SFGP_ERROR_PARAMETER : SFGP_OK;
    if (status == SFGP_OK && (!end_streams(p) || !page_sink_open(&sink)))
        status = SFGP_ERROR_MEMORY;
    if (status == SFGP_OK) {
        write_page(sink.out, p);
        status = page_sink_close(&sink, text);
        *size = status == SFGP_OK ? sink.size : 0;
    }
    free_page(p);
    return status;
}
