/* Which files the samples of a folder are; the reading of them is in source_folder.c. */
#ifndef SFGP_STUDY_SOURCE_FOLDER_H
#define SFGP_STUDY_SOURCE_FOLDER_H

#include "study/source.h"

/* state of the set */
typedef struct study_folder {
    char ***names; /* by level; one empty name: scans is itself a file */
    int *counts;
    int level_count; /* whose names are there */
} study_folder;

/* Lists the scans of every level and sets the number of samples. Errors: SFGP_ERROR_READ, _MEMORY. */
sfgp_status study_folder_open(study *s, study_set *set);
void study_folder_close(study_set *set);
/* Adds names and sizes of the files to the checksum of the set. */
void study_folder_add_checksum(const study *s, study_set *set);

/* The scan is the truth, and what the damage leaves of it the target. */
bool study_folder_is_damaged(const study_set *set);
/* The file that a template names, at a level and for a scan ("" where it has none); free(). NULL: no memory. */
char *study_folder_path(const study *s, const study_set *set, const char *template, int level,
                        const char *id);
/* sample counts from 0, those before the first one included; free(). */
char *study_folder_scan(const study *s, const study_set *set, int level, int sample);
/* Name of a file without its extension; free(). */
char *study_folder_id(const char *path);

#endif
