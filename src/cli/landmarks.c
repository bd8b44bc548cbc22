/* Reads the files of --landmarks. */
#include "cli/landmarks.h"
#include "batch/pairs.h"

sfgp_status cli_landmarks_read(cli_session *session, const cli_list *files, sfgp_landmark_pairs **pairs)
{
    char error[BATCH_ERROR] = "";
    const sfgp_status status = batch_pairs_read(session->context, files->items[0], files->items[1],
                                                session->target_scale, error, pairs);
    return error[0] ? cli_fail(session, status, "%s", error) : cli_check(session, status);
}
