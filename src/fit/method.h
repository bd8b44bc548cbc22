/* Methods: the rows of `sfgp methods`. */
#ifndef SFGP_FIT_METHOD_H
#define SFGP_FIT_METHOD_H

#include "baseline/baseline.h"
#include "em/em.h"

/* A method of the SFGP family is a variant of the loop in em; any other has a loop of its own (baseline). */
typedef struct sfgp_method {
    sfgp_method_info info;
    sfgp_baseline baseline;         /* NULL: the variant */
    const sfgp_em_variant *variant; /* NULL: the baseline */
} sfgp_method;

/* Row of the table by its name. SFGP_ERROR_PARAMETER. */
sfgp_status sfgp_method_find(sfgp_context *context, const char *name, const sfgp_method **method);
/* Warns of every setting that is not at its default and that the method does not read, naming both. */
void sfgp_method_warn_unread(sfgp_context *context, const sfgp_settings *settings);

#endif
