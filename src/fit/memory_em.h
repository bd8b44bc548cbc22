/* Memory of one fit from one start, a part of that of a whole fit. All in bytes, in doubles so that nothing overflows. */
#ifndef SFGP_FIT_MEMORY_EM_H
#define SFGP_FIT_MEMORY_EM_H

#include "fit/memory.h"

/* A fit with P and its workspace. search: one that learns, with what its search needs of it. */
double sfgp_memory_em(const sfgp_run_size *size, bool search);
/* What its last steps take for a while: the variance by the information, and anisotropic labels. */
double sfgp_memory_information(const sfgp_run_size *size);
double sfgp_memory_anisotropic(const sfgp_run_size *size);
/* m = d s + p: coefficients of a shape. */
double sfgp_memory_coefficients(const sfgp_run_size *size);
/* Points of the subset that a search begins with. */
int64_t sfgp_memory_subset(const sfgp_run_size *size);

#endif
