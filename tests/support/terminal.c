/* The program on a pseudo terminal. */
#include "support/terminal.h"
#include "support/support.h"

#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 16 };

static _Noreturn void become_program(const char *const *words)
{
    const char *arguments[WORDS] = {SFGP_PROGRAM};
    for (int k = 0; words[k]; k++)
        arguments[k + 1] = words[k];
    execv(SFGP_PROGRAM, (char **)(void *)arguments);
    _exit(127);
}

static void read_all(int terminal, size_t room, char *seen)
{
    size_t length = 0;
    for (ssize_t got = 1; got > 0 && length<room - 1; length += got> 0 ? (size_t)got : 0)
        got = read(terminal, seen + length, room - 1 - length); /* EIO at the end */
    seen[length] = '\0';
    close(terminal);
}

int test_terminal_run(const char *const *words, size_t room, char *seen)
{
    int terminal, status = 0, count = 0;
    while (words[count])
        count++;
    assert_true(count + 1 < WORDS);
    const pid_t child = forkpty(&terminal, NULL, NULL, NULL);
    if (child < 0) {
        print_message("skipped: this machine has no pseudo terminals\n");
        skip();
    }
    if (child == 0)
        become_program(words);
    read_all(terminal, room, seen);
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
