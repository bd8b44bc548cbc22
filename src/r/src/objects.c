/* Who owns the objects of the library, and how errors, warnings and interrupts reach R. */
#include "objects.h"

static void finish_mesh(SEXP owner)
{
    sfgp_mesh_free(R_ExternalPtrAddr(owner));
    R_ClearExternalPtr(owner);
}

SEXP r_mesh_own(sfgp_mesh *mesh)
{
    SEXP owner = PROTECT(R_MakeExternalPtr(mesh, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(owner, finish_mesh, TRUE);
    UNPROTECT(1);
    return owner;
}

void r_objects_drop_fit(objects *made)
{
    sfgp_result_free(made->result);
    sfgp_solver_free(made->solver);
    made->result = NULL;
    made->solver = NULL;
}

static void finish_objects(SEXP owner)
{
    objects *made = R_ExternalPtrAddr(owner);
    if (!made)
        return;
    r_objects_drop_fit(made);
    sfgp_deformation_free(made->map);
    sfgp_model_free(made->model);
    sfgp_context_free(made->context);
    R_Free(made);
    R_ClearExternalPtr(owner);
}

void r_check(sfgp_context *context, sfgp_status status)
{
    if (status == SFGP_CANCELLED)
        Rf_error("the fit was interrupted");
    if (status != SFGP_OK)
        Rf_error("%s", sfgp_context_error(context));
}

static void check_user(void *user)
{
    (void)user;
    R_CheckUserInterrupt();
}

/* An interrupt may not leave through the library: R is asked at the top level, and the fit is cancelled. */
static int ask_for_interrupt(void *user, const sfgp_progress *progress)
{
    (void)user;
    (void)progress;
    return R_ToplevelExec(check_user, NULL) == FALSE;
}

void r_warning_keep(void *warnings, const char *text)
{
    SEXP cell = Rf_cons(Rf_mkString(text), CAR(warnings));
    SETCAR(warnings, cell);
}

SEXP r_objects_new(SEXP warnings, objects **made)
{
    *made = R_Calloc(1, objects);
    SEXP owner = PROTECT(R_MakeExternalPtr(*made, R_NilValue, warnings));
    R_RegisterCFinalizerEx(owner, finish_objects, TRUE);
    if (sfgp_context_new(NULL, &(*made)->context) != SFGP_OK)
        Rf_error("out of memory");
    sfgp_context_set_progress((*made)->context, ask_for_interrupt, NULL);
    sfgp_context_set_log((*made)->context, r_warning_keep, warnings);
    UNPROTECT(1);
    return owner;
}
