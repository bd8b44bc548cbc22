/* Styles of series: the table of colours, dashes and markers, and how they are drawn. */
#include "report/chart_style.h"
#include "page/markup.h"

/* Colours 1 to 8: Okabe and Ito, "Color Universal Design" (2008), with grey instead of yellow, which is hard to see on
 * white. From the ninth on: the "muted" scheme of Tol (2021). Neighbours also differ in lightness and dash. */
static const chart_style STYLES[] = {
    {"#0072b2", "", CHART_CIRCLE},           /* blue */
    {"#d55e00", "7 3", CHART_SQUARE},        /* vermillion */
    {"#009e73", "2 2.5", CHART_TRIANGLE},    /* bluish green */
    {"#cc79a7", "8 3 2 3", CHART_DIAMOND},   /* reddish purple */
    {"#e69f00", "5 2", CHART_TRIANGLE_DOWN}, /* orange */
    {"#56b4e9", "1.5 3", CHART_CROSS},       /* sky blue */
    {"#000000", "9 2 2 2 2 2", CHART_PLUS},  /* black */
    {"#7f7f7f", "4 4", CHART_RING},          /* grey */
    {"#882255", "10 3", CHART_TRIANGLE},     /* wine */
    {"#332288", "3 1.5", CHART_DIAMOND},     /* indigo */
    {"#999933", "6 2 1 2", CHART_CIRCLE},    /* olive */
    {"#44aa99", "12 2", CHART_SQUARE},       /* teal */
    {"#661100", "1 1.5", CHART_CROSS},       /* brown */
    {"#ddaa77", "4 1 1 1", CHART_PLUS},      /* sand */
};

chart_style chart_style_row(int s)
{
    const int rows = (int)(sizeof STYLES / sizeof STYLES[0]);
    return STYLES[s >= 1 ? (s - 1) % rows : 0];
}

void chart_write_stroke(FILE *out, const chart_style *style)
{
    fprintf(out, " fill=\"none\" stroke=\"%s\"", style->colour);
    markup_write_number(out, "stroke-width", 1.6);
    if (style->dash[0])
        fprintf(out, " stroke-dasharray=\"%s\"", style->dash);
}

/* Corners of the markers, in units of half the size. A marker without corners is a circle. */
static const double SQUARE[] = {-0.88, -0.88, 0.88, -0.88, 0.88, 0.88, -0.88, 0.88};
static const double UP[] = {0, -1.1, 1.05, 0.85, -1.05, 0.85};
static const double DOWN[] = {0, 1.1, 1.05, -0.85, -1.05, -0.85};
static const double DIAMOND[] = {0, -1.2, 1.2, 0, 0, 1.2, -1.2, 0};
static const double CROSS[] = {-1, -0.5, -0.5, -1, 0, -0.5, 0.5,  -1, 1,  -0.5, 0.5,  0,
                               1,  0.5,  0.5,  1,  0, 0.5,  -0.5, 1,  -1, 0.5,  -0.5, 0};
static const double PLUS[] = {-0.36, -1.1, 0.36,  -1.1, 0.36,  -0.36, 1.1,  -0.36, 1.1,  0.36,  0.36,  0.36,
                              0.36,  1.1,  -0.36, 1.1,  -0.36, 0.36,  -1.1, 0.36,  -1.1, -0.36, -0.36, -0.36};

static const struct {
    const double *corners;
    int count;
} OUTLINES[] = {
    [CHART_CIRCLE] = {NULL, 0},     [CHART_SQUARE] = {SQUARE, 4}, [CHART_TRIANGLE] = {UP, 3},
    [CHART_DIAMOND] = {DIAMOND, 4}, [CHART_CROSS] = {CROSS, 12},  [CHART_TRIANGLE_DOWN] = {DOWN, 3},
    [CHART_PLUS] = {PLUS, 12},      [CHART_RING] = {NULL, 0},
};

static void draw_outline(FILE *out, const double *corners, int count, double x, double y, double half)
{
    char first[MARKUP_NUMBER_SIZE], second[MARKUP_NUMBER_SIZE];
    fputs("<path d=\"", out);
    for (int k = 0; k < count; k++)
        fprintf(out, "%c%s %s", k ? 'L' : 'M', markup_coordinate(x + half * corners[2 * k], first),
                markup_coordinate(y + half * corners[2 * k + 1], second));
    fputs("Z\"", out);
}

static void draw_circle(FILE *out, double x, double y, double radius)
{
    fputs("<circle", out);
    markup_write_number(out, "cx", x);
    markup_write_number(out, "cy", y);
    markup_write_number(out, "r", radius);
}

void chart_draw_marker(FILE *out, const chart_style *style, double x, double y, double size)
{
    const double half = size / 2;
    if (OUTLINES[style->marker].corners)
        draw_outline(out, OUTLINES[style->marker].corners, OUTLINES[style->marker].count, x, y, half);
    else
        draw_circle(out, x, y, half);
    if (style->marker == CHART_RING)
        fprintf(out, " fill=\"#fff\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", style->colour);
    else
        fprintf(out, " fill=\"%s\" stroke=\"#fff\" stroke-width=\"0.8\"/>\n", style->colour);
}
