/* Warns of training shapes that are bad fits of a batch: --train out/ID/fit.ply takes whatever case.json says of them. */
#include "cli/trained.h"
#include "batch/batch.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NAMED = 5, MOST_TEXT = 2048 };

void cli_trained_tell(cli_session *session, const cli_list *files)
{
    char outcome[BATCH_OUTCOME], named[MOST_TEXT] = "";
    int count = 0;
    for (int k = 0; k < files->count; k++) {
        if (!batch_fit_outcome(files->items[k], outcome) || strcmp(outcome, "converged") == 0)
            continue;
        const size_t length = strlen(named);
        if (count++ < MOST_NAMED)
            snprintf(named + length, sizeof named - length, "%s%s (%s)", length > 0 ? ", " : "",
                     cli_path_shown(files->items[k]), outcome);
    }
    if (count > 0)
        cli_warn(
            session,
            "--train: %d of %d shapes are fits that have not converged, as case.json beside them says: %s%s; "
            "a shape model learns their errors: leave them out",
            count, files->count, named, count > MOST_NAMED ? " and others" : "");
}
