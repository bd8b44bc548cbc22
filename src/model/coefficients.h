/* Points from coefficients of the prior: rbar = prior mean + B c with c ~ N(0, I). c holds the scalar
 * factor's part first (m_s x d, one column an axis), then the m_p PCA modes. Over a range of points, for
 * lanes. */
#ifndef SFGP_MODEL_COEFFICIENTS_H
#define SFGP_MODEL_COEFFICIENTS_H

#include "model/model.h"

/* m_s d + m_p. */
int64_t sfgp_coefficients_size(const sfgp_model *model);
/* Rows first .. end - 1 of points (N x d) = prior mean + B c. O((end - first) d (m_s + m_p)). */
void sfgp_coefficients_place(const sfgp_model *model, const double *c, int64_t first, int64_t end,
                             double *points);
/* g += B' r over the rows first .. end - 1 of r (N x d); g is laid out as c. The same cost. */
void sfgp_coefficients_pull(const sfgp_model *model, const double *r, int64_t first, int64_t end, double *g);

#endif
