#include "report/number.h"

#include <stdio.h>
#include <stdlib.h>

const char *report_number_format(double value, char text[REPORT_NUMBER_SIZE])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, REPORT_NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return text;
}
