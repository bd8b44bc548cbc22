/* SuiteSparse 5 and 6 have their functions first in a public struct. */
#include "support/cholmod.h"
#include "support/support.h"

#include <dlfcn.h>

test_cholmod_functions *test_cholmod_allocator(void)
{
    test_cholmod_functions *all = dlsym(RTLD_DEFAULT, "SuiteSparse_config");
    if (!all)
        skip();
    return all;
}
