/* The functions that R calls. */
#include "convert.h"

#include <R_ext/Rdynload.h>

static SEXP call_read(SEXP path)
{
    static const char *names[] = {"points", "faces", ""};
    objects *made;
    sfgp_mesh *mesh;
    SEXP warnings = PROTECT(Rf_cons(R_NilValue, R_NilValue));
    PROTECT(r_objects_new(warnings, &made));
    PROTECT(r_mesh(made->context, path, &mesh));
    SEXP shape = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(shape, 0, r_matrix(mesh->count, mesh->dimension, mesh->points));
    SET_VECTOR_ELT(shape, 1, r_faces(mesh));
    UNPROTECT(4);
    return shape;
}

static void set_settings(sfgp_context *context, SEXP values, sfgp_settings *settings)
{
    SEXP names = Rf_getAttrib(values, R_NamesSymbol);
    sfgp_settings_default(settings);
    for (int k = 0; k < Rf_length(values); k++)
        r_check(context, sfgp_settings_set(context, settings, CHAR(STRING_ELT(names, k)),
                                           CHAR(STRING_ELT(values, k))));
}

static void make_model(objects *made, const sfgp_mesh *reference, SEXP train, const sfgp_settings *settings)
{
    const int count = Rf_length(train);
    const sfgp_mesh **shapes = (const sfgp_mesh **)R_alloc((size_t)count + 1, sizeof *shapes);
    SEXP owners = PROTECT(Rf_allocVector(VECSXP, count));
    for (int k = 0; k < count; k++) {
        sfgp_mesh *shape;
        SET_VECTOR_ELT(owners, k, r_mesh(made->context, VECTOR_ELT(train, k), &shape));
        shapes[k] = shape;
    }
    r_check(made->context, sfgp_model_new(made->context, reference, shapes, count, settings, &made->model));
    UNPROTECT(1);
}

static void set_landmarks(sfgp_context *context, sfgp_solver *solver, SEXP landmarks, double sd)
{
    if (Rf_isNull(landmarks))
        return;
    SEXP first = VECTOR_ELT(landmarks, 0), second = VECTOR_ELT(landmarks, 1);
    if (Rf_nrows(first) != Rf_nrows(second) || Rf_ncols(first) != Rf_ncols(second))
        Rf_error("landmarks: two matrices of one size");
    r_check(context, sfgp_solver_set_landmarks(solver, Rf_nrows(first), r_rows(first), r_rows(second), sd));
}

/* Why a fit is flagged is among the warnings, in the words of the program. */
static void keep_flag(const sfgp_result *result, SEXP warnings)
{
    char text[SFGP_WARNING_SIZE];
    if (sfgp_result_warning(result, text)[0])
        r_warning_keep(warnings, text);
}

static SEXP call_register(SEXP reference, SEXP target, SEXP train, SEXP landmarks, SEXP landmark_sd,
                          SEXP values)
{
    objects *made;
    sfgp_settings settings;
    sfgp_mesh *base, *scan;
    SEXP warnings = PROTECT(Rf_cons(R_NilValue, R_NilValue));
    SEXP owner = PROTECT(r_objects_new(warnings, &made));
    set_settings(made->context, values, &settings);
    PROTECT(r_mesh(made->context, reference, &base));
    PROTECT(r_mesh(made->context, target, &scan));
    make_model(made, base, train, &settings);
    r_check(made->context, sfgp_solver_new(made->context, made->model, &settings, &made->solver));
    set_landmarks(made->context, made->solver, landmarks, Rf_asReal(landmark_sd));
    r_check(made->context, sfgp_solver_run(made->solver, scan, &made->result));
    keep_flag(made->result, warnings);
    r_check(made->context, sfgp_solver_deformation(made->solver, made->result, &made->map));
    SEXP faces = PROTECT(r_faces(base));
    SEXP fit = PROTECT(r_fit(made->result, faces, owner, CAR(warnings)));
    r_objects_drop_fit(made);
    UNPROTECT(6);
    return fit;
}

static SEXP call_apply(SEXP owner, SEXP points)
{
    static const char *names[] = {"points", "sd", ""};
    const int64_t n = Rf_nrows(points);
    const int d = Rf_ncols(points);
    objects *made = R_ExternalPtrAddr(owner);
    sfgp_model_info info;
    if (!made)
        Rf_error("the fit is of an earlier session of R");
    sfgp_model_describe(made->model, &info);
    if (d != info.dimension)
        Rf_error("points: %dD, the fit is %dD", d, info.dimension);
    double *rows = r_rows(points), *sd = (double *)R_alloc((size_t)n, sizeof *sd);
    r_check(made->context, sfgp_deformation_apply(made->context, made->map, n, rows, 0, rows, sd));
    SEXP moved = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(moved, 0, r_matrix(n, d, rows));
    SET_VECTOR_ELT(moved, 1, r_numbers(n, sd));
    UNPROTECT(1);
    return moved;
}

void R_init_sfgp(DllInfo *library)
{
    static const R_CallMethodDef calls[] = {{"C_read", (DL_FUNC)&call_read, 1},
                                            {"C_register", (DL_FUNC)&call_register, 6},
                                            {"C_apply", (DL_FUNC)&call_apply, 2},
                                            {NULL, NULL, 0}};
    R_registerRoutines(library, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
}
