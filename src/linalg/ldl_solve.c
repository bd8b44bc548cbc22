/* Forward and backward substitution by panels of one column, and of four at once. */
#include "base/simd.h"
#include "linalg/ldl_panels.h"

#define INLINE                                                                                               \
    static inline __attribute__((always_inline)) /* inlined into the clones, where the width is a constant */
#define WIDTH 4

typedef double quad __attribute__((vector_size(4 * sizeof(double))));
typedef double any_quad __attribute__((vector_size(4 * sizeof(double)), aligned(8), may_alias));

#define LANES double
#define ANY_LANES double
#define NAMED(x) x##_one
#include "linalg/ldl_strips.h"
#undef LANES
#undef ANY_LANES
#undef NAMED

#define LANES quad
#define ANY_LANES any_quad
#define NAMED(x) x##_four
#include "linalg/ldl_strips.h"
void sfgp_ldl_panels_forward(const sfgp_ldl_panels *l, int stride, double *y)
{
    if (stride == 1)
        forward_one(&l->nodes, l->values, y);
    else
        forward_four(&l->nodes, l->values, y);
}

void sfgp_ldl_panels_backward(const sfgp_ldl_panels *l, int stride, bool divide, double *y)
{
    if (stride == 1)
        backward_one(&l->nodes, l->values, divide, y);
    else
        backward_four(&l->nodes, l->values, divide, y);
}
