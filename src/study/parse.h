/* The parts of a study file, each in the file of its name. */
#ifndef SFGP_STUDY_PARSE_H
#define SFGP_STUDY_PARSE_H

#include "study/members.h"

/* s->json is there. */
sfgp_status study_parse_sets(study *s);
/* The sets are parsed. */
sfgp_status study_parse_methods(study *s);

#endif
