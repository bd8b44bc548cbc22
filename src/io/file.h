/* File: output that appears whole or not at all. sfgp_file_write (sfgp.h) writes a new file beside the
 * target and renames it, so that nobody ever sees half a file and the old one survives every failure. File and
 * folder are synced, so that a power cut leaves the old file or the new one.
 *   - a link to a file stays a link: the file it points to is replaced;
 *   - an existing file keeps its permissions, a new one gets those of the umask;
 *   - a file without write permission is left alone, as with any editor;
 *   - pipes, devices and standard output ("-") cannot be renamed over and are written into. */
#ifndef SFGP_IO_FILE_H
#define SFGP_IO_FILE_H

#include "base/context.h"
#include "io/token.h"

/* The end of a path that is too long for a message, else the path. */
const char *sfgp_path_shown(const char *path);
/* Behind the last dot of the file's name, "" without one; of a file called .gz that of what it holds. */
sfgp_text sfgp_path_extension(const char *path);
/* Whether it ends in .gz. */
bool sfgp_path_is_packed(const char *path);
/* Whether it is standard input or output: "-", or "-.EXTENSION" where an extension says the format. */
bool sfgp_path_is_stream(const char *path);
/* Whether it stands for something that is neither a file nor a folder. */
bool sfgp_path_is_device(const char *path);
bool sfgp_path_has_extension(const char *path, const char *extension);
/* Whether the name ends so, letter by letter. */
bool sfgp_path_ends_in(const char *path, const char *end);

#endif
