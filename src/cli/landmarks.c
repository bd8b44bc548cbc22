/* Reads the files of --landmarks, and tells landmarks from shapes. */
#include "cli/landmarks.h"
#include "base/platform_text.h"
#include "batch/pairs.h"

#include <string.h>

sfgp_status cli_landmarks_read(cli_session *session, const cli_list *files, sfgp_landmark_pairs **pairs)
{
    char error[BATCH_ERROR] = "";
    const sfgp_status status = batch_pairs_read(session->context, files->items[0], files->items[1],
                                                session->target_scale, error, pairs);
    return error[0] ? cli_fail(session, status, "%s", error) : cli_check(session, status);
}

/* A CSV that is no file of landmarks. Other errors are for who reads it. */
static bool is_table(const char *path)
{
    sfgp_context *context = NULL; /* of its own, which says nothing */
    sfgp_landmarks *landmarks = NULL;
    const size_t length = strlen(path);
    if (length < 4 || !sfgp_text_same_nocase(path + length - 4, ".csv", 4))
        return false;
    const bool table = sfgp_context_new(NULL, &context) == SFGP_OK &&
                       sfgp_landmarks_read(context, path, &landmarks) == SFGP_ERROR_FORMAT;
    sfgp_landmarks_free(landmarks);
    sfgp_context_free(context);
    return table;
}

bool cli_landmarks_is_file(cli_session *session, const char *path)
{
    return !session->read.columns && sfgp_landmarks_is_file(path) && !is_table(path);
}
