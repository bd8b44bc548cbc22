/* Part of the Python module: passes progress and warnings on to Python. Python is asked a few times a second, not after every
 * iteration: it may have to wait for its lock, and signals are seen soon enough. */
#include <sfgp/sfgp.h>

#include <time.h>

#define REST 0.05 /* seconds between two questions; a fit has to end within 0.2 s after a signal */

/* Defined by the generated part. */
static int python_progress(void *listener, const sfgp_progress *progress);
static void python_log(void *listener, const char *warning);

/* Who is told, and when he was asked last. */
typedef struct python_watch {
    void *listener; /* handle of a Python object */
    double asked;   /* seconds of the monotonic clock */
} python_watch;

static int watch_progress(void *user, const sfgp_progress *progress)
{
    python_watch *watch = user;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (seconds - watch->asked < REST)
        return 0;
    watch->asked = seconds;
    return python_progress(watch->listener, progress);
}

static void watch_log(void *user, const char *warning)
{
    const python_watch *watch = user;
    python_log(watch->listener, warning);
}
