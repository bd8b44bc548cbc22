/* Completions of command lines for shells. */
#ifndef SFGP_CLI_COMPLETION_H
#define SFGP_CLI_COMPLETION_H

#include "cli/verb.h"

/* Prints the completions for bash, zsh or fish on stdout. Returns false for another shell. */
bool cli_completion_print(const cli_verb *const *verbs, const char *shell);

#endif
