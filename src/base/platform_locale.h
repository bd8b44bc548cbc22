/* Numbers in the C locale, whatever the process has set. */
#ifndef SFGP_BASE_PLATFORM_LOCALE_H
#define SFGP_BASE_PLATFORM_LOCALE_H

/* Numbers are read and written in the C locale by this thread, until the other function gets what this one returned.
 * Other threads keep theirs. */
void *sfgp_platform_locale_begin(void);
void sfgp_platform_locale_end(void *before);

/* strtod in the C locale. The locale of the thread stays: text readers call this for every number. */
double sfgp_platform_strtod(const char *text, char **end);

#endif
