/* Solvers that are kept between cases. */
#include "batch/warm.h"

#include <stdlib.h>
#include <string.h>

static void clear_kept(batch_kept *kept)
{
    sfgp_solver_free(kept->solver);
    for (size_t k = 0; k < kept->note_count; k++)
        free(kept->notes[k]);
    *kept = (batch_kept){0};
}

const batch_kept *batch_warm_find(const batch_warm *warm, int k, const sfgp_model *model,
                                  const sfgp_settings *settings)
{
    const batch_kept *kept = k < BATCH_MOST_REFERENCES ? &warm->kept[k] : NULL;
    if (!kept || !kept->solver || kept->model != model)
        return NULL;
    /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): copies of one struct; a difference costs a new solver */
    return memcmp(&kept->settings, settings, sizeof *settings) == 0 ? kept : NULL;
}

bool batch_warm_keep(batch_warm *warm, int k, const sfgp_model *model, const sfgp_settings *settings,
                     sfgp_solver *solver, char *const *notes, size_t note_count)
{
    if (k >= BATCH_MOST_REFERENCES || note_count > BATCH_MOST_NOTES)
        return false;
    batch_kept *kept = &warm->kept[k];
    clear_kept(kept);
    for (; kept->note_count < note_count; kept->note_count++)
        if (!(kept->notes[kept->note_count] = strdup(notes[kept->note_count])))
            return clear_kept(kept), false;
    kept->solver = solver;
    kept->model = model;
    kept->settings = *settings;
    return true;
}

void batch_warm_clear(batch_warm *warm)
{
    for (int k = 0; k < BATCH_MOST_REFERENCES; k++)
        clear_kept(&warm->kept[k]);
    sfgp_context_free(warm->context);
    warm->context = NULL;
}
