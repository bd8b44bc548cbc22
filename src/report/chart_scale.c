/* Bounds and ticks of linear and logarithmic axes, and the pixel of a value. */
#include "report/chart_scale.h"

#include <math.h>
#include <stdio.h>

bool chart_axis_shows(const chart_axis *axis, double value)
{
    return axis->log ? value >= 1e-150 && value <= 1e150 : fabs(value) <= 1e300;
}

void chart_range_add(chart_range *range, const chart_axis *axis, int64_t count, const double *values)
{
    for (int64_t k = 0; values && k < count; k++) {
        if (!chart_axis_shows(axis, values[k]))
            continue;
        range->low = range->count ? fmin(range->low, values[k]) : values[k];
        range->high = range->count ? fmax(range->high, values[k]) : values[k];
        range->count++;
    }
}

static void add_tick(chart_scale *scale, double value, const char *text)
{
    if (scale->tick_count == CHART_TICKS_MAX)
        return;
    chart_tick *tick = &scale->ticks[scale->tick_count++];
    tick->value = value;
    snprintf(tick->text, sizeof tick->text, "%s", text);
}

/* ---- linear ------------------------------------------------------------------------------------------ */

/* The step of the ticks: 1, 2 or 5 times a power of ten, so that the span has about five steps. */
static double nice_step(double span)
{
    const double power = pow(10, floor(log10(span / 5)));
    const double rest = span / 5 / power;
    return power * (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10);
}

static void add_linear_tick(chart_scale *scale, double value, double step)
{
    char text[24];
    const int decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
    if (decimals > 4 || fabs(value) >= 1e6)
        snprintf(text, sizeof text, "%.4g", value);
    else
        snprintf(text, sizeof text, "%.*f", decimals, value);
    add_tick(scale, value, text);
}

static void make_linear_ticks(chart_scale *scale)
{
    const double step = nice_step(scale->high - scale->low);
    const double first = ceil(scale->low / step - 1e-9), last = floor(scale->high / step + 1e-9);
    for (double k = first; k <= last && k - first < 20; k++)
        add_linear_tick(scale, k * step + 0.0, step); /* + 0.0 turns -0 into 0 */
}

/* Widens a range of one value, or of values too close for a double to separate. */
static void open_linear(chart_scale *scale)
{
    const double size = fmax(fabs(scale->low), fabs(scale->high));
    const double room = size > 1e-250 ? 0.1 * size : 1;
    if (scale->high - scale->low <= fmax(1e-9 * size, 1e-280)) {
        scale->low -= room;
        scale->high += room;
    }
}

static void make_linear(chart_scale *scale, const chart_axis *axis, bool rounded)
{
    if (axis->from_zero && scale->low > 0 && rounded)
        scale->low = 0;
    open_linear(scale);
    if (!rounded)
        return;
    const double step = nice_step(scale->high - scale->low);
    scale->low = floor(scale->low / step + 1e-9) * step;
    scale->high = ceil(scale->high / step - 1e-9) * step;
}

/* ---- log --------------------------------------------------------------------------------------------- */

static const char *const SUPERSCRIPT[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

/* digit * 10^exponent as text: 0.002, 10, 5000, and outside of that 2·10⁻⁵. */
static void format_power(int digit, int exponent, char text[24])
{
    const int size = exponent < 0 ? -exponent : exponent;
    if (exponent >= -3 && exponent <= 3) {
        snprintf(text, 24, "%g", digit * pow(10, exponent));
        return;
    }
    int used = digit == 1 ? 0 : snprintf(text, 24, "%d·", digit);
    used += snprintf(text + used, 24 - (size_t)used, "10%s", exponent < 0 ? "⁻" : "");
    for (int unit = size > 99 ? 100 : size > 9 ? 10 : 1; unit; unit /= 10)
        used += snprintf(text + used, 24 - (size_t)used, "%s", SUPERSCRIPT[size / unit % 10]);
}

/* The next number below (direction -1) or above (1) that is 1, 2 or 5 times a power of ten. */
static double round_log(double value, int direction)
{
    static const double DIGITS[] = {1, 2, 5, 10};
    const double power = pow(10, floor(log10(value)));
    const double rest = value / power;
    double rounded = direction < 0 ? DIGITS[0] : DIGITS[3];
    for (int k = 0; k < 4; k++) {
        const double digit = DIGITS[direction < 0 ? k : 3 - k];
        if (direction < 0 ? digit <= rest * (1 + 1e-9) : digit >= rest * (1 - 1e-9))
            rounded = digit;
    }
    return rounded * power;
}

static void make_log_ticks(chart_scale *scale)
{
    const double decades = log10(scale->high / scale->low);
    const int first = (int)floor(log10(scale->low)), last = (int)ceil(log10(scale->high));
    const int stride = last > first ? (int)ceil((last - first) / 7.0) : 1;
    char text[24];
    for (int exponent = first; exponent <= last; exponent++)
        for (int digit = 1; digit <= 9; digit++) {
            const double value = digit * pow(10, exponent);
            const bool named = (digit == 1 && (exponent - first) % stride == 0) ||
                               (decades <= 2.1 && (digit == 2 || digit == 5));
            if (value < scale->low * (1 - 1e-9) || value > scale->high * (1 + 1e-9) ||
                (!named && decades > 5))
                continue;
            format_power(digit, exponent, text);
            add_tick(scale, value, named ? text : "");
        }
}

static void make_log(chart_scale *scale, bool rounded)
{
    if (scale->high <= scale->low * (1 + 1e-9)) {
        scale->low /= 2;
        scale->high *= 2;
    }
    if (rounded) {
        scale->low = round_log(scale->low, -1);
        scale->high = round_log(scale->high, 1);
    }
}

/* ---- both -------------------------------------------------------------------------------------------- */

/* A tick at each level. open: the axis is a little longer at both ends, so that no point is in a corner. */
static void make_data_ticks(chart_scale *scale, int count, const double *at, bool open)
{
    char text[24];
    for (int k = 0; k < count; k++) {
        snprintf(text, sizeof text, "%.4g", at[k]);
        add_tick(scale, at[k], text);
    }
    if (open && scale->log) {
        const double air = pow(scale->high / scale->low, 0.05);
        scale->low /= air;
        scale->high *= air;
    } else if (open) {
        const double air = 0.05 * (scale->high - scale->low);
        scale->low -= air;
        scale->high += air;
    }
}

/* Whether the caller gave bounds that the axis can show. */
static bool has_bounds(const chart_axis *axis)
{
    return chart_axis_shows(axis, axis->low) && chart_axis_shows(axis, axis->high) && axis->low < axis->high;
}

chart_scale chart_scale_make(const chart_axis *axis, chart_range range, int at_count, const double *at)
{
    const bool bounded = has_bounds(axis), rounded = !bounded && at_count == 0;
    chart_scale scale = {.log = axis->log, .low = axis->low, .high = axis->high};
    if (!bounded) {
        scale.low = range.count ? range.low : axis->log ? 0.1 : 0;
        scale.high = range.count ? range.high : 1;
    }
    if (scale.log)
        make_log(&scale, rounded);
    else
        make_linear(&scale, axis, rounded);
    if (at_count > 0)
        make_data_ticks(&scale, at_count, at, !bounded);
    else if (scale.log)
        make_log_ticks(&scale);
    else
        make_linear_ticks(&scale);
    return scale;
}

double chart_scale_place(const chart_scale *scale, double value)
{
    const double share = scale->log ? log(value / scale->low) / log(scale->high / scale->low)
                                    : (value - scale->low) / (scale->high - scale->low);
    return scale->from + share * (scale->to - scale->from);
}
