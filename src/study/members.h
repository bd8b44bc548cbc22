/* Reads members of objects of a study file and checks their types. When a member is absent, the value does not change.
 * Errors: SFGP_ERROR_FORMAT with the place in the file. */
#ifndef SFGP_STUDY_MEMBERS_H
#define SFGP_STUDY_MEMBERS_H

#include "study/parts.h"

typedef struct study_object {
    study *s; /* receives the error text */
    json_t *json;
    const char *where; /* name of the object in errors */
} study_object;

/* Checks that it is an object whose members are all named in keys or more (NULL: none). */
sfgp_status study_object_check_keys(const study_object *object, const char *keys, const char *more);
/* A text that is not empty. */
sfgp_status study_object_text(const study_object *object, const char *name, const char **text);
sfgp_status study_object_number(const study_object *object, const char *name, const double range[2],
                                double *number);
sfgp_status study_object_count(const study_object *object, const char *name, const int range[2], int *count);
sfgp_status study_object_switch(const study_object *object, const char *name, bool *on);
/* *member is NULL when it is absent. */
sfgp_status study_object_object(const study_object *object, const char *name, json_t **member);
/* A list of 1 to STUDY_MOST_LISTED entries. */
sfgp_status study_object_list(const study_object *object, const char *name, json_t **list);

#endif
