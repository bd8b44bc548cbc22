/* Opens a batch: manifest, references, what goes with them; and clears it. */
#include "batch/parts.h"
#include "report/file.h"

#include <stdlib.h>
#include <string.h>

static sfgp_status read_manifest(batch *b)
{
    report_file file = {.text = b->text, .size = b->text ? strlen(b->text) : 0};
    b->text = NULL;
    if (!file.text && !report_file_read(b->path, BATCH_MOST_MANIFEST, &file))
        return batch_fail(b, file.status, "%s: cannot read: %s", b->path, file.problem);
    const sfgp_status status = batch_source_convert(b, &file.text, &file.size);
    if (status == SFGP_OK)
        return batch_manifest_parse(b, file.text, file.size);
    free(file.text);
    return status;
}

sfgp_status batch_open(batch *b)
{
    b->event_file = -1;
    b->began = sfgp_platform_now();
    sfgp_status status = b->context ? SFGP_OK : sfgp_context_new(NULL, &b->context);
    if (status != SFGP_OK)
        return batch_fail(b, status, "out of memory");
    if ((status = sfgp_settings_check(b->context, &b->settings)) != SFGP_OK)
        return batch_fail_library(b, status);
    if ((status = read_manifest(b)) != SFGP_OK || (status = batch_inputs_spare(b)) != SFGP_OK)
        return status;
    status = batch_priors_open(b);
    if (status == SFGP_OK)
        status = batch_landmarks_check(b);
    return status == SFGP_OK ? batch_carried_check(b) : status;
}

void batch_clear(batch *b)
{
    batch_events_close(b);
    batch_priors_clear(b);
    free(b->text);
    free(b->folder_path);
    batch_manifest_clear(&b->manifest);
    sfgp_context_free(b->context);
    free(b->todo);
}
