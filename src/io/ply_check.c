/* Whether a PLY header can be true: roles that are there once, and counts that the file can hold. */
#include "io/ply.h"
#include "base/memory.h"

bool sfgp_ply_has_role(const sfgp_ply_header *header, const sfgp_ply_element *element, sfgp_ply_role role)
{
    for (int k = element->first; k < element->end; k++)
        if (header->properties[k].role == role)
            return true;
    return false;
}

/* Fewest bytes of a row: in text a digit and a blank for each value, and a list may be just its length. */
static int64_t least_row_size(const sfgp_ply_header *header, const sfgp_ply_element *element)
{
    int64_t size = 0;
    for (int k = element->first; k < element->end; k++) {
        const sfgp_ply_property *property = &header->properties[k];
        size += header->text ? 2 : sfgp_scalar_size(property->list ? property->length_type : property->type);
    }
    return size;
}

/* The last line of a text may lack its end. */
static sfgp_status check_counts(const sfgp_source *source, const sfgp_ply_header *header)
{
    int64_t rest = source->size - source->offset + header->text;
    for (int k = 0; k < header->element_count; k++) {
        const sfgp_ply_element *element = &header->elements[k];
        int64_t least = least_row_size(header, element), needed = 0;
        if (element->count > 0 && least == 0)
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: element without properties");
        if (!sfgp_product(element->count, least, &needed) || needed > rest)
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT,
                                    "PLY header: %lld rows of %lld bytes or more do not fit into the %lld "
                                    "bytes that are left; the count is wrong or the file is cut short",
                                    (long long)element->count, (long long)least, (long long)rest);
        rest -= needed;
    }
    return SFGP_OK;
}

static sfgp_status check_elements(const sfgp_source *source, const sfgp_ply_header *header)
{
    bool vertex = false;
    for (int k = 0; k < header->element_count; k++) {
        const sfgp_ply_element *element = &header->elements[k];
        vertex = vertex || element->kind == SFGP_PLY_VERTEX;
        for (int role = SFGP_PLY_X; element->kind == SFGP_PLY_VERTEX && role <= SFGP_PLY_Z; role++)
            if (!sfgp_ply_has_role(header, element, (sfgp_ply_role)role))
                return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: no property %c of vertex",
                                        "xyz"[role]);
        if (element->kind == SFGP_PLY_FACE && element->count > 0 &&
            !sfgp_ply_has_role(header, element, SFGP_PLY_CORNERS))
            return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: no list vertex_indices of face");
    }
    if (!vertex)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: no element vertex");
    return SFGP_OK;
}

sfgp_status sfgp_ply_check_header(const sfgp_source *source, const sfgp_ply_header *header)
{
    if (!header->has_format)
        return sfgp_source_fail(source, SFGP_ERROR_FORMAT, "PLY header: no format line");
    sfgp_status status = check_elements(source, header);
    return status == SFGP_OK ? check_counts(source, header) : status;
}
