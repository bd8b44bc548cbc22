/* Comparing text: without regard to upper and lower case, and with patterns. */
#ifndef SFGP_BASE_PLATFORM_TEXT_H
#define SFGP_BASE_PLATFORM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

int sfgp_text_order_nocase(const char *a, const char *b);                /* as strcmp */
bool sfgp_text_same_nocase(const char *a, const char *b, size_t length); /* of the first so many bytes */
bool sfgp_text_matches(const char *pattern, const char *text);           /* * stands for any characters */

#endif
