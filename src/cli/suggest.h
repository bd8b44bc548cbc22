/* The word that a misspelled one was probably meant to be. */
#ifndef SFGP_CLI_SUGGEST_H
#define SFGP_CLI_SUGGEST_H

#include <stddef.h>

enum { CLI_SUGGESTION_SIZE = 96 };

typedef struct cli_suggestion {
    const char *word; /* that was typed */
    size_t distance;  /* of the best so far; one more than is allowed where there is none */
    char best[CLI_SUGGESTION_SIZE];
} cli_suggestion;

/* A suggestion has at most so many edits: a third of the letters, or one. */
cli_suggestion cli_suggest_start(const char *word);
/* A word that is right: `length` letters. */
void cli_suggest_try(cli_suggestion *suggestion, const char *candidate, size_t length);
/* " (did you mean PREFIXbest?)", or "" when nothing is near. Returns text. */
const char *cli_suggest_text(const cli_suggestion *suggestion, const char *prefix,
                             char text[CLI_SUGGESTION_SIZE + 32]);

#endif
