/* What a registration reads, needs and writes: sfgp register --dry-run, --verbose. */
#include "cli/registration.h"
#include "cli/mesh.h"

#include <inttypes.h>

static void tell_outputs(const cli_registration *job)
{
    const char *const outputs[][2] = {{"fit", job->fitted},
                                      {"table", job->table},
                                      {"saved fit", job->save},
                                      {"page", job->html},
                                      {"report", job->report}};
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        if (outputs[k][1])
            cli_tell(job->session, "%s: %s", outputs[k][0], cli_path_shown(outputs[k][1]));
}

void cli_registration_tell(const cli_registration *job)
{
    cli_session *session = job->session;
    const sfgp_run_size *size = &job->size;
    if (!session->verbose) { /* then they were told when they were read */
        cli_mesh_tell(session, "reference", job->files.items[0], job->prior.reference);
        cli_mesh_tell(session, "target", job->files.items[1], job->target);
    }
    if (job->pairs)
        cli_tell(session, "landmarks: %" PRId64 " pairs", job->pairs->count);
    cli_tell(session, "method: %s%s; kernel: %s; training shapes: %d", job->settings.method,
             job->settings.mirror ? ", mirror image of the reference" : "", job->settings.kernel,
             job->prior.train_files.count);
    cli_tell(session, "rank: %" PRId64 " (kernels %" PRId64 ", training shapes %" PRId64 ")%s",
             size->rank_scalar + size->rank_pca, size->rank_scalar, size->rank_pca,
             size->made || size->count <= 2000 ? "" : ", extrapolated");
    if (job->memory.peak > 0)
        cli_tell(session, "memory: %.1f MiB, and some 30 MiB for the program",
                 (double)job->memory.peak / 1048576);
    else
        cli_tell(session, "memory: not predicted for this method");
    tell_outputs(job);
}
