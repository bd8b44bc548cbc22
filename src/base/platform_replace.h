/* Files that appear whole or not at all, also after a power cut. */
#ifndef SFGP_BASE_PLATFORM_REPLACE_H
#define SFGP_BASE_PLATFORM_REPLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes a file beside, syncs it, and renames it over the target. A link stays a link: the file that it leads to is
 * replaced. An existing file keeps its permissions, a new one gets those of the umask. A file that its owner may not write is left
 * alone, also by root. After a failure errno says why. */
bool sfgp_platform_replace(const char *target, const void *bytes, size_t size);

#endif
