/* Turns matrices into shapes and results into lists. */
#include "convert.h"

#include <string.h>

/* By column in R, by row in the library. */
static void to_rows(int64_t n, int d, const double *columns, double *rows)
{
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < d; a++)
            rows[i * d + a] = columns[a * n + i];
}

SEXP r_matrix(int64_t n, int d, const double *rows)
{
    SEXP matrix = Rf_allocMatrix(REALSXP, (int)n, d);
    for (int64_t i = 0; i < n; i++)
        for (int a = 0; a < d; a++)
            REAL(matrix)[a * n + i] = rows[i * d + a];
    return matrix;
}

double *r_rows(SEXP matrix)
{
    double *rows = (double *)R_alloc((size_t)Rf_xlength(matrix), sizeof *rows);
    to_rows(Rf_nrows(matrix), Rf_ncols(matrix), REAL(matrix), rows);
    return rows;
}

/* Triangles of R are columns or rows of three indices from 1; those of sfgp_read are rows. */
static void set_faces(SEXP faces, sfgp_mesh *mesh)
{
    const int64_t count = mesh->face_count, corners = Rf_ncols(faces);
    SEXP whole = PROTECT(Rf_coerceVector(faces, INTSXP));
    for (int64_t f = 0; f < count; f++) {
        mesh->face_start[f + 1] = (f + 1) * corners;
        for (int64_t k = 0; k < corners; k++)
            mesh->face_points[f * corners + k] = INTEGER(whole)[k * count + f] - 1;
    }
    UNPROTECT(1);
}

SEXP r_mesh(sfgp_context *context, SEXP shape, sfgp_mesh **mesh)
{
    if (Rf_isString(shape)) {
        r_check(context, sfgp_mesh_read(context, R_ExpandFileName(CHAR(STRING_ELT(shape, 0))), mesh));
        return r_mesh_own(*mesh);
    }
    SEXP points = VECTOR_ELT(shape, 0), faces = VECTOR_ELT(shape, 1);
    const int64_t count = Rf_isMatrix(faces) ? Rf_nrows(faces) : 0;
    r_check(context, sfgp_mesh_new(context, Rf_nrows(points), Rf_ncols(points), count,
                                   count > 0 ? Rf_xlength(faces) : 0, mesh));
    SEXP owner = PROTECT(r_mesh_own(*mesh));
    to_rows((*mesh)->count, (*mesh)->dimension, REAL(points), (*mesh)->points);
    if (count > 0)
        set_faces(faces, *mesh);
    UNPROTECT(1);
    return owner;
}

SEXP r_faces(const sfgp_mesh *mesh)
{
    const int64_t count = mesh->face_count, size = count > 0 ? mesh->face_start[1] : 0;
    for (int64_t f = 0; f < count; f++)
        if (mesh->face_start[f + 1] != (f + 1) * size)
            return R_NilValue;
    if (count == 0)
        return R_NilValue;
    SEXP faces = Rf_allocMatrix(INTSXP, (int)count, (int)size);
    for (int64_t f = 0; f < count; f++)
        for (int64_t k = 0; k < size; k++)
            INTEGER(faces)[k * count + f] = (int)mesh->face_points[f * size + k] + 1;
    return faces;
}

/* ---- results ------------------------------------------------------------------------------------------- */

SEXP r_numbers(int64_t n, const double *values)
{
    SEXP vector = Rf_allocVector(REALSXP, n);
    memcpy(REAL(vector), values, (size_t)n * sizeof *values);
    return vector;
}

static SEXP flags(int64_t n, const unsigned char *values)
{
    SEXP vector = Rf_allocVector(LGLSXP, n);
    for (int64_t i = 0; i < n; i++)
        LOGICAL(vector)[i] = values[i];
    return vector;
}

/* Points of the target count from 1; NA where there is none. */
static SEXP indices(int64_t n, const int64_t *values)
{
    SEXP vector = Rf_allocVector(INTSXP, n);
    for (int64_t i = 0; i < n; i++)
        INTEGER(vector)[i] = values[i] < 0 ? NA_INTEGER : (int)values[i] + 1;
    return vector;
}

static SEXP texts(SEXP list)
{
    SEXP vector = PROTECT(Rf_allocVector(STRSXP, Rf_length(list)));
    for (int k = Rf_length(list) - 1; k >= 0; k--, list = CDR(list))
        SET_STRING_ELT(vector, k, STRING_ELT(CAR(list), 0));
    UNPROTECT(1);
    return vector;
}

SEXP r_fit(const sfgp_result *result, SEXP faces, SEXP map, SEXP warnings)
{
    static const char *names[] = {"points",  "faces", "sd",    "missing",  "target", "probability",
                                  "outcome", "pose",  "sigma", "warnings", "map",    ""};
    const int64_t n = result->count;
    SEXP list = PROTECT(Rf_mkNamed(VECSXP, names));
    SET_VECTOR_ELT(list, 0, r_matrix(n, result->dimension, result->points));
    SET_VECTOR_ELT(list, 1, faces);
    SET_VECTOR_ELT(list, 2, r_numbers(n, result->sd));
    SET_VECTOR_ELT(list, 3, flags(n, result->missing));
    SET_VECTOR_ELT(list, 4, indices(n, result->target));
    SET_VECTOR_ELT(list, 5, r_numbers(n, result->probability));
    SET_VECTOR_ELT(list, 6, Rf_mkString(sfgp_outcome_name(result->outcome)));
    SET_VECTOR_ELT(list, 7, r_matrix(4, 4, result->pose));
    SET_VECTOR_ELT(list, 8, Rf_ScalarReal(result->sigma));
    SET_VECTOR_ELT(list, 9, texts(warnings));
    SET_VECTOR_ELT(list, 10, map);
    UNPROTECT(1);
    return list;
}
