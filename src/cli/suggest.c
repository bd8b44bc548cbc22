/* Finds the nearest word by the number of edits: a letter more, less, another one, or two that are swapped (optimal string
 * alignment distance). The first three letters or more of a word are one edit away from it. */
#include "cli/suggest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t count_edits(const char *a, size_t n, const char *b, size_t m)
{
    size_t edits[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                edits[i][j] = i + j;
                continue;
            }
            edits[i][j] = least(edits[i - 1][j - 1] + (a[i - 1] != b[j - 1]),
                                least(edits[i - 1][j], edits[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                edits[i][j] = least(edits[i][j], edits[i - 2][j - 2] + 1);
        }
    return edits[n][m];
}

cli_suggestion cli_suggest_start(const char *word)
{
    const size_t third = strlen(word) / 3;
    return (cli_suggestion){.word = word, .distance = (third > 1 ? third : 1) + 1};
}

void cli_suggest_try(cli_suggestion *suggestion, const char *candidate, size_t length)
{
    const size_t size = strlen(suggestion->word);
    if (size > LONGEST || length > LONGEST)
        return;
    const bool begins = size > 2 && size < length && memcmp(suggestion->word, candidate, size) == 0;
    const size_t edits = begins ? 1 : count_edits(suggestion->word, size, candidate, length);
    if (edits >= suggestion->distance)
        return;
    suggestion->distance = edits;
    snprintf(suggestion->best, sizeof suggestion->best, "%.*s", (int)length, candidate);
}

const char *cli_suggest_text(const cli_suggestion *suggestion, const char *prefix,
                             char text[CLI_SUGGESTION_SIZE + 32])
{
    text[0] = '\0';
    if (suggestion->best[0])
        snprintf(text, CLI_SUGGESTION_SIZE + 32, " (did you mean %s%s?)", prefix, suggestion->best);
    return text;
}
