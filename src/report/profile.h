/* The time of a run as a table of text: one line for each stage that ran, and one for the whole run. The caller frees
 * *text. SFGP_ERROR_MEMORY. */
#ifndef SFGP_REPORT_PROFILE_H
#define SFGP_REPORT_PROFILE_H

#include "sfgp/sfgp.h"

sfgp_status report_profile(const sfgp_profile *profile, char **text);

#endif
