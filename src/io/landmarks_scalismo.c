/* Landmarks of Scalismo, .json: an array of {id, coordinates, description, uncertainty}. The uncertainty is principal axes with
 * a standard deviation each; it is not read, and the three axes have the same one when it is written. */
#include "io/landmarks.h"

/* Two or three numbers. Returns how many there are. */
static int read_coordinates(sfgp_json *json, double point[3])
{
    const int count = sfgp_json_numbers(json, 3, point);
    if (count < 2 || count > 3)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "a landmark has %d coordinates, not 2 or 3", count);
    return count;
}

static void add(sfgp_json *json, const sfgp_buffer *id, int count, const double point[3],
                sfgp_landmark_list *list)
{
    if (count == 0)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "a landmark has no member 'coordinates'");
    else if (list->count > 0 && count != list->dimension)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "a landmark has %d coordinates, the first one %d", count,
                       list->dimension);
    if (json->status != SFGP_OK)
        return;
    list->dimension = count;
    sfgp_landmark_add(list, (sfgp_text){(char *)id->bytes, id->size > 0 ? id->size - 1 : 0}, point);
}

static void read_landmark(sfgp_json *json, sfgp_landmark_list *list)
{
    sfgp_buffer id = sfgp_buffer_empty(json->context);
    sfgp_text name;
    double point[3] = {0};
    int count = 0;
    sfgp_json_enter(json, '{');
    while (sfgp_json_member(json, &name))
        if (sfgp_text_is(name, "id") && id.size == 0)
            sfgp_json_string(json, &id);
        else if (sfgp_text_is(name, "coordinates") && count == 0)
            count = read_coordinates(json, point);
        else
            sfgp_json_skip(json);
    add(json, &id, count, point, list);
    sfgp_buffer_clear(&id);
}

void sfgp_landmarks_scalismo_read(sfgp_json *json, sfgp_landmark_list *list)
{
    list->format = SFGP_LANDMARKS_SCALISMO;
    for (sfgp_json_enter(json, '['); sfgp_json_element(json);)
        read_landmark(json, list);
    sfgp_json_finish(json);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void write_numbers(const double *values, int count, sfgp_buffer *buffer)
{
    sfgp_buffer_text(buffer, "[");
    for (int a = 0; a < count; a++) {
        sfgp_buffer_text(buffer, a > 0 ? ", " : "");
        sfgp_buffer_number(buffer, values[a]);
    }
    sfgp_buffer_text(buffer, "]");
}

static void write_uncertainty(double sd, int d, sfgp_buffer *buffer)
{
    static const double AXES[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double sds[3] = {sd, sd, sd};
    sfgp_buffer_text(buffer, ", \"uncertainty\": {\"stddevs\": ");
    write_numbers(sds, d, buffer);
    sfgp_buffer_text(buffer, ", \"pcvectors\": [");
    for (int a = 0; a < d; a++) {
        sfgp_buffer_text(buffer, a > 0 ? ", " : "");
        write_numbers(AXES[a], d, buffer);
    }
    sfgp_buffer_text(buffer, "]}");
}

void sfgp_landmarks_scalismo_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer)
{
    const int d = landmarks->dimension;
    for (int64_t k = 0; k < landmarks->count; k++) {
        sfgp_buffer_text(buffer, k > 0 ? ",\n  {\"id\": " : "[\n  {\"id\": ");
        sfgp_json_quote(landmarks->names[k], buffer);
        sfgp_buffer_text(buffer, ", \"coordinates\": ");
        write_numbers(landmarks->points + k * d, d, buffer);
        if (sd)
            write_uncertainty(sd[k], d, buffer);
        sfgp_buffer_text(buffer, "}");
    }
    sfgp_buffer_text(buffer, "\n]\n");
}
