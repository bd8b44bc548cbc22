#include "base/lanes.h"

#include <unistd.h>

#define ROWS_PER_THREAD 500

int sfgp_threads_resolve(int64_t asked)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (cores < 1)
        cores = 1;
    if (asked < 0)
        return 1;
    return asked == 0 || asked > cores ? (int)cores : (int)asked;
}

int sfgp_threads_for(int64_t asked, int64_t rows)
{
    int threads = sfgp_threads_resolve(asked);
    return rows / ROWS_PER_THREAD + 1 < threads ? (int)(rows / ROWS_PER_THREAD) + 1 : threads;
}
