/* The files of a set that is a folder. source_folder.c reads them. */
#ifndef SFGP_STUDY_SOURCE_FOLDER_H
#define SFGP_STUDY_SOURCE_FOLDER_H

#include "study/source.h"

/* study_set.state of this source */
typedef struct study_folder {
    char ***names;   /* file names of the scans at each level; one empty name when the path is a file */
    int *counts;     /* number of names at each level */
    int level_count; /* levels that have been listed */
} study_folder;

/* Lists the scans of every level, and sets the number of samples. Errors: SFGP_ERROR_READ, _MEMORY. */
sfgp_status study_folder_open(study *s, study_set *set);
void study_folder_close(study_set *set);
/* Visits reference, scans, truths and masks, then the training shapes. */
sfgp_status study_folder_visit(const study *s, const study_set *set, const study_visitor *visitor);
/* Adds names and sizes of the files, without the training shapes, to the checksum of the set. SFGP_ERROR_MEMORY. */
sfgp_status study_folder_add_checksum(study *s, study_set *set);

/* Whether the set has damage: then the scan is the truth, and the damaged scan the target. */
bool study_folder_is_damaged(const study_set *set);
/* The path of a template for a level and the id of a scan (or ""). The caller frees it. NULL: out of memory. */
char *study_folder_path(const study *s, const study_set *set, const char *template, int level,
                        const char *id);
/* The path of a scan. sample 0 is the first one of the folder, before "first" is applied. The caller frees it. */
char *study_folder_scan(const study *s, const study_set *set, int level, int sample);
/* File name without folder and extension. The caller frees it. */
char *study_folder_id(const char *path);

#endif
