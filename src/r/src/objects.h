/* Objects of the library as objects of R.
 *
 * An error of R leaves a function without a return. So what the library made belongs to external pointers, which R frees, and
 * nothing else is allocated but memory of R. */
#ifndef SFGP_R_OBJECTS_H
#define SFGP_R_OBJECTS_H

#include <sfgp/sfgp.h>

#include <R.h>
#include <Rinternals.h>

/* What has to be freed in an order, which finalizers of R do not keep. */
typedef struct objects {
    sfgp_context *context;
    sfgp_model *model;
    sfgp_solver *solver;
    sfgp_result *result;
    sfgp_deformation *map;
} objects;

/* The owner of objects, of which the context is made. warnings is a cell of R whose first element collects them; it must
 * live as long as the owner. */
SEXP r_objects_new(SEXP warnings, objects **made);
/* Frees solver and result. */
void r_objects_drop_fit(objects *made);
/* Adds a warning to the first element of a cell of R. */
void r_warning_keep(void *warnings, const char *text);
/* The owner of a mesh. */
SEXP r_mesh_own(sfgp_mesh *mesh);
/* An error of R where the library had one. */
void r_check(sfgp_context *context, sfgp_status status);

#endif
