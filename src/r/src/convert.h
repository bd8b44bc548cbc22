/* Matrices of R, which are by column, and shapes of the library, which are by row. What these functions return is not protected. */
#ifndef SFGP_R_CONVERT_H
#define SFGP_R_CONVERT_H

#include "objects.h"

SEXP r_matrix(int64_t n, int d, const double *rows);
SEXP r_numbers(int64_t n, const double *values);
/* Rows of a matrix in memory that R frees after the call. */
double *r_rows(SEXP matrix);
/* The owner of a mesh. shape: a path, or a list of points and faces as R/sfgp.R makes it. */
SEXP r_mesh(sfgp_context *context, SEXP shape, sfgp_mesh **mesh);
/* Faces as rows of indices from 1; NULL without faces, or where they differ in size. */
SEXP r_faces(const sfgp_mesh *mesh);
/* The list that sfgp_register returns. warnings: the newest first. */
SEXP r_fit(const sfgp_result *result, SEXP faces, SEXP map, SEXP warnings);

#endif
