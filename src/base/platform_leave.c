/* The end of a process without what exit does. */
#include "base/platform_leave.h"

#include <unistd.h>

#ifdef SFGP_COVERAGE
void __gcov_dump(void);
#endif

_Noreturn void sfgp_platform_leave(int code)
{
#ifdef SFGP_COVERAGE
    __gcov_dump();
#endif
    _exit(code); /* GCOVR_EXCL_LINE: the counters are written before */
}
