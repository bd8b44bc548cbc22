/* What the readers and writers of landmark formats share: the list that they fill, landmarks without coordinates, names of coordinate
 * systems and the text that holds a standard deviation. */
#include "io/landmarks.h"
#include "io/file.h"

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

sfgp_status sfgp_landmark_leave_out(const sfgp_source *source, sfgp_text name)
{
    if (name.length == 0)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                "a landmark without coordinates can only be left out where landmarks have "
                                "names: write them as CSV");
    sfgp_warn(source->context, "%s: line %lld: '%s' has no coordinates and is left out",
              sfgp_path_shown(source->path), (long long)source->line, sfgp_text_show(name).text);
    return SFGP_OK;
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
