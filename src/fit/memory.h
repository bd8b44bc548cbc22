/* Memory of a fit, predicted: the sum of what every owner allocates, in doubles so that nothing overflows.
 * Whoever changes an allocation that grows with the points or the rank changes its line in memory_em.c or
 * memory_fit.c; a test compares with the allocator. */
#ifndef SFGP_FIT_MEMORY_H
#define SFGP_FIT_MEMORY_H

#include "fit/method.h"

/* Bytes of the field of setting detail. */
double sfgp_memory_detail(const sfgp_run_size *size, const sfgp_effort *effort);
/* Bytes of P; the most of a fit, P included, that searches with so many workers. */
double sfgp_memory_labels(const sfgp_run_size *size, const sfgp_method *method);
double sfgp_memory_fit(const sfgp_run_size *size, const sfgp_method *method, const sfgp_effort *effort,
                       int workers);

#endif
