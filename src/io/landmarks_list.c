/* What the readers and writers of landmark formats share: the list that they fill, names of coordinate systems
 * and the text that holds a standard deviation. */
#include "io/landmarks.h"

enum { LARGEST = 1 << 26 };

sfgp_status sfgp_landmarks_take_all(sfgp_source *source, sfgp_text *text)
{
    if (source->size > LARGEST)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "the file is larger than 64 MiB");
    const sfgp_status status = sfgp_source_skip_bom(source);
    return status == SFGP_OK ? sfgp_source_take_rest(source, text) : status;
}

void sfgp_landmark_add(sfgp_landmark_list *list, sfgp_text name, const double *point)
{
    sfgp_buffer_add(&list->names, name.start, name.length);
    sfgp_buffer_add(&list->names, "", 1);
    sfgp_buffer_add(&list->points, point, list->dimension * (int64_t)sizeof *point);
    list->count++;
}

const char *sfgp_landmark_system(sfgp_text text)
{
    if (sfgp_text_is_nocase(text, "LPS") || sfgp_text_is(text, "1"))
        return "LPS";
    return sfgp_text_is_nocase(text, "RAS") || sfgp_text_is(text, "0") ? "RAS" : NULL;
}

void sfgp_landmark_describe(const double *sd, int64_t k, sfgp_buffer *buffer)
{
    if (!sd)
        return;
    sfgp_buffer_text(buffer, "sd=");
    sfgp_buffer_number(buffer, sd[k]);
}
