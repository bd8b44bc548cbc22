/* Model: the reference in its own frame and the prior over its displacements,
 *     u ~ GP(mean, K),   K ~ B B',   B = [B_pca, B_scalar (x) I_d].
 * Immutable after sfgp_model_new or sfgp_model_read. */
#ifndef SFGP_MODEL_MODEL_H
#define SFGP_MODEL_MODEL_H

#include "geom/frame.h"
#include "kernel/kernel.h"
#include "lowrank/basis.h"

/* Share of the variance of terms along the surface that their columns leave out where no accuracy is given, in the mean over the points. Their
 * eigenvalues fall like a power of the number of columns, so that each further digit multiplies it by 3 to 10 (docs/adr/0043). */
#define SFGP_MODEL_SURFACE_LEFT 0.01
/* Columns that stand for a field in the sparse form where something is made of components: at most so many. Lanczos needs 8 s for them at 100 000 points. */
#define SFGP_MODEL_FIELD_COLUMNS 100

struct sfgp_model {
    sfgp_frame frame;
    int64_t count;
    int dimension;
    double *original;   /* N x d as given, returned unchanged when nothing overlaps */
    double *reference;  /* N x d in the frame */
    sfgp_basis basis;   /* mean and columns of the prior at the reference; basis.pca.mean may be NULL */
    int64_t face_count; /* of the reference, as in sfgp_mesh; NULL without faces */
    int64_t *face_start, *face_points;
    sfgp_markov *field;       /* of the kernel's term in the sparse form, basis.field; NULL: there is none */
    sfgp_kernel kernel_terms; /* the scalar kernel */
    char kernel[SFGP_TEXT_SIZE]; /* description of the whole prior */
    int across; /* of a standard prior of a surface: 1 + the axis across the plane of symmetry of the reference; 0: there is none */
};

/* Copies the points and faces of reference into the model, whose frame is set; the prior mean is the
 * reference. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_model_place(sfgp_context *context, const sfgp_mesh *reference, sfgp_model *model);

/* A model whose frame is given and whose prior is the kernel of the settings alone, for methods with a frame
 * of their own; kernel "none" makes one that cannot move. Settings kernel, lowrank, rank, accuracy (here in
 * squared units of that frame), threads, seed, which are not checked. Errors as sfgp_model_new. */
sfgp_status sfgp_model_new_in_frame(sfgp_context *context, const sfgp_mesh *reference,
                                    const sfgp_frame *frame, const sfgp_settings *settings,
                                    sfgp_model **model);
/* The accuracy of the factor in space of so many points, squared RMS radii: what the settings say, or the default. */
double sfgp_model_accuracy(const sfgp_settings *settings, int64_t count);
/* B of the kernel on the reference, which is placed: the columns in space, then those along the surface (factor.c). No columns for a
 * kernel without terms. Errors as sfgp_model_new. */
sfgp_status sfgp_model_factorise(sfgp_context *context, const sfgp_settings *settings, sfgp_model *model);
/* Chooses the form of the kernel's term that leaves it open, if there is one, of a model that is placed: sparse where that costs less and the
 * method takes it (model/form.c); then model->kernel is the kernel with it. Makes Q and an ordering of it. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_model_choose_form(sfgp_context *context, const sfgp_settings *settings, sfgp_model *model);
/* view: the model; where it has a field in the sparse form and no columns, with those of the eigen form that leave SFGP_MODEL_SURFACE_LEFT of the
 * variance of the term, SFGP_MODEL_FIELD_COLUMNS at most. All else is the model's. Clear also after an error. SFGP_ERROR_MEMORY, SFGP_ERROR_NUMERIC. */
sfgp_status sfgp_model_with_columns(sfgp_context *context, const sfgp_model *model, sfgp_model *view);
void sfgp_model_with_columns_clear(const sfgp_model *model, sfgp_model *view);
/* About how many columns along the surface that will be, of a model that is placed and has its kernel. SFGP_ERROR_MEMORY. */
sfgp_status sfgp_model_guess_surface(sfgp_context *context, const sfgp_settings *settings,
                                     const sfgp_model *model, int64_t *rank);
/* Warns of a rank that the points do not have, or that leaves more than the accuracy, and of a kernel that needs very many columns. */
void sfgp_model_warn_rank(sfgp_context *context, const sfgp_settings *settings, const sfgp_model *model);
/* The reference axis by axis (d x N). SFGP_ERROR_MEMORY. sfgp_free. */
sfgp_status sfgp_model_axes(sfgp_context *context, const sfgp_model *model, double **axes);
/* The reference in the frame as a mesh whose arrays are the model's; not to be freed. */
sfgp_mesh sfgp_model_mesh(const sfgp_model *model);

#endif
