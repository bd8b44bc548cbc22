/* Picked points of MeshLab, .pp: XML with an element <point x= y= z= name= active=> for each. Those that are not active were not
 * placed, and are passed over. */
#include "io/landmarks.h"
#include "io/xml.h"

#include <string.h>

/* A name without its entities, such as &quot;. */
static void add_plain(sfgp_text name, sfgp_buffer *plain)
{
    static const struct {
        const char *entity, *text;
    } ENTITIES[] = {{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&apos;", "'"}};
    for (int64_t k = 0; k < name.length;) {
        int64_t length = 1;
        const char *text = name.start + k;
        for (size_t e = 0; e < sizeof ENTITIES / sizeof *ENTITIES && length == 1; e++)
            if (name.length - k >= (int64_t)strlen(ENTITIES[e].entity) &&
                memcmp(name.start + k, ENTITIES[e].entity, strlen(ENTITIES[e].entity)) == 0) {
                length = (int64_t)strlen(ENTITIES[e].entity);
                text = ENTITIES[e].text;
            }
        sfgp_buffer_add(plain, text, 1);
        k += length;
    }
}

static sfgp_status add_point(sfgp_xml *xml, const sfgp_tag *tag, sfgp_buffer *plain, sfgp_landmark_list *list)
{
    static const char *const AXES[] = {"x", "y", "z"};
    sfgp_text value, name = {"", 0};
    double point[3];
    if (sfgp_tag_is(tag, "active", "0"))
        return SFGP_OK;
    for (int a = 0; a < 3; a++) {
        if (!sfgp_tag_value(tag, AXES[a], &value))
            return sfgp_xml_fail(xml, tag->name.start, SFGP_ERROR_FORMAT, "a point has no %s", AXES[a]);
        const sfgp_status status = sfgp_source_number(xml->source, sfgp_text_trim(value), &point[a]);
        if (status != SFGP_OK)
            return sfgp_xml_fail(xml, tag->name.start, status, "%s of a point: '%s' is not a finite number",
                                 AXES[a], sfgp_text_show(value).text);
    }
    plain->size = 0;
    if (sfgp_tag_value(tag, "name", &name))
        add_plain(name, plain);
    sfgp_landmark_add(list, (sfgp_text){(const char *)plain->bytes, plain->size}, point);
    return plain->status;
}

static sfgp_status read_points(sfgp_xml *xml, sfgp_buffer *plain, sfgp_landmark_list *list)
{
    sfgp_status status = SFGP_OK;
    sfgp_tag tag;
    while (status == SFGP_OK && sfgp_xml_next(xml, &tag)) {
        if (tag.closing && sfgp_text_is(tag.name, "PickedPoints"))
            return SFGP_OK;
        if (!tag.closing && sfgp_text_is(tag.name, "point"))
            status = add_point(xml, &tag, plain, list);
    }
    return status != SFGP_OK ? status : xml->status;
}

sfgp_status sfgp_landmarks_picked_read(sfgp_source *source, sfgp_landmark_list *list)
{
    sfgp_text text;
    sfgp_status status = sfgp_landmarks_take_all(source, &text);
    if (status != SFGP_OK)
        return status;
    sfgp_xml xml = sfgp_xml_start(source, text);
    sfgp_buffer plain = sfgp_buffer_empty(source->context);
    status = read_points(&xml, &plain, list);
    sfgp_buffer_clear(&plain);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void write_name(const char *name, sfgp_buffer *buffer)
{
    for (; *name; name++)
        if (*name == '"')
            sfgp_buffer_text(buffer, "&quot;");
        else if (*name == '&')
            sfgp_buffer_text(buffer, "&amp;");
        else if (*name == '<')
            sfgp_buffer_text(buffer, "&lt;");
        else
            sfgp_buffer_add(buffer, name, 1);
}

void sfgp_landmarks_picked_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer)
{
    const int d = landmarks->dimension;
    (void)sd; /* the format has no place for it */
    sfgp_buffer_text(buffer, "<!DOCTYPE PickedPoints>\n<PickedPoints>\n");
    for (int64_t k = 0; k < landmarks->count; k++) {
        sfgp_buffer_text(buffer, " <point");
        for (int a = 0; a < 3; a++) {
            sfgp_buffer_print(buffer, " %c=\"", "xyz"[a]);
            sfgp_buffer_number(buffer, a < d ? landmarks->points[k * d + a] : 0);
            sfgp_buffer_text(buffer, "\"");
        }
        sfgp_buffer_text(buffer, " active=\"1\" name=\"");
        write_name(landmarks->names[k], buffer);
        sfgp_buffer_text(buffer, "\"/>\n");
    }
    sfgp_buffer_text(buffer, "</PickedPoints>\n");
}
