/* The locale of the calling thread. */
#ifndef SFGP_BASE_PLATFORM_LOCALE_H
#define SFGP_BASE_PLATFORM_LOCALE_H

/* Numbers are read and written in the C locale by this thread, until the other function gets what this one returned.
 * Other threads keep theirs. */
void *sfgp_platform_locale_begin(void);
void sfgp_platform_locale_end(void *before);

#endif
