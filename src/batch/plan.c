/* Makes the folder, and plans the run: the cases of this process that are not done yet. */
#include "batch/lock.h"
#include "base/platform_file.h"
#include "base/platform_folder.h"
#include "base/platform_status.h"
#include "report/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_mine(const batch_part *part, int64_t number)
{
    switch (part->cut) {
    case BATCH_INDEX:
        return number / part->chunk == part->index;
    case BATCH_SHARD:
        return number % part->count == part->index;
    default:
        return true;
    }
}

/* ---- the folder -------------------------------------------------------------------------------------- */

/* Whether it has files. What cannot be looked into may have results. */
static sfgp_status look_into(batch *b, bool *used)
{
    sfgp_folder *open = sfgp_folder_open(b->folder);
    if (!open && errno != ENOENT)
        return batch_fail(b, sfgp_system_status(SFGP_ERROR_READ), "%s: cannot read the folder: %s", b->folder,
                          strerror(errno));
    *used = open && sfgp_folder_next(open);
    sfgp_folder_close(open);
    return SFGP_OK;
}

/* Whether a case of this process has a result. */
static bool has_result(const batch *b)
{
    bool found = false;
    for (int64_t i = 0; i < b->manifest.count && !found; i++)
        found = is_mine(&b->part, i) &&
                batch_case_has(b->folder, batch_cell(&b->manifest, i, BATCH_ID), "case.json");
    return found;
}

/* Refuses a folder that has results, without --resume. With a part, other processes may work in the same folder, so
 * only the cases of this process are checked. */
static sfgp_status check_fresh(batch *b)
{
    const bool whole = b->part.cut == BATCH_ALL;
    bool used = !whole && has_result(b);
    const sfgp_status status = whole ? look_into(b, &used) : SFGP_OK;
    if (!used)
        return status;
    return batch_fail(b, SFGP_ERROR_PARAMETER,
                      "%s: there are results already; "
                      "--resume keeps what is valid and does the rest, or give another folder",
                      b->folder);
}

/* Copies the manifest into the folder, for sfgp collect. */
static sfgp_status keep_manifest(batch *b)
{
    report_file there = {0};
    char *path = batch_in_case(b->folder, "manifest.tsv", "");
    const bool same = path && report_file_read(path, BATCH_MOST_MANIFEST, &there) &&
                      there.size == b->manifest.size && memcmp(there.text, b->manifest.copy, there.size) == 0;
    free(there.text);
    free(path);
    return same ? SFGP_OK : batch_write(b, b->folder, "manifest.tsv", b->manifest.copy, b->manifest.size);
}

static sfgp_status make_folder(batch *b)
{
    if (!sfgp_folder_make(b->folder) && errno != EEXIST)
        return batch_fail(b, SFGP_ERROR_WRITE, "%s: cannot make the folder: %s", b->folder, strerror(errno));
    return SFGP_OK;
}

static sfgp_status check_folder(batch *b)
{
    if (sfgp_platform_exists(b->folder) && sfgp_platform_kind_at(b->folder) != SFGP_PLATFORM_FOLDER)
        return batch_fail(b, SFGP_ERROR_WRITE, "%s: is no folder", b->folder);
    return b->resume ? SFGP_OK : check_fresh(b);
}

/* The folder with the manifest, whose locks are tried. */
static sfgp_status prepare_folder(batch *b)
{
    sfgp_status status = b->dry ? SFGP_OK : make_folder(b);
    if (status == SFGP_OK)
        status = check_folder(b);
    if (status != SFGP_OK || b->dry)
        return status;
    if ((status = keep_manifest(b)) == SFGP_OK)
        batch_lock_check(b);
    return status;
}

/* ---- the plan ---------------------------------------------------------------------------------------- */

sfgp_status batch_plan(batch *b)
{
    batch_status done;
    sfgp_status status = prepare_folder(b);
    b->todo = malloc(((size_t)b->manifest.count + 1) * sizeof *b->todo);
    if (status == SFGP_OK && !b->todo)
        status = batch_fail(b, SFGP_ERROR_MEMORY, "out of memory");
    for (int64_t i = 0; i < b->manifest.count && status == SFGP_OK; i++) {
        if (!is_mine(&b->part, i))
            continue;
        b->totals.cases++;
        status = batch_check_done(b, i, false, &done);
        if (done == BATCH_UNFINISHED)
            b->todo[b->todo_count++] = i;
        else
            b->totals.before++, batch_totals_add(&b->totals, &(batch_outcome){.status = done});
    }
    return status;
}
