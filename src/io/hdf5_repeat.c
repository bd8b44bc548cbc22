/* A lack of memory in the process that reads a file, told from damage (ADR 0068).
 *
 * libhdf5 has the same answer for both, and a damaged file asks it for impossible amounts, so that an allocation that failed proves nothing.
 * What fails after one, or by the end of the process, is read once more in a new process: a shortage that has passed is cured by that. A
 * second failure is damage, unless the memory that a sound file of that size needs is not there. */
#include "base/platform_memory.h"
#include "io/file.h"
#include "io/hdf5_handle.h"

/* What libhdf5 needs for a sound file: for itself (2 MiB where a file of 30 KB is read), and for each byte of the file, which is read,
 * unpacked and converted. */
#define LEAST_ROOM ((int64_t)16 << 20)
#define ROOM_A_BYTE 4

static int64_t room_needed(const sfgp_hdf5 *file)
{
    const int64_t size = file->job.size;
    return size < (PTRDIFF_MAX - LEAST_ROOM) / ROOM_A_BYTE ? LEAST_ROOM + ROOM_A_BYTE * size : PTRDIFF_MAX;
}

static sfgp_status fail_memory(sfgp_hdf5 *file, int64_t room)
{
    return sfgp_hdf5_keep_error(file, sfgp_fail(file->context, SFGP_ERROR_MEMORY,
                                                "%s: out of memory: HDF5 needs %.0f MiB to read it",
                                                sfgp_path_shown(file->path), (double)room / 1048576));
}

static void end_process(sfgp_hdf5 *file)
{
    sfgp_child_finish(&file->process, true);
    file->broken = false;
    file->status = SFGP_OK;
}

bool sfgp_hdf5_repeats(sfgp_hdf5 *file, sfgp_status *status)
{
    if (*status == SFGP_OK || !file->unsure || !file->job.path)
        return false;
    file->unsure = false;
    const int64_t room = room_needed(file);
    if (!sfgp_platform_has_room((size_t)room)) {
        *status = fail_memory(file, room);
        return false;
    }
    if (file->repeated)
        return false;
    file->repeated = true;
    end_process(file);
    return true;
}
