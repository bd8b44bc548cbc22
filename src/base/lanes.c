#include "base/lanes.h"

#include <unistd.h>

int sfgp_threads_resolve(int64_t asked)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1)
        cores = 1;
    return asked < 1 || asked > cores ? (int)cores : (int)asked;
}
