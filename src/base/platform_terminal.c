/* Standard streams and signals, by POSIX. */
#define _GNU_SOURCE /* SIGXFSZ */
#include "base/platform_terminal.h"
#include "base/platform_leave.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

bool sfgp_terminal_is_there(void)
{
    return isatty(STDERR_FILENO);
}

void sfgp_terminal_fill_closed_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDONLY);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor >= 0)
        close(descriptor);
}

void sfgp_terminal_turn_signals_into_errors(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

static struct sigaction interrupt; /* as it was */
static bool held;

void sfgp_terminal_hold_interrupts(void)
{
    const struct sigaction ignored = {.sa_handler = SIG_IGN};
    held = sigaction(SIGINT, &ignored, &interrupt) == 0;
}

void sfgp_terminal_release_interrupts(void)
{
    if (held)
        sigaction(SIGINT, &interrupt, NULL);
    held = false;
}

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void sfgp_terminal_catch_interrupt(void)
{
    const struct sigaction once = {.sa_handler = note_interrupt, .sa_flags = SA_RESTART | SA_RESETHAND};
    struct sigaction before;
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGINT, &once, NULL);
}

bool sfgp_terminal_is_interrupted(void)
{
    return interrupted;
}

void sfgp_terminal_yield_to_interrupt(void)
{
    struct sigaction before;
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == note_interrupt)
        signal(SIGINT, SIG_DFL);
    if (!interrupted)
        return;
    sfgp_platform_keep_counters();
    raise(SIGINT); /* GCOVR_EXCL_LINE: the counters are written before */
}
