#include "report/fitted.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

sfgp_status report_fitted_write(sfgp_context *context, const char *path, const sfgp_mesh *reference,
                                const sfgp_result *result)
{
    sfgp_mesh fitted = *reference;
    double *missing = malloc((size_t)result->count * sizeof *missing);
    if (!missing)
        return SFGP_ERROR_MEMORY;
    for (int64_t i = 0; i < result->count; i++)
        missing[i] = result->missing[i];
    fitted.points = result->points;
    const sfgp_attribute attributes[] = {{"sd", result->sd, 0}, {"missing", missing, 1}};
    sfgp_status status = sfgp_mesh_write(context, path, &fitted, attributes, 2);
    free(missing);
    return status;
}

/* ---- read -------------------------------------------------------------------------------------------- */

#define COLUMNS                                                                                              \
    "property double x\nproperty double y\nproperty double z\nproperty double sd\nproperty uchar missing\n"

enum { SD_AT = 24, MISSING_AT = 32, ROW = 33 }; /* bytes of a point in the file */

/* The stream stands behind the header that report_fitted_write makes, else false. */
static bool pass_header(FILE *in)
{
    char head[1024] = "";
    const size_t got = fread(head, 1, sizeof head - 1, in);
    const char *binary = strstr(head, "format binary_little_endian 1.0\n"),
               *end = strstr(head, "end_header\n");
    return got > 0 && binary && end && strstr(binary, COLUMNS) &&
           fseek(in, (long)(end - head) + (long)strlen("end_header\n"), SEEK_SET) == 0;
}

static double little_endian(const unsigned char *bytes)
{
    uint64_t bits = 0;
    double value;
    for (int k = 7; k >= 0; k--)
        bits = bits << 8 | bytes[k];
    return memcpy(&value, &bits, sizeof value), value;
}

static bool read_attributes(const char *path, report_fitted *fitted)
{
    unsigned char row[ROW];
    const int64_t count = fitted->mesh->count;
    FILE *in = fopen(path, "rb");
    bool good = in && pass_header(in);
    for (int64_t i = 0; good && i < count; i++) {
        good = fread(row, 1, ROW, in) == ROW;
        fitted->sd[i] = little_endian(row + SD_AT);
        fitted->missing[i] = row[MISSING_AT];
    }
    if (in)
        fclose(in);
    return good;
}

sfgp_status report_fitted_read(sfgp_context *context, const char *path, report_fitted *fitted)
{
    *fitted = (report_fitted){0};
    sfgp_status status = sfgp_mesh_read(context, path, &fitted->mesh);
    if (status != SFGP_OK)
        return status;
    fitted->sd = malloc((size_t)fitted->mesh->count * sizeof *fitted->sd);
    fitted->missing = malloc((size_t)fitted->mesh->count);
    if (!fitted->sd || !fitted->missing)
        return SFGP_ERROR_MEMORY;
    return read_attributes(path, fitted) ? SFGP_OK : SFGP_ERROR_FORMAT;
}

void report_fitted_clear(report_fitted *fitted)
{
    sfgp_mesh_free(fitted->mesh);
    free(fitted->sd);
    free(fitted->missing);
}
