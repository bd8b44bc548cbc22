/* Slicer markups, .mrk.json (schema markups-schema-v1): the control points of every list in the file. Points
 * that were never placed are passed over. Lists without a system are LPS. */
#include "io/landmarks.h"

#include <string.h>

typedef struct markups {
    sfgp_json json;
    sfgp_landmark_list *list;
    sfgp_buffer text; /* of one string */
    bool systems;     /* a list has named its system */
} markups;

/* The next string, zero-terminated, until the next call; "" after an error. */
static const char *read_string(markups *file)
{
    file->text.size = 0;
    sfgp_json_string(&file->json, &file->text);
    return file->json.status == SFGP_OK ? (const char *)file->text.bytes : "";
}

static void read_system(markups *file)
{
    const char *text = read_string(file);
    const char *system = sfgp_landmark_system(sfgp_text_of(text));
    if (!system)
        sfgp_json_fail(&file->json, SFGP_ERROR_FORMAT, "coordinate system '%.40s' is neither LPS nor RAS",
                       text);
    else if (file->systems && system != file->list->system)
        sfgp_json_fail(&file->json, SFGP_ERROR_FORMAT, "lists of different coordinate systems in one file");
    else
        file->list->system = system;
    file->systems = true;
}

/* Coordinates, when all three are numbers; null stands for a point without a place. */
static bool read_position(markups *file, double point[3])
{
    sfgp_json *json = &file->json;
    const int count = sfgp_json_numbers(json, 3, point);
    if (count != 3)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT, "a position has %d coordinates, not 3", count);
    return json->status == SFGP_OK;
}

static void read_point(markups *file)
{
    sfgp_json *json = &file->json;
    sfgp_buffer label = sfgp_buffer_empty(json->context);
    sfgp_text name;
    double point[3];
    bool placed = false, defined = true;
    sfgp_json_enter(json, '{');
    while (sfgp_json_member(json, &name))
        if (sfgp_text_is(name, "label") && label.size == 0)
            sfgp_json_string(json, &label);
        else if (sfgp_text_is(name, "position") && sfgp_json_peek(json) == '[')
            placed = read_position(file, point);
        else if (sfgp_text_is(name, "positionStatus"))
            defined = strcmp(read_string(file), "defined") == 0;
        else
            sfgp_json_skip(json);
    if (json->status == SFGP_OK && placed && defined)
        sfgp_landmark_add(file->list, (sfgp_text){(char *)label.bytes, label.size > 0 ? label.size - 1 : 0},
                          point);
    sfgp_buffer_clear(&label);
}

static void read_list(markups *file)
{
    sfgp_json *json = &file->json;
    sfgp_text name;
    sfgp_json_enter(json, '{');
    while (sfgp_json_member(json, &name))
        if (sfgp_text_is(name, "coordinateSystem"))
            read_system(file);
        else if (sfgp_text_is(name, "controlPoints"))
            for (sfgp_json_enter(json, '['); sfgp_json_element(json);)
                read_point(file);
        else
            sfgp_json_skip(json);
}

static void read_root(markups *file)
{
    sfgp_json *json = &file->json;
    sfgp_text name;
    bool found = false;
    sfgp_json_enter(json, '{');
    while (sfgp_json_member(json, &name))
        if (sfgp_text_is(name, "markups") && !found) {
            found = true;
            for (sfgp_json_enter(json, '['); sfgp_json_element(json);)
                read_list(file);
        } else {
            sfgp_json_skip(json);
        }
    sfgp_json_finish(json);
    if (!found)
        sfgp_json_fail(json, SFGP_ERROR_FORMAT,
                       "there is no member 'markups'; this is not a Slicer markups file");
}

sfgp_status sfgp_landmarks_markups_read(sfgp_source *source, sfgp_landmark_list *list)
{
    sfgp_text text;
    sfgp_status status = sfgp_landmarks_take_all(source, &text);
    if (status != SFGP_OK)
        return status;
    markups file = {sfgp_json_start(source, text), list, sfgp_buffer_empty(source->context), false};
    if (sfgp_json_peek(&file.json) == '[') {
        sfgp_landmarks_scalismo_read(&file.json, list);
    } else {
        list->system = "LPS";
        read_root(&file);
    }
    source->line = file.json.line;
    sfgp_buffer_clear(&file.text);
    return file.json.status;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static void write_point(const sfgp_landmarks *landmarks, int64_t k, const double *sd, sfgp_buffer *buffer)
{
    const int d = landmarks->dimension;
    sfgp_buffer_print(buffer, "        {\"id\": \"%lld\", \"label\": ", (long long)k + 1);
    sfgp_json_quote(landmarks->names[k], buffer);
    sfgp_buffer_text(buffer, ", \"description\": \"");
    sfgp_landmark_describe(sd, k, buffer);
    sfgp_buffer_text(buffer, "\", \"position\": [");
    for (int a = 0; a < 3; a++) {
        sfgp_buffer_text(buffer, a > 0 ? ", " : "");
        sfgp_buffer_number(buffer, a < d ? landmarks->points[k * d + a] : 0);
    }
    sfgp_buffer_text(buffer, "], \"positionStatus\": \"defined\"}");
}

void sfgp_landmarks_markups_write(const sfgp_landmarks *landmarks, const double *sd, sfgp_buffer *buffer)
{
    sfgp_buffer_text(
        buffer, "{\n  \"@schema\": \"https://raw.githubusercontent.com/slicer/slicer/master/Modules/Loadable/"
                "Markups/Resources/Schema/markups-schema-v1.0.3.json#\",\n"
                "  \"markups\": [\n    {\n      \"type\": \"Fiducial\",\n      \"coordinateSystem\": \"");
    sfgp_buffer_text(buffer, landmarks->system[0] ? landmarks->system : "LPS");
    sfgp_buffer_text(buffer, "\",\n      \"controlPoints\": [\n");
    for (int64_t k = 0; k < landmarks->count; k++) {
        write_point(landmarks, k, sd, buffer);
        sfgp_buffer_text(buffer, k + 1 < landmarks->count ? ",\n" : "\n");
    }
    sfgp_buffer_text(buffer, "      ]\n    }\n  ]\n}\n");
}
