#include "report/csv.h"
#include "sfgp/sfgp.h"

#include <math.h>
#include <string.h>

void report_csv_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
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
