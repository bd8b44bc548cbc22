/* Predicts the memory of a registration before anything is built. The library predicts the fit; this file adds the
 * memory for writing the outputs. */
#include "cli/registration.h"

/* Bytes. A page has the canvas of a picture and its own text, which grows by doubling, and for each point of the shapes
 * its numbers, and two triangles with their boxes in the tree. */
enum { NUMBER = 8, ROW_OF_TABLE = 200, PAGE = 64 << 20, POINT_OF_PAGE = 500 };

/* Bytes of a saved fit with c corners, f faces, N points in d dimensions, ranks r and p: the model
 * 8 (N (r + d p + 2 d) + c + f) and the posterior 8 (N (d + 1) + (r + p)^2 + (d r + p)). */
static double saved_bytes(const sfgp_run_size *size)
{
    const double n = (double)size->count, d = size->dimension, r = (double)size->rank_scalar,
                 p = (double)size->rank_pca;
    const double model = n * (r + d * p + 2 * d) + (double)(size->corner_count + size->face_count);
    return NUMBER * (model + n * (d + 1) + (r + p) * (r + p) + d * r + p);
}

/* Bytes for writing. HDF5 holds a file in memory twice, and memory that the fit has freed may still belong to the
 * process. The text of a table grows by doubling. */
static int64_t writing_bytes(const cli_registration *job)
{
    const sfgp_run_size *size = &job->size;
    const int64_t table = job->table ? 2 * (int64_t)ROW_OF_TABLE * size->count : 0;
    const int64_t page = job->html ? PAGE + (int64_t)POINT_OF_PAGE * (size->count + size->targets) : 0;
    const int64_t text = table > page ? table : page; /* one after the other */
    const int64_t fit = job->memory.fit > text ? job->memory.fit : text;
    return job->memory.model + fit + (job->save ? (int64_t)(2 * saved_bytes(size)) : 0);
}

static sfgp_status add_outputs(cli_registration *job)
{
    const double mib = 1048576;
    const int64_t most = (int64_t)job->settings.max_memory, writing = writing_bytes(job);
    if (job->memory.peak == 0 || writing <= job->memory.peak) /* 0: not predicted */
        return SFGP_OK;
    job->memory.peak = writing;
    if (most == 0 || writing <= most)
        return SFGP_OK;
    return cli_fail(
        job->session, SFGP_ERROR_MEMORY,
        "max_memory: %.1f MiB are needed while --%s is written, %.1f MiB are allowed; leave it out, "
        "or give a smaller --rank",
        (double)writing / mib,
        job->save   ? "save"
        : job->html ? "html"
                    : "table",
        (double)most / mib);
}

sfgp_status cli_registration_predict(cli_registration *job)
{
    sfgp_context *context = job->session->context;
    sfgp_run_size *size = &job->size;
    sfgp_status status = SFGP_OK;
    if (!job->report && !job->profile && !job->dry_run && job->settings.max_memory == 0)
        return SFGP_OK;
    if (job->prior.model)
        sfgp_run_size_from_model(job->prior.model, size);
    else
        status = sfgp_run_size_from_mesh(context, job->prior.reference, job->prior.train_files.count,
                                         &job->settings, size);
    size->targets = job->target->count;
    if (status == SFGP_OK)
        status = sfgp_memory_check(context, size, &job->settings);
    if (status == SFGP_OK)
        status = sfgp_memory_predict(context, size, &job->settings, &job->memory);
    if ((status = cli_check(job->session, status)) != SFGP_OK)
        return status;
    return add_outputs(job);
}
