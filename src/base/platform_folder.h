/* Folders. After a failure errno says why. */
#ifndef SFGP_BASE_PLATFORM_FOLDER_H
#define SFGP_BASE_PLATFORM_FOLDER_H

#include <stdbool.h>

/* The new folder survives a power failure. False also where it is there already (EEXIST). */
bool sfgp_folder_make(const char *path);
bool sfgp_folder_remove(const char *path); /* an empty one */

/* The names in a folder, in any order, without . and .. */
typedef struct sfgp_folder sfgp_folder;
sfgp_folder *sfgp_folder_open(const char *path);
const char *sfgp_folder_next(sfgp_folder *folder); /* valid until the next call; NULL past the last */
void sfgp_folder_close(sfgp_folder *folder);       /* NULL is allowed */

#endif
