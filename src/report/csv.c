/* Fields of CSV (RFC 4180). */
#include "report/csv.h"
#include "sfgp/sfgp.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether a spreadsheet would take the text for a formula. A number is not a formula. */
static bool is_formula(const char *text)
{
    char *end;
    if (!text[0] || !strchr("=+-@\t\r", text[0]))
        return false;
    strtod(text, &end);
    return *end != '\0';
}

void report_csv_text(FILE *out, const char *text)
{
    const bool formula = is_formula(text);
    if (!formula && !strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputs(formula ? "\"'" : "\"", out);
    for (; *text; text++)
        fprintf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    fputc('"', out);
}

void report_csv_number(FILE *out, double value)
{
    char text[SFGP_NUMBER_SIZE];
    if (isfinite(value))
        fputs(sfgp_number_format(value, text), out);
}
