/* Attributes: numbers of the points beside their coordinates. The reader of a format that has them fills the
 * list that its source names; all others leave it empty. */
#include "io/attributes.h"
#include "base/memory.h"

#include <string.h>

sfgp_status sfgp_attributes_add(sfgp_context *context, sfgp_attributes *attributes, const char *name,
                                int64_t count, bool integer, double **values)
{
    const int last = attributes->count;
    const size_t length = strlen(name) + 1;
    char *copy = NULL;
    sfgp_attribute *items = NULL;
    sfgp_status status = SFGP_OK;
    *values = NULL;
    if ((status = sfgp_allocate(context, (int64_t)last + 1, &items)) != SFGP_OK)
        return status;
    if ((status = sfgp_allocate(context, (int64_t)length, &copy)) == SFGP_OK &&
        (status = sfgp_allocate(context, count, values)) == SFGP_OK) {
        memcpy(copy, name, length);
        if (last > 0)
            memcpy(items, attributes->items, (size_t)last * sizeof *items);
        items[last] = (sfgp_attribute){copy, *values, integer};
        sfgp_free(attributes->items);
        *attributes = (sfgp_attributes){last + 1, items};
        return SFGP_OK;
    }
    sfgp_free(copy);
    sfgp_free(items);
    return status;
}

void sfgp_attributes_free(sfgp_attributes *attributes)
{
    if (!attributes)
        return;
    for (int k = 0; k < attributes->count; k++) {
        sfgp_free((char *)attributes->items[k].name);
        sfgp_free((double *)attributes->items[k].values);
    }
    sfgp_free(attributes->items);
    sfgp_free(attributes);
}
