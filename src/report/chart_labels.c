/* Places texts beside points so that they cover neither markers nor each other. */
#include "report/chart_labels.h"
#include "page/markup.h"

enum { PLACES = 8 };

static void occupy(chart_labels *labels, chart_area rectangle)
{
    if (labels->count < CHART_LABELS_MAX)
        labels->occupied[labels->count++] = rectangle;
}

void chart_labels_avoid(chart_labels *labels, double x, double y)
{
    occupy(labels, (chart_area){x - 4, y - 4, x + 4, y + 4});
}

static bool is_free(const chart_labels *labels, chart_area r)
{
    if (r.left < labels->area.left || r.right > labels->area.right || r.top < labels->area.top ||
        r.bottom > labels->area.bottom)
        return false;
    for (int k = 0; k < labels->count; k++) {
        const chart_area *t = &labels->occupied[k];
        if (r.left < t->right && t->left < r.right && r.top < t->bottom && t->top < r.bottom)
            return false;
    }
    return true;
}

/* The rectangle of a text at a place: 0 right, 1 left, 2 above, 3 below of (x, y), then the four corners. */
static chart_area rectangle_at(int place, double width, double x, double y)
{
    static const double ACROSS[PLACES] = {1, -1, 0, 0, 1, 1, -1, -1},
                        DOWN[PLACES] = {0, 0, -1, 1, -1, 1, -1, 1};
    const double height = CHART_FONT_SMALL, near = ACROSS[place] != 0 && DOWN[place] != 0 ? 4 : 7;
    const double middle_x = x + ACROSS[place] * (near + width / 2);
    const double middle_y = y + DOWN[place] * (near + height / 2);
    return (chart_area){middle_x - width / 2, middle_y - height / 2, middle_x + width / 2,
                        middle_y + height / 2};
}

void chart_labels_draw(chart_labels *labels, FILE *out, const char *text, double x, double y)
{
    if (!text || !text[0])
        return;
    const double width = markup_width(text, CHART_FONT_SMALL);
    chart_area chosen = rectangle_at(0, width, x, y);
    for (int place = 0; place < PLACES; place++) {
        const chart_area tried = rectangle_at(place, width, x, y);
        if (is_free(labels, tried)) {
            chosen = tried;
            break;
        }
    }
    occupy(labels, chosen);
    chart_draw_label(out, text, (chosen.left + chosen.right) / 2, chosen.bottom - 2,
                     &(chart_font){"middle", CHART_FONT_SMALL, "#1a1a1a"});
}
