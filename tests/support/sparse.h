/* Whether CHOLMOD finds a sparse matrix valid. */
#ifndef SFGP_TESTS_SPARSE_H
#define SFGP_TESTS_SPARSE_H

#include "linalg/sparse.h"

#include <stdbool.h>

static inline bool test_sparse_is_valid(const sfgp_sparse *matrix)
{
    cholmod_common common;
    cholmod_sparse form = matrix->form;
    cholmod_start(&common);
    common.print = 0;
    const bool valid = cholmod_check_sparse(&form, &common);
    cholmod_finish(&common);
    return valid;
}

#endif
