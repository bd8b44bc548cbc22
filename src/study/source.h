/* The sources of cases, one file for each, and functions that they share. */
#ifndef SFGP_STUDY_SOURCE_H
#define SFGP_STUDY_SOURCE_H

#include "study/parts.h"

/* An HDF5 file: /reference, and groups with target, truth, target_ids and missing for every sample. */
extern const study_source study_source_hdf5;
/* Files: a reference, a folder of scans, and optionally their truths, masks and training shapes. */
extern const study_source study_source_folder;
/* Damaged shapes, of the simulators or of a file. */
extern const study_source study_source_simulate;

/* The member "damage" of a set at a level, with the seed of the sample. Without this member: no damage. */
sfgp_status study_damage(study *s, const study_set *set, int level, int sample, sfgp_damage *damage);
/* A text member of a set; `standard` when it is absent. */
const char *study_set_text(const study_set *set, const char *name, const char *standard);

#endif
