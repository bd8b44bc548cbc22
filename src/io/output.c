/* What writers of attributes rely on. */
#include "io/output.h"
#include "io/file.h"
#include "io/scalar.h"

#include <string.h>

/* Most characters of an attribute's name, so that a header line fits sfgp_buffer_print. */
enum { LONGEST_NAME = 200 };

static bool is_name(const char *name)
{
    size_t length = name ? strlen(name) : 0;
    for (size_t k = 0; k < length; k++)
        if ((unsigned char)name[k] <= ' ' || name[k] == 127) /* blanks end a name; UTF-8 does not */
            return false;
    return length > 0 && length <= LONGEST_NAME && !(length == 1 && strchr("xyz", name[0]));
}

sfgp_status sfgp_output_check_attributes(const sfgp_output *output)
{
    for (int k = 0; k < output->attribute_count; k++) {
        const sfgp_attribute *attribute = &output->attributes[k];
        if (!is_name(attribute->name) || !attribute->values)
            return sfgp_fail(
                output->context, SFGP_ERROR_PARAMETER,
                "%s: attribute %d, '%.60s': expected values and a name of one word other than x y z",
                sfgp_path_shown(output->path), k, attribute->name ? attribute->name : "");
        if (attribute->integer && !sfgp_scalar_are_bytes(attribute->values, output->mesh->count))
            return sfgp_fail(output->context, SFGP_ERROR_PARAMETER,
                             "%s: attribute %s: expected whole numbers of 0 to 255",
                             sfgp_path_shown(output->path), attribute->name);
    }
    return SFGP_OK;
}
