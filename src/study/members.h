/* Members of the objects of a study file, each with its type checked. Those that are absent leave the value
 * as it is. Errors: SFGP_ERROR_FORMAT with the place in the file. */
#ifndef SFGP_STUDY_MEMBERS_H
#define SFGP_STUDY_MEMBERS_H

#include "study/study.h"

typedef struct study_object {
    study *s; /* gets the words of an error */
    json_t *json;
    const char *where; /* how errors call the object */
} study_object;

/* It is an object, and all its members are words of keys or more. */
sfgp_status study_object_check_keys(const study_object *object, const char *keys, const char *more);
/* Not empty. */
sfgp_status study_object_text(const study_object *object, const char *name, const char **text);
sfgp_status study_object_number(const study_object *object, const char *name, const double range[2],
                                double *number);
sfgp_status study_object_count(const study_object *object, const char *name, const int range[2], int *count);
sfgp_status study_object_switch(const study_object *object, const char *name, bool *on);
/* NULL when absent. */
sfgp_status study_object_object(const study_object *object, const char *name, json_t **member);
/* A list with 1 to most entries. */
sfgp_status study_object_list(const study_object *object, const char *name, size_t most, json_t **list);

#endif
