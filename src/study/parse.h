/* Parsers of the parts of a study file: parse_sets.c, parse_methods.c. */
#ifndef SFGP_STUDY_PARSE_H
#define SFGP_STUDY_PARSE_H

#include "study/members.h"

/* Needs s->json. */
sfgp_status study_parse_sets(study *s);
/* Needs the sets. */
sfgp_status study_parse_methods(study *s);

#endif
