/* Standard streams and signals, by POSIX. */
#define _GNU_SOURCE /* SIGXFSZ */
#include "base/platform_terminal.h"

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
