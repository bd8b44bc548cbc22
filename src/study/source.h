/* Sources of cases, one file each, and what they share. */
#ifndef SFGP_STUDY_SOURCE_H
#define SFGP_STUDY_SOURCE_H

#include "study/study.h"

/* Groups of an HDF5 file with target, truth, target_ids and missing for every sample, and /reference. */
extern const study_source study_source_hdf5;
/* Files: a reference, a folder of scans, and their truths, masks and training shapes. */
extern const study_source study_source_folder;
/* Shapes of the simulators, or of a file, damaged. */
extern const study_source study_source_simulate;

/* The member "damage" of a set at a level, seed for the sample. No damage when there is no such member. */
sfgp_status study_damage(study *s, const study_set *set, int level, int sample, sfgp_damage *damage);
/* Text member of a set, standard when absent; NULL when there is neither. */
const char *study_set_text(const study_set *set, const char *name, const char *standard);

#endif
