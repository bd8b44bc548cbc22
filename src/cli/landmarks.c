/* Reads the files of --landmarks. */
#include "cli/landmarks.h"

sfgp_status cli_landmarks_read(cli_session *session, const cli_list *files, sfgp_landmark_pairs **pairs)
{
    sfgp_context *context = session->context;
    sfgp_landmarks *first = NULL, *second = NULL;
    sfgp_status status = sfgp_landmarks_read(context, files->items[0], &first);
    if (status == SFGP_OK)
        status = sfgp_landmarks_read(context, files->items[1], &second);
    if (status == SFGP_OK)
        status = sfgp_landmarks_pair(context, first, second, pairs);
    sfgp_landmarks_free(first);
    sfgp_landmarks_free(second);
    return cli_check(session, status);
}
