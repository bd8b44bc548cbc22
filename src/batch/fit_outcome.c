/* What case.json says of the fit beside it, for who uses the fit. */
#include "batch/digest.h"
#include "report/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The record in the folder of the file; NULL: there is none. */
static json_t *read_beside(const char *path)
{
    report_file file = {0};
    char *beside = report_format("%.*scase.json", (int)(report_file_name(path) - path), path);
    json_t *record =
        beside && report_file_read(beside, BATCH_MOST_RECORD, &file) ? batch_record_parse(file.text) : NULL;
    free(file.text);
    free(beside);
    return record;
}

bool batch_fit_outcome(const char *path, char outcome[BATCH_OUTCOME])
{
    char hex[BATCH_DIGEST];
    json_t *record = strcmp(report_file_name(path), "fit.ply") == 0 ? read_beside(path) : NULL;
    const char *said = json_string_value(json_object_get(record, "outcome")),
               *fit = batch_record_digest(record, "fit");
    const bool known = said && fit && digest_file(path, hex) && strcmp(fit, hex) == 0;
    if (known)
        snprintf(outcome, BATCH_OUTCOME, "%s", said);
    json_decref(record);
    return known;
}
