/* Attributes: numbers of the points beside their coordinates, for readers of formats that have them. */
#ifndef SFGP_IO_ATTRIBUTES_H
#define SFGP_IO_ATTRIBUTES_H

#include "base/context.h"

#include <stdbool.h>

/* A new attribute at the end, copying name; *values are its count zeros, which the list owns. SFGP_ERROR_MEMORY
 * leaves the list as it was. O(attributes). */
sfgp_status sfgp_attributes_add(sfgp_context *context, sfgp_attributes *attributes, const char *name,
                                int64_t count, bool integer, double **values);

#endif
